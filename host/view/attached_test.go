package view_test

import (
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/text"
)

// Who looks at a run elsewhere is told how to leave it, and not that Ctrl-C would end it.
func TestModel_AttachedSaysHowToLeave(t *testing.T) {
	begun := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := view.NewModel("0.1.0", text.Plain())
	m.Attached = true
	m.Apply(event.Event{Time: begun, Run: "quickstart-1", Incarnation: 1, Payload: event.RunStarted{Mode: event.ModeNew, Plan: event.PlanSummary{TotalSteps: 9}}})
	for _, width := range []int{80, 200} {
		screen := m.Render(width, 24, begun)
		if !strings.Contains(screen, "d or Ctrl-C") || !strings.Contains(screen, "s stop") || strings.Contains(screen, "twice") {
			t.Errorf("at width %d:\n%s", width, screen)
		}
	}
	m.Apply(event.Event{Time: begun, Payload: event.Interrupted{Stage: event.StopFirst}})
	if screen := m.Render(80, 24, begun); !strings.Contains(screen, "awhost stop --now") {
		t.Errorf("when it is stopping:\n%s", screen)
	}
}
