package tracking

import (
	"context"
	"fmt"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/runstore"
)

// place is where numbers are copied to. After an error nothing is called but Close and Open.
type place interface {
	// Open begins, or begins again, and returns the first step to tell of.
	Open(ctx context.Context) (from int, err error)
	// Take takes one piece of news. Read reads the whole record of a sample.
	Take(news runstore.News, read func(runstore.Sample) (*runstore.EpisodeRecord, error)) error
	// Close ends. The outcome is empty where Open is called again.
	Close(outcome event.RunOutcome) error
}

// feed reads the journal for one place.
type feed struct {
	name     string
	record   *runstore.Run
	place    place
	follower *runstore.Follower // nil: the place is to be opened
	nudges   chan struct{}
	over     chan event.RunOutcome
	failures int // so far
	pause    int // how many nudges pass before the next try
	broken   error
}

// longestPause is after how many nudges, at most, a place that has failed is tried again.
const longestPause = 256

func newFeed(name string, config Config, p place) *feed {
	return &feed{
		name: name, record: config.Run, place: p, nudges: make(chan struct{}, 1), over: make(chan event.RunOutcome, 1),
	}
}

// nudge says that there may be news.
func (f *feed) nudge() {
	select {
	case f.nudges <- struct{}{}:
	default: // the goroutine has yet to look
	}
}

// finish says that there will be no more news.
func (f *feed) finish(outcome event.RunOutcome) { f.over <- outcome }

// run copies until the run is over.
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

// copy copies what is new. After a failure it pauses, twice as long each time.
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
	_ = f.place.Close("") // it is broken already
	f.failures++
	f.pause = min(1<<min(f.failures, 16), longestPause)
	if f.failures == 1 {
		warn(event.Warning{
			Code: "tracking", Summary: fmt.Sprintf("%s cannot be written; the run goes on without", f.name),
			Detail: f.explain() + "; it is tried again from time to time, and nothing is lost: the journal has it",
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
	return f.follower.Read(ctx, func(news runstore.News) error { return f.place.Take(news, f.follower.Episode) })
}

func (f *feed) close(outcome event.RunOutcome, warn func(event.Warning)) {
	if f.broken == nil && f.follower != nil {
		f.broken = f.place.Close(outcome)
	}
	if f.broken != nil {
		warn(event.Warning{
			Code: "tracking_incomplete", Count: f.failures,
			Summary: fmt.Sprintf("%s does not have all of the run: it could not be written %d times",
				f.name, max(f.failures, 1)),
			Detail: f.explain() + "; the run directory has all of it, and when the run goes on what is missing is written",
		})
	}
}

func (f *feed) explain() string {
	if advice := disk.Advice(f.broken); advice != "" {
		return fmt.Sprintf("%v; %s", f.broken, advice)
	}
	return f.broken.Error()
}
