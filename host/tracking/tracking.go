// Package tracking copies a run's metrics to tools that compare runs: TensorBoard event files, which every run has
// unless its spec disables them, and the trackers in the user's Python.
//
//	tracker := tracking.New(tracking.Config{Run: writer.Run, TensorBoard: true, Generations: 4, …})
//	bus := event.NewBus(event.Config{Now: time.Now}, shown, tracker)
//	result := run.Apply(ctx, run.Config{Tracker: tracker, …}) // starts and closes it
//
// Tracking reads the journal. Each destination has a goroutine that continues reading when an event signals new
// records. A slow or broken destination delays neither the run nor other destinations, and no data is missed: records
// that could not be written are read again, including records that an earlier process of the run did not write. A
// failure is reported as one warning.
//
// The package must not depend on trainers or make decisions about the run.
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

// Config selects the data to copy and its destinations.
type Config struct {
	Run *runstore.Run
	// TensorBoard writes event files into the run directory.
	TensorBoard bool
	// Generations is the number of episodes in each validation that are written as text.
	Generations int
	// Trackers lists the trackers that run in Python, by package name.
	Trackers []string
	Python   string // path of the interpreter
	Project  string
	// Experiment is the run's name in the trackers.
	Experiment string
	Offline    bool // no data leaves the machine
	// CloseTimeout is the maximum time that Close may take. It must be above 0.
	CloseTimeout time.Duration
	// PassEnv lists environment variables for Python, in addition to the trackers' variables.
	PassEnv []string
	// Redact removes secrets from a log line. Nil: unchanged.
	Redact func(string) string
	// Settings holds the hyperparameters: strings, numbers and bools by name.
	Settings map[string]any
	// FS is the file system; nil means disk.OS.
	FS disk.FS
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Tracker copies the metrics of one run. It handles the run's events.
type Tracker struct {
	feeds    []*feed
	patience time.Duration // for Close
	end      context.CancelFunc
	work     sync.WaitGroup

	mu     sync.Mutex
	warn   func(event.Warning)
	closed bool // warnings are dropped
}

// New returns a tracker. It does nothing before Start.
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

// Start starts copying. Warnings are for the user. They are sent by the tracker's goroutines.
func (t *Tracker) Start(warn func(event.Warning)) {
	ctx, cancel := context.WithCancel(context.Background())
	t.end, t.warn = cancel, warn
	for _, f := range t.feeds {
		t.work.Go(func() { f.run(ctx, t.reportWarning) })
	}
}

// reportWarning passes a warning on unless the tracker is closed.
func (t *Tracker) reportWarning(w event.Warning) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.warn(w)
	}
}

// Handle implements event.Handler. It never blocks.
func (t *Tracker) Handle(e event.Event) {
	switch e.Payload.(type) {
	case event.Phase, event.StepFinished, event.ValidationFinished, event.CheckpointCommitted:
		for _, f := range t.feeds {
			f.nudge()
		}
	}
}

// endPatience limits the wait for canceled work to end.
const endPatience = 5 * time.Second

// Close copies the remaining records and writes the run's outcome. Work that exceeds the time limit in the settings or
// in ctx is canceled with a warning. Afterward, nothing writes to the run directory, except for a system call that
// blocks for longer than endPatience, which is abandoned.
func (t *Tracker) Close(ctx context.Context, outcome event.RunOutcome) {
	if t.end == nil {
		return // it was never started
	}
	ctx, cancel := context.WithTimeoutCause(ctx, t.patience,
		fmt.Errorf("they had not received everything within %s (close_timeout)", t.patience))
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
		t.reportWarning(event.Warning{
			Code: "tracking_unfinished", Summary: "the run has ended before everything was copied to its trackers",
			Detail: fmt.Sprintf("the journal contains the rest, and resuming the run copies it: "+
				"%v", context.Cause(ctx)),
		})
	}
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.end()
	select {
	case <-done:
	case <-time.After(endPatience):
	}
}

var _ event.Handler = (*Tracker)(nil)
