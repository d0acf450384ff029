package run_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/internal/fakeplugin"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/internal/testlevel"
)

// never is a number of a disk change that is not reached: the host dies in another way.
const never = 1 << 40

// outliving returns a rig whose trainer is a separate process, which continues when the plugin or the host dies.
func outliving(t *testing.T, script ...string) *rig {
	r := newRig(t)
	r.adapterType, r.adapter = "outliving", strings.Join(script, "\n")
	t.Cleanup(func() {
		for _, pid := range r.trainers() {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it has normally ended
		}
	})
	return r
}

// trainers returns the pids of all trainers that were ever started.
func (r *rig) trainers() []int {
	found, err := filepath.Glob(filepath.Join(r.dir, "control", fakeplugin.TrainerMark+"*"))
	if err != nil {
		r.t.Fatal(err)
	}
	var pids []int
	for _, path := range found {
		pid, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(path), fakeplugin.TrainerMark))
		if err != nil {
			r.t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// hadTrainers checks the number of started trainers, and that all are gone.
func (r *rig) hadTrainers(want int) {
	r.t.Helper()
	pids := r.trainers()
	if len(pids) != want {
		r.t.Errorf("%d trainers were started, want %d", len(pids), want)
	}
	for _, pid := range pids {
		r.isGone(pid)
	}
}

func (r *rig) isGone(pid int) {
	r.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); time.Now().Before(end); <-tick.C {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	r.t.Errorf("trainer %d is still there", pid)
}

// undisturbed returns the expected result of every run of these tests.
func undisturbed(t *testing.T) *ended {
	want := newRig(t).apply().completes(3)
	r := outliving(t)
	got := r.apply().completes(3)
	equal(t, want, got)
	r.hadTrainers(1)
	if len(got.superseded()) != 0 {
		t.Error("something is superseded without a death")
	}
	return got
}

// superseded returns the ids of the episodes that were drawn again or interrupted.
func (e *ended) superseded() []string {
	e.t.Helper()
	var ids []string
	for episode, err := range e.run().Episodes(e.t.Context()) {
		if err != nil {
			e.t.Fatal(err)
		}
		if episode.Standing == runstore.Superseded {
			ids = append(ids, episode.EpisodeID)
		}
	}
	return ids
}

// The plugin dies and its trainer does not. The next process of the plugin finds the trainer, which continues. Only
// running operations are affected.
func TestApply_TrainerOutlivesItsAdapter(t *testing.T) {
	want := undisturbed(t)
	for _, script := range testlevel.Sample(3,
		`kill_adapter = ["train"]`, `kill_adapter = ["written 0"]`, `kill_adapter = ["announced 0"]`,
		`kill_adapter = ["validation 0"]`,
		`kill_adapter = ["decided 0"]`, `kill_adapter = ["rollout 2"]`, `kill_adapter = ["generate 2"]`,
		`kill_adapter = ["answered 2"]`,
		`kill_adapter = ["update 2"]`, `kill_adapter = ["announced 2"]`, `kill_adapter = ["validation 2"]`,
		`kill_adapter = ["decided 2"]`,
		`kill_adapter = ["generate 3"]`, `kill_adapter = ["decided 3"]`,
		`kill_adapter = ["announced 0", "generate 1", "generate 2", "decided 2"]`,
		`lose = ["started"]`, `lose = ["handle"]`, `lose = ["result t1/g0/s0"]`, `lose = ["result t2/g1/s1"]`,
		`lose = ["boundary 0"]`,
		`lose = ["boundary 2"]`, `lose = ["boundary 3"]`,
		"lose = [\"recover\"]\nkill_adapter = [\"generate 2\"]",
		"forget_handle = true\nkill_adapter = [\"generate 2\"]",
	) {
		t.Run(strings.NewReplacer(`"`, "", "\n", ", ").Replace(script), func(t *testing.T) {
			t.Parallel()
			r := outliving(t, script)
			got := r.apply().completes(3)
			equal(t, want, got)
			r.hadTrainers(1)
			if len(payloads[event.Warning](got)) == 0 {
				t.Error("no event reports it")
			}
			if !got.Exact {
				t.Error("a death makes a run inexact")
			}
		})
	}
}

// The host dies and its trainer does not: the resumed run takes it up.
func TestApply_TrainerOutlivesItsHost(t *testing.T) {
	want := undisturbed(t)
	for _, moment := range testlevel.Sample(3,
		"train", "announced 0", "validation 0", "decided 0", "rollout 2", "generate 2", "answered 2", "update 2",
		"announced 2", "validation 2",
		"decided 2", "generate 3", "decided 3",
	) {
		t.Run(moment, func(t *testing.T) {
			t.Parallel()
			r := outliving(t, fmt.Sprintf("kill_host = [%q]", moment))
			r.plan() // writes the spec
			r.killedHost(never)
			if got := len(r.trainers()); got != 1 {
				t.Fatalf("%d trainers after the death", got)
			}
			if err := syscall.Kill(r.trainers()[0], 0); err != nil && moment != "decided 3" { // after which it ends by itself
				t.Fatalf("the trainer died with its host: %v", err)
			}
			got := r.apply().completes(3)
			equal(t, want, got)
			r.hadTrainers(1)
			summary := got.summary()
			if summary.Incarnation != 2 || summary.Trainer != "" {
				t.Errorf("it ended as %+v", summary)
			}
		})
	}
}

// Wherever the host dies in its own records, they match the trainer that the resumed run takes up.
func TestApply_TrainerFitsWhatIsOnRecord(t *testing.T) {
	want := undisturbed(t)
	for _, at := range testlevel.Sample[int64](3, 12, 22, 32, 42, 52, 62, 72, 82, 92, 102, 112, 122, 132) {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			t.Parallel()
			r := outliving(t)
			r.plan()
			r.killedHost(at)
			got := r.apply().completes(3)
			equal(t, want, got)
			r.hadTrainers(1)
		})
	}
}

