package dataset_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/dataset"
)

// An agent gets the private columns that its block names, by their names in the data, and no others.
func TestReveal(t *testing.T) {
	for name, c := range map[string]struct {
		row, config string
		names       []string
		want        string
		missing     []string
	}{
		"no column": {`{"question":"q","answer":"a"}`, `{}`, nil, `{"prompt":"q"}`, nil},
		"the answer by its column": {
			`{"question":"q","answer":"a"}`, `{}`, []string{"answer"}, `{"answer":"a","prompt":"q"}`, nil,
		},
		"the answer by its field": {
			`{"question":"q","answer":"a"}`, `{}`, []string{"ground_truth"}, `{"ground_truth":"a","prompt":"q"}`, nil,
		},
		"one of two": {
			`{"question":"q","answer":"a","rubric":"r"}`, `{"private":["rubric"]}`, []string{"rubric"},
			`{"prompt":"q","rubric":"r"}`, nil,
		},
		"a column of an object": {
			`{"q":"q","metadata":{"answer":"a","n":1}}`, `{"map":{"prompt":"q","ground_truth":"metadata.answer"}}`,
			[]string{"metadata.answer"}, `{"metadata":{"answer":"a","n":1},"prompt":"q"}`, nil,
		},
		"a name that is unknown": {
			`{"question":"q","answer":"a"}`, `{}`, []string{"anser"}, `{"prompt":"q"}`, []string{"anser"},
		},
		"a task without an answer": {`{"prompt":"q"}`, `{}`, []string{"answer"}, `{"prompt":"q"}`, []string{"answer"}},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "rows.jsonl")
			if err := os.WriteFile(file, []byte(c.row), 0o644); err != nil {
				t.Fatal(err)
			}
			config, err := dataset.Decode("jsonl", json.RawMessage(c.config))
			if err != nil {
				t.Fatal(err)
			}
			config.Path = file
			data, err := dataset.Open(config)
			if err != nil {
				t.Fatal(err)
			}
			defer data.Close()
			task, err := data.Task(0)
			if err != nil {
				t.Fatal(err)
			}
			got, missing := dataset.Reveal(task, c.names)
			if string(got.Public) != c.want || got.Private != nil {
				t.Errorf("got %s and %s in private, want %s", got.Public, got.Private, c.want)
			}
			if diff := cmp.Diff(c.missing, missing); diff != "" {
				t.Errorf("missing (-want +got):\n%s", diff)
			}
		})
	}
}
