package bridgetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

// episode is an episode that this worker has requested, or will request when it has a credit. The worker's lock
// guards it.
type episode struct {
	id      string
	body    json.RawMessage
	sent    bool // it has a credit
	ctx     context.Context
	cancel  context.CancelFunc // ends its calls
	calls   map[string]*call
	done    chan struct{}
	result  *sdk.EpisodeResult // one of these is set before done is closed
	failure error
}

// call is a message that is being sampled or has been sampled.
type call struct {
	cancel context.CancelFunc
	answer *link.Frame // nil: running
}

// boundary waits for its response.
type boundary struct {
	id       string
	body     json.RawMessage
	done     chan struct{}
	response *sdk.StepBoundaryResponse
	failure  error
}

// RunEpisode requests an episode and waits for its result. When ctx is done, it cancels the episode.
func (w *Worker) RunEpisode(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	text, err := sdk.MarshalWire(req)
	if err != nil {
		return nil, err
	}
	e, err := w.ask(req.EpisodeID, text)
	if err != nil {
		return nil, err
	}
	select {
	case <-e.done:
		return e.result, e.failure
	case <-ctx.Done():
		w.cancelEpisode(e, ctx.Err())
		return nil, ctx.Err()
	case <-w.ctx.Done():
		return nil, context.Cause(w.ctx)
	}
}

func (w *Worker) ask(id string, text json.RawMessage) (*episode, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.episodes[id] != nil {
		return nil, fmt.Errorf("run episode %s: it is already open", id)
	}
	e := &episode{id: id, body: text, calls: map[string]*call{}, done: make(chan struct{})}
	e.ctx, e.cancel = context.WithCancel(w.ctx)
	w.episodes[id] = e
	w.requested = append(w.requested, e)
	w.sendWithCredits()
	return e, nil
}

// sendWithCredits requests the episodes for which there is a credit.
func (w *Worker) sendWithCredits() {
	for i, e := range w.requested {
		if i >= w.welcome.Credits {
			return
		}
		if !e.sent {
			e.sent = true
			_ = w.stream.Send(link.Frame{Type: "run_episode", Body: e.body}) // a stream that has ended: the worker has, too
		}
	}
}

// cancelEpisode cancels an episode. Its credit is returned with its result.
func (w *Worker) cancelEpisode(e *episode, why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.episodes[e.id] != e {
		return
	}
	if !e.sent {
		w.removeEpisode(e)
		return
	}
	e.cancel()
	text, err := sdk.MarshalWire(sdk.EpisodeCancel{EpisodeID: e.id, Reason: why.Error()})
	if err == nil {
		_ = w.stream.Send(link.Frame{Type: "cancel_episode", Body: text})
	}
}

// removeEpisode removes a finished episode.
func (w *Worker) removeEpisode(e *episode) {
	e.cancel()
	delete(w.episodes, e.id)
	w.requested = slices.DeleteFunc(w.requested, func(other *episode) bool { return other == e })
	w.sendWithCredits()
}

// Emit reports an event.
func (w *Worker) Emit(event sdk.TrainEvent) error {
	text, err := sdk.MarshalWire(event)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stream.Send(link.Frame{Type: "event", Body: text})
}

// Boundary reports a finished step and waits for the response.
func (w *Worker) Boundary(ctx context.Context, id string, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse,
	error) {
	text, err := sdk.MarshalWire(req)
	if err != nil {
		return nil, err
	}
	b := &boundary{id: id, body: text, done: make(chan struct{})}
	w.mu.Lock()
	w.boundaries = append(w.boundaries, b)
	err = w.stream.Send(link.Frame{Type: "boundary", ID: id, Body: text})
	w.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case <-b.done:
		return b.response, b.failure
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-w.ctx.Done():
		return nil, context.Cause(w.ctx)
	}
}

