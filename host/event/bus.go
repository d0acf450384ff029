package event

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Config configures a Bus.
type Config struct {
	Now   func() time.Time // clock of the headers; required
	Queue int              // maximum number of queued events per handler; 0: 1024
}

// Bus delivers every event to every handler. Each handler has its own goroutine, and all handlers see the events in
// the same order.
//
// Publish does not wait for handlers: each handler has a queue of events. A queued Phase event is replaced by a later
// event for the same phase. No other event is dropped. If a handler's queue is full, Publish waits for it. As with a
// pipe, a reader that has stopped reading blocks the run, and no event is lost.
type Bus struct {
	now   func() time.Time
	limit int

	mu          sync.Mutex
	changed     sync.Cond // on mu: a queue shrank or grew, or the bus was closed or abandoned
	run         string
	incarnation int
	seq         uint64
	closed      bool // no further events are accepted
	abandoned   bool // queued events are not delivered either
	queues      []*queue

	done sync.WaitGroup
}

// NewBus starts a bus. The caller must close it.
func NewBus(config Config, handlers ...Handler) *Bus {
	b := &Bus{now: config.Now, limit: config.Queue}
	if b.limit <= 0 {
		b.limit = 1024
	}
	b.changed.L = &b.mu
	for _, handler := range handlers {
		q := &queue{}
		b.queues = append(b.queues, q)
		b.done.Go(func() { b.deliver(q, handler) })
	}
	return b
}

// Identify sets the run that appears in the headers of later events.
func (b *Bus) Identify(run string, incarnation int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.run, b.incarnation = run, incarnation
}

// Publish queues an event for all handlers. It is safe for concurrent use. After Close, it does nothing.
func (b *Bus) Publish(payload Payload) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.closed && !b.hasRoom(payload) {
		b.changed.Wait()
	}
	if b.closed {
		return
	}
	b.seq++
	e := Event{Time: b.now(), Run: b.run, Incarnation: b.incarnation, Seq: b.seq, Payload: payload}
	for _, q := range b.queues {
		q.push(e)
	}
	b.changed.Broadcast()
}

// Close rejects further events, waits until the handlers have processed all published events, and ends the goroutines.
// If ctx is done first, Close drops the queued events and returns an error. It does not wait for a handler that is
// blocked in Handle.
func (b *Bus) Close(ctx context.Context) error {
	b.mu.Lock()
	b.closed = true
	b.changed.Broadcast()
	b.mu.Unlock()

	delivered := make(chan struct{})
	go func() {
		b.done.Wait()
		close(delivered)
	}()
	select {
	case <-delivered:
		return nil
	case <-ctx.Done():
		return b.abandon(ctx)
	}
}

func (b *Bus) abandon(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.abandoned = true
	b.changed.Broadcast()
	waiting := 0
	for _, q := range b.queues {
		waiting = max(waiting, len(q.events))
	}
	return fmt.Errorf("deliver the last events: %d still wait for a view that does not take them: %w", waiting,
		context.Cause(ctx))
}

// hasRoom reports whether every queue can accept the event. The caller holds b.mu.
func (b *Bus) hasRoom(payload Payload) bool {
	for _, q := range b.queues {
		if len(q.events) >= b.limit && !q.replaces(payload) {
			q.compact()
		}
		if len(q.events) >= b.limit && !q.replaces(payload) {
			return false
		}
	}
	return true
}

// deliver runs the goroutine of one handler.
func (b *Bus) deliver(q *queue, handler Handler) {
	for {
		e, ok := b.next(q)
		if !ok {
			return
		}
		handler.Handle(e)
	}
}

func (b *Bus) next(q *queue) (Event, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(q.events) == 0 && !b.closed {
		b.changed.Wait()
	}
	if len(q.events) == 0 || b.abandoned {
		return Event{}, false
	}
	e := q.events[0]
	q.events[0] = Event{} // release the payload
	q.events = q.events[1:]
	b.changed.Broadcast()
	return e, true
}

// queue holds the events that one handler has not processed yet.
type queue struct {
	events []Event
}

func (q *queue) push(e Event) {
	if q.replaces(e.Payload) {
		q.events[len(q.events)-1] = e
		return
	}
	q.events = append(q.events, e)
}

// replaces reports whether payload replaces the last event instead of following it.
func (q *queue) replaces(payload Payload) bool {
	if len(q.events) == 0 {
		return false
	}
	return isSuperseded(q.events[len(q.events)-1].Payload, payload)
}

// compact removes each Phase event that is superseded by a later queued one.
func (q *queue) compact() {
	latest := map[Phase]int{}
	for i, e := range q.events {
		if p, ok := e.Payload.(Phase); ok {
			latest[p.key()] = i
		}
	}
	kept := q.events[:0]
	for i, e := range q.events {
		if p, ok := e.Payload.(Phase); ok && latest[p.key()] != i {
			continue
		}
		kept = append(kept, e)
	}
	clear(q.events[len(kept):])
	q.events = kept
}

// isSuperseded reports whether later contains all the information in earlier.
func isSuperseded(earlier, later Payload) bool {
	was, ok := earlier.(Phase)
	if !ok {
		return false
	}
	is, ok := later.(Phase)
	return ok && was.key() == is.key()
}

// key returns the fields that identify a phase.
func (p Phase) key() Phase { return Phase{Stage: p.Stage, Name: p.Name, Step: p.Step} }
