package main

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
)

// A resume gives the variables that are on record, also those that nobody set: the command for another run names what
// was set.
func TestAgain_NamesWhatWasSet(t *testing.T) {
	flags := specFlags{vars: []string{"seed=1", "steps=5", "token=abc"}}
	s := &spec.Spec{Variables: []spec.Variable{
		{Name: "seed", Origin: "flag", Idle: true}, {Name: "steps", Origin: "flag"}, {Name: "token", Sensitive: true},
	}}
	want := "awhost apply --new train.hcl --var steps=5 --var token=…"
	if got := flags.again("train.hcl", nil, s); got != want {
		t.Errorf("it says %s, want %s", got, want)
	}
}

// Nobody is told to resume what resume refuses.
func TestNextText_OfARunThatIsOver(t *testing.T) {
	failed := runstore.Summary{
		Status: runstore.StatusFailed, Finish: &runstore.FinishRecord{Final: true}, Checkpoint: "step-000005",
	}
	if got := nextText(failed); got != "" {
		t.Errorf("it says %q", got)
	}
	failed.Finish.Final = false
	if got := nextText(failed); got == "" {
		t.Error("it does not say that the run can go on")
	}
}

// A run whose host was killed is not called running because its plugins have not ended yet.
func TestStatusText_OfARunWithoutItsHost(t *testing.T) {
	r := runstore.Summary{Status: runstore.StatusRunning, Owner: &runstore.Owner{}}
	if got := statusText(r); got != "interrupted, still held" {
		t.Errorf("it says %q", got)
	}
	if got := nextText(r); !strings.Contains(got, "awhost stop") || strings.Contains(got, "attach") {
		t.Errorf("next is %q", got)
	}
	r.OwnerAlive = true
	if got := statusText(r); got != "running" {
		t.Errorf("of a live host it says %q", got)
	}
}
