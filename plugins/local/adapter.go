package local

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

// adapter is one configured trainer. It trains one stage at a time; Generate runs concurrently.
type adapter struct {
	config   config
	model    tinylm.Config
	dir      string // for checkpoints if the host gives no directory
	episodes episodes

	mu       sync.Mutex
	current  *launch // nil: no stage is running
	stopping bool
}

// launch is the running stage as seen by Control, Evaluate and Stop.
type launch struct {
	id       string
	drain    atomic.Bool // end the stage at the next boundary
	evaluate atomic.Bool // validate at the next boundary
	cancel   context.CancelCauseFunc
	ended    chan struct{}
}

func newAdapter(c config, dir string) (*adapter, error) {
	model, err := c.model()
	if err != nil {
		return nil, err
	}
	return &adapter{config: c, model: model, dir: dir}, nil
}

// Train implements sdk.Adapter.
func (a *adapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	s, err := newSettings(req.Knobs, req.TrainTasks)
	if err != nil {
		return err
	}
	ctx, l, err := a.begin(ctx, req.LaunchID)
	if err != nil {
		return err
	}
	defer a.end(l)
	c, model := a.config, a.model
	if req.Smoke {
		c, model = smoke(c, model)
	}
	t := &trainer{
		launch: l, config: c, model: model, episodes: &a.episodes, settings: s, request: req, host: host, emit: emit,
		checkpoints: req.CheckpointDir, lastStep: req.FirstStep - 1,
	}
	if t.checkpoints == "" {
		t.checkpoints = a.dir
	}
	finished, err := t.train(ctx)
	var aborted *abortedError
	if errors.As(context.Cause(ctx), &aborted) {
		finished, err = &sdk.FinishedEvent{Outcome: sdk.FinishedFailed, Reason: aborted.Error(), Step: t.lastStep}, nil
	}
	if err != nil {
		return err
	}
	return emit(sdk.TrainEvent{Finished: finished})
}

func (a *adapter) begin(ctx context.Context, id string) (context.Context, *launch, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.stopping:
		return nil, nil, errors.New("the trainer is being stopped: start another process to train")
	case a.current != nil:
		return nil, nil, fmt.Errorf("launch %s is still being trained: one stage at a time", a.current.id)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	a.current = &launch{id: id, cancel: cancel, ended: make(chan struct{})}
	return ctx, a.current, nil
}

func (a *adapter) end(l *launch) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.current = nil
	l.cancel(nil)
	close(l.ended)
}

// find returns the launch with the given ID.
func (a *adapter) find(id string) (*launch, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current == nil || a.current.id != id {
		return nil, fmt.Errorf("%w: launch %s is not being trained", sdk.ErrNoTrainer, id)
	}
	return a.current, nil
}

// abortedError is the cancellation cause of a launch.
type abortedError struct{ reason string }

// Error implements error.
func (e *abortedError) Error() string { return "aborted: " + e.reason }

// Control implements sdk.Adapter.
func (a *adapter) Control(_ context.Context, req sdk.ControlRequest) error {
	l, err := a.find(req.LaunchID)
	if err != nil {
		return fmt.Errorf("control: %w", err)
	}
	switch req.Action {
	case sdk.ControlDrain:
		l.drain.Store(true)
	case sdk.ControlAbort:
		l.cancel(&abortedError{req.Reason})
	case sdk.ControlCheckpointNow: // every step already writes a checkpoint
	case sdk.ControlPause, sdk.ControlResume:
		return fmt.Errorf("control: %s: sampling and updates alternate here, so there is nothing to pause; use drain",
			req.Action)
	default:
		return fmt.Errorf("control: unknown action %q", req.Action)
	}
	return nil
}

// Evaluate implements sdk.AdapterWithEvaluate.
func (a *adapter) Evaluate(_ context.Context, launchID string) error {
	l, err := a.find(launchID)
	if err != nil {
		return fmt.Errorf("evaluate: %w", err)
	}
	l.evaluate.Store(true)
	return nil
}

// Stop implements sdk.Stopper. It finishes the current step and writes its checkpoint. If the deadline passes first,
// the step is discarded, and the run resumes from the previous one.
func (a *adapter) Stop(ctx context.Context, progress func(string)) error {
	a.mu.Lock()
	a.stopping = true
	l := a.current
	a.mu.Unlock()
	if l == nil {
		return nil
	}
	l.drain.Store(true)
	progress("finishing the step")
	select {
	case <-l.ended:
		return nil
	case <-ctx.Done():
		err := fmt.Errorf("the step did not end in time and is given up: %w", ctx.Err())
		l.cancel(err)
		return err
	}
}

var (
	_ sdk.AdapterWithEvaluate = (*adapter)(nil)
	_ sdk.Stopper             = (*adapter)(nil)
)
