package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

const (
	// abortTimeout limits the time for ending a trainer that could outlive this process.
	abortTimeout = 60 * time.Second
	// abortInterval is the interval between abort requests, which are repeated because the adapter may not have found
	// the trainer yet.
	abortInterval  = time.Second
	runEndedReason = "the run has ended" // reason sent to a trainer that is being ended
)

// endLastTrainer ends the remaining trainer of a run that will not continue. The run ends even if that fails; awhost
// runs then lists the trainer, which ends itself if no host returns.
func (r *runner) endLastTrainer(ctx context.Context) {
	t, err := r.Writer.LastTrainer()
	if err == nil && !t.MayRun() {
		return
	}
	if err == nil {
		err = r.endTrainer(ctx, t)
	}
	if err != nil {
		r.warn(event.Warning{
			Code: "trainer_left",
			Summary: "a trainer from this run may still be running; end it with: awhost stop " +
				"--now " + r.Writer.Ref() + runstore.WhereFlag(r.Writer.Dir), Detail: err.Error(),
		})
	}
}

// endLeftoverTrainer ends a trainer left behind by an earlier host, and ends the run with it.
func (r *runner) endLeftoverTrainer(ctx context.Context) error {
	t, err := r.Writer.LastTrainer()
	if err != nil {
		return err
	}
	if t.MayRun() {
		if err := r.endTrainer(ctx, t); err != nil {
			return err
		}
	}
	return errAborted
}

// endTrainer aborts a trainer and waits until it has ended. Its time limit applies even if ctx is done earlier.
func (r *runner) endTrainer(ctx context.Context, t *runstore.Trainer) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTimeout)
	defer cancel()
	address := r.Plan.Stages[t.Launch.StageIndex].Adapter
	if err := r.startPlugins(ctx, []string{address}); err != nil {
		return err
	}
	instance, ok := r.plugins.Find(address)
	if !ok {
		return fmt.Errorf("end the trainer for launch %s: adapter %s is not running", t.Launch.LaunchID, address)
	}
	if err := instance.Await(ctx); err != nil {
		return fmt.Errorf("end the trainer for launch %s: %w", t.Launch.LaunchID, err)
	}
	r.service.ending.Store(&ended{launch: t.Launch.LaunchID, adapter: address})
	defer r.service.ending.Store(nil)
	if err := abort(ctx, instance.Adapter(), t); err != nil {
		return fmt.Errorf("end the trainer for launch %s: %w", t.Launch.LaunchID, err)
	}
	r.trainer = nil
	return r.Writer.AppendTrainerEnd(ctx, runstore.TrainerEndRecord{LaunchID: t.Launch.LaunchID,
		Reason: "ended by the host"})
}

// abort attaches to a trainer so that its adapter can control it, and repeats the abort request until the trainer has
// ended.
func abort(ctx context.Context, adapter sdk.Adapter, t *runstore.Trainer) error {
	recoverer, ok := adapter.(sdk.AdapterWithRecover)
	if !ok {
		return nil // there cannot be a trainer
	}
	ended := make(chan error, 1)
	go func() {
		request := sdk.RecoverRequest{LaunchID: t.Launch.LaunchID, Handle: t.Handle, AfterSeq: t.AfterEvent}
		ended <- recoverer.Recover(ctx, request, nil, func(sdk.TrainEvent) error { return nil })
	}()
	again := time.NewTicker(abortInterval)
	defer again.Stop()
	var refused error
	for {
		refused = adapter.Control(ctx, sdk.ControlRequest{LaunchID: t.Launch.LaunchID, Action: sdk.ControlAbort,
			Reason: runEndedReason})
		select {
		case err := <-ended:
			if err == nil || errors.Is(err, sdk.ErrNoTrainer) {
				return nil
			}
			return errors.Join(err, refused)
		case <-again.C:
		}
	}
}
