package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

// episode is an open episode of a session. The server's lock guards its entry in the list; its own lock guards the
// calls.
type episode struct {
	session *session
	req     sdk.EpisodeRequest
	ctx     context.Context
	cancel  context.CancelCauseFunc

	mu     sync.Mutex
	calls  map[string]*call
	closed error // the reason why no more calls are accepted
}

// call is a message requested from the worker.
type call struct {
	id      string
	done    chan struct{}
	waiting int        // guarded by the episode's lock
	answer  link.Frame // set before done is closed
	err     error
}

// runEpisode opens an episode. A repeat joins it.
func (s *session) runEpisode(f link.Frame) error {
	req, err := body[sdk.EpisodeRequest](f)
	if err != nil {
		return err
	}
	if req.EpisodeID == "" {
		return refuse("line", "frame %d requests an episode without an episode_id", f.Seq)
	}
	e, before, refused := s.open(req)
	if before != nil {
		before.finish(failed("taken", ErrTaken), ErrTaken)
	}
	switch {
	case refused != nil:
		s.send(link.Frame{Type: "result", EpisodeID: req.EpisodeID, Error: refused})
	case e != nil:
		s.server.running.Go(e.run)
	}
	return nil
}

// open lists a new episode and returns the episode that previously had the same ID. If it rejects the episode, it
// returns only the reason, and for a repeat it returns nothing.
func (s *session) open(req sdk.EpisodeRequest) (opened, before *episode, refused json.RawMessage) {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	switch {
	case s.episodes[req.EpisodeID] != nil:
		return nil, nil, nil
	case s.bye:
		return nil, nil, failed("failed", errors.New("the worker requested an episode after bye: request it before "+
			"bye"))
	case len(s.episodes) >= s.server.options.Credits:
		return nil, nil, failed("credits", fmt.Errorf("%d episodes are open: wait before requesting others; see "+
			"max_episodes in hello_ack", len(s.episodes)))
	case s.stream.Ended() != nil:
		return nil, nil, nil
	}
	e := &episode{session: s, req: req, calls: map[string]*call{}}
	e.ctx, e.cancel = context.WithCancelCause(s.server.ctx)
	before = s.server.episodes[req.EpisodeID]
	s.server.episodes[req.EpisodeID], s.episodes[req.EpisodeID] = e, e
	return e, before, nil
}

// run runs the episode and sends its result.
func (e *episode) run() {
	defer e.cancel(nil)
	var result *sdk.EpisodeResult
	err := e.session.server.retryUnavailable(e.ctx, "episode "+e.req.EpisodeID, func() (err error) {
		result, err = e.session.server.options.Handler.RunEpisode(e.ctx, e.session.worker(), e.req)
		return err
	})
	if err == nil && result == nil {
		err = errors.New("the adapter returned neither a result nor an error")
	}
	var text json.RawMessage
	if err == nil {
		text, err = sdk.MarshalWire(*result)
	}
	f := link.Frame{Type: "result", EpisodeID: e.req.EpisodeID, Body: text}
	if err != nil {
		f.Body, f.Error = nil, failed(e.code(), err)
	}
	e.finishFrame(f, errors.New("the episode has ended"))
}

// code returns the code for a handler error.
func (e *episode) code() string {
	var cancelled *Cancelled
	if errors.As(context.Cause(e.ctx), &cancelled) {
		return "cancelled"
	}
	return "failed"
}

// failed returns the error contained in a result.
func failed(code string, err error) json.RawMessage {
	text, merr := json.Marshal(struct {
		Code   string `json:"code"`
		Detail string `json:"detail"`
	}{code, err.Error()})
	if merr != nil { // two strings
		panic(merr)
	}
	return text
}

func (e *episode) finish(errorText json.RawMessage, why error) {
	e.finishFrame(link.Frame{Type: "result", EpisodeID: e.req.EpisodeID, Error: errorText}, why)
}

// finishFrame sends the episode's result exactly once and ends its calls: no more calls are sent after the result.
func (e *episode) finishFrame(f link.Frame, why error) {
	if !e.close(why) {
		return
	}
	e.remove()
	if err := e.session.stream.Send(f); err != nil && e.session.stream.Ended() == nil { // it is too long
		e.session.send(link.Frame{Type: "result", EpisodeID: e.req.EpisodeID, Error: failed("failed", err)})
	}
	e.session.server.mu.Lock()
	defer e.session.server.mu.Unlock()
	e.session.leaveLocked()
}

// abort ends an episode whose session has ended, without sending a result.
func (e *episode) abort(why error) {
	if e.close(why) {
		e.remove()
	}
}

// close ends the calls and the context. It reports whether it was called for the first time.
func (e *episode) close(why error) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed != nil {
		return false
	}
	e.closed = why
	for _, c := range e.calls {
		c.err = aborted(e.req.EpisodeID, why)
		close(c.done)
	}
	e.calls = nil
	e.cancel(why)
	return true
}

func (e *episode) remove() {
	s := e.session
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if s.server.episodes[e.req.EpisodeID] == e {
		delete(s.server.episodes, e.req.EpisodeID)
	}
	if s.episodes[e.req.EpisodeID] == e {
		delete(s.episodes, e.req.EpisodeID)
	}
}

// send drops a frame if its session has ended and cannot send it: the worker starts over.
func (s *session) send(f link.Frame) {
	if err := s.stream.Send(f); err != nil {
		s.log().Debug("a frame was dropped", "type", f.Type, "why", err)
		s.endLater()
	}
}

// endLater ends a session whose stream has ended with an overflow, even without a connection. It may be called while an
// episode's lock is held.
func (s *session) endLater() {
	why := s.stream.Ended()
	if why == nil {
		return
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if !s.server.closed {
		s.server.running.Go(func() { s.end(fmt.Errorf("%w: %w", ErrGone, why)) })
	}
}

func (s *session) cancelEpisode(f link.Frame) error {
	req, err := body[sdk.EpisodeCancel](f)
	if err != nil {
		return err
	}
	s.server.mu.Lock()
	e := s.episodes[req.EpisodeID]
	s.server.mu.Unlock()
	if e != nil { // otherwise the result is on its way
		e.cancel(&Cancelled{Reason: req.Reason})
	}
	return nil
}
