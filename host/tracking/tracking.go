// Package tracking copies what a run measures to where people compare runs: TensorBoard's event files, which every run
// has unless its spec says otherwise, and the trackers of the user's own Python.
//
//	tracker := tracking.New(tracking.Config{Run: writer.Run, TensorBoard: true, Generations: 4, …})
//	bus := event.NewBus(event.Config{Now: time.Now}, shown, tracker)
//	result := run.Apply(ctx, run.Config{Tracker: tracker, …}) // starts and closes it
//
// It is a reader of the journal. Each place has a goroutine that reads on when an event says that there may be news,
// so a place that is slow or broken delays neither the run nor the others, and misses nothing: what could not be
// written is read again, and so is what an earlier process of the run left out. A failure is a warning, once.
//
// The package must not know trainers, nor decide anything about a run.
package tracking

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/runstore"
)

// Config says what is copied, and where.
type Config struct {
	Run *runstore.Run
	// TensorBoard writes event files into the run directory.
	TensorBoard bool
	// Generations is how many episodes of each validation are written as text.
	Generations int
	// Trackers are those that a process of Python writes to, by the names of their packages.
	Trackers []string
	Python   string // a program
	Project  string
	// Experiment is the name of the run there.
	Experiment string
	Offline    bool // nothing leaves the machine
	// CloseTimeout is how long Close waits; it must be above 0.
	CloseTimeout time.Duration
	// PassEnv are variables that Python gets beside those of the trackers.
	PassEnv []string
	// Redact takes secrets out of a line of a log; nil: there are none.
	Redact func(string) string
	// Settings are the hyper-parameters: strings, numbers and bools by name.
	Settings map[string]any
	// FS is the file system; nil means disk.OS.
	FS disk.FS
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Tracker copies the numbers of one run. It is a handler of the run's events.
type Tracker struct {
	feeds    []*feed
	patience time.Duration // at the end
	end      context.CancelFunc
	work     sync.WaitGroup

	mu     sync.Mutex
	warn   func(event.Warning)
	closed bool // warnings are for nobody any more
}

// New returns a tracker that does nothing before Start.
func New(config Config) *Tracker {
	if config.FS == nil {
		config.FS = disk.OS
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	t := &Tracker{patience: config.CloseTimeout}
	if config.TensorBoard {
		t.feeds = append(t.feeds, newFeed("TensorBoard", config, newBoard(config)))
	}
	for _, kind := range config.Trackers {
		t.feeds = append(t.feeds, newFeed(Trackers[kind], config, newProgram(config, kind)))
	}
	return t
}

// Start begins to copy. Warnings are for the user; they come from goroutines of the tracker.
func (t *Tracker) Start(warn func(event.Warning)) {
	ctx, cancel := context.WithCancel(context.Background())
	t.end, t.warn = cancel, warn
	for _, f := range t.feeds {
		t.work.Go(func() { f.run(ctx, t.tell) })
	}
}

// tell passes a warning on while somebody wants it.
func (t *Tracker) tell(w event.Warning) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.warn(w)
	}
}

// Handle implements event.Handler: it never waits.
func (t *Tracker) Handle(e event.Event) {
	switch e.Payload.(type) {
	case event.Phase, event.StepFinished, event.ValidationFinished, event.CheckpointCommitted:
		for _, f := range t.feeds {
			f.nudge()
		}
	}
}

// Close copies what is left and says how the run ended. What takes longer than the settings or ctx allow is left out,
// with a warning; a call of the operating system that hangs is left behind.
func (t *Tracker) Close(ctx context.Context, outcome event.RunOutcome) {
	if t.end == nil {
		return // it was never started
	}
	defer t.end()
	ctx, cancel := context.WithTimeoutCause(ctx, t.patience,
		fmt.Errorf("they had not got everything after %s (close_timeout)", t.patience))
	defer cancel()
	for _, f := range t.feeds {
		f.finish(outcome)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.work.Wait()
	}()
	select {
	case <-done:
	case <-ctx.Done():
		t.tell(event.Warning{
			Code: "tracking_unfinished", Summary: "the run has ended before everything was copied to its trackers",
			Detail: fmt.Sprintf("the journal has it, and a resumed run copies it: %v", context.Cause(ctx)),
		})
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
}

var _ event.Handler = (*Tracker)(nil)
