package multiplex

import (
	"context"
	"testing"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
	"github.com/awhost/awhost/sdk/traceparent"
)

// A call in the shared stream must carry its trace, and the next call must not.
func TestConn_PassesTheTraceOn(t *testing.T) {
	const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	e := &environment{step: func(ctx context.Context, _ *awhostv1.StepRequest) (*awhostv1.StepResponse, error) {
		return &awhostv1.StepResponse{Metrics: map[string]float64{traceparent.From(ctx): 1}}, nil
	}}
	conn, ordinary := e.shared(t)
	for _, want := range []string{trace, ""} {
		out, err := step(traceparent.With(t.Context(), want), conn, "e1")
		if err != nil {
			t.Fatal(err)
		}
		if out.GetMetrics()[want] != 1 {
			t.Errorf("the call receives %v, not %q", out.GetMetrics(), want)
		}
	}
	if n := ordinary.calls.Load(); n > 0 {
		t.Errorf("%d calls did not share the stream", n)
	}
}
