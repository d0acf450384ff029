package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/realtest/stranger"
)

// These tests run templates of `awhost new spec`. .ci/tutorial trains arithmetic and math, and .ci/scaffolds trains
// tools, whose package needs PyPI.

func template(t *testing.T, name string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), name)
	realtest.Do(t, filepath.Dir(dir), "new", "spec", name, "--template", name)
	return dir
}

func TestTemplates_PythonRewardTrains(t *testing.T) {
	dir := template(t, "python-reward")
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), "before_train = true", "before_train = false")
	stranger.Done(t, realtest.Apply(t, dir, "--var", "imitation=20", "--var", "steps=1").Wait(), "completed", 1)
}

func TestTemplates_MCPServerAnswers(t *testing.T) {
	python, dir := gaiaPython(t), template(t, "mcp")
	script := `{"tool_calls": [{"name": "mod", "arguments": "{\"a\": 30, \"b\": 12}"}]}
{"content": "<answer>6</answer>"}
`
	if err := os.WriteFile(filepath.Join(dir, "call.jsonl"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	text := realtest.Do(t, dir, "debug", ".", "--limit", "1", "--script", "call.jsonl", "--var", "python="+python)
	if !regexp.MustCompile(`(?m)^\s*tool\s+6$`).MatchString(text) {
		t.Errorf("the server does not answer:\n%s", text)
	}
}
