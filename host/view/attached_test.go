package view_test

import (
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/text"
)

// The footer of a view of another process's run describes how to leave the view, not that Ctrl-C ends the run.
func TestModel_AttachedSaysHowToLeave(t *testing.T) {
	begun := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := view.NewModel("0.1.0", text.Plain())
	m.Attached = true
	m.Apply(event.Event{Time: begun, Run: "quickstart-1", Incarnation: 1,
		Payload: event.RunStarted{Mode: event.ModeNew, Plan: event.PlanSummary{TotalSteps: 9}}})
	for _, width := range []int{80, 200} {
		screen := m.Render(width, 24, begun)
		if !strings.Contains(screen, "d or Ctrl-C") || !strings.Contains(screen, "s stop") ||
			strings.Contains(screen, "twice") {
			t.Errorf("at width %d:\n%s", width, screen)
		}
	}
	m.Apply(event.Event{Time: begun, Payload: event.Interrupted{Stage: event.StopFirst}})
	if screen := m.Render(80, 24, begun); !strings.Contains(screen, "awhost stop --now") {
		t.Errorf("when it is stopping:\n%s", screen)
	}
}

// The run's host may have another working directory than the viewer. Commands are printed for the viewer's directory.
func TestModel_CommandsForTheDirectoryOfWhoLooksOn(t *testing.T) {
	begun := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := view.NewModel("0.1.0", text.Plain())
	m.Attached, m.RunDir = true, "/runs of mine/.awhost/runs/quickstart-1"
	m.Apply(event.Event{Time: begun, Run: "quickstart-1", Incarnation: 1, Payload: event.RunStarted{
		Mode: event.ModeNew, Dir: ".awhost/runs/quickstart-1", Spec: "train.hcl", Plan: event.PlanSummary{TotalSteps: 9},
	}})
	m.Apply(event.Event{Time: begun, Run: "quickstart-1", Payload: event.Interrupted{Stage: event.StopFirst}})
	if screen := m.Render(200, 24, begun); !strings.Contains(screen, "awhost stop --now --dir '/runs of mine': stop now") {
		t.Errorf("when it is stopping:\n%s", screen)
	}
	m.Apply(event.Event{Time: begun, Run: "quickstart-1",
		Payload: event.RunFinished{Outcome: event.RunStopped, Resumable: true}})
	end := strings.Join(m.Summary(200), "\n")
	if !strings.Contains(end, "awhost resume quickstart-1 --dir '/runs of mine'  start again: the run has no "+
		"checkpoint yet") {
		t.Errorf("at the end:\n%s", end)
	}
}
