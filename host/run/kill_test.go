package run_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/internal/fakeplugin"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/sdk"
)

// The environment variables that make the test binary a host that kills itself.
const (
	envHostDir = "AWHOST_TEST_HOST_DIR" // of the spec
	envKillAt  = "AWHOST_TEST_KILL_AT"  // the disk change at which it dies: its number, or a failpoint
)

// changes counts the changes of the disk.
func changes(at func(n int64)) disk.FS {
	var n atomic.Int64
	return disk.Hooked(disk.OS, func(op disk.Op) error {
		if op.Name != disk.OpOpen {
			at(n.Add(1))
		}
		return nil
	})
}

// playHost runs the directory's spec, and kills its own process without any cleanup.
func playHost() error {
	dir := os.Getenv(envHostDir)
	killed := func() {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	fsys, err := killingDisk(os.Getenv(envKillAt), killed)
	if err != nil {
		return err
	}
	c, err := fakeplugin.Catalog(dir, "")
	if err != nil {
		return err
	}
	s, problems := spec.Load(filepath.Join(dir, "train.hcl"), spec.Options{Schemas: c, Version: sdk.Version})
	if problems.HasErrors() {
		return problems
	}
	ctx := context.Background()
	store := runstore.In(dir, runstore.Options{Version: "0.1.0", Command: "test", FS: fsys})
	p, problems := plan.Make(ctx, plan.Inputs{Spec: s, Catalog: c, Store: store, PassEnv: fakeplugin.PassEnv()})
	if problems.HasErrors() {
		return problems
	}
	var writer *runstore.Writer
	if p.Mode == event.ModeResume {
		writer, err = store.Resume(ctx, p.Existing.Dir, runstore.ResumeOptions{Extension: p.Extension})
	} else {
		writer, err = store.Create(ctx, runstore.NewRun{
			Name: p.Train.Name, Identity: p.Identity, SpecPath: p.Spec.Path, Spec: p.Spec.Resolved(),
			Protocol: sdk.ProtocolVersion,
		})
	}
	if err != nil {
		return err
	}
	bus := event.NewBus(event.Config{Now: time.Now})
	result := run.Apply(ctx, run.Config{Plan: p, Writer: writer, Bus: bus, PassEnv: fakeplugin.PassEnv()})
	return fmt.Errorf("it ended as %s: %s", result.Outcome, result.Reason)
}

// killingDisk kills at a change of the disk, or at a failpoint.
func killingDisk(at string, killed func()) (disk.FS, error) {
	if n, err := strconv.ParseInt(at, 10, 64); err == nil {
		return changes(func(seen int64) {
			if seen == n {
				killed()
			}
		}), nil
	}
	var f failpoint
	if err := json.Unmarshal([]byte(at), &f); err != nil {
		return nil, err
	}
	return f.disk(killed), nil
}

// killedHost runs a host until it kills itself at a change of the disk. The number of changes depends slightly on how
// episodes overlap: if a host ends before the change, the test is skipped.
func (r *rig) killedHost(at int64) { r.killedHostAt(strconv.FormatInt(at, 10)) }

// killedHostAt also accepts a failpoint. The variables are set in the host's environment.
func (r *rig) killedHostAt(at string, variables ...string) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	host := exec.CommandContext(ctx, self)
	host.Env = append(append(os.Environ(), envHostDir+"="+r.dir, envKillAt+"="+at), variables...)
	out, err := host.CombinedOutput()
	if strings.Contains(string(out), "it ended as "+string(event.RunCompleted)) {
		r.t.Skipf("the run was through before %s", at)
	}
	if status, ok := host.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		r.t.Fatalf("the host was not killed at %s: %v\n%s", at, err, out)
	}
}

// kills counts the rows of a test in which a process was killed. In other rows the run ended first, so they prove
// nothing.
type kills struct{ rows, done atomic.Int64 }

// countKills fails the test if no process was killed in most of its rows.
func countKills(t *testing.T) *kills {
	k := &kills{}
	t.Cleanup(func() { // after the parallel rows
		if rows, done := k.rows.Load(), k.done.Load(); !t.Failed() && 2*done < rows {
			t.Errorf("in %d of %d rows something was killed: the others were through before", done, rows)
		}
	})
	return k
}

// However the host is killed, the resumed run has the same result. It is killed at four changes of the disk, at more
// with AWHOST_SLOW=1, and at every one with AWHOST_SLOW=all.
func TestApply_SurvivesTheDeathOfTheHost(t *testing.T) {
	whole := newRig(t)
	var seen atomic.Int64
	whole.fs = changes(func(int64) { seen.Add(1) })
	want := whole.apply().completes(3)
	total := seen.Load()
	step := total / 4
	switch {
	case testlevel.All():
		step = 1
	case testlevel.Slow():
		step = total / 12
	}
	kills := countKills(t)
	for at := int64(3); at < total-5; at += step { // the very last changes have no fixed order
		kills.rows.Add(1)
		t.Run(fmt.Sprintf("change %d of %d", at, total), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.plan() // writes the spec
			r.killedHost(at)
			kills.done.Add(1)
			equal(t, want, r.apply().completes(3))
		})
	}
	t.Run("again and again", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		r.plan()
		for _, at := range []int64{total / 4, total / 3, total / 4, 20} {
			r.killedHost(at)
		}
		got := r.apply().completes(3)
		equal(t, want, got)
		if start := payloads[event.RunStarted](got)[0]; start.Mode != event.ModeResume ||
			len(start.Earlier.Rewards) != max(start.Step, 0) ||
			start.Step > 0 && start.Earlier.Checkpoint == "" {
			t.Errorf("%+v", start)
		}
	})
}
