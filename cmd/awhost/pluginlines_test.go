package main

import (
	"bytes"
	"testing"

	"github.com/awhost/awhost/host/view/text"
)

func TestPluginLine_ShowsWhatPluginsLog(t *testing.T) {
	for name, c := range map[string]struct {
		json bool
		want string
	}{
		"for people":   {false, "info  reward.a  loaded file=x.py\nwarn  reward.\\x1b  odd \\x1b[2J\n"},
		"for programs": {true, "warn  reward.\\x1b  odd \\x1b[2J\n"},
	} {
		var out bytes.Buffer
		line := (&app{err: text.NewOutput(&out), json: c.json}).pluginLine()
		line("info", "reward.a", "loaded", map[string]string{"file": "x.py"})
		line("warn", "reward.\x1b", "odd \x1b[2J", nil)
		if out.String() != c.want {
			t.Errorf("%s: %q, want %q", name, out.String(), c.want)
		}
	}
}

// A command must have one status line: two would overwrite each other.
func TestStatus_IsOneForACommand(t *testing.T) {
	a := &app{err: text.NewOutput(&bytes.Buffer{})}
	if first, second := a.status(), a.status(); first != second {
		t.Error("a second status line")
	}
}

// The log of a detached host must have no colors, even if the environment forces them for its parent.
func TestSurroundings_OfADetachedHost(t *testing.T) {
	forced := []string{"TERM=xterm-256color", "CLICOLOR_FORCE=1"}
	if !text.Detect(&bytes.Buffer{}, surroundings(forced)).Colours {
		t.Error("CLICOLOR_FORCE has no effect")
	}
	if text.Detect(&bytes.Buffer{}, surroundings(append(forced, envReport+"=3"))).Colours {
		t.Error("the log of a detached host has colours")
	}
}
