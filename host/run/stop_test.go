package run_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/internal/fakeplugin"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/internal/testlevel"
)

// moment selects the event at which a test intervenes.
type moment func(event.Event) bool

func phaseOf(name event.PhaseName, step int) moment {
	return func(e event.Event) bool {
		p, ok := e.Payload.(event.Phase)
		return ok && p.Name == name && p.Step == step
	}
}

// when calls f at the first event of a moment.
func (r *rig) when(m moment, f func()) {
	do := once(f)
	r.on = func(e event.Event) { do(m(e)) }
}

// gate intervenes in a phase of the trainer, which waits until the intervention is done.
func (r *rig) gate(name event.PhaseName, step int, interfere func()) {
	at := map[event.PhaseName]string{event.PhaseWarmStart: "warm start"}[name]
	if at == "" {
		at = fmt.Sprintf("%s %d", name, step)
	}
	r.adapter += fmt.Sprintf("\n  wait = [%q]", at)
	r.when(phaseOf(name, step), func() {
		interfere()
		r.write(filepath.Join("control", fakeplugin.Go(at)), "")
	})
}

// The result of a run is the same however often and whenever it is stopped, aborted or both.
func TestApply_StopAndResume(t *testing.T) {
	want := newRig(t).apply().completes(3)
	type stop struct {
		phase event.PhaseName
		step  int
		abort bool
		ends  int // the step of the last commit
	}
	for _, c := range testlevel.Sample(2,
		stop{event.PhaseWarmStart, 0, false, 0},
		stop{event.PhaseValidation, 0, false, 0},
		stop{event.PhaseRollout, 1, false, 1},
		stop{event.PhaseRollout, 2, false, 2},
		stop{event.PhaseValidation, 2, false, 2},
		stop{event.PhaseRollout, 3, false, 3},
		stop{event.PhaseValidation, 3, false, 3},
		stop{event.PhaseWarmStart, 0, true, -1},
		stop{event.PhaseValidation, 0, true, -1},
		stop{event.PhaseRollout, 1, true, 0},
		stop{event.PhaseValidation, 2, true, 1},
		stop{event.PhaseValidation, 3, true, 2},
	) {
		t.Run(fmt.Sprintf("%s %d, abort %t", c.phase, c.step, c.abort), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.gate(c.phase, c.step, func() {
				if c.abort {
					close(r.abort)
				} else {
					close(r.stop)
				}
			})
			first := r.apply()
			first.addsUp()
			switch {
			case c.ends == 3:
				equal(t, want, first.completes(3)) // all work was already done
				return
			case c.abort:
				first.ends(event.RunAborted, run.ExitAborted)
			default:
				first.ends(event.RunStopped, run.ExitStopped)
			}
			if step := first.summary().Step; step != c.ends {
				t.Errorf("the last commit is of step %d, want %d", step, c.ends)
			}
			if !first.Resumable || first.Error != nil {
				t.Errorf("%+v", first.RunFinished)
			}
			r.on, r.adapter = nil, ""
			second := r.apply().completes(3)
			equal(t, want, second)
			if start := payloads[event.RunStarted](second)[0]; start.Mode != event.ModeResume || start.Step != max(c.ends, 0) {
				t.Errorf("%+v", start)
			}
			if second.dir != first.dir {
				t.Error("another run was made")
			}
		})
	}
}

// Before the first step, a stop ends the run at once, and so does an abort.
func TestApply_InterruptedAtTheStart(t *testing.T) {
	for _, abort := range []bool{false, true} {
		r := newRig(t)
		r.when(func(e event.Event) bool { return e.Payload.Kind() == event.KindRunStarted }, func() {
			if abort {
				close(r.abort)
			} else {
				close(r.stop)
			}
		})
		first := r.apply()
		if first.Outcome == event.RunCompleted || first.Outcome == event.RunFailed ||
			len(payloads[event.StepFinished](first)) > 0 {
			t.Errorf("it ended as %s: %s", first.Outcome, first.Reason)
		}
		r.on = nil
		r.apply().completes(3)
	}
}

