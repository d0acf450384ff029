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

// mostRecords is the maximum number of queued records, in addition to the limit on their spans. Further records are
// dropped and counted.
const mostRecords = 4096

// traces converts records into spans and sends them. An episode never waits: its record is queued, and one goroutine
// does the rest.
type traces struct {
	settings settings.Traces
	batches  settings.Batches
	redact   func(string) string
	publish  func(event.Payload)

	spans     encoder // not sent yet
	collector *collector

	queue   chan record
	waiting atomic.Int64 // number of spans in the queue

	sent, dropped, failed atomic.Int64 // number of spans

	ctx     context.Context // context of requests to the collector
	cancel  context.CancelFunc
	closing chan struct{}
	ended   chan struct{}
	once    sync.Once
	warned  bool // used by the goroutine only
}

// record is a source of spans: an abandoned attempt, or an episode with its last attempt.
type record struct {
	attempt *rollout.AttemptRecord
	episode *rollout.EpisodeRecord // nil: the attempt was abandoned
	id      trace.TraceID
	spans   int
}

// startTraces starts sending. An error is about the settings: the collector is not contacted.
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

// take queues a record, or counts it as dropped. It does not block.
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

// work runs the goroutine. It writes spans and sends them once there are enough of them or the delay has passed.
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

// drain writes the spans for the remaining records and sends them while there is time.
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

// write writes a record's spans and sends them once there are enough.
func (t *traces) write(r record) {
	newAttemptTrace(t, r).write()
	t.waiting.Add(-int64(r.spans))
	if t.spans.spans >= t.batches.Spans || len(t.spans.b) >= mostBytes {
		t.send()
	}
}

// mostBytes is the number of bytes at which spans are sent at the latest. Collectors reject requests larger than about
// 20 MB.
const mostBytes = 4 << 20

// send sends all written spans. Spans that the collector does not accept are lost but counted.
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

// summaryOf describes how many of n spans were not accepted by a collector.
func summaryOf(lost, n int) string {
	if lost < n {
		return "the collector rejects some traces; the run continues"
	}
	return "traces do not reach the collector; the run continues without them"
}

// close sends the remaining spans until ctx is done, and publishes the number of lost spans.
func (t *traces) close(ctx context.Context) {
	t.once.Do(func() {
		close(t.closing)
		select {
		case <-t.ended:
		case <-ctx.Done():
			t.cancel() // aborts the current request
			<-t.ended
		}
		t.cancel()
		t.collector.close(ctx)
		if lost := t.dropped.Load() + t.failed.Load(); lost > 0 {
			t.publish(event.Warning{
				Code: codeTelemetry, Count: int(lost), Summary: fmt.Sprintf("%d spans of traces did not reach the collector", lost),
				Detail: fmt.Sprintf("%d could not be sent; %d were dropped because the queue was full.",
					t.failed.Load(), t.dropped.Load()),
			})
		}
	})
}

var _ rollout.Tracer = (*traces)(nil)
