package view

import (
	"bytes"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

// Commands are spelled before they are laid out, so that they stay whole and no line is wider than the screen.
func TestModel_CommandsAreSpelledBeforeTheLayout(t *testing.T) {
	m := NewModel("", text.Plain())
	m.id = "x-1"
	m.Commands = func(s string) string { return strings.ReplaceAll(s, "awhost ", "go run ./cmd/awhost ") }
	lines := m.next(event.RunFinished{Outcome: event.RunCompleted}, 60)
	if got := strings.Join(lines, "\n"); !strings.Contains(got, "go run ./cmd/awhost show x-1") {
		t.Errorf("the commands are\n%s", got)
	}
	for _, line := range lines {
		if text.Width(line) > 60 {
			t.Errorf("%d columns: %q", text.Width(line), line)
		}
	}
}

// What a plugin logs is shown as it was written.
func TestHuman_LeavesCommandsInLogLines(t *testing.T) {
	var out bytes.Buffer
	h := NewHuman(Options{Out: &out, Commands: func(string) string { return "rewritten" }})
	h.log(event.Log{Source: "reward.a", Level: event.LevelWarn, Message: "see awhost show x-1"})
	if !strings.Contains(out.String(), "see awhost show x-1") {
		t.Errorf("got %q", out.String())
	}
}
