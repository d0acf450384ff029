package pythonplugin

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// FuzzArguments checks that any item is sent to Python as one line of JSON, an object of known names.
func FuzzArguments(f *testing.F) {
	f.Add(`{"prompt":"1+2","extra_info":{"a":1}}`, "{\n \"ground_truth\": [1.50, \"\\ud800\"]}", "an answer\n\u2028",
		`{"a":`)
	f.Add("null", "", "\xff\x00", "[]")
	f.Add(`{"extra_info":[1],"reward_scores":{}}`, `{"extra_info":null}`, "", "")
	f.Fuzz(func(t *testing.T, public, private, answer, state string) {
		item := sdk.ScoreItem{
			Task:  sdk.Task{ID: answer, Public: json.RawMessage(public), Private: json.RawMessage(private)},
			State: json.RawMessage(state), Metadata: json.RawMessage(state), FinalAnswer: answer,
			Messages: []sdk.Message{{Role: sdk.RoleAssistant, Content: answer,
				ToolCalls: []sdk.ToolCall{{Name: answer, Arguments: private}}}},
		}
		line := arguments(item, valueNames())
		var got map[string]json.RawMessage
		if err := json.Unmarshal(line, &got); err != nil || bytes.ContainsAny(line, "\n\r") {
			t.Fatalf("%v: %q", err, line)
		}
		for name := range got {
			if name == "" {
				t.Errorf("a value without a name: %s", line)
			}
		}
		for _, name := range []string{"solution_str", "extra_info", "task", "messages"} {
			if _, ok := got[name]; !ok {
				t.Errorf("no %s in %s", name, line)
			}
		}
	})
}
