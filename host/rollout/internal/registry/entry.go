package registry

import (
	"context"
	"sync"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// Entry is an episode as its callers see it.
type Entry struct {
	ID       string
	Identity Identity
	Cancel   context.CancelCauseFunc
	Waits    *wait.Stack
	started  chan struct{}
	done     chan struct{}
	result   *sdk.EpisodeResult // once done
	err      error

	mu      sync.Mutex
	callers int
	over    bool
	grace   clock.Timer
}

// Identity identifies the sample of an id. A repeated request must have the same identity.
type Identity struct {
	Slot slot.Slot
	Draw int
}

// NewEntry returns the entry for an episode that begins now.
func NewEntry(id string, identity Identity, cancel context.CancelCauseFunc, waits *wait.Stack) *Entry {
	return &Entry{
		ID: id, Identity: identity, Cancel: cancel, Waits: waits,
		started: make(chan struct{}), done: make(chan struct{}),
	}
}

// Started returns a channel that is closed when the episode leaves the queue.
func (e *Entry) Started() <-chan struct{} { return e.started }

// Done returns a channel that is closed when the episode has ended.
func (e *Entry) Done() <-chan struct{} { return e.done }

// Result returns the episode's result, or the reason why it has none. It may be called only after Done has been closed.
func (e *Entry) Result() (*sdk.EpisodeResult, error) { return e.result, e.err }

// Start notifies the callers that the episode has left the queue.
func (e *Entry) Start() { close(e.started) }

// Complete publishes the result or the error. Only the first call counts.
func (e *Entry) Complete(result *sdk.EpisodeResult, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.grace != nil {
		e.grace.Stop()
	}
	if e.over {
		return
	}
	e.over, e.result, e.err = true, result, err
	close(e.done)
}

func (e *Entry) isOver() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.over
}

// Join adds a caller.
func (e *Entry) Join() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.callers++
	if e.grace != nil {
		e.grace.Stop()
		e.grace = nil
	}
}

// Leave removes a caller. After the last caller has left, the episode continues for the grace period, in case the
// connection is restored. Then it ends without a result, because a caller that returns later belongs to a trainer that
// has died.
func (e *Entry) Leave(clock clock.Clock, grace time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.callers--
	if e.callers > 0 || e.over {
		return
	}
	abandon := func() { e.Cancel(verdict.ErrNoWaiters) }
	if grace <= 0 {
		abandon()
		return
	}
	e.grace = clock.AfterFunc(grace, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.callers == 0 {
			abandon()
		}
	})
}
