package entry_test

import (
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
)

// Every parsed entry must be playable: it has as many turns as questions.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"id": "multi_turn_base_0", "question": [[{"role": "user", "content": "q"}]], "initial_config": {}, "involved_classes": ["MathAPI"]}`),
		[]byte(`{"id": "multi_turn_base_0", "ground_truth": [["add(1, 2)"]]}`))
	f.Add([]byte(`{"id": "x", "question": [[], []], "initial_config": {"A": {"a": [{}]}}, "involved_classes": [], "missed_function": {"1": ["f"]}}`), []byte(`{"ground_truth": [[], []]}`))
	f.Add([]byte(`{"id": 1, "question": null}`), []byte(`[]`))
	f.Fuzz(func(t *testing.T, question, answer []byte) {
		e, err := entry.Parse(question, answer)
		if err != nil {
			return
		}
		if len(e.Truth) != len(e.Questions) || len(e.Later()) != len(e.Questions)-1 {
			t.Errorf("%d questions, %d later, %d turns of ground truth", len(e.Questions), len(e.Later()), len(e.Truth))
		}
	})
}
