package rollout

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/awhost/awhost/host/rollout/internal/registry"
	"github.com/awhost/awhost/host/rollout/internal/wait"
)

// Wait describes something that episodes are currently waiting for. See the package wait.
type Wait = wait.Wait

// The kinds of waits that a run distinguishes.
const (
	WaitGenerate    = wait.Generate
	WaitEnvironment = wait.Environment
	WaitReward      = wait.Reward
	WaitAgent       = wait.Agent
	WaitSlot        = wait.Slot
	WaitSession     = wait.Session
	WaitPlace       = wait.Place
	WaitSiblings    = wait.Siblings
	WaitTrial       = wait.Trial
	WaitRecord      = wait.Record
)

// Waits returns the current waits of the running episodes, longest first. They are informational only.
func (e *Engine) Waits() []Wait {
	type kind struct {
		what          wait.For
		address, call string
	}
	sums := map[kind]*Wait{}
	e.registry.Open(func(entry *registry.Entry) {
		waits := entry.Waits.Now()
		key := kind{waits.For, waits.Address, waits.Call}
		sum := sums[key]
		if sum == nil {
			sum = &waits
			sums[key] = sum
		}
		sum.Episodes++
		if sum.Episode == "" || cmp.Or(waits.Since.Compare(sum.Since), cmp.Compare(entry.ID, sum.Episode)) < 0 {
			sum.Since, sum.Episode, sum.Task = waits.Since, entry.ID, waits.Task
		}
	})
	out := make([]Wait, 0, len(sums))
	for _, sum := range sums {
		out = append(out, *sum)
	}
	slices.SortFunc(out, func(a, b Wait) int {
		return cmp.Or(
			a.Since.Compare(b.Since), cmp.Compare(a.For, b.For), cmp.Compare(a.Address, b.Address), cmp.Compare(a.Call, b.Call),
		)
	})
	return out
}

// live counts current activity, for display purposes. Its values are not reproducible.
type live struct {
	queued, running, waiting, losses, unclosed atomic.Int64
}

// Live is the engine's current activity.
type Live struct {
	Queued   int // waiting for a slot
	Running  int // running
	Waiting  int // waiting for siblings
	Losses   int // attempts and scorings lost with a plugin, so far
	Unclosed int // environments whose Close failed, so far
}

// Live returns the engine's current activity.
func (e *Engine) Live() Live {
	return Live{
		Queued: int(e.live.queued.Load()), Running: int(e.live.running.Load()), Waiting: int(e.live.waiting.Load()),
		Losses: int(e.live.losses.Load()), Unclosed: int(e.live.unclosed.Load()),
	}
}

// Snapshot is a snapshot of an engine for display.
type Snapshot struct {
	Stage  string
	Places int    // most running episodes
	Waits  []Wait // of the running episodes
	Looked int    // episodes in the circuit breaker's window
	Failed int    // of Looked, failed episodes
}

// Snapshot returns a snapshot of the engine. ok is false before the first stage starts.
func (e *Engine) Snapshot() (now Snapshot, ok bool) {
	stage := e.stage.Load()
	if stage == nil {
		return Snapshot{}, false
	}
	now = Snapshot{Stage: stage.Name, Places: stage.Concurrency, Waits: e.Waits()}
	for _, class := range e.BreakerWindow() {
		now.Looked++
		if class != "" && class != foreignCalls {
			now.Failed++
		}
	}
	return now, true
}
