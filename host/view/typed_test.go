package view

import (
	"bytes"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

// Rewriting commands before layout keeps them on one line, and no line is wider than the screen.
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

// Log lines of plugins are shown unchanged.
func TestHuman_LeavesCommandsInLogLines(t *testing.T) {
	var out bytes.Buffer
	h := NewHuman(Options{Out: &out, Commands: func(string) string { return "rewritten" }})
	h.log(event.Log{Source: "reward.a", Level: event.LevelWarn, Message: "see awhost show x-1"})
	if !strings.Contains(out.String(), "see awhost show x-1") {
		t.Errorf("got %q", out.String())
	}
}

// The line about a plugin does not repeat the sentence that ends the run.
func TestHuman_SaysOnceWhyAPluginDoesNotStart(t *testing.T) {
	for detail, want := range map[string]string{
		"start plugin reward.a: it exited with status 3; last lines: no weights": "plugin reward.a does not start",
		"plugin reward.a died, and 2 restarts are spent: exit status 3":          "plugin reward.a died, and 2 restarts",
		"exit status 3": "plugin reward.a died: exit status 3",
	} {
		var out bytes.Buffer
		h := NewHuman(Options{Out: &out})
		h.pluginState(event.PluginState{Instance: "reward.a", State: event.PluginCrashed, Detail: detail})
		got := out.String()
		if !strings.Contains(got, want) || strings.Contains(got, "no weights") || strings.Count(got, "reward.a") != 1 {
			t.Errorf("of %q it says %q", detail, got)
		}
	}
	again := event.PluginState{
		Instance: "reward.a", State: event.PluginRestarting, Detail: "start plugin reward.a: it exited with status 3",
	}
	if got := deathOf(again); got != "did not start and is started again: it exited with status 3" {
		t.Errorf("it says %q", got)
	}
}
