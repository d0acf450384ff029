package sdk_test

import (
	"errors"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// The first kill at a task is the infrastructure's, and later ones are not, also after a restart. A kill that cannot be
// recorded is the infrastructure's.
func TestBlameKill(t *testing.T) {
	dir := t.TempDir()
	infrastructure := func(dir, task string) bool {
		t.Helper()
		err := sdk.BlameKill(dir, task, "the program")
		var failure *sdk.Failure
		if err != nil && (!errors.As(err, &failure) || failure.Class != sdk.FailureInfrastructure) {
			t.Errorf("task %s: %v", task, err)
		}
		return err != nil
	}
	for _, want := range []bool{true, false, false} {
		if got := infrastructure(dir, "a/../b"); got != want {
			t.Errorf("the infrastructure's: %v, want %v", got, want)
		}
	}
	if !infrastructure(dir, "another") || !infrastructure(t.TempDir(), "a/../b") {
		t.Error("a task pays for another one, or for another run")
	}
	for range 2 {
		if !infrastructure("/dev/null", "a") {
			t.Error("a kill that cannot be recorded counts as the model's")
		}
	}
}
