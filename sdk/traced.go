package sdk

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/awhost/awhost/sdk/traceparent"
)

// extractTrace adds the trace from the call's metadata to its context. Calls that share a stream have the trace in the
// Call.
func extractTrace(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if named := metadata.ValueFromIncomingContext(ctx, traceparent.Header); len(named) == 1 {
		ctx = traceparent.With(ctx, named[0])
	}
	return next(ctx, req)
}
