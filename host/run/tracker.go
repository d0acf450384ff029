package run

import (
	"context"
	"time"

	"github.com/awhost/awhost/host/event"
)

// Tracker copies the run's numbers to where they are compared. Whatever becomes of it, the run goes on.
type Tracker interface {
	// Start begins to copy what the journal has. It may warn at any time until Close returns.
	Start(warn func(event.Warning))
	// Close copies what is left, as far as ctx and its own patience let it. The outcome is empty where the run can go on.
	Close(ctx context.Context, outcome event.RunOutcome)
}

// trackerGrace is how long a tracker is waited for where the run is aborted.
const trackerGrace = 2 * time.Second

// closeTracker ends the tracker before the run is given back, so that its last words are on record.
func (r *runner) closeTracker(ctx context.Context, result *Result) {
	if r.Tracker == nil {
		return
	}
	closing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	go func() {
		select {
		case <-r.Abort:
		case <-ctx.Done():
		case <-closing.Done():
			return
		}
		grace := time.NewTimer(trackerGrace)
		defer grace.Stop()
		select {
		case <-grace.C:
			cancel()
		case <-closing.Done():
		}
	}()
	outcome := result.Outcome
	if result.Resumable {
		outcome = ""
	}
	r.Tracker.Close(closing, outcome)
}
