package control

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/awhost/awhost/host/event"
)

// follower is a client that receives every event. Its fields, except wake, are guarded by the server's lock.
type follower struct {
	queue   []event.Event
	wake    chan struct{} // holds one token if there is work
	dropped int           // number of queued events when it was dropped; 0: not dropped
	over    bool          // no more events will follow
}

// push queues an event. Progress within a phase replaces a queued event from the same phase.
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

// errTooSlow reports that a client is too slow.
var errTooSlow = errors.New("the client reads too slowly")

// follow sends the stored events and then new ones to a client, until the run ends.
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
			_ = w.write(frame{Type: typeDropped, Message: fmt.Sprintf("%d events were dropped because this client reads too "+
				"slowly: attach again", dropped)})
			return errTooSlow
		case over:
			return w.write(frame{Type: typeEnd})
		}
		select {
		case <-f.wake:
		case <-alive.C: // also detects a disconnected client
			if err := w.write(frame{Type: typeAlive}); err != nil {
				return err
			}
		case <-s.ended:
			return net.ErrClosed
		}
	}
}

// join starts to queue events for a client. The queued events follow the stored events without a gap.
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
