package telemetry

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strconv"

	"go.opentelemetry.io/otel/trace"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk/traceparent"
)

// Ids are hashes of what they stand for, so that whoever knows an episode finds its trace without a table, and a plugin
// can be told the id of a span that is written when the episode is over.

// TraceID is the id of the trace of an attempt at an episode.
func TraceID(episodeID string, attempt int) trace.TraceID {
	sum := sha256.Sum256(strconv.AppendInt(append([]byte(episodeID), 0), int64(attempt), 10))
	return trace.TraceID(sum[:16])
}

// spanID is the id of the span of a call in a trace; the zero call is the attempt as a whole.
func spanID(of trace.TraceID, call rollout.Wait) trace.SpanID {
	return spanOf(of, call.Call, call.Address, call.ID)
}

// spanOf is the id of a span that is told from others of its trace by these words.
func spanOf(of trace.TraceID, words ...string) trace.SpanID {
	text := append(make([]byte, 0, 128), of[:]...)
	for _, word := range words {
		text = append(append(text, word...), 0)
	}
	sum := sha256.Sum256(text)
	return trace.SpanID(sum[:8])
}

// sampled reports whether a trace is one of the fraction that is sent, as the SDK's TraceIDRatioBased decides.
func sampled(id trace.TraceID, fraction float64) bool {
	if fraction >= 1 {
		return true
	}
	bound := uint64(max(0, fraction) * (math.MaxInt64 + 1.0))
	return binary.BigEndian.Uint64(id[8:])>>1 < bound
}

// Under implements rollout.Tracer.
func (t *traces) Under(ctx context.Context, episodeID string, attempt int, call rollout.Wait) context.Context {
	id := TraceID(episodeID, attempt)
	flags := "-00"
	if sampled(id, t.settings.Sample) {
		flags = "-01"
	}
	return traceparent.With(ctx, "00-"+id.String()+"-"+spanID(id, call).String()+flags)
}

// idKey is the key of the ids that a context gives to the next span.
type idKey struct{}

type ids struct {
	trace trace.TraceID
	span  trace.SpanID
}

// given implements the SDK's IDGenerator: spans have the ids that their contexts hold.
type given struct{}

// NewIDs is called for the first span of a trace.
func (given) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	next := ctx.Value(idKey{}).(ids)
	return next.trace, next.span
}

// NewSpanID is called for all others.
func (given) NewSpanID(ctx context.Context, _ trace.TraceID) trace.SpanID {
	return ctx.Value(idKey{}).(ids).span
}

var _ rollout.Tracer = (*traces)(nil)
