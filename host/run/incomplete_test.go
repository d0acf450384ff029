package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// A run that trained on fewer samples than planned lists the affected steps at its end and in the audit, even if an
// earlier process trained the step, and even if its record is correct.
func TestApply_NamesStepsWithFewerSamples(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(*rig)
		why  map[string]int // for a step with the failing task
		text string
	}{
		"dropped": {func(r *rig) {
			r.environment = `fail = ["sum-1"]`
			r.train = `on_failure "environment" { action = ["drop_sample"] }`
		}, map[string]int{"ENVIRONMENT": 2}, "2 failed (ENVIRONMENT)"},
		"masked": {func(r *rig) {
			r.reward = `fail = ["sum-1"]`
			r.train = `on_failure "reward" { action = ["mask"] }`
		}, map[string]int{"REWARD": 2}, "2 failed (REWARD)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			c.set(r)
			r.train += "\ncircuit_breaker { failed_fraction = 1 }"
			stop := once(func() { close(r.stop) })
			r.on = func(e event.Event) {
				p, ok := e.Payload.(event.CheckpointCommitted)
				stop(ok && p.Step == 1)
			}
			r.apply()
			r.on = nil
			second := r.apply().completes(3)
			failing := stepsWith(t, second, "sum-1")
			if len(failing) == 0 {
				t.Fatal("no step had the task that fails")
			}
			audit := second.addsUp()
			var want []runstore.IncompleteStep
			for _, step := range failing {
				want = append(want, runstore.IncompleteStep{Stage: "main", Step: step, Planned: 4, Samples: 2, Why: c.why})
			}
			if diff := cmp.Diff(want, audit.Short); diff != "" {
				t.Errorf("the audit (-want +got):\n%s", diff)
			}
			var warnings []event.Warning
			for _, w := range payloads[event.Warning](second) {
				if w.Code == "fewer_samples" {
					warnings = append(warnings, w)
				}
			}
			if len(warnings) != 1 {
				t.Fatalf("at the end there are %+v", warnings)
			}
			for _, step := range failing {
				line := fmt.Sprintf("step %d of stage main had 2 of 4 samples: %s", step, c.text)
				if !strings.Contains(warnings[0].Detail, line) {
					t.Errorf("the warning %+v does not say %q", warnings[0], line)
				}
			}
		})
	}
}

// stepsWith returns the steps that used a task in training.
func stepsWith(t *testing.T, e *ended, task string) []int {
	t.Helper()
	found := map[int]bool{}
	for episode, err := range e.run().Episodes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if episode.Standing == runstore.Counted && episode.Slot.Split == sdk.SplitTrain && episode.TaskID == task {
			found[episode.Slot.Step] = true
		}
	}
	var out []int
	for step := range 10 {
		if found[step] {
			out = append(out, step)
		}
	}
	return out
}
