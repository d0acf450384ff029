package rollout

import (
	"context"
	"sync"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// entry is an episode as its callers see it.
type entry struct {
	id       string
	identity identity
	cancel   context.CancelCauseFunc
	started  chan struct{}
	done     chan struct{}
	result   *sdk.EpisodeResult // once done
	err      error
	waits    *wait.Stack

	mu      sync.Mutex
	callers int
	over    bool
	grace   clock.Timer
}

// identity is what an id stands for. A repeat must ask for the same.
type identity struct {
	slot Slot
	draw int
}

func identityOf(req sdk.EpisodeRequest) identity {
	slot := Slot{
		Stage: req.Stage, Split: req.Split, Step: req.Step, Index: req.DatasetIndex, Group: req.GroupID, Sample: req.SampleIndex,
	}
	if req.Task != nil {
		slot.Index, slot.Task = -1, req.Task.ID
	}
	slot.Position = slot.Index
	if req.GroupIndex != nil {
		slot.Position = *req.GroupIndex
	}
	return identity{slot: slot, draw: req.Draw}
}

// start tells the callers that the episode has its place.
func (e *entry) start() { close(e.started) }

// complete publishes the result, or why there is none. Only the first call counts.
func (e *entry) complete(result *sdk.EpisodeResult, err error) {
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

func (e *entry) isOver() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.over
}

func (e *entry) join() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.callers++
	if e.grace != nil {
		e.grace.Stop()
		e.grace = nil
	}
}

// leave counts a caller out. When nobody waits any more the episode goes on for the grace, in case the connection
// comes back. After that it ends without a result: a caller that comes back later is one whose trainer had died.
func (e *entry) leave(clock clock.Clock, grace time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.callers--
	if e.callers > 0 || e.over {
		return
	}
	abandon := func() { e.cancel(verdict.ErrNobodyWaits) }
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
