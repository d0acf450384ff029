package areal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/outliving"
)

// adapter is one configured trainer. It trains one stage at a time.
type adapter struct {
	config    config
	dir       string
	log       *slog.Logger
	processes outliving.Processes

	mu      sync.Mutex
	current *training
}

func newAdapter(c config, setup sdk.Setup) *adapter {
	log := setup.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &adapter{config: c, dir: setup.Dir, log: log}
}

// Train implements sdk.Adapter.
func (a *adapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host, emit func(sdk.TrainEvent) error) error {
	plan, err := a.settle(req)
	if err != nil {
		return err
	}
	t := a.newTraining(newRecord(req, plan), plan.dir, host, emit)
	return a.attend(ctx, t, emit, func() (*sdk.FinishedEvent, error) { return t.begin(ctx, plan) })
}

// Recover implements sdk.AdapterWithRecover.
func (a *adapter) Recover(ctx context.Context, req sdk.RecoverRequest, host sdk.Host, emit func(sdk.TrainEvent) error) error {
	dir := launchFolder(a.dir, req.LaunchID)
	if len(req.Handle) > 0 {
		dir = folder(req.Handle)
	}
	if err := a.await(ctx); err != nil { // it writes the record, too
		return err
	}
	r, err := recalled(dir, req.LaunchID)
	if err != nil {
		return err
	}
	t := a.newTraining(r, dir, host, emit)
	return a.attend(ctx, t, emit, func() (*sdk.FinishedEvent, error) { return t.goOn(ctx, req.AfterSeq) })
}

// attend is the life of a training in this adapter.
func (a *adapter) attend(ctx context.Context, t *training, emit func(sdk.TrainEvent) error, train func() (*sdk.FinishedEvent, error)) error {
	if err := a.await(ctx); err != nil {
		return err
	}
	if err := a.begin(t); err != nil {
		return err
	}
	defer a.end()
	finished, err := train()
	if err != nil {
		return err
	}
	return emit(sdk.TrainEvent{Finished: finished})
}

// overlap bounds how long the training before may take to notice that the host has let go of it.
const overlap = 30 * time.Second

// await waits for the end of the training before: two lives of one launch overlap where only a stream broke.
func (a *adapter) await(ctx context.Context) error {
	before, err := a.training()
	if err != nil {
		return nil
	}
	timer := time.NewTimer(overlap)
	defer timer.Stop()
	select {
	case <-before.ended:
		return nil
	case <-timer.C:
		return fmt.Errorf("launch %s is still being trained: one stage at a time", before.Request.LaunchID)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (a *adapter) begin(t *training) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current != nil {
		return fmt.Errorf("launch %s is still being trained: one stage at a time", a.current.Request.LaunchID)
	}
	a.current = t
	return nil
}

func (a *adapter) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	close(a.current.ended)
	a.current = nil
}

func (a *adapter) training() (*training, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current == nil {
		return nil, errors.New("AReaL is not running")
	}
	return a.current, nil
}

// Generate implements sdk.Adapter: the worker that asked for the episode samples.
func (a *adapter) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	t, err := a.training()
	if err != nil {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: err.Error()}
	}
	return t.generate(ctx, req)
}

// Control implements sdk.Adapter.
func (a *adapter) Control(_ context.Context, req sdk.ControlRequest) error {
	t, err := a.training()
	if err != nil || t.Request.LaunchID != req.LaunchID {
		return fmt.Errorf("control: %w: launch %s is not being trained", sdk.ErrNoTrainer, req.LaunchID)
	}
	switch req.Action {
	case sdk.ControlDrain:
		t.relay.drain(req.Reason)
	case sdk.ControlAbort:
		t.stop(ending{sdk.FinishedFailed, "aborted: " + req.Reason})
	case sdk.ControlCheckpointNow, sdk.ControlPause, sdk.ControlResume:
		return fmt.Errorf("control: %s: AReaL saves at its own steps (checkpoint.every) and pauses by itself; use drain", req.Action)
	default:
		return fmt.Errorf("control: unknown action %q", req.Action)
	}
	return nil
}

var _ sdk.AdapterWithRecover = (*adapter)(nil)
