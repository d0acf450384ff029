package bridge

import (
	"context"
	"fmt"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

// reports forwards a session's events and boundaries, in order, from its own goroutine, so that the connection does not
// wait for the handler. Reports are acknowledged only after they have been forwarded, so that the worker keeps the
// others.
type reports struct {
	session *session
	limit   int
	wake    chan struct{}

	mu    sync.Mutex
	queue []report
	bytes int   // of queue
	ended error // the session has ended
}

// report is an event or a boundary.
type report struct {
	size     int
	event    *sdk.TrainEvent
	id       string // of a boundary
	boundary sdk.StepBoundaryRequest
}

func newReports(s *session, limit int) *reports {
	return &reports{session: s, limit: limit, wake: make(chan struct{}, 1)}
}

func (s *session) event(f link.Frame) error {
	event, err := body[sdk.TrainEvent](f)
	if err != nil {
		return err
	}
	return s.reports.put(f.Seq, report{size: len(f.Body), event: &event})
}

func (s *session) boundary(f link.Frame) error {
	req, err := body[sdk.StepBoundaryRequest](f)
	if err != nil {
		return err
	}
	if f.ID == "" {
		return refuse("line", "frame %d (%s) has no id", f.Seq, f.Type)
	}
	return s.reports.put(f.Seq, report{size: len(f.Body), id: f.ID, boundary: req})
}

// put queues a report. It rejects a worker that sends more than the worker's own queue could hold.
func (r *reports) put(seq uint64, item report) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended != nil {
		return r.ended
	}
	if r.bytes+item.size > r.limit && len(r.queue) > 0 {
		return refuse("line", "more than %d bytes of reports are pending", r.limit)
	}
	r.session.stream.Defer(seq)
	r.queue = append(r.queue, item)
	r.bytes += item.size
	r.signal()
	return nil
}

func (r *reports) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// end lets run return once all reports have been forwarded.
func (r *reports) end(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = why
	r.signal()
}

// next returns the oldest report. Without one, over is the reason why none will follow, or nil for now.
func (r *reports) next() (item report, ok bool, over error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.queue) == 0 {
		return report{}, false, r.ended
	}
	item, r.queue = r.queue[0], r.queue[1:]
	r.bytes -= item.size
	return item, true, nil
}

// run forwards the reports. It ends with the session or the server; the next server receives the remaining reports
// again.
func (r *reports) run() {
	s := r.session
	watcher, watches := s.server.options.Handler.(Watcher)
	if watches {
		watcher.Joined(s.worker())
	}
	why := r.deliver(s.server.ctx)
	if watches {
		watcher.Left(s.worker(), why.Error())
	}
}

func (r *reports) deliver(ctx context.Context) error {
	for {
		item, ok, over := r.next()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case over != nil:
			return over
		case ok:
			r.deliverOne(ctx, item)
			continue
		}
		select {
		case <-r.wake:
		case <-ctx.Done():
		}
	}
}

func (r *reports) deliverOne(ctx context.Context, item report) {
	s := r.session
	handler := s.server.options.Handler
	if item.event != nil {
		err := s.server.retryUnavailable(ctx, "an event", func() error { return handler.Event(ctx, s.worker(), *item.event) })
		if err != nil && ctx.Err() == nil {
			s.log().Error("an event of a framework worker was lost", "error", err)
		}
		r.done(ctx)
		return
	}
	f := link.Frame{Type: "boundary_result", ID: item.id}
	var response *sdk.StepBoundaryResponse
	err := s.server.retryUnavailable(ctx, fmt.Sprintf("the boundary of step %d", item.boundary.Step), func() (err error) {
		response, err = handler.Boundary(ctx, s.worker(), item.boundary)
		return err
	})
	if err == nil && response == nil {
		err = fmt.Errorf("the adapter returned neither a response nor an error")
	}
	if err == nil {
		f.Body, err = sdk.MarshalWire(*response)
	}
	if err != nil {
		f.Error = failed("failed", err)
	}
	if ctx.Err() != nil {
		return // the next adapter answers
	}
	s.send(f)
	r.done(ctx)
}

// done acknowledges a report, unless the handler was interrupted.
func (r *reports) done(ctx context.Context) {
	if ctx.Err() == nil {
		r.session.stream.Processed()
	}
}
