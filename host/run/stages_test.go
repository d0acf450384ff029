package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/internal/testlevel"
)

// twoStages trains two steps, then three with other data, another agent, another reward and a fresh optimizer.
func twoStages(t *testing.T) *rig {
	t.Helper()
	r := newRig(t)
	r.steps = 2
	r.write("data/other.jsonl", tasks("other", 3))
	r.more = `
dataset "jsonl" "other" { path = "data/other.jsonl" }
agent "react" "talker" { max_turns = 1 }
reward "scripted" "bonus" { bonus = 0.5 }
`
	r.train = `
  stage "form" {}
  stage "full" {
    dataset = dataset.jsonl.other
    agent   = agent.react.talker
    reward  = reward.scripted.bonus.score
    success = reward.scripted.bonus.is_success
    steps   = 3
    carry   = "weights"
    seed    = 7
  }
`
	return r
}

func TestStages_FollowEachOther(t *testing.T) {
	e := twoStages(t).apply().completes(5)
	if e.TotalSteps != 5 {
		t.Errorf("%d steps in all", e.TotalSteps)
	}
	want := []event.StageStarted{
		{Name: "form", Index: 0, Total: 2, FirstStep: 1, Steps: 2},
		{Name: "full", Index: 1, Total: 2, FirstStep: 3, Steps: 3},
	}
	if diff := cmp.Diff(want, payloads[event.StageStarted](e)); diff != "" {
		t.Errorf("stages (-want +got):\n%s", diff)
	}
	checkpoints, err := e.run().Lineage()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range checkpoints {
		got = append(got, fmt.Sprintf("%s %d %t", c.Stage, c.Step, c.StageEnd))
	}
	if diff := cmp.Diff(strings.Split("form 0 false,form 1 false,form 2 true,full 3 false,full 4 false,full 5 true", ","),
		got); diff != "" {
		t.Errorf("lineage (-want +got):\n%s", diff)
	}
	for _, line := range e.counted() {
		if form := strings.HasPrefix(line, "form "); form == strings.Contains(line, ".5 sha256") {
			t.Errorf("the reward of another stage: %s", line)
		}
	}
	// The carry setting of a stage is its own.
	carried := twoStages(t)
	carried.train = strings.Replace(carried.train, `"weights"`, `"weights+optimizer"`, 1)
	if other := carried.apply().completes(5); other.Digest == e.Digest {
		t.Error("the optimiser was carried over although the stage takes the weights only, or never")
	}
}

// Deaths and stops at the border of two stages must not lose the run's position.
func TestStages_SurviveDeathsAndStopsAtTheBorder(t *testing.T) {
	want := twoStages(t).apply().completes(5)
	for _, die := range testlevel.Sample(2, "decided 2", "update 3", "announced 3", "validation 2", "decided 5") {
		t.Run("the trainer dies, "+die, func(t *testing.T) {
			t.Parallel()
			r := twoStages(t)
			r.adapter = dying(die)
			equal(t, want, r.apply().completes(5))
		})
		t.Run("the run fails, "+die, func(t *testing.T) {
			t.Parallel()
			r := twoStages(t)
			r.adapter = dying(die)
			r.train = "max_restarts = 0\n" + r.train
			r.apply().ends(event.RunFailed, run.ExitPlugin)
			equal(t, want, r.apply().completes(5))
		})
	}
	for _, c := range []struct {
		phase      event.PhaseName
		step, ends int
	}{{event.PhaseRollout, 2, 2}, {event.PhaseValidation, 2, 2}, {event.PhaseRollout, 3, 3}} {
		t.Run(fmt.Sprintf("stop in %s %d", c.phase, c.step), func(t *testing.T) {
			t.Parallel()
			r := twoStages(t)
			r.gate(c.phase, c.step, func() { close(r.stop) })
			first := r.apply().ends(event.RunStopped, run.ExitStopped)
			if first.Step != c.ends {
				t.Errorf("it ended at step %d, want %d", first.Step, c.ends)
			}
			r.on = nil
			equal(t, want, r.apply().completes(5))
		})
	}
}

