package main

import (
	"testing"

	"github.com/awhost/awhost/host/spec"
)

// A resume provides all recorded variables, including unset ones. The command for another run must only name the
// variables that were set.
func TestAgain_NamesWhatWasSet(t *testing.T) {
	flags := specFlags{vars: []string{"seed=1", "steps=5", "token=abc"}}
	s := &spec.Spec{Variables: []spec.Variable{
		{Name: "seed", Origin: "flag", Idle: true}, {Name: "steps", Origin: "flag"}, {Name: "token", Sensitive: true},
	}}
	want := "awhost apply --new train.hcl --var steps=5 --var token=…"
	if got := flags.again("train.hcl", nil, s, 0, ""); got != want {
		t.Errorf("it says %s, want %s", got, want)
	}
}
