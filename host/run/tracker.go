package run

import (
	"context"
	"time"

	"github.com/awhost/awhost/host/event"
)

// Tracker copies the run's numbers to an external tracker. Its failures do not affect the run.
type Tracker interface {
	// Start begins copying the journal's numbers. It may call warn at any time before Close returns.
	Start(warn func(event.Warning))
	// Close copies the remaining numbers, to the extent that ctx and its own time limit permit. The outcome is empty if
	// the run can be resumed.
	Close(ctx context.Context, outcome event.RunOutcome)
}

// trackerGrace is the tracker's time limit if the run is aborted.
const trackerGrace = 2 * time.Second

// closeTracker ends the tracker before the run is closed, so that its last warnings are recorded.
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
