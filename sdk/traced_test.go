package sdk

import (
	"context"
	"testing"

	"google.golang.org/grpc/metadata"

	"github.com/awhost/awhost/sdk/traceparent"
)

// The trace of an ordinary call must come from its metadata. An invalid or repeated trace must be ignored.
func TestTraced(t *testing.T) {
	const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for _, c := range []struct {
		named []string
		want  string
	}{{nil, ""}, {[]string{trace}, trace}, {[]string{"nonsense"}, ""}, {[]string{trace, trace}, ""}} {
		ctx := metadata.NewIncomingContext(t.Context(), metadata.MD{traceparent.Header: c.named})
		told := func(ctx context.Context, _ any) (any, error) { return traceparent.From(ctx), nil }
		got, err := extractTrace(ctx, nil, nil, told)
		if err != nil || got != c.want {
			t.Errorf("%q became %q, %v", c.named, got, err)
		}
	}
}
