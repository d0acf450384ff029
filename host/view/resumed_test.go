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

// A resumed run shows the checkpoint that it continues from. Counts of this incarnation are labeled as such.
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
	tell(time.Minute, event.StepFinished{Step: 6, Total: 15, Episodes: 8,
		Outcomes: map[sdk.Outcome]int{sdk.OutcomeScored: 8}})
	for _, width := range []int{100, 140} {
		if screen := m.Render(width, 40, now); !strings.Contains(screen, "since step 5") {
			t.Errorf("the episodes look like all of the run:\n%s", screen)
		}
	}
	for outcome, want := range map[event.RunOutcome]string{
		event.RunCompleted: "verl-1 completed: 15 steps, 10 of them since it was resumed, in 6:44",
		event.RunStopped:   "verl-1 stopped after step 15 of 15, continued from step 5 for 6:44",
		event.RunFailed:    "verl-1 failed after step 15 of 15, continued from step 5 for 6:44",
	} {
		tell(0, event.RunFinished{Outcome: outcome, Step: 15, TotalSteps: 15, Seconds: 404, Checkpoint: checkpoint})
		end := strings.Join(m.Summary(100), "\n")
		if !strings.Contains(end, want) || !strings.Contains(end, "8 scored  since step 5") {
			t.Errorf("%s, want %q:\n%s", outcome, want, end)
		}
	}
}

// A condition of expect that does not hold is at the top of the summary, also of a run that had finished before.
func TestModel_SummaryOfExpectations(t *testing.T) {
	for _, unchanged := range []bool{false, true} {
		for _, holds := range []bool{false, true} {
			m := view.NewModel("0.1.0", text.Plain())
			m.Apply(event.Event{Run: "quick-1", Payload: event.RunFinished{
				Outcome: event.RunCompleted, Step: 3, TotalSteps: 3, Unchanged: unchanged,
				Expected: []event.Expected{{Name: "goal", Condition: "validation.reward > 1", Holds: holds, Detail: "reward is 0"}},
			}})
			end := strings.Join(m.Summary(100), "\n")
			if strings.Contains(end, "✗ quick-1 completed, and an expectation does not hold") == holds ||
				!strings.Contains(end, "expect goal") || !strings.Contains(end, "validation.reward > 1  reward is 0") {
				t.Errorf("holds %v, unchanged %v:\n%s", holds, unchanged, end)
			}
		}
	}
}

// After a resume the screen keeps its history: the curves of all metrics and the log start at the first incarnation.
func TestModel_ResumedRunHasItsHistory(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := view.NewModel("0.1.0", text.Plain())
	m.Apply(event.Event{Time: now, Run: "quick-1", Incarnation: 2, Payload: event.RunStarted{
		Mode: event.ModeResume, Step: 3, Dir: ".awhost/runs/quick-1", Plan: event.PlanSummary{TotalSteps: 9},
		Earlier: event.History{
			Rewards:   []event.Point{{Step: 1, Value: 0.1}, {Step: 2, Value: 0.2}, {Step: 3, Value: 0.3}},
			Successes: []event.Point{{Step: 1, Value: 0.125}, {Step: 2, Value: 0.25}},
			Metrics: map[string][]event.Point{"train/entropy": {{Step: 1, Value: 3.125}, {Step: 2, Value: 2.5},
				{Step: 3, Value: 1.25}}},
			Log: []event.PastLine{{Time: now.Add(-time.Hour), Level: event.LevelWarn, Source: "reward.gaia.answer",
				Message: "it was killed"}},
			Checkpoint: ".awhost/runs/quick-1/checkpoints/step-000003",
		},
	}})
	m.Pane = view.PaneLog
	log := m.Render(100, 30, now)
	for _, want := range []string{"it was killed", "held-out success 12.5 % at step 1", "held-out success 25.0 % at " +
		"step 2", "continues from step 3"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
	m.Pane = view.PaneMetrics
	if metrics := m.Render(100, 30, now); !strings.Contains(metrics, "1.250") || !strings.Contains(metrics, "entropy") {
		t.Errorf("the curve of before is missing:\n%s", metrics)
	}
}

// In a narrow terminal words are shortened before bars.
func TestModel_KeepsItsBarsInNarrowTerminals(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := view.NewModel("0.1.0", text.Plain())
	tell := func(after time.Duration, payload event.Payload) {
		now = now.Add(after)
		m.Apply(event.Event{Time: now, Run: "quickstart-1", Payload: payload})
	}
	check := func(when string) {
		t.Helper()
		for _, width := range []int{36, 40, 44, 60, 80, 120} {
			for i, line := range strings.Split(m.Render(width, 24, now), "\n")[1:3] {
				if bar := strings.Count(line, "━") + strings.Count(line, "─"); bar < 8 {
					t.Errorf("%s, %d columns: line %d has a bar of %d: %q", when, width, i+2, bar, line)
				}
			}
		}
	}
	tell(0, event.RunStarted{Plan: event.PlanSummary{TotalSteps: 60, Adapter: "local"}, Dir: ".awhost/runs/quickstart-1",
		Plugins: []event.PluginRef{{Instance: "adapter.local.cpu"}}})
	tell(0, event.PluginState{Instance: "adapter.local.cpu", State: event.PluginReady})
	tell(time.Minute, event.Log{})
	check("starting")
	tell(0, event.Phase{Name: event.PhaseWarmStart, Done: 190, Total: 400})
	check("warm start")
	tell(time.Hour, event.StepFinished{Step: 59, Total: 60})
	tell(0, event.Phase{Name: event.PhaseRollout, Step: 60, Done: 10, Total: 128})
	check("rollout")
}
