package backend_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/backend"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/golden"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// blockedCalls contains calls that the reference refuses by name, and calls that it accepts.
var blockedCalls = []string{
	"kill()", "exit(1)", "quit", "remove(x=1)", "unlink('a')", "popen('a')", "Popen()", "run(a=1)", "exit (1)", "a.kill()",
	"a.b.kill()", "kil()", "Exit()",
	"run", "x = run()", "post_tweet(content='run()')", "exit", "kill.kill", "run[0](1)", "post_tweet.run()",
}

// Calls must give the same answers as BFCL's own program: with arithmetic and literals of every kind, and with names
// that it refuses.
func TestExecuteAsTheWheelDoes(t *testing.T) {
	const config = `{"TwitterAPI": {"username": "john", "password": "p", "authenticated": true, "tweets": {}, "comments": {}, "retweets": {}, "following_list": []}}`
	questions := []golden.Question{}
	ask := func(call string) {
		questions = append(questions, golden.Question{Call: call, Config: []byte(config), Classes: []string{"TwitterAPI"}})
	}
	for _, call := range blockedCalls {
		ask(call)
	}
	for _, literal := range golden.Literals(3, 8_000) {
		ask("post_tweet(content=" + literal + ", tags=[], mentions=[])")
	}
	parsed, err := py.ParseJSON([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i, want := range golden.Ask(t, questions) {
		if want.Skipped != "" || unlike(want.Output) {
			continue
		}
		b, err := backend.New(&api.World{Profile: api.V4}, questions[i].Classes, parsed.(*py.Dict),
			backend.Names("m", "e", api.V4))
		if err != nil {
			t.Fatal(err)
		}
		got := b.Execute(questions[i].Call)
		// The texts of syntax errors come from CPython's parser.
		syntax := strings.Contains(got, "(<string>, line ") && strings.Contains(want.Output, "(<string>, line ")
		if !syntax && !golden.SameButForSets([]string{got}, []string{want.Output}) {
			if wrong++; wrong <= 40 {
				t.Errorf("%q is answered with %q, want %q", questions[i].Call, got, want.Output)
			}
		}
	}
	t.Logf("%d of %d differ", wrong, len(questions))
}

// unlike reports whether an answer depends on more than the call.
func unlike(output string) bool {
	return strings.Contains(output, "object at 0x") || strings.Contains(output, "MemoryError") ||
		output == "Error during execution: "
}

// A call by name and arguments must be refused like a written call.
func TestCall_RefusesBlockedNames(t *testing.T) {
	b := all(t, api.V4)
	for name, want := range map[string]string{
		"exit":   "Error during execution: Function call exit is not allowed.",
		"popen":  "Error during execution: Function call popen is not allowed.",
		"a.kill": "Error during execution: Function call kill is not allowed.",
		"exits":  "Error during execution: name 'exits' is not defined",
	} {
		if got := b.Call(name, py.NewDict()); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
