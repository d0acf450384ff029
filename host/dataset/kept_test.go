package dataset_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/sdk"
)

// A kept list is the same data as the environment's list, including the fingerprint.
func TestKept_IsWhatTheEnvironmentListed(t *testing.T) {
	listed := []sdk.Task{
		{ID: "a", Public: []byte(`{"task_id":"a"}`), Private: []byte(`{"ground_truth":1}`)},
		{ID: "b", Public: []byte(`{"task_id":7}`)},
	}
	config := dataset.Config{Type: dataset.TypeEnvironment, Environment: "environment.mine.x", Split: "train"}
	asked, err := dataset.Collect(t.Context(), config,
		func(_ context.Context, _ sdk.Split, _ int, yield func(sdk.Task) bool) error {
			for _, task := range listed {
				yield(task)
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	var lines strings.Builder
	for i := range asked.Len() {
		task, err := asked.Task(i)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.NewEncoder(&lines).Encode(task); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "list.jsonl")
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	kept, err := dataset.Collect(t.Context(), config, dataset.Kept(path))
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	if kept.Len() != 2 || kept.Fingerprint() != asked.Fingerprint() {
		t.Errorf("kept are %d tasks with fingerprint %s, want 2 with %s", kept.Len(), kept.Fingerprint(), asked.Fingerprint())
	}
	if err := os.WriteFile(path, []byte("{}\n{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := dataset.Collect(t.Context(), config, dataset.Kept(path)); err == nil ||
		!strings.Contains(err.Error(), "the id has 0 bytes") {
		t.Errorf("a damaged list: %v", err)
	}
}
