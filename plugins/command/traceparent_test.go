package commandplugin

import (
	"testing"

	"github.com/awhost/awhost/sdk/traceparent"
)

// TestAgent_PassesTheTraceOn checks that the program receives the trace of its episode, if it has one.
func TestAgent_PassesTheTraceOn(t *testing.T) {
	a, _ := shell(t, `printf %s "${TRACEPARENT-none}"`, nil)
	const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for _, want := range []string{trace, "none"} {
		out, err := a.Run(traceparent.With(t.Context(), want), newRequest(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if *out.FinalAnswer != want {
			t.Errorf("the program is told %q, not %q", *out.FinalAnswer, want)
		}
	}
}
