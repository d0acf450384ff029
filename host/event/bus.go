package event

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Config says how a Bus works.
type Config struct {
	Now   func() time.Time // the clock of the headers; required
	Queue int              // events that may wait for one handler; 0: 1024
}

// Bus hands every event to every handler, each from a goroutine of its own, in one order for all.
//
// Publish does not wait for handlers: events queue up per handler. While a Phase event still waits, a later one of
// the same phase takes its place. Nothing else is ever left out, so once a handler is a whole queue behind, Publish
// waits for it: a reader that stopped reading stops the run, as in any pipe, and loses nothing.
type Bus struct {
	now   func() time.Time
	limit int

	mu          sync.Mutex
	changed     sync.Cond // on mu: a queue shrank or grew, the bus was closed or abandoned
	run         string
	incarnation int
	seq         uint64
	closed      bool // no more events are taken
	abandoned   bool // those that wait are not delivered either
	queues      []*queue

	done sync.WaitGroup
}

// NewBus starts a bus. Close it.
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

// Identify names the run in the headers of later events.
func (b *Bus) Identify(run string, incarnation int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.run, b.incarnation = run, incarnation
}

// Publish takes an event. It is safe for concurrent use; after Close it does nothing.
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

// Close takes no more events, waits until the handlers have seen all that were published, and ends the goroutines.
// When ctx ends first, what still waits is given up and the error says so; a handler that is stuck in Handle is
// left behind.
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
	return fmt.Errorf("deliver the last events: %d still wait for a view that does not take them: %w", waiting, context.Cause(ctx))
}

// hasRoom says whether every queue can take the event. b.mu is held.
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

// deliver is the goroutine of one handler.
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
	q.events[0] = Event{} // let the payload go
	q.events = q.events[1:]
	b.changed.Broadcast()
	return e, true
}

// queue is what one handler has not seen yet.
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

// replaces says whether payload takes the place of the last event instead of following it.
func (q *queue) replaces(payload Payload) bool {
	if len(q.events) == 0 {
		return false
	}
	return isSuperseded(q.events[len(q.events)-1].Payload, payload)
}

// compact leaves out each Phase event of which a later one waits too.
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

// isSuperseded says that earlier tells nothing that later does not.
func isSuperseded(earlier, later Payload) bool {
	was, ok := earlier.(Phase)
	if !ok {
		return false
	}
	is, ok := later.(Phase)
	return ok && was.key() == is.key()
}

// key is what two reports of one phase have in common.
func (p Phase) key() Phase { return Phase{Stage: p.Stage, Name: p.Name, Step: p.Step} }
