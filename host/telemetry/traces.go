package telemetry

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
)

// Bounds of what waits for a collector. Records that come while there is no room are left out, and counted.
const (
	mostRecords = 1024
	mostWaiting = 16384 // spans
	batchSpans  = 512   // of one request
	batchDelay  = 5 * time.Second
)

// traces makes spans of records and sends them. An episode is never kept waiting: it leaves its record in a queue, and
// one goroutine does the rest.
type traces struct {
	settings TracesSettings
	redact   func(string) string
	tracer   trace.Tracer
	batch    batch
	exporter sdktrace.SpanExporter
	publish  func(event.Payload)

	queue   chan record
	waiting atomic.Int64 // spans of the queue

	sent, dropped, failed atomic.Int64 // spans

	ctx     context.Context // of requests to the collector
	cancel  context.CancelFunc
	closing chan struct{}
	ended   chan struct{}
	once    sync.Once
	warned  bool // only the goroutine uses it
}

// record is what spans are made of: an attempt that was given up, or an episode with its last attempt.
type record struct {
	attempt *rollout.AttemptRecord
	episode *rollout.EpisodeRecord // nil: the attempt was given up
	spans   int
}

// startTraces begins to send. An error is about the settings: collectors are not asked.
func startTraces(ctx context.Context, config Config, publish func(event.Payload)) (*traces, error) {
	settings := *config.Settings.Traces
	exporter, err := otlptracehttp.New(ctx, settings.options()...)
	if err != nil {
		return nil, fmt.Errorf("send traces: %w", err)
	}
	described, err := resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(config.resource()...), resource.WithFromEnv()) // the later wins
	if err != nil { // of the environment: what it says otherwise is there
		publish(event.Warning{
			Code: codeTelemetry, Summary: "the environment describes the run badly to a collector", Detail: err.Error(),
		})
	}
	t := &traces{
		settings: settings, redact: config.Redact, exporter: exporter, publish: publish,
		queue:   make(chan record, mostRecords),
		closing: make(chan struct{}), ended: make(chan struct{}),
	}
	t.ctx, t.cancel = context.WithCancel(context.WithoutCancel(ctx))
	t.tracer = sdktrace.NewTracerProvider(
		sdktrace.WithResource(described), sdktrace.WithIDGenerator(given{}), sdktrace.WithSampler(sdktrace.AlwaysSample()),
		sdktrace.WithSpanProcessor(&t.batch),
	).Tracer("github.com/awhost/awhost", trace.WithInstrumentationVersion(config.Version))
	go t.work()
	return t, nil
}

// take takes a record, or counts what it leaves out. It does not wait.
func (t *traces) take(r record) {
	if !sampled(TraceID(r.attempt.EpisodeID, r.attempt.Attempt), t.settings.Sample) {
		return
	}
	r.spans = spansOf(r.attempt)
	if t.waiting.Add(int64(r.spans)) > mostWaiting {
		t.leaveOut(r)
		return
	}
	select {
	case t.queue <- r:
	default:
		t.leaveOut(r)
	}
}

func (t *traces) leaveOut(r record) {
	t.waiting.Add(-int64(r.spans))
	t.dropped.Add(int64(r.spans))
}

// work is the goroutine: it makes spans, and sends them when there are enough or some have waited for long.
func (t *traces) work() {
	defer close(t.ended)
	late := time.NewTicker(batchDelay)
	defer late.Stop()
	for {
		select {
		case r := <-t.queue:
			t.write(r)
			if len(t.batch.spans) >= batchSpans {
				t.send()
			}
		case <-late.C:
			t.send()
		case <-t.closing:
			t.drain()
			return
		}
	}
}

// drain makes spans of what is left, and sends it as far as there is time.
func (t *traces) drain() {
	for {
		select {
		case r := <-t.queue:
			t.write(r)
			if len(t.batch.spans) >= batchSpans {
				t.send()
			}
		default:
			t.send()
			return
		}
	}
}

// write makes spans of a record.
func (t *traces) write(r record) {
	newScene(t, r).write()
	t.waiting.Add(-int64(r.spans))
}

// send sends what there is. What a collector does not take is lost, and counted.
func (t *traces) send() {
	spans := t.batch.take()
	if len(spans) == 0 {
		return
	}
	err := t.exporter.ExportSpans(t.ctx, spans)
	if err == nil {
		t.sent.Add(int64(len(spans)))
		return
	}
	t.failed.Add(int64(len(spans)))
	if !t.warned {
		t.warned = true
		t.publish(event.Warning{
			Code: codeTelemetry, Summary: "traces do not reach the collector; the run goes on without them", Detail: err.Error(),
		})
	}
}

// close sends what is left while ctx lasts, and says what was lost.
func (t *traces) close(ctx context.Context) {
	t.once.Do(func() {
		close(t.closing)
		select {
		case <-t.ended:
		case <-ctx.Done():
			t.cancel() // what is still under way fails
			<-t.ended
		}
		t.cancel()
		_ = t.exporter.Shutdown(ctx) // closes connections
		if lost := t.dropped.Load() + t.failed.Load(); lost > 0 {
			t.publish(event.Warning{
				Code: codeTelemetry, Count: int(lost), Summary: fmt.Sprintf("%d spans of traces did not reach the collector", lost),
				Detail: fmt.Sprintf("%d could not be sent; %d came while too many waited for it.",
					t.failed.Load(), t.dropped.Load()),
			})
		}
	})
}

// batch gathers the spans that ended. It is used by one goroutine.
type batch struct{ spans []sdktrace.ReadOnlySpan }

// OnStart implements sdktrace.SpanProcessor.
func (*batch) OnStart(context.Context, sdktrace.ReadWriteSpan) {}

// OnEnd implements sdktrace.SpanProcessor.
func (b *batch) OnEnd(s sdktrace.ReadOnlySpan) { b.spans = append(b.spans, s) }

// Shutdown implements sdktrace.SpanProcessor.
func (*batch) Shutdown(context.Context) error { return nil }

// ForceFlush implements sdktrace.SpanProcessor.
func (*batch) ForceFlush(context.Context) error { return nil }

func (b *batch) take() []sdktrace.ReadOnlySpan {
	taken := b.spans
	b.spans = nil
	return taken
}

var _ sdktrace.SpanProcessor = (*batch)(nil)
