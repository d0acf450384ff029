package pythonplugin

import (
	"testing"

	"github.com/awhost/awhost/sdk/traceparent"
)

// TestAgent_PassesTheTraceOn checks that the user's function gets the trace of its episode, if there is one.
func TestAgent_PassesTheTraceOn(t *testing.T) {
	t.Parallel()
	a := agentOf(t, "def solve(traceparent):\n    return str(traceparent)\n", nil)
	const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for text, want := range map[string]string{trace: trace, "": "None"} {
		out, err := a.Run(traceparent.With(t.Context(), text), episodeOf("e1"), &policy{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if *out.FinalAnswer != want {
			t.Errorf("the function is told %q, not %q", *out.FinalAnswer, want)
		}
	}
}
