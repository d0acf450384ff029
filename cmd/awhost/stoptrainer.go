package main

import (
	"context"
	"errors"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk/process"
)

// stopTrainer ends a run whose host has exited while its trainer may still be running. Only the adapter can identify
// the trainer, so the run is resumed and stopped. With --now, training does not continue. If the run cannot be resumed,
// for example because its spec has changed, at least those processes on this machine that have the trainer's mark are
// ended.
func (a *app) stopTrainer(ctx context.Context, r *runstore.Run, summary runstore.Summary, dir string, flags specFlags,
	o stopFlags) error {
	a.tell("the host of %s has exited, and its trainer (launch %s) may be running: starting the adapter to find "+
		"it", summary.Ref(), summary.Trainer)
	err := a.resume(ctx, r, summary, dir, flags, applyOptions{plain: true, stop: !o.now, endTrainer: o.now})
	var ended *exitError
	switch {
	case err == nil, errors.As(err, &ended) && (ended.code == run.ExitStopped || ended.code == run.ExitAborted):
		now, err := r.Summary()
		if err != nil {
			return exit(run.ExitFailed, err)
		}
		return a.show(result.StoppedOf(now, false))
	case !o.now:
		return err
	}
	left, endErr := process.EndLaunch(ctx, summary.Trainer)
	for _, l := range left {
		a.tell("ended %s of the trainer", l)
	}
	if len(left) == 0 && endErr == nil {
		a.tell("the trainer has no process on this machine")
	}
	return errors.Join(err, endErr)
}
