package main

import (
	"bytes"
	"testing"

	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/conformance"
)

func TestCheckProgress_OfTranscripts(t *testing.T) {
	for name, c := range map[string]struct {
		terminal text.Terminal
		want     string
	}{
		"a log": {text.Terminal{}, "reward.a: making calls…\nreward.\\x1b: making calls…\n"},
		"a terminal": {text.Terminal{IsTerminal: true, Width: 60},
			"\r\x1b[Kreward.a: call 1, Score\r\x1b[Kreward.a: call 2, Score\r\x1b[Kreward.\\x1b: call 3, Score\r\x1b[K"},
	} {
		var out bytes.Buffer
		p := newCheckProgress(text.NewOutput(&out), c.terminal)
		p.called("reward.a", "Score")
		p.called("reward.a", "Score")
		p.called("reward.\x1b", "Score")
		p.clear()
		if out.String() != c.want {
			t.Errorf("%s: %q, want %q", name, out.String(), c.want)
		}
	}
}

func TestCheckProgress(t *testing.T) {
	start := &conformance.Check{ID: "PROC-START-01", Title: "it starts"}
	step, tools := &conformance.Check{ID: "ENV-STEP-01", Title: "it steps"},
		&conformance.Check{ID: "ENV-TOOL-01", Title: "its tools work"}
	for name, c := range map[string]struct {
		terminal text.Terminal
		want     string
	}{
		"a log": {text.Terminal{}, "the plugin: running the checks PROC…\nenvironment.\\x1b: running the checks ENV…\n"},
		"a terminal": {text.Terminal{IsTerminal: true, Width: 40},
			"\r\x1b[Kthe plugin: PROC-START-01 it starts\r\x1b[Kenvironment.\\x1b: ENV-STEP-01 it steps\r\x1b[Kenvironment.\\x1b: ENV-TOOL-01 its tool…\r\x1b[K"},
	} {
		var out bytes.Buffer
		p := newCheckProgress(text.NewOutput(&out), c.terminal)
		p.say(start, "")
		p.say(step, "environment.\x1b")
		p.say(tools, "environment.\x1b")
		p.clear()
		if out.String() != c.want {
			t.Errorf("%s: %q, want %q", name, out.String(), c.want)
		}
	}
}
