package telemetry

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/telemetry/settings"
)

// mostRecords bounds what waits, beside the bound on its spans. Records that come while there is no room are left out,
// and counted.
const mostRecords = 4096

// traces makes spans of records and sends them. An episode is never kept waiting: it leaves its record in a queue, and
// one goroutine does the rest.
type traces struct {
	settings settings.Traces
	batches  settings.Batches
	redact   func(string) string
	publish  func(event.Payload)

	spans     encoder // that are not sent yet
	collector *collector

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
	id      trace.TraceID
	spans   int
}

// startTraces begins to send. An error is about the settings: collectors are not asked.
func startTraces(ctx context.Context, config Config, publish func(event.Payload)) (*traces, error) {
	to, err := newCollector(ctx, config, publish)
	if err != nil {
		return nil, err
	}
	t := &traces{
		settings: *config.Settings.Traces, batches: config.Settings.Traces.Batches.Filled(),
		redact: config.Redact, publish: publish, collector: to,
		queue: make(chan record, mostRecords), closing: make(chan struct{}), ended: make(chan struct{}),
	}
	t.ctx, t.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go t.work()
	return t, nil
}

// take takes a record, or counts what it leaves out. It does not wait.
func (t *traces) take(r record) {
	r.id = TraceID(r.attempt.EpisodeID, r.attempt.Attempt)
	if !sampled(r.id, t.settings.Sample) {
		return
	}
	r.spans = spansOf(r.attempt)
	if t.waiting.Add(int64(r.spans)) > int64(t.batches.Waiting) {
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
	late := time.NewTicker(t.batches.Delay)
	defer late.Stop()
	for {
		select {
		case r := <-t.queue:
			t.write(r)
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
		default:
			t.send()
			return
		}
	}
}

// write makes spans of a record, and sends them when there are enough.
func (t *traces) write(r record) {
	newScene(t, r).write()
	t.waiting.Add(-int64(r.spans))
	if t.spans.spans >= t.batches.Spans || len(t.spans.b) >= mostBytes {
		t.send()
	}
}

// mostBytes is how many bytes of spans are sent at once: collectors refuse requests of more than some 20 MB.
const mostBytes = 4 << 20

// send sends what there is. What a collector does not take is lost, and counted.
func (t *traces) send() {
	n := t.spans.spans
	if n == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(t.ctx, t.batches.Timeout)
	defer cancel()
	lost, err := t.collector.take(ctx, &t.spans)
	t.spans.reset()
	t.failed.Add(int64(lost))
	t.sent.Add(int64(n - lost))
	if err != nil && !t.warned {
		t.warned = true
		t.publish(event.Warning{Code: codeTelemetry, Summary: summaryOf(lost, n), Detail: err.Error()})
	}
}

// summaryOf says what a collector did not take of n spans.
func summaryOf(lost, n int) string {
	if lost < n {
		return "the collector does not take all traces as they are; the run goes on"
	}
	return "traces do not reach the collector; the run goes on without them"
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
		t.collector.close(ctx)
		if lost := t.dropped.Load() + t.failed.Load(); lost > 0 {
			t.publish(event.Warning{
				Code: codeTelemetry, Count: int(lost), Summary: fmt.Sprintf("%d spans of traces did not reach the collector", lost),
				Detail: fmt.Sprintf("%d could not be sent; %d came while too many waited for it.",
					t.failed.Load(), t.dropped.Load()),
			})
		}
	})
}

var _ rollout.Tracer = (*traces)(nil)
