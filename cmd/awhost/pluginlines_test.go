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
