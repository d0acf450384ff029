package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk/process"
)

// orphanTimeout limits the wait for processes left behind by a host that has exited. Its guard ends them, or this
// process does.
const orphanTimeout = 5 * time.Second

// Resume opens a run for writing. If only processes left behind by a host that has exited hold its lock, they are ended
// first. A running host and its processes are left alone, as is a trainer that was allowed to outlive its host.
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

// openTimeout limits the time for opening the run, which reads checkpoints.
const openTimeout = 10 * time.Minute
