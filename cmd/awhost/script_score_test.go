//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Every string vector of AWorld's own function must get the same score from awhost score: one process, all lines at
// once.
func TestScoreGaiaEqualsTheOriginal(t *testing.T) {
	root := os.Getenv("AWHOST_TESTDATA")
	if root == "" {
		t.Skip("SKIPPED: scores were compared with no reference. Set AWHOST_TESTDATA to the directory that has reference/vectors/gaia_vectors.jsonl")
	}
	text, err := os.ReadFile(filepath.Join(root, "reference", "vectors", "gaia_vectors.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	type vector struct {
		Solution json.RawMessage `json:"solution_str"` // unparsed: includes strings that Go cannot represent
		Truth    json.RawMessage `json:"ground_truth"`
		Expected float64         `json:"expected"`
		Category string          `json:"category"`
	}
	var vectors []vector
	var items bytes.Buffer
	for _, line := range lines(string(text)) {
		var v vector
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&items, `{"id":%d,"task":{"ground_truth":%s},"answer":%s}`+"\n", len(vectors), v.Truth, v.Solution)
		vectors = append(vectors, v)
	}
	if len(vectors) == 0 {
		t.Fatal("the file holds no vectors")
	}
	results := lines(string(runScore(t, &items)))
	if len(results) != len(vectors) {
		t.Fatalf("%d results for %d items", len(results), len(vectors))
	}
	for i, v := range vectors {
		var got struct {
			ID    int      `json:"id"`
			Score *float64 `json:"score"`
		}
		if err := json.Unmarshal([]byte(results[i]), &got); err != nil {
			t.Fatal(err)
		}
		if got.ID != i || got.Score == nil || *got.Score != v.Expected {
			t.Errorf("vector %d (%s): %s against %s gives %s, want %v", i+1, v.Category, v.Solution, v.Truth, results[i],
				v.Expected)
		}
	}
	t.Logf("compared %d answers", len(vectors))
}

func runScore(t *testing.T, items *bytes.Buffer) []byte {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "score", "gaia", "--set", "compatibility=reference")
	cmd.Args[0] = "awhost" // see TestMain
	cmd.Dir, cmd.Stdin = t.TempDir(), items
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	return out
}
