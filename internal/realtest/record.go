package realtest

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Facts that a test can show for a framework. docs/reference/frameworks.md has a column for each.
const (
	Planned  = "plan"      // a spec can be planned with the installed version
	TwoSteps = "two steps" // the real trainer updates, saves and ends
	Learned  = "learns"    // held-out success rises
	Mastered = "masters"   // held-out success reaches 85 %
	Survived = "fault"     // Detail names the fault
	Smoked   = "smoke"     // a smoke run passes
	Found    = "finding"   // a run with a planted fault has the Finding that names it
	Clean    = "clean"     // a run without a fault, which Detail describes, has no finding except Warnings
)

// Result is a test result for a real framework: a line in the file named by AWHOST_RESULTS, from which
// docs/internal/frameworks generates the support table.
type Result struct {
	Framework string `json:"framework"`      // "verl"
	Version   string `json:"version"`        // "0.9.1"
	Mode      string `json:"mode,omitempty"` // for a framework with several: "agent"
	What      string `json:"what"`           // Planned, …
	Detail    string `json:"detail,omitempty"`
	Steps     int    `json:"steps,omitempty"`

	Before *float64  `json:"before,omitempty"` // success on held-out tasks, from 0 to 1
	After  *float64  `json:"after,omitempty"`
	Curve  []float64 `json:"curve,omitempty"` // share of the training episodes that succeed, by step
	// Gap is the largest difference between sampler and trainer in a sampled token's probability, or in its logarithm.
	Gap      *float64 `json:"gap,omitempty"`
	GapBelow *float64 `json:"gap_below,omitempty"` // an upper bound if the exact number was not recorded

	// Finding is the rule that found the fault in Detail, at step Steps; 0: before the first step.
	Finding string `json:"finding,omitempty"`
	// Warnings are the rules that warn in a clean run, in addition to those about its tasks.
	Warnings []string `json:"warnings,omitempty"`

	Date string `json:"date"` // 2026-11-21
}

// Record records a result. Call it at the end of a test: a failed test records nothing.
func Record(t *testing.T, r Result) {
	t.Helper()
	path := os.Getenv("AWHOST_RESULTS")
	if path == "" || t.Failed() {
		return
	}
	r.Date = time.Now().UTC().Format(time.DateOnly)
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatalf("record the result: %v", err)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatalf("record the result: %v", err)
	}
	_, err = file.Write(append(line, '\n')) // one write, because tests of several packages may share the file
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatalf("record the result: %v", err)
	}
}

// Version returns the version of a package in a Python environment.
func Version(t *testing.T, python, name string) string {
	t.Helper()
	pattern := filepath.Join(filepath.Dir(filepath.Dir(python)), "lib", "python3.*", "site-packages", name+"-*.dist-info")
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("%d versions of %s match %s: %v", len(found), name, pattern, err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(filepath.Base(found[0]), name+"-"), ".dist-info")
}
