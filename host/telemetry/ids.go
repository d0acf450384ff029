package telemetry

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"

	"go.opentelemetry.io/otel/trace"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk/traceparent"
)

// IDs are hashes, so that a known episode's trace can be found without a table, and a plugin can receive the ID of a
// span that is written after the episode has ended.

// TraceID returns the trace ID for an attempt at an episode.
func TraceID(episodeID string, attempt int) trace.TraceID {
	text := append(append(make([]byte, 0, 128), episodeID...), 0)
	sum := sha256.Sum256(strconv.AppendInt(text, int64(attempt), 10))
	return trace.TraceID(sum[:16])
}

// spanID returns the ID of a call's span in a trace. The zero call is the whole attempt.
func spanID(of trace.TraceID, call rollout.Wait) trace.SpanID {
	if call.Try == 0 {
		return spanOf(of, call.Call, call.Address, call.ID)
	}
	return spanOf(of, call.Call, call.Address, call.ID, strconv.Itoa(call.Try))
}

// spanOf returns the ID of the span that these words identify within its trace.
func spanOf(of trace.TraceID, words ...string) trace.SpanID {
	text := append(make([]byte, 0, 128), of[:]...)
	for _, word := range words {
		text = append(append(text, word...), 0)
	}
	sum := sha256.Sum256(text)
	return trace.SpanID(sum[:8])
}

// sampled reports whether a trace belongs to the fraction that is sent, using the algorithm of the SDK's
// TraceIDRatioBased sampler.
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
	span := spanID(id, call)
	text := append(make([]byte, 0, 64), "00-"...)
	text = append(hex.AppendEncode(text, id[:]), '-')
	text = append(hex.AppendEncode(text, span[:]), "-00"...)
	if sampled(id, t.settings.Sample) {
		text[len(text)-1] = '1'
	}
	return traceparent.With(ctx, string(text))
}
