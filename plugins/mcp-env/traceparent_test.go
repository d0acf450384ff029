package mcpenv_test

import (
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/traceparent"
)

// TestEnvironment_PassesTheTraceOn checks that servers receive the trace of a call, if it has one.
func TestEnvironment_PassesTheTraceOn(t *testing.T) {
	f := serve(t, "")
	r := newRig(t, object{"server": object{"desk": object{"url": f.url}}})
	r.open("e1")
	const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for name, want := range map[string]any{"traced": trace, "alone": nil} {
		ctx := t.Context()
		if want != nil {
			ctx = traceparent.With(ctx, trace)
		}
		step := sdk.StepRequest{EpisodeID: "e1", StepID: name, Message: calling("read", "{}")}
		if _, err := r.Step(ctx, step); err != nil {
			t.Fatal(err)
		}
		if got := f.meta[traceparent.Header]; got != want {
			t.Errorf("the server is told %v, not %v", got, want)
		}
	}
}