// If host and trainer die, or the trainer alone, another trainer continues from the last commit.
func TestApply_TrainerIsGone(t *testing.T) {
	want := undisturbed(t)
	t.Run("with its host", func(t *testing.T) {
		t.Parallel()
		r := outliving(t, `kill_host = ["update 2"]`)
		r.plan()
		r.killedHost(never)
		if err := syscall.Kill(r.trainers()[0], syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		r.isGone(r.trainers()[0])
		got := r.apply().completes(3)
		equal(t, want, got)
		r.hadTrainers(2)
		if len(got.superseded()) == 0 {
			t.Error("the episodes of the step that was cut off are not superseded")
		}
	})
	t.Run("alone", func(t *testing.T) {
		t.Parallel()
		r := outliving(t, `die = ["update 2", "generate 3"]`)
		got := r.apply().completes(3)
		equal(t, want, got)
		r.hadTrainers(3)
	})
	t.Run("with its adapter", func(t *testing.T) {
		t.Parallel()
		r := outliving(t, "kill_adapter = [\"update 2\"]\ndie = [\"update 2\"]")
		got := r.apply().completes(3)
		equal(t, want, got)
		r.hadTrainers(2)
	})
	t.Run("waiting for a host", func(t *testing.T) {
		t.Parallel()
		r := outliving(t, `kill_host = ["update 2"]`)
		r.train = `host_absence_timeout = "50ms"`
		r.plan()
		r.killedHost(never)
		r.isGone(r.trainers()[0]) // by itself
		r.train = ""
		got := r.apply().completes(3)
		equal(t, want, got)
		r.hadTrainers(2)
	})
}

// A run that ends leaves no trainer behind.
func TestApply_EndsATrainerThatCouldOutliveIt(t *testing.T) {
	for name, test := range map[string]struct {
		script  string
		body    func(*rig)
		outcome event.RunOutcome
		code    run.ExitCode
	}{
		"aborted": {script: `wait = ["update 2"]`, outcome: event.RunAborted, code: run.ExitAborted, body: func(r *rig) {
			abort := once(func() { close(r.abort) })
			r.on = func(e event.Event) {
				c, ok := e.Payload.(event.CheckpointCommitted)
				abort(ok && c.Step == 1)
			}
		}},
		"another plugin is broken": {outcome: event.RunFailed, code: run.ExitPlugin, body: func(r *rig) {
			r.train, r.environment = "max_restarts = 0", `die_always = ["step 9"]`
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := outliving(t, test.script)
			test.body(r)
			e := r.apply().ends(test.outcome, test.code)
			e.addsUp()
			r.hadTrainers(1)
			if summary := e.summary(); summary.Trainer != "" {
				t.Errorf("trainer %s is on record as living", summary.Trainer)
			}
			// It continues with another trainer.
			r.on, r.train, r.environment = nil, "", ""
			r.write("control/"+fakeplugin.Go("update 2"), "")
			r.apply().completes(3)
			r.hadTrainers(2)
		})
	}
}

// While it is unknown whether a trainer is still running, no other one may start.
func TestApply_NoSecondTrainerWhileItIsUncertain(t *testing.T) {
	want := undisturbed(t)
	r := outliving(t, `kill_host = ["update 2"]`)
	r.plan()
	r.killedHost(never)
	r.adapter = `unreachable = true`
	e := r.apply().ends(event.RunFailed, run.ExitFailed)
	if !strings.Contains(e.Reason, "the cluster cannot be reached") || !e.Resumable {
		t.Errorf("it failed with %q", e.Reason)
	}
	if e.summary().Trainer == "" || len(e.records("trainer_left")) != 1 {
		t.Error("that a trainer may live is not on record")
	}
	r.adapter = ""
	equal(t, want, r.apply().completes(3))
	r.hadTrainers(1)
}

// Checkpoints may be less frequent than steps. A restarted trainer continues from the last one. A trainer that is
// taken up loses no step.
func TestApply_CheckpointsEveryFewSteps(t *testing.T) {
	rare := func(script ...string) *rig {
		r := outliving(t, append(script, "checkpoint_every = 5")...)
		r.steps = 9
		return r
	}
	want := rare().apply().completes(9)
	if checkpoints, err := want.run().Lineage(); err != nil || len(checkpoints) != 3 { // 0, 5, 9
		t.Fatalf("there are %d checkpoints, %v", len(checkpoints), err)
	}
	for name, test := range map[string]struct {
		script   string
		killed   bool // the host
		trainers int
		reruns   []string // steps
	}{
		"trainer dies before the first one": {script: `die = ["update 3"]`, trainers: 2, reruns: []string{"t1", "t2", "t3"}},
		"trainer dies after one":            {script: `die = ["update 7"]`, trainers: 2, reruns: []string{"t6", "t7"}},
		"adapter dies":                      {script: `kill_adapter = ["update 3", "decided 4", "generate 7"]`, trainers: 1},
		"host dies before the first one":    {script: `kill_host = ["update 3"]`, killed: true, trainers: 1},
		"host dies after one":               {script: `kill_host = ["rollout 7"]`, killed: true, trainers: 1},
		"host dies at a boundary":           {script: `kill_host = ["decided 8"]`, killed: true, trainers: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := outliving(t, test.script, "checkpoint_every = 5")
			r.steps = 9
			if test.killed {
				r.plan()
				r.killedHost(never)
			}
			got := r.apply().completes(9)
			equal(t, want, got)
			r.hadTrainers(test.trainers)
			for _, w := range payloads[event.Warning](got) {
				t.Logf("%s: %s: %s", w.Code, w.Summary, w.Detail) // shown if the test fails
			}
			steps := map[string]bool{}
			for _, id := range got.superseded() {
				parts := strings.Split(id, "/")
				steps[parts[1]] = true
			}
			for _, step := range test.reruns {
				if !steps[step] {
					t.Errorf("step %s was cut off and its episodes are not superseded", step)
				}
				delete(steps, step)
			}
			if test.trainers > 1 && len(steps) > 1 { // a validation may be among them
				t.Errorf("steps %v are superseded", steps)
			}
			numbers := map[string]int{}
			for row, err := range got.run().Metrics() {
				if err != nil {
					t.Fatal(err)
				}
				for name := range row.Values {
					numbers[fmt.Sprintf("%s of step %d", name, row.Step)]++
				}
			}
			for name, times := range numbers {
				if times != 1 {
					t.Errorf("%s is reported %d times", name, times)
				}
			}
		})
	}
}

