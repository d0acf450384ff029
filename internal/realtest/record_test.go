package realtest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

func TestRecord_AddsALine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	t.Setenv("AWHOST_RESULTS", path)
	gap := 6e-6
	realtest.Record(t, realtest.Result{Framework: "verl", Version: "0.9.1", What: realtest.TwoSteps, Steps: 2, Gap: &gap})
	realtest.Record(t, realtest.Result{Framework: "verl", Version: "0.9.1", What: realtest.Smoked})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines in\n%s", len(lines), text)
	}
	var r realtest.Result
	if err := json.Unmarshal([]byte(lines[0]), &r); err != nil {
		t.Fatal(err)
	}
	if r.Steps != 2 || r.Gap == nil || *r.Gap != gap || len(r.Date) != len("2026-11-21") {
		t.Errorf("the first line is %s", lines[0])
	}
}

func TestVersion_ReadsTheNameOfTheMetadata(t *testing.T) {
	venv := t.TempDir()
	if err := os.MkdirAll(filepath.Join(venv, "lib", "python3.11", "site-packages", "verl-0.9.1.dist-info"),
		0o755); err != nil {
		t.Fatal(err)
	}
	if got := realtest.Version(t, filepath.Join(venv, "bin", "python"), "verl"); got != "0.9.1" {
		t.Errorf("the version is %q", got)
	}
}
