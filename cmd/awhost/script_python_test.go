//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// AWorld's published function, unchanged, and reward "gaia" in its reference mode must agree on every vector, as a
// raw answer and as a transcript.
func TestScorePython_RunsTheOriginalGaiaFunction(t *testing.T) {
	root := os.Getenv("AWHOST_TESTDATA")
	if root == "" {
		t.Skip("SKIPPED: AWorld's own function was not run. Set AWHOST_TESTDATA to the directory that has users/aworld/gaia_reward_function.py and reference/vectors")
	}
	needPython3(t)
	file := filepath.Join(root, "users", "aworld", "gaia_reward_function.py")
	items, n, lists := gaiaItems(t, root)
	pythonPath := t.TempDir()
	for name, text := range map[string]string{
		"aworld/__init__.py": "", "aworld/logs/__init__.py": "",
		"aworld/logs/util.py": "import logging\nlogger = logging.getLogger('aworld')\n",
	} {
		path := filepath.Join(pythonPath, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PYTHONPATH", pythonPath)
	type line struct {
		ID      int              `json:"id"`
		Score   *float64         `json:"score"`
		Failure *json.RawMessage `json:"failure"`
	}
	original := lines(string(awhostScore(t, items, "python", "--pass-env", "PYTHONPATH", "--set", "file="+file, "--set",
		"name=gaia_reward_func")))
	ours := lines(string(awhostScore(t, items, "gaia", "--set", "compatibility=reference")))
	if len(original) != n || len(ours) != n {
		t.Fatalf("%d and %d results for %d items", len(original), len(ours), n)
	}
	scored := 0
	for i := range n {
		var a, b line
		if json.Unmarshal([]byte(original[i]), &a) != nil || json.Unmarshal([]byte(ours[i]), &b) != nil {
			t.Fatalf("no JSON: %s or %s", original[i], ours[i])
		}
		switch {
		case lists[i] && a.Failure != nil: // accepted answers for gaia; the original refuses the type
			if a.ID != i || b.ID != i || b.Score == nil || !strings.Contains(string(*a.Failure), "TypeError") {
				t.Errorf("item %d, a list: the function says %s, gaia says %s", i, original[i], ours[i])
			}
		case a.ID != i || b.ID != i || (a.Score == nil) != (b.Score == nil):
			t.Errorf("item %d: the function says %s, gaia says %s", i, original[i], ours[i])
		case a.Score != nil && *a.Score != *b.Score:
			t.Errorf("item %d: the function gives %v, gaia gives %v", i, *a.Score, *b.Score)
		case a.Score != nil:
			scored++
		}
	}
	if scored == 0 {
		t.Error("nothing was scored")
	}
	t.Logf("the function and gaia agree on %d items: %d numbers, %d failures", n, scored, n-scored)
}

// gaiaItems returns the vectors as items for awhost score: each as an answer and, if it is a text, as two
// transcripts. lists reports the items whose ground truth is a list.
func gaiaItems(t *testing.T, root string) (_ *bytes.Buffer, n int, lists map[int]bool) {
	t.Helper()
	items := &bytes.Buffer{}
	lists = map[int]bool{}
	for _, name := range []string{"gaia_vectors.jsonl", "gaia_vectors_nonstring.jsonl"} {
		text, err := os.ReadFile(filepath.Join(root, "reference", "vectors", name))
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for _, line := range lines(string(text)) {
			var v struct {
				Solution json.RawMessage `json:"solution_str"`
				Truth    json.RawMessage `json:"ground_truth"`
			}
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatal(err)
			}
			bodies := []string{`"answer":` + string(v.Solution)}
			if v.Solution[0] == '"' {
				assistant := `{"role":"assistant","content":` + string(v.Solution) + `}`
				bodies = append(bodies, `"messages":[{"role":"user","content":"q"},`+assistant+`]`,
					`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"id":"1","name":"f","arguments":"{}"}]},{"role":"tool","tool_call_id":"1","content":`+
						string(v.Solution)+`},`+assistant+`]`)
			}
			for _, body := range bodies {
				lists[n] = v.Truth[0] == '[' && string(v.Truth) != "[]"
				fmt.Fprintf(items, `{"id":%d,"task":{"ground_truth":%s},%s}`+"\n", n, v.Truth, body)
				n++
			}
			count++
		}
		if count == 0 {
			t.Fatalf("%s holds no vectors", name)
		}
		t.Logf("took %d vectors of %s", count, name)
	}
	return items, n, lists
}

func needPython3(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: no user's Python file was run. Install python3 (3.8 or newer) and put it on PATH")
	}
}

// awhostScore runs awhost score.
func awhostScore(t *testing.T, items *bytes.Buffer, args ...string) []byte {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, append([]string{"score"}, args...)...)
	cmd.Args[0] = "awhost" // see TestMain
	cmd.Dir, cmd.Stdin = t.TempDir(), bytes.NewReader(items.Bytes())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	return out
}

func init() { scriptCommands["example"] = example } // example NAME...: examples/NAME, and the data that examples use

// example copies examples and their data.
func example(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) > 0, "example NAME...")
	root, dirs := filepath.Join("..", ".."), []string{"data"}
	for _, name := range args {
		dirs = append(dirs, filepath.Join("examples", name))
	}
	for _, dir := range dirs {
		ts.Check(os.CopyFS(ts.MkAbs(dir), os.DirFS(filepath.Join(root, dir))))
	}
}
