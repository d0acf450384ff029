package score

import (
	"encoding/json"
	"testing"
)

// FuzzParse checks that any line is an error, an item that can be scored, or one with a failure, and that its result
// is a line of JSON with its id.
func FuzzParse(f *testing.F) {
	for _, line := range []string{
		`{"id":1,"task":{"ground_truth":"3"},"answer":"3"}`, `{"id":null,"messages":[{"role":"assistant","content":"x"}]}`,
		`{"answer":null}`,
		`{"answer":[],"task":3}`, `{"messages":{},"task":null}`, `{}`, `[]`, ``, `{"ID":1,"Answer":"x","answer":true}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		i, err := parse(line)
		if err != nil {
			return
		}
		if i.failure != nil && i.failure.Detail == "" {
			t.Errorf("a failure without a reason: %s", line)
		}
		if !json.Valid(i.task.Public) || len(i.task.Private) > 0 && !json.Valid(i.task.Private) {
			t.Errorf("the task is not JSON: %s and %s", i.task.Public, i.task.Private)
		}
		text, err := json.Marshal(i.id)
		if err != nil || !json.Valid(text) {
			t.Errorf("the id is not JSON: %s, %v", i.id, err)
		}
	})
}
