package view_test

import (
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// Of a run that was resumed it is known where it goes on from, and a number of this start does not pass for one of the
// whole run.
func TestModel_ResumedRunHasItsCheckpointAndSaysWhatItCounts(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := view.NewModel("0.1.0", text.Plain())
	tell := func(after time.Duration, payload event.Payload) {
		now = now.Add(after)
		m.Apply(event.Event{Time: now, Run: "verl-1", Incarnation: 2, Payload: payload})
	}
	const checkpoint = ".awhost/runs/verl-1/checkpoints/step-000005"
	tell(0, event.RunStarted{
		Mode: event.ModeResume, Step: 5, Dir: ".awhost/runs/verl-1", Plan: event.PlanSummary{TotalSteps: 15},
		Earlier: event.History{Rewards: []event.Point{{Step: 5, Value: 0.25}}, Checkpoint: checkpoint},
	})
	for _, width := range []int{100, 140} {
		if screen := m.Render(width, 40, now); !strings.Contains(screen, "step 5  "+checkpoint[:30]) {
			t.Errorf("the checkpoint is missing:\n%s", screen)
		}
	}
	tell(time.Minute, event.StepFinished{Step: 6, Total: 15, Episodes: 8, Outcomes: map[sdk.Outcome]int{sdk.OutcomeScored: 8}})
	for _, width := range []int{100, 140} {
		if screen := m.Render(width, 40, now); !strings.Contains(screen, "since step 5") {
			t.Errorf("the episodes look like all of the run:\n%s", screen)
		}
	}
	for outcome, want := range map[event.RunOutcome]string{
		event.RunCompleted: "verl-1 completed: 15 steps, 10 of them since it was resumed, in 6:44",
		event.RunStopped:   "verl-1 stopped after step 15 of 15, went on from step 5 for 6:44",
		event.RunFailed:    "verl-1 failed after step 15 of 15, went on from step 5 for 6:44",
	} {
		tell(0, event.RunFinished{Outcome: outcome, Step: 15, TotalSteps: 15, Seconds: 404, Checkpoint: checkpoint})
		end := strings.Join(m.Summary(100), "\n")
		if !strings.Contains(end, want) || !strings.Contains(end, "8 scored  since step 5") {
			t.Errorf("%s, want %q:\n%s", outcome, want, end)
		}
	}
}