// A trainer without boundaries has one where it announces a checkpoint, so that the steps before it count when it
// dies.
func TestApply_TrainerWithoutBoundaries(t *testing.T) {
	free := func(script ...string) *rig {
		r := outliving(t, append(script, "checkpoint_every = 5", "barrier = false")...)
		r.steps = 9
		return r
	}
	want := free().apply().completes(9)
	if checkpoints, err := want.run().Lineage(); err != nil || len(checkpoints) != 3 { // 0, 5, 9
		t.Fatalf("there are %d checkpoints, %v", len(checkpoints), err)
	}
	for script, trainers := range map[string]int{
		`die = ["update 3"]`:          2,
		`die = ["update 7"]`:          2,
		`kill_adapter = ["update 3"]`: 1,
		`kill_adapter = ["update 7"]`: 1,
		`kill_host = ["update 7"]`:    1,
		`kill_host = ["announced 5"]`: 1,
	} {
		t.Run(strings.ReplaceAll(script, `"`, ""), func(t *testing.T) {
			t.Parallel()
			r := outliving(t, script, "checkpoint_every = 5", "barrier = false")
			r.steps = 9
			if strings.HasPrefix(script, "kill_host") {
				r.plan()
				r.killedHost(never)
			}
			got := r.apply().completes(9)
			equal(t, want, got)
			r.hadTrainers(trainers)
			for _, id := range got.superseded() {
				if trainers > 1 && strings.Contains(script, "7") && !strings.Contains(id, "/t6/") && !strings.Contains(id, "/t7/") {
					t.Errorf("episode %s of a committed step is superseded", id)
				}
			}
		})
	}
}

