package bridge

import (
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

// Generate requests the next message from the worker that has the episode open. A worker's errors are
// *sdk.GenerateError values, as is the error for an episode that is no longer open, with sdk.GenerateAborted. Calls
// with the same CallID share a response. If ctx is done and no other caller is waiting, the worker is notified.
func (s *Server) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	if req.CallID == "" {
		return nil, errors.New("generate: CallID is empty but is required as the idempotency key")
	}
	s.mu.Lock()
	e := s.episodes[req.EpisodeID]
	s.mu.Unlock()
	if e == nil {
		return nil, aborted(req.EpisodeID, errors.New("no worker has opened it"))
	}
	c, err := e.sendGenerate(req)
	if err != nil {
		return nil, err
	}
	select {
	case <-c.done:
		return c.result()
	case <-ctx.Done():
		e.leave(c)
		return nil, fmt.Errorf("generate %s for episode %s: %w", req.CallID, req.EpisodeID, ctx.Err())
	}
}

func aborted(episode string, why error) error {
	return &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: "episode " + episode + ": " + why.Error()}
}

// sendGenerate sends a call to the worker, or joins one that is already in progress.
func (e *episode) sendGenerate(req sdk.GenerateRequest) (*call, error) {
	text, err := sdk.MarshalWire(req)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed != nil {
		return nil, aborted(e.req.EpisodeID, e.closed)
	}
	if c := e.calls[req.CallID]; c != nil {
		c.waiting++
		return c, nil
	}
	if err := e.session.stream.Send(link.Frame{Type: "generate", Body: text}); err != nil {
		return nil, e.sendError(req, err)
	}
	c := &call{id: req.CallID, done: make(chan struct{}), waiting: 1}
	e.calls[req.CallID] = c
	return c, nil
}

// sendError returns the error for a call that the stream does not accept.
func (e *episode) sendError(req sdk.GenerateRequest, err error) error {
	if e.session.stream.Ended() != nil {
		e.session.endLater()
		return aborted(e.req.EpisodeID, err)
	}
	return fmt.Errorf("generate %s for episode %s: %w", req.CallID, req.EpisodeID, err)
}

// leave ends a caller's wait. The last caller to leave notifies the worker.
func (e *episode) leave(c *call) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c.waiting--
	if c.waiting > 0 || e.calls[c.id] != c {
		return
	}
	delete(e.calls, c.id)
	e.session.send(link.Frame{Type: "abandon", EpisodeID: e.req.EpisodeID, CallID: c.id})
}

// handleAnswer delivers a response to the callers that are waiting for it. A response without callers was abandoned or
// was sent twice.
func (s *session) handleAnswer(f link.Frame) {
	s.server.mu.Lock()
	e := s.episodes[f.EpisodeID]
	s.server.mu.Unlock()
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	c := e.calls[f.CallID]
	if c == nil {
		return
	}
	delete(e.calls, f.CallID)
	c.answer = f
	close(c.done)
}

// result decodes the response in the waiting caller's goroutine, so that reading from the connection can continue in
// the meantime.
func (c *call) result() (*sdk.GenerateResponse, error) {
	if c.err != nil {
		return nil, c.err
	}
	if len(c.answer.Error) > 0 {
		failure, err := sdk.UnmarshalWire[sdk.GenerateError](c.answer.Error)
		if err == nil && failure.Kind == "" {
			err = errors.New("it has no kind")
		}
		if err != nil {
			return nil, c.decodeError(err)
		}
		return nil, &failure
	}
	response, err := sdk.UnmarshalWire[sdk.GenerateResponse](c.answer.Body)
	if err != nil {
		return nil, c.decodeError(err)
	}
	return &response, nil
}

func (c *call) decodeError(err error) error {
	return &sdk.GenerateError{Kind: sdk.GenerateEngine, Detail: fmt.Sprintf("the worker's response to call %s "+
		"cannot be read: %v", c.id, err)}
}
