package run_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk/process"
)

// Of several concurrent resumes one continues the run, and the others receive the owner's identity. This also applies
// while a process left behind by the dead host holds the lock: that process is ended.
func TestResume_OneOfManyWins(t *testing.T) {
	for _, orphaned := range []bool{false, true} {
		t.Run(fmt.Sprintf("orphan %t", orphaned), func(t *testing.T) {
			r := newRig(t)
			r.plan()
			at, err := json.Marshal(failpoint{Op: disk.OpRename, Path: "step-000001/manifest.json", After: true})
			if err != nil {
				t.Fatal(err)
			}
			r.killedHostAt(string(at))
			p := r.plan()
			if p.Existing == nil {
				t.Fatalf("nothing to resume: %s", p.Why)
			}
			if orphaned {
				r.leaveOrphan(p.Existing)
			}
			var group sync.WaitGroup
			writers, refusals := make(chan *runstore.Writer, 8), make(chan error, 8)
			for range 8 {
				group.Go(func() {
					w, err := run.Resume(t.Context(), r.store(), p.Existing.Dir, runstore.ResumeOptions{})
					if err != nil {
						refusals <- err
						return
					}
					writers <- w
				})
			}
			group.Wait()
			if len(writers) != 1 || len(refusals) != 7 {
				t.Fatalf("%d of 8 resumes were let in", len(writers))
			}
			for range 7 {
				err := <-refusals
				var locked *runstore.LockedError
				if !errors.As(err, &locked) || !strings.Contains(err.Error(), "is being") {
					t.Errorf("refused with %v", err)
				}
			}
			if err := (<-writers).Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			r.apply().completes(3)
		})
	}
}

// leaveOrphan starts a process that holds the run's lock and carries the mark of a dead host.
func (r *rig) leaveOrphan(existing *runstore.Summary) {
	r.t.Helper()
	host := exec.Command("sleep", "600")
	if err := host.Start(); err != nil {
		r.t.Fatal(err)
	}
	id, err := process.IdentityOf(host.Process.Pid)
	if err != nil {
		r.t.Fatal(err)
	}
	_ = host.Process.Kill()
	_ = host.Wait() // it was killed
	w, err := run.Resume(r.t.Context(), r.store(), existing.Dir, runstore.ResumeOptions{})
	if err != nil {
		r.t.Fatal(err)
	}
	orphan := exec.Command("sleep", "600")
	orphan.ExtraFiles = []*os.File{w.LockFile()}
	orphan.Env = append(os.Environ(), fmt.Sprintf("%s=%s/1/%d/%d/%s/1", process.EnvMark, existing.ID, id.PID, id.Started,
		id.Space))
	if err := orphan.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		_ = orphan.Process.Kill()
		_ = orphan.Wait() // it was killed, by the resume or here
	})
	if err := w.Close(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	owner := runstore.Owner{PID: id.PID, Started: fmt.Sprint(id.Started), Command: "awhost apply"}
	if owner.Host, err = os.Hostname(); err != nil {
		r.t.Fatal(err)
	}
	text, err := json.Marshal(owner)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(existing.Dir, "owner.json"), text, 0o644); err != nil {
		r.t.Fatal(err)
	}
	_, err = r.store().Resume(r.t.Context(), existing.Dir, runstore.ResumeOptions{})
	if want := fmt.Sprintf("is still held by process %d (sleep) that pid %d (awhost apply) left behind",
		orphan.Process.Pid, id.PID); err == nil || !strings.Contains(err.Error(), want) {
		r.t.Errorf("a resume is refused with %v, want %s", err, want)
	}
}