// Stopping a run whose host is gone completes the current step, and leaves no trainer.
func TestApply_StopsATrainerWithoutAHost(t *testing.T) {
	want := undisturbed(t)
	r := outliving(t, `kill_host = ["update 2"]`)
	r.plan()
	r.killedHost(never)
	stop := once(func() { close(r.stop) })
	r.on = func(e event.Event) {
		_, ok := e.Payload.(event.RunStarted)
		stop(ok)
	}
	e := r.apply().ends(event.RunStopped, run.ExitStopped)
	e.addsUp()
	if e.Step != 2 || e.summary().Trainer != "" {
		t.Errorf("it ended at step %d, with trainer %q", e.Step, e.summary().Trainer)
	}
	r.hadTrainers(1)
	r.on = nil
	equal(t, want, r.apply().completes(3))
	r.hadTrainers(2)
}

// A framework may need minutes until its first step. A stop in this time ends it at once.
func TestApply_StopsATrainerThatIsStarting(t *testing.T) {
	r := outliving(t, `misbehave = ["start for ever"]`)
	r.when(phaseOf(event.PhaseWarmStart, 0), func() { close(r.stop) })
	e := r.apply().ends(event.RunStopped, run.ExitStopped)
	e.addsUp()
	if e.Step != 0 {
		t.Errorf("it ended at step %d", e.Step)
	}
	r.hadTrainers(1)
}

// The same applies to a trainer with boundaries: while it starts, or is in a warm start, the first one may be far
// away.
func TestApply_StopsATrainerThatIsFarFromItsFirstBoundary(t *testing.T) {
	r := newRig(t)
	r.adapter += "\n  misbehave = [\"start for ever\"]"
	r.when(phaseOf(event.PhaseWarmStart, 0), func() { close(r.stop) })
	r.apply().ends(event.RunStopped, run.ExitStopped).addsUp()
}
