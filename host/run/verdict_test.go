package run_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/run"
)

const everySum = `fail = ["sum-0", "sum-1", "sum-2", "sum-3", "sum-4"]`

// A run in which failures left nothing to train has failed, however few episodes it had. It has ended: another apply
// starts another run.
func TestEnd_NothingTrained(t *testing.T) {
	for name, change := range map[string]func(*rig){
		"the environment fails":      func(r *rig) { r.environment = everySum },
		"the reward fails":           func(r *rig) { r.reward = everySum },
		"all failures are tolerated": func(r *rig) { r.environment = everySum; r.train = "circuit_breaker { failed_fraction = 1 }" },
		"failed episodes are masked": func(r *rig) {
			r.environment = everySum
			r.train = "on_failure \"environment\" { action = [\"mask\"] }"
		},
		"the trainer has no boundaries": func(r *rig) { r.environment, r.adapter = everySum, "barrier = false" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			change(r)
			e := r.apply().ends(event.RunFailed, run.ExitNothingTrained)
			if e.Step != 3 || e.Resumable || e.Error == nil || !strings.Contains(e.Reason, "12 of 12 episodes failed") {
				t.Errorf("%+v", e.RunFinished)
			}
			if _, ok := e.Best.Get(); ok {
				t.Error("it has a best validation")
			}
			e.addsUp()
			if next := r.plan(); next.Mode != event.ModeNew || !strings.Contains(next.Why, "has ended with a failure") {
				t.Errorf("apply would be %s: %s", next.Mode, next.Why)
			}
		})
	}
}

// At the end the whole run is checked against failed_fraction, even if it is too short for the circuit breaker.
func TestEnd_TooManyFailed(t *testing.T) {
	few := func(t *testing.T, fraction string) *rig {
		r := newRig(t)
		r.steps, r.data = 1, 2
		r.environment = `fail = ["sum-0"]`
		r.train = "circuit_breaker { failed_fraction = " + fraction + " }"
		return r
	}
	e := few(t, "0.3").apply().ends(event.RunFailed, run.ExitGuard)
	if e.Step != 1 || e.Resumable || !strings.Contains(e.Reason, "of the 4 episodes of the run failed") {
		t.Errorf("%+v", e.RunFinished)
	}
	few(t, "0.9").apply().completes(1)
}

// At the end, tasks that were tried often and never solved are a finding.
func TestEnd_NeverSolved(t *testing.T) {
	r := newRig(t)
	r.steps, r.data, r.wrong = 32, 8, true
	found := r.apply().completes(32).found()
	if i := slices.IndexFunc(found, func(f event.Finding) bool { return f.ID == "unsolved_tasks" }); i < 0 ||
		found[i].First != 32 || !strings.HasPrefix(found[i].Summary, "of the 8 tasks with at least 16 judged episodes") {
		t.Errorf("findings: %+v", found)
	}
}

// If all samples of each group have the same reward, no episode has failed and nothing was learned.
func TestEnd_NoVariance(t *testing.T) {
	r := newRig(t)
	r.steps, r.reward = 2, `flat = true` // too short for another rule
	e := r.apply().completes(2)
	if found := e.found(); len(found) != 2 || found[1].ID != "nothing_learned" ||
		!strings.Contains(found[1].Summary, "in all 4 groups") {
		t.Errorf("findings: %+v", found)
	}
	if _, ok := e.Best.Get(); ok {
		t.Error("it has a best validation")
	}
	for _, pass := range payloads[event.ValidationFinished](e) {
		if pass.IsBest {
			t.Errorf("a star at step %d for %v", pass.Step, pass.SuccessRate)
		}
	}
	kept, err := e.run().Kept(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kept {
		if k.Best {
			t.Errorf("the checkpoint of step %d is the best", k.Step)
		}
	}
}

// A normal run causes no warning, however small it is.
func TestEnd_TinyRun(t *testing.T) {
	r := newRig(t)
	r.steps, r.data = 1, 1
	e := r.apply().completes(1)
	if best, ok := e.Best.Get(); e.Before != e.After && !ok {
		t.Errorf("best %v of %v → %v", best, e.Before, e.After)
	}
}