// advance_when ends a stage early. The end is recorded in the lineage, so that no later event continues the stage.
func TestStages_AdvanceWhen(t *testing.T) {
	advancing := func(t *testing.T) *rig {
		r := newRig(t)
		r.steps = 10
		r.train = `
  stage "form" { advance_when = validation.success_rate > 0.1 }
  stage "full" { steps = 1 }
`
		return r
	}
	want := advancing(t).apply().completes(1)
	checkpoints, err := want.run().Lineage()
	if err != nil {
		t.Fatal(err)
	}
	if len(checkpoints) != 2 || !checkpoints[0].StageEnd || checkpoints[0].Stage != "form" || !checkpoints[1].StageEnd {
		t.Errorf("%+v", checkpoints)
	}
	t.Run("the trainer dies of the news", func(t *testing.T) {
		t.Parallel()
		r := advancing(t)
		r.adapter = dying("decided 0")
		equal(t, want, r.apply().completes(1))
	})
	t.Run("a stop comes at the same time", func(t *testing.T) {
		t.Parallel()
		r := advancing(t)
		r.gate(event.PhaseValidation, 0, func() { close(r.stop) })
		first := r.apply().ends(event.RunStopped, run.ExitStopped)
		if first.Step != 0 {
			t.Errorf("it ended at step %d", first.Step)
		}
		r.on = nil
		equal(t, want, r.apply().completes(1))
	})
	t.Run("the trainer can end with its next checkpoint only", func(t *testing.T) {
		t.Parallel()
		r := advancing(t)
		r.adapter = "checkpoint_every = 3\nmisbehave = [\"finish a stage with a later checkpoint\"]"
		checkpoints, err := r.apply().completes(4).run().Lineage()
		if err != nil {
			t.Fatal(err)
		}
		var ends []int
		for _, c := range checkpoints {
			if c.StageEnd {
				ends = append(ends, c.Step)
			}
		}
		// Decided at step 0, and still valid at step 3: a resume after that begins the next stage.
		if diff := cmp.Diff([]int{0, 3, 4}, ends); diff != "" {
			t.Errorf("steps at whose checkpoint a stage ends (-want +got):\n%s", diff)
		}
	})
	t.Run("never", func(t *testing.T) {
		t.Parallel()
		r := advancing(t)
		r.steps = 2
		r.train = strings.Replace(r.train, "success_rate > 0.1", "reward > 1000", 1) // rates have a maximum
		r.apply().completes(3)
	})
	t.Run("it has no value", func(t *testing.T) {
		t.Parallel()
		r := advancing(t)
		r.reward = `fail = ["probe-0", "probe-1", "probe-2"]`
		r.train = strings.Replace(r.train, "success_rate", "reward", 1)
		e := r.apply().ends(event.RunFailed, run.ExitFailed)
		if !strings.Contains(e.Reason, "advance_when of stage form") || e.summary().Step != -1 {
			t.Errorf("step %d: %s", e.summary().Step, e.Reason)
		}
	})
}

// best_by keeps the best checkpoint, whatever the value of checkpoint.keep.
func TestCheckpoints_AreKept(t *testing.T) {
	r := newRig(t)
	r.steps = 12
	e := r.apply().completes(12)
	lineage, err := e.run().Lineage()
	if err != nil {
		t.Fatal(err)
	}
	best, value := 0, -1.0
	for _, pass := range payloads[event.ValidationFinished](e) {
		if rate, _ := pass.SuccessRate.Get(); rate > value {
			best, value = pass.Step, rate
			if !pass.IsBest && pass.Step > 0 {
				t.Errorf("the pass of step %d is the best so far and does not say so", pass.Step)
			}
		} else if pass.IsBest {
			t.Errorf("the pass of step %d says it is the best", pass.Step)
		}
	}
	want := map[int]bool{best: true, 10: true, 11: true, 12: true} // the newest two, and the newest two of every=2
	present, err := e.run().Checkpoints()
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]bool{}
	for _, c := range present {
		got[c.Step] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("checkpoints (-want +got):\n%s", diff)
	}
	if len(lineage) != 13 {
		t.Errorf("%d commits", len(lineage))
	}
}

// Manifests of equal runs are equal except for ids and times: they contain the numbers of their step, but none that
// depend on a clock.
func TestCheckpoints_ManifestsHoldNoClock(t *testing.T) {
	e := newRig(t).apply().completes(3)
	present, err := e.run().Checkpoints()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range present {
		manifest, err := e.run().ReadManifest(c.Dir)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(manifest.Budgets), "_seconds") {
			t.Errorf("the host's state at step %d: %s", c.Step, manifest.Budgets)
		}
		for name := range manifest.Metrics {
			if strings.HasSuffix(name, "_seconds") {
				t.Errorf("%s is in the manifest of step %d", name, c.Step)
			}
		}
		if _, validated := manifest.Metrics["validation/success_rate"]; validated != (c.Step != 1) {
			t.Errorf("step %d: %v", c.Step, manifest.Metrics)
		}
	}
	var row runstore.Numbers
	for r, err := range e.run().Metrics() {
		if err != nil {
			t.Fatal(err)
		}
		if r.Step == 1 {
			row = r.Values
		}
	}
	if row["train/update_seconds"] == 0 {
		t.Error("the metrics have lost the times")
	}
}

// A checkpoint at the trainer's own location stays there, and the run continues from it.
func TestCheckpoints_External(t *testing.T) {
	r := newRig(t)
	r.adapter = `misbehave = ["keep checkpoints"]
  die = ["update 2"]`
	e := r.apply().completes(3)
	if !strings.HasSuffix(e.Checkpoint, "control/kept-3") {
		t.Errorf("checkpoint %s", e.Checkpoint)
	}
	want := newRig(t).apply()
	if e.Step != want.Step || e.Digest != want.Digest {
		t.Errorf("step %d, digest %s, want %d, %s", e.Step, e.Digest, want.Step, want.Digest)
	}
}
