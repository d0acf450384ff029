package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk/process"
)

// stages runs the remaining stages, each starting where the previous one ended.
func (r *runner) stages(ctx context.Context) error {
	if err := r.findTrainer(ctx); err != nil {
		return err
	}
	index := r.position()
	if r.trainer != nil {
		index = r.trainer.Launch.StageIndex // even if its last step is committed: it may not have ended yet
	}
	for ; index < len(r.Plan.Stages); index++ {
		if err := r.stage(ctx, index); err != nil {
			return err
		}
	}
	return nil
}

// position returns the index of the stage to continue with, or the number of stages if all are done.
func (r *runner) position() int {
	tip := r.Writer.Tip()
	switch {
	case tip == nil:
		return 0
	case r.ended(tip):
		return tip.StageIndex + 1
	}
	return tip.StageIndex
}

// ended reports whether a stage ended with the given checkpoint. The last stage of a run that was given more steps
// continues after it.
func (r *runner) ended(c *runstore.Checkpoint) bool {
	if e := r.Writer.Extension(); e != nil && e.From == c.Step && c.StageIndex == len(r.Plan.Stages)-1 {
		return false
	}
	return c.StageEnd || c.StageIndex < len(r.Plan.Stages) && c.Step >= r.lastStep(c.StageIndex)
}

// lastStep returns the last step of a stage that has begun, assuming that the stage does not end early.
func (r *runner) lastStep(index int) int {
	return r.state.now.Stages[index] + r.Plan.Stages[index].Steps
}

// done returns the number of committed steps in a stage.
func (r *runner) done(index int) int {
	tip := r.Writer.Tip()
	if tip == nil || tip.StageIndex != index {
		return 0
	}
	return tip.Step - r.state.now.Stages[index]
}

// maxStreamErrors is how many times in a row the trainer's stream may break while its process is running.
const maxStreamErrors = 3

// stage trains one stage, and does so again when the adapter's process dies: with the same trainer if it is still
// running, or with another one from the last commit.
func (r *runner) stage(ctx context.Context, index int) error {
	strays := 0
	for attempt := 1; ; attempt++ {
		if r.trainer == nil && r.stopping() {
			return errStopped // no step is running
		}
		l, err := newTrainCall(ctx, r, index, attempt)
		if err != nil {
			return err
		}
		first := r.nextStep()
		err = l.train(ctx)
		var lost *adapterLost
		switch {
		case errors.Is(err, errTrainerGone) && r.position() > index:
			return nil // it had completed the stage
		case errors.Is(err, errTrainerGone):
			continue
		case !errors.As(err, &lost):
			return err
		}
		if strays++; lost.processEnded() || r.nextStep() > first {
			strays = 0 // the restart budget counts, or it made progress
		}
		if strays > maxStreamErrors {
			return &PluginError{Address: lost.address, Err: fmt.Errorf("%s disconnected %d times even though its "+
				"process is running: %w", lost.address, strays, lost.err)}
		}
		if err := r.awaitAdapter(ctx, lost); err != nil {
			return err
		}
		if r.trainer == nil && r.position() > index {
			return nil // its last action was the commit that ends the stage
		}
	}
}

// adapterLost reports that the adapter's process died during a stage.
type adapterLost struct {
	address string
	err     error
}

// Error implements error.
func (e *adapterLost) Error() string { return e.err.Error() }

// Unwrap returns the process's error.
func (e *adapterLost) Unwrap() error { return e.err }

// processEnded reports whether the process has ended, rather than just a connection to it.
func (e *adapterLost) processEnded() bool {
	var exit *process.Exit
	return errors.As(e.err, &exit)
}

// awaitAdapter waits for the adapter's next process. The supervisor limits the time, through the deadline for each
// start and the number of restarts.
func (r *runner) awaitAdapter(ctx context.Context, lost *adapterLost) error {
	instance, ok := r.plugins.Find(lost.address)
	if !ok {
		return lost
	}
	if err := instance.Await(ctx); err != nil {
		return &PluginError{Address: lost.address, Err: err}
	}
	if err := r.findTrainer(ctx); err != nil {
		return err
	}
	summary := lost.address + " was restarted; training continues from the last commit"
	switch {
	case r.trainer != nil:
		summary = lost.address + " was restarted and is looking for the trainer of launch " + r.trainer.Launch.LaunchID
	case !lost.processEnded():
		summary = "the trainer of " + lost.address + " has exited; another one continues from the last commit"
	}
	r.warn(event.Warning{Code: "adapter_restarted", Summary: summary, Detail: lost.Error()})
	return nil
}

// stopping reports whether the run was asked to end after the current step.
func (r *runner) stopping() bool {
	select {
	case <-r.Stop:
		return true
	default:
		return false
	}
}

var _ error = (*adapterLost)(nil)
