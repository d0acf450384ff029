package sdk_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// The first kill at a task is the infrastructure's, and later ones are not, also after a restart and, where the host
// names a folder, in another run. A kill that cannot be recorded is the infrastructure's.
func TestBlameKill(t *testing.T) {
	dir, shared := t.TempDir(), filepath.Join(t.TempDir(), "killed", "agent.command.mine")
	one := sdk.Task{ID: "1", Public: json.RawMessage(`{"prompt":"one"}`)}
	sameID := sdk.Task{ID: "1", Public: json.RawMessage(`{"prompt":"two"}`)}
	another := sdk.Task{ID: "2", Public: one.Public}
	for n, kill := range []struct {
		dir, shared    string
		task           sdk.Task
		infrastructure bool
	}{
		{dir: dir, task: one, infrastructure: true},
		{dir: dir, task: one},
		{dir: dir, task: one},
		{dir: dir, task: sameID, infrastructure: true},
		{dir: dir, task: another, infrastructure: true},
		{dir: t.TempDir(), task: one, infrastructure: true},
		{dir: dir, shared: shared, task: one, infrastructure: true},
		{dir: t.TempDir(), shared: shared, task: one},
		{dir: t.TempDir(), shared: shared, task: sameID, infrastructure: true},
		{dir: "/dev/null", task: one, infrastructure: true},
		{dir: "/dev/null", task: one, infrastructure: true},
	} {
		t.Setenv(sdk.EnvKilledDir, kill.shared)
		err := sdk.BlameKill(kill.dir, kill.task.Digest(), "the program")
		var failure *sdk.Failure
		got := errors.As(err, &failure) && failure.Class == sdk.FailureInfrastructure
		if got != kill.infrastructure || !got && err != nil {
			t.Errorf("kill %d: %v", n+1, err)
		}
	}
}
