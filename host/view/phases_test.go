package view_test

import (
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/text"
)

// verl and AReaL take minutes to start and report steps, but no phases.
func TestModel_TrainerThatReportsNoPhases(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := view.NewModel("0.1.0", text.Plain())
	tell := func(after time.Duration, payload event.Payload) {
		now = now.Add(after)
		m.Apply(event.Event{Time: now, Run: "verl-1", Incarnation: 1, Payload: payload})
	}
	head := func(after time.Duration, want, not string) {
		t.Helper()
		lines := strings.SplitN(m.Render(100, 40, now.Add(after)), "\n", 4)
		if got := strings.Join(lines[:3], "\n"); !strings.Contains(got, want) || not != "" && strings.Contains(got, not) {
			t.Errorf("want %q and not %q:\n%s", want, not, got)
		}
	}
	plugin := event.PluginRef{Instance: "adapter.verl.grpo"}
	tell(0, event.RunStarted{Mode: event.ModeNew, Plan: event.PlanSummary{TotalSteps: 15},
		Plugins: []event.PluginRef{plugin}})
	tell(time.Second, event.PluginState{Instance: plugin.Instance, State: event.PluginReady})
	tell(0, event.StageStarted{Name: "main", Total: 1})
	head(3*time.Minute+5*time.Second, "1/1 plugins, the trainer starts: 3:05", "usually")

	tell(4*time.Minute, event.StepFinished{Step: 1, Total: 15})
	head(3*time.Second, "step 2 for 0:03", "starting")
	head(3*time.Second, "ETA –", "")
	tell(8*time.Second, event.StepFinished{Step: 2, Total: 15})
	head(2*time.Second, "step 3 for 0:02, usually 0:08", "starting")
	head(2*time.Second, "ETA 1:42", "") // 13 steps of 8 seconds, without the minutes of the start
	if screen := m.Render(100, 40, now); !strings.Contains(screen, "s/step") || !strings.Contains(screen, "8.000") {
		t.Errorf("seconds per step hold the start:\n%s", screen)
	}

	// The ETA is unknown during a step that takes much longer than the others, and after the trainer has exited.
	head(4*time.Minute, "ETA –", "ETA 1")
	tell(time.Minute, event.Warning{Code: "trainer_gone", Summary: "there is nothing left of the trainer"})
	head(10*time.Second, "the trainer starts: 0:10", "training")
	head(10*time.Second, "ETA –", "")
}