// handle processes a frame from the adapter.
func (w *Worker) handle(f link.Frame) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch f.Type {
	case "generate":
		return w.generate(f)
	case "abandon":
		if e := w.episodes[f.EpisodeID]; e != nil {
			e.abandon(f.CallID)
		}
	case "result":
		return w.handleResult(f)
	case "boundary_result":
		return w.handleBoundaryAnswer(f)
	case "control":
		return w.control(f)
	case "refused":
		return &Refused{Code: f.Code, Detail: f.Detail}
	}
	return nil
}

// generate samples a message, or repeats the stored response.
func (w *Worker) generate(f link.Frame) error {
	req, err := sdk.UnmarshalWire[sdk.GenerateRequest](f.Body)
	if err != nil {
		return err
	}
	e := w.episodes[req.EpisodeID]
	if e == nil || !e.sent || e.ctx.Err() != nil {
		return w.answer(w.stream, req, nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: "the episode is not open"},
			nil)
	}
	if c := e.calls[req.CallID]; c != nil {
		if c.answer != nil {
			return w.stream.Send(*c.answer)
		}
		return nil // it will be answered
	}
	ctx, cancel := context.WithCancel(e.ctx)
	c := &call{cancel: cancel}
	e.calls[req.CallID] = c
	stream := w.stream
	w.running.Go(func() {
		defer cancel()
		response, err := w.options.Sample(ctx, req)
		w.mu.Lock()
		defer w.mu.Unlock()
		if e.calls[req.CallID] == c && w.stream == stream { // the adapter waits for it
			_ = w.answer(stream, req, response, err, c)
		}
	})
	return nil
}

func (w *Worker) answer(stream *link.Stream, req sdk.GenerateRequest, response *sdk.GenerateResponse, err error,
	c *call) error {
	f := link.Frame{Type: "generated", EpisodeID: req.EpisodeID, CallID: req.CallID}
	if err == nil {
		f.Body, err = sdk.MarshalWire(*response)
	}
	if err != nil {
		var failure *sdk.GenerateError
		if !errors.As(err, &failure) {
			failure = &sdk.GenerateError{Kind: sdk.GenerateEngine, Detail: err.Error()}
		}
		if f.Error, err = sdk.MarshalWire(*failure); err != nil {
			return err
		}
	}
	if c != nil {
		c.answer = &f
	}
	return stream.Send(f)
}

func (e *episode) abandon(id string) {
	if c := e.calls[id]; c != nil {
		c.cancel()
		delete(e.calls, id)
	}
}

// handleResult ends an episode and records its result.
func (w *Worker) handleResult(f link.Frame) error {
	e := w.episodes[f.EpisodeID]
	if e == nil {
		return fmt.Errorf("the adapter sent a second result for episode %s", f.EpisodeID)
	}
	if len(f.Error) > 0 {
		e.failure = readFailure(f.Error)
	} else {
		result, err := sdk.UnmarshalWire[sdk.EpisodeResult](f.Body)
		if err != nil {
			return err
		}
		e.result = &result
	}
	w.removeEpisode(e)
	close(e.done)
	return nil
}

func readFailure(text json.RawMessage) error {
	var failure Failed
	if err := json.Unmarshal(text, &failure); err != nil {
		return fmt.Errorf("the adapter's error cannot be read: %w", err)
	}
	return &failure
}

func (w *Worker) handleBoundaryAnswer(f link.Frame) error {
	i := slices.IndexFunc(w.boundaries, func(b *boundary) bool { return b.id == f.ID })
	if i < 0 {
		return fmt.Errorf("the adapter answered boundary %s twice", f.ID)
	}
	b := w.boundaries[i]
	w.boundaries = slices.Delete(w.boundaries, i, i+1)
	if len(f.Error) > 0 {
		b.failure = readFailure(f.Error)
	} else {
		response, err := sdk.UnmarshalWire[sdk.StepBoundaryResponse](f.Body)
		if err != nil {
			return err
		}
		b.response = &response
	}
	close(b.done)
	return nil
}

func (w *Worker) control(f link.Frame) error {
	req, err := sdk.UnmarshalWire[sdk.ControlRequest](f.Body)
	if err == nil && w.options.Control != nil {
		w.options.Control(req)
	}
	return err
}
