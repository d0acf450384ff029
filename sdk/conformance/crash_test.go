package conformance_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/conformance"
)

// envBroken turns this test binary into a plugin whose author's code crashes, and selects where.
const envBroken = "AWHOST_CONFORMANCE_BROKEN"

func serveBroken(how string) {
	if how == "start" {
		panic("the author's start")
	}
	if how == "return" && len(os.Args) == 1 {
		os.Exit(0)
	}
	sdk.Serve(sdk.Plugin{Name: "broken", Version: "1.0.0", Rewards: []sdk.RewardComponent{{
		Component: sdk.Component{Type: "broken", Description: "Breaks.",
			Validate: func(context.Context, json.RawMessage) []sdk.Diagnostic {
				if how == "validate" {
					panic("the author's mistake")
				}
				return nil
			}},
		New: func(context.Context, sdk.Setup) (sdk.Reward, error) {
			return sdk.RewardFunc(func(context.Context, sdk.ScoreItem) (float64, error) {
				if how == "score" {
					died := make(chan struct{})
					go func() { panic("the author's goroutine") }()
					<-died
				}
				return 1, nil
			}), nil
		},
	}}})
}

// broken returns the results of such a plugin by check id.
func broken(t *testing.T, how string, only ...string) map[string]conformance.Result {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	report, err := conformance.Verify(t.Context(), conformance.Config{
		Command: []string{self}, Env: map[string]string{envBroken: how}, Fixtures: "testdata/broken.json", Only: only,
	})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]conformance.Result{}
	for _, r := range report.Results {
		out[r.Check.ID] = r
	}
	return out
}

func wantFailure(t *testing.T, r conformance.Result, remedy string, reasons ...string) {
	t.Helper()
	if r.Status != conformance.Failed || !strings.Contains(r.Remedy, remedy) {
		t.Errorf("%s, remedy %q, want a failure with %q", r.Status, r.Remedy, remedy)
	}
	for _, want := range reasons {
		if !strings.Contains(r.Reason, want) {
			t.Errorf("the reason lacks %q:\n%s", want, r.Reason)
		}
	}
}

func TestVerify_ShowsOutputOfFailedStart(t *testing.T) {
	wantFailure(t, broken(t, "start", "PROC")["PROC-START-01"], "fix the error in its last lines", "exited with "+
		"status 2 before the handshake",
		"\nits standard error:\n  panic: the author's start\n", "crash_test.go:")
	wantFailure(t, broken(t, "return", "PROC")["PROC-START-01"], "has to run until the host ends it", "exited with "+
		"status 0 and no handshake")
}

// A crash of a component fails the component's checks, and does not count as output on standard output.
func TestVerify_InvalidValidationFailsOnlyComponent(t *testing.T) {
	results := broken(t, "validate", "PROC-STDOUT", "COM-CONFIG")
	if r := results["PROC-STDOUT-01"]; r.Status != conformance.Passed {
		t.Errorf("%s: %s", r.Status, r.Reason)
	}
	wantFailure(t, results["COM-CONFIG-01"], "fixtures", "the author's mistake")
}

func TestVerify_ReportsCrashInCheck(t *testing.T) {
	results := broken(t, "score", "RWD-SCORE-02", "RWD-TEXT-01")
	for _, id := range []string{"RWD-SCORE-02", "RWD-TEXT-01"} { // each begins with a running process
		r := results[id]
		wantFailure(t, r, r.Check.Remedy, "it crashed: plugin conformance.", "exited with status 2: panic: the "+
			"author's goroutine", "\n  panic: the author's goroutine")
	}
}
