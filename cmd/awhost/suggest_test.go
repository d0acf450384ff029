package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/view/text"
)

func TestUnknownWords_GetSuggestions(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"aplpy", `unknown command "aplpy" for awhost: did you mean awhost apply?`},
		{"rm", `unknown command "rm" for awhost: awhost --help lists the commands`},
		{"coffee", `unknown command "coffee" for awhost: awhost --help lists the commands`},
		{"plugin tset", `unknown command "tset" for awhost plugin: did you mean awhost plugin test?`},
		{"plugin coffee", `unknown command "coffee" for awhost plugin: want one of call, describe, docs, list, new, sdk, serve, test`},
		{"apply --neww", "unknown flag: --neww; did you mean --new?"},
		{"show --audti", "unknown flag: --audti; did you mean --audit?"},
		{"runs --jsno", "unknown flag: --jsno; did you mean --json?"},
		{"runs -json", "unknown shorthand flag: 'j' in -json; did you mean --json?"},
		{"runs --tea", "unknown flag: --tea; awhost runs --help lists the flags"},
	} {
		var out bytes.Buffer
		a := &app{in: strings.NewReader(""), out: text.NewOutput(&out), err: text.NewOutput(&out)}
		root := newRoot(a)
		root.SetArgs(strings.Fields(c.line))
		if err := root.Execute(); err == nil || err.Error() != c.want {
			t.Errorf("awhost %s: %v, want %s", c.line, err, c.want)
		}
	}
}
