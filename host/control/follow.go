package control

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/awhost/awhost/host/event"
)

// follower is a client that is told every event. Its fields are guarded by the server's lock, but for wake.
type follower struct {
	queue   []event.Event
	wake    chan struct{} // holds one token when there is something to do
	dropped int           // how many events waited when it was given up; 0: it was not
	over    bool          // no more events will come
}

// push queues an event. Progress within one phase takes the place of what was not yet told of it.
func (f *follower) push(e event.Event, most int) {
	if f.dropped > 0 || f.over {
		return
	}
	if n := len(f.queue); n > 0 && samePhase(f.queue[n-1].Payload, e.Payload) {
		f.queue[n-1] = e
		return
	}
	f.queue = append(f.queue, e)
	if len(f.queue) > most {
		f.dropped, f.queue = len(f.queue), nil
	}
	f.rouse()
}

func samePhase(a, b event.Payload) bool {
	was, ok := a.(event.Phase)
	is, also := b.(event.Phase)
	return ok && also && was.Stage == is.Stage && was.Name == is.Name && was.Step == is.Step
}

func (f *follower) finish() {
	f.over = true
	f.rouse()
}

func (f *follower) rouse() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// errTooSlow says that a client did not keep up.
var errTooSlow = errors.New("the client does not keep up")

// follow tells a client what is remembered, and then what happens, to the end.
func (s *Server) follow(w writer) error {
	f, before := s.join()
	defer s.part(f)
	for _, e := range before {
		if err := w.event(e); err != nil {
			return err
		}
	}
	if err := w.write(frame{Type: typeReplayed}); err != nil {
		return err
	}
	alive := time.NewTicker(s.config.Alive)
	defer alive.Stop()
	for {
		events, dropped, over := s.take(f)
		for _, e := range events {
			if err := w.event(e); err != nil {
				return err
			}
		}
		switch {
		case dropped > 0:
			_ = w.write(frame{Type: typeDropped, Message: fmt.Sprintf("%d events waited for you: attach again", dropped)})
			return errTooSlow
		case over:
			return w.write(frame{Type: typeEnd})
		}
		select {
		case <-f.wake:
		case <-alive.C: // it also finds out that a client is gone
			if err := w.write(frame{Type: typeAlive}); err != nil {
				return err
			}
		case <-s.ended:
			return net.ErrClosed
		}
	}
}

// join begins to queue events for a client. What is remembered and what is queued meet without a gap.
func (s *Server) join() (*follower, []event.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &follower{wake: make(chan struct{}, 1), over: s.over}
	s.clients[f] = true
	return f, s.recall.events()
}

func (s *Server) part(f *follower) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.clients, f)
}

func (s *Server) take(f *follower) (events []event.Event, dropped int, over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	events, f.queue = f.queue, nil
	return events, f.dropped, f.over
}

func (w writer) event(e event.Event) error {
	line, err := eventFrame(e)
	if err != nil {
		return err
	}
	return w.write(line)
}
