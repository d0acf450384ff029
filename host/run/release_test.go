package run_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/internal/fakeplugin"
)

// remote returns a rig whose checkpoints have remote data.
func remote(t *testing.T, script string) *rig {
	r := newRig(t)
	r.steps, r.adapter = 6, "remote_checkpoints = true\n"+script
	return r
}

// sameRemotely checks that the remote data belongs to the checkpoints of the run's directory, and returns the warnings
// about it.
func (r *rig) sameRemotely(e *ended) []event.Warning {
	r.t.Helper()
	var kept, stored []string
	files, err := filepath.Glob(filepath.Join(e.dir, "checkpoints", "*", fakeplugin.Remote))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, file := range files {
		name, err := os.ReadFile(file)
		if err != nil {
			r.t.Fatal(err)
		}
		kept = append(kept, string(name))
	}
	entries, err := os.ReadDir(filepath.Join(r.dir, "control", fakeplugin.Remote))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, entry := range entries {
		stored = append(stored, entry.Name())
	}
	slices.Sort(kept)
	if diff := cmp.Diff(kept, stored); diff != "" || len(kept) == 0 {
		r.t.Errorf("data of checkpoints (-directory +remote):\n%s", diff)
	}
	return slices.DeleteFunc(payloads[event.Warning](e), func(w event.Warning) bool {
		return w.Code != "remote_checkpoint"
	})
}

// deletions returns the directories for which deletion was requested.
func (r *rig) deletions() []string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, "control", "deleted"))
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.Fields(string(text))
}

func TestApply_DeletesRemoteCheckpoints(t *testing.T) {
	t.Parallel()
	r := remote(t, "")
	e := r.apply().completes(6)
	if warnings := r.sameRemotely(e); len(warnings) > 0 {
		t.Errorf("warnings: %+v", warnings)
	}
	if deleted := r.deletions(); !slices.Contains(deleted, "step-000001") || slices.Contains(deleted, "step-000006") {
		t.Errorf("deleted %v", deleted)
	}
}

// A failure is reported once, keeps the directory, and is made good by a later step.
func TestApply_DeletesRemoteCheckpointsLater(t *testing.T) {
	t.Parallel()
	r := remote(t, `misbehave = ["fail to delete once"]`)
	e := r.apply().completes(6)
	warnings := r.sameRemotely(e)
	if len(warnings) != 1 || !strings.Contains(warnings[0].Summary, "checkpoints/step-000001") ||
		!strings.Contains(warnings[0].Detail, "the server is on fire") {
		t.Errorf("warnings: %+v", warnings)
	}
	if len(e.records("remote_checkpoint")) != 1 {
		t.Error("the warning is not on record")
	}
	deleted := r.deletions()
	if len(deleted) < 2 || deleted[0] != "step-000001" || !slices.Contains(deleted[1:], deleted[0]) {
		t.Errorf("deleted %v; want the first one twice", deleted)
	}
}

// A deletion that hangs costs its time limit and nothing else: no checkpoint loses its data, or its directory.
func TestApply_DoesNotWaitForRemoteCheckpoints(t *testing.T) {
	t.Parallel()
	r := remote(t, `misbehave = ["hang when it deletes"]`)
	r.releaseTimeout = time.Millisecond
	e := r.apply().completes(6)
	if warnings := r.sameRemotely(e); len(warnings) < 2 {
		t.Errorf("warnings: %+v; want one for each checkpoint", warnings)
	}
	if found, err := filepath.Glob(filepath.Join(e.dir, "checkpoints", "step-*")); err != nil || len(found) != 7 {
		t.Errorf("directories: %v (%v); want 7", found, err)
	}
}

// The adapter may die before and while it deletes, and with a checkpoint that is not committed.
func TestApply_DeletesRemoteCheckpointsAfterDeaths(t *testing.T) {
	for _, moment := range []string{"delete step-000001", "written 3", "announced 4", "decided 5"} {
		t.Run(moment, func(t *testing.T) {
			t.Parallel()
			r := remote(t, `die = ["`+moment+`"]`)
			r.sameRemotely(r.apply().completes(6))
			if _, err := os.Stat(filepath.Join(r.dir, "control", "died "+moment)); err != nil {
				t.Errorf("it did not die: %v", err)
			}
		})
	}
}

// The checkpoints of an earlier stage are deleted by their own adapter, even if a resumed run has not started it.
func TestResume_DeletesRemoteCheckpointsOfAnEarlierStage(t *testing.T) {
	t.Parallel()
	r := remote(t, "")
	r.steps = 4
	r.more = `adapter "scripted" "second" { control = "control" }`
	r.train = `
  stage "form" {}
  stage "full" { adapter = adapter.scripted.second }
`
	stopped := once(func() { close(r.stop) })
	r.on = func(e event.Event) {
		c, ok := e.Payload.(event.CheckpointCommitted)
		stopped(ok && c.Step == 5)
	}
	r.apply()
	before := len(r.deletions())
	r.on = nil
	r.sameRemotely(r.apply().completes(8))
	if deleted := r.deletions(); len(deleted) == before {
		t.Errorf("the resumed run has deleted nothing, and the first one %v", deleted)
	}
}
