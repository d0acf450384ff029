package tracking

import (
	"context"
	"fmt"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/runstore"
)

// place is a metric destination. After an error, only Close and Open are called.
type place interface {
	// Open opens or reopens the destination and returns the first step that it needs.
	Open(ctx context.Context) (from int, err error)
	// Take processes one update. read reads a sample's complete record.
	Take(news runstore.Update, read func(runstore.Sample) (*runstore.EpisodeRecord, error)) error
	// Close closes the place. The outcome is empty if Open will be called again.
	Close(outcome event.RunOutcome) error
}

// feed reads the journal for one destination.
type feed struct {
	name     string
	record   *runstore.Run
	place    place
	follower *runstore.Follower // nil: the place must be opened
	nudges   chan struct{}
	over     chan event.RunOutcome
	failures int // number of failures so far
	pause    int // number of nudges to skip before the next attempt
	broken   error
}

// longestPause is the maximum number of nudges that are skipped after a failure.
const longestPause = 256

func newFeed(name string, config Config, p place) *feed {
	return &feed{
		name: name, record: config.Run, place: p, nudges: make(chan struct{}, 1), over: make(chan event.RunOutcome, 1),
	}
}

// nudge signals that there may be new records.
func (f *feed) nudge() {
	select {
	case f.nudges <- struct{}{}:
	default: // the previous nudge is still pending
	}
}

// finish signals that no more records follow.
func (f *feed) finish(outcome event.RunOutcome) { f.over <- outcome }

// run copies records until the run has ended.
func (f *feed) run(ctx context.Context, warn func(event.Warning)) {
	for {
		select {
		case <-f.nudges:
			f.copy(ctx, warn)
		case outcome := <-f.over:
			f.pause = 0
			f.copy(ctx, warn)
			f.close(outcome, warn)
			return
		}
	}
}

// copy copies new records. After a failure, it pauses, doubling the pause each time.
func (f *feed) copy(ctx context.Context, warn func(event.Warning)) {
	if f.pause > 0 {
		f.pause--
		return
	}
	f.broken = f.try(ctx)
	if f.broken == nil || ctx.Err() != nil {
		return
	}
	f.follower = nil
	_ = f.place.Close("") // the place has already failed
	f.failures++
	f.pause = min(1<<min(f.failures, 16), longestPause)
	if f.failures == 1 {
		warn(event.Warning{
			Code: "tracking", Summary: fmt.Sprintf("%s cannot be written; the run continues without it", f.name),
			Detail: f.explain() + "; awhost retries periodically, and the journal retains all the data",
		})
	}
}

func (f *feed) try(ctx context.Context) error {
	if f.follower == nil {
		from, err := f.place.Open(ctx)
		if err != nil {
			return err
		}
		f.follower = f.record.Follow(from)
	}
	return f.follower.Read(ctx, func(news runstore.Update) error { return f.place.Take(news, f.follower.Episode) })
}

func (f *feed) close(outcome event.RunOutcome, warn func(event.Warning)) {
	if f.broken == nil && f.follower != nil {
		f.broken = f.place.Close(outcome)
	}
	if f.broken != nil {
		warn(event.Warning{
			Code: "tracking_incomplete", Count: f.failures,
			Summary: fmt.Sprintf("%s is incomplete: it could not be written %d times",
				f.name, max(f.failures, 1)),
			Detail: f.explain() + "; the run directory is complete, and resuming the run writes the missing part",
		})
	}
}

func (f *feed) explain() string {
	if advice := disk.Advice(f.broken); advice != "" {
		return fmt.Sprintf("%v; %s", f.broken, advice)
	}
	return f.broken.Error()
}