// A run can be stopped in each of its steps.
func TestApply_StopInEveryStep(t *testing.T) {
	want := newRig(t).apply().completes(3)
	r := newRig(t)
	for step := 1; step <= 2; step++ {
		r.adapter = ""
		r.gate(event.PhaseRollout, step, func() { close(r.stop) })
		if e := r.apply().ends(event.RunStopped, run.ExitStopped); e.Step != step {
			t.Errorf("start %d ended at step %d", step, e.Step)
		}
	}
	equal(t, want, r.apply().completes(3))
}

// A stop is decided at a boundary, and remains valid even if the trainer dies while receiving it.
func TestApply_StopStandsWhenTheTrainerDies(t *testing.T) {
	r := newRig(t)
	r.adapter = `die = ["decided 2"]`
	r.gate(event.PhaseValidation, 2, func() { close(r.stop) })
	e := r.apply().ends(event.RunStopped, run.ExitStopped)
	if e.Step != 2 || len(payloads[event.StepFinished](e)) != 2 {
		t.Errorf("it continued to step %d", e.Step)
	}
}

// A run that was killed between its last commit and its final event only has to report its end.
func TestApply_NothingLeft(t *testing.T) {
	want := newRig(t).apply().completes(3)
	r := newRig(t)
	r.adapter = `die = ["finished"]`
	r.train = "max_restarts = 0"
	first := r.apply().ends(event.RunFailed, run.ExitPlugin)
	if first.Step != 3 {
		t.Fatalf("it ended at step %d", first.Step)
	}
	second := r.apply().completes(3)
	if len(payloads[event.StageStarted](second)) != 0 || len(payloads[event.PluginState](second)) != 0 {
		t.Error("something was started")
	}
	if second.Digest != want.Digest || second.Metrics["train/loss"] != want.Metrics["train/loss"] ||
		!second.After.Equal(want.After) {
		t.Errorf("it reports %+v", second.RunFinished)
	}
}

// A trainer without step boundaries is asked to finish.
func TestApply_StopWithoutBoundaries(t *testing.T) {
	r := newRig(t)
	r.steps = 1000
	r.adapter = "barrier = false"
	r.when(phaseOf(event.PhaseRollout, 3), func() { close(r.stop) })
	e := r.apply().ends(event.RunStopped, run.ExitStopped)
	if e.Step < 2 || e.Step > 999 {
		t.Errorf("it ended at step %d", e.Step)
	}
	audit := e.addsUp()
	if audit.Commits != e.Step+1 || audit.Trained != 4*e.Step { // it announces a checkpoint of each step
		t.Errorf("%+v", audit)
	}
	checkpoints, err := e.run().Checkpoints()
	if err != nil || len(checkpoints) == 0 || checkpoints[len(checkpoints)-1].Digest != e.Digest {
		t.Errorf("%v %v", checkpoints, err)
	}
}

// The episodes of an interrupted step stay on record, and do not count.
func TestApply_KeepsSuperseded(t *testing.T) {
	r := newRig(t)
	r.adapter = `die = ["update 2"]`
	e := r.apply().completes(3)
	superseded := map[string]int{}
	for episode, err := range e.run().Episodes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if episode.Standing == runstore.Superseded {
			superseded[fmt.Sprint(episode.Slot.Split, episode.Slot.Step)]++
		}
	}
	if len(superseded) != 1 || superseded["train2"] != 4 {
		t.Errorf("superseded: %v", superseded)
	}
	if w := payloads[event.Warning](e); len(w) != 1 || w[0].Code != "adapter_restarted" || w[0].Detail == "" {
		t.Errorf("warnings: %+v", w)
	}
	if len(e.records("adapter_restarted")) != 1 || len(e.records("plugin_restarting")) != 1 {
		t.Error("the restart is not on record")
	}
}
