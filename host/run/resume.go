package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk/process"
)

// orphanTimeout bounds the wait for processes that a dead host left behind. Its guard ends them, or this process
// does.
const orphanTimeout = 5 * time.Second

// Resume opens a run for writing. If only processes left behind by a dead host hold its lock, they are ended first. A
// live host and its processes are left alone, and so is a trainer that was allowed to outlive it.
func Resume(ctx context.Context, store *runstore.Store, ref string, opts runstore.ResumeOptions) (*runstore.Writer,
	error) {
	ctx, cancel := context.WithTimeout(ctx, orphanTimeout+openTimeout)
	defer cancel()
	for began := time.Now(); ; {
		w, err := store.Resume(ctx, ref, opts)
		var locked *runstore.LockedError
		if !errors.As(err, &locked) || locked.Alive || locked.Owner == nil || time.Since(began) > orphanTimeout {
			return w, err
		}
		held, openErr := store.Open(ref)
		if openErr != nil {
			return nil, err
		}
		if _, sweepErr := process.SweepRun(ctx, held.Info.ID); sweepErr != nil {
			return nil, fmt.Errorf("%w (%w)", err, sweepErr)
		}
	}
}

// openTimeout bounds the opening itself, which reads checkpoints.
const openTimeout = 10 * time.Minute
