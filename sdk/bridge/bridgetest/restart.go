package bridgetest

import (
	"errors"
	"slices"

	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

// accept processes the adapter's response to hello.
func (w *Worker) accept(hello welcome) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.welcome = hello
	if !hello.Resumed {
		if err := w.repeatRequests(); err != nil {
			return err
		}
	} else if !w.stream.Resume(hello.Received) {
		return errors.New("the adapter resumed the session but received different frames than were sent")
	}
	w.sendWithCredits()
	select {
	case <-w.started:
	default:
		close(w.started)
	}
	return nil
}

// repeatRequests repeats all open requests if an adapter does not know this session.
func (w *Worker) repeatRequests() error {
	select {
	case <-w.started:
		w.restarts++
	default:
	}
	kept, err := w.stream.Kept()
	if err != nil {
		return err
	}
	w.stream.End(errors.New("the adapter does not have the session"))
	w.stream = link.NewStream(link.DefaultLimits)
	for _, f := range w.reports(kept) {
		if err := w.stream.Send(f); err != nil {
			return err
		}
	}
	w.requested = slices.DeleteFunc(w.requested, func(e *episode) bool {
		cancelled := e.ctx.Err() != nil // no caller waits for it
		if cancelled {
			delete(w.episodes, e.id)
		}
		return cancelled
	})
	for _, e := range w.requested {
		for id := range e.calls {
			e.abandon(id)
		}
		e.sent = false
	}
	w.sendWithCredits()
	if w.bye != nil {
		return w.stream.Send(link.Frame{Type: "bye"})
	}
	return nil
}

// reports returns, in their original order, the boundaries that have received no response and the events that have not
// been acknowledged. An acknowledged boundary comes before all others.
func (w *Worker) reports(kept []link.Frame) []link.Frame {
	kept = slices.DeleteFunc(kept, func(f link.Frame) bool {
		return f.Type != "event" && (f.Type != "boundary" || !w.isWaiting(f.ID))
	})
	var first []link.Frame
	for _, b := range w.boundaries {
		if !slices.ContainsFunc(kept, func(f link.Frame) bool { return f.Type == "boundary" && f.ID == b.id }) {
			first = append(first, link.Frame{Type: "boundary", ID: b.id, Body: b.body})
		}
	}
	return append(first, kept...)
}

func (w *Worker) isWaiting(id string) bool {
	return slices.ContainsFunc(w.boundaries, func(b *boundary) bool { return b.id == id })
}
