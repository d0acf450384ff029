package rollout

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/awhost/awhost/host/rollout/internal/registry"
	"github.com/awhost/awhost/host/rollout/internal/wait"
)

// Wait is what some episodes wait for at the moment; see the package wait.
type Wait = wait.Wait

// What episodes wait for, as far as a run tells it apart.
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

// Waits says what the episodes under way wait for, those that wait longest first. Nothing that counts depends on it.
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

// live counts what happens now, for people who watch. None of it is repeatable.
type live struct {
	queued, running, waiting, losses, unclosed atomic.Int64
}

// Live is what the engine does at the moment.
type Live struct {
	Queued   int // waiting for a place
	Running  int // at work
	Waiting  int // for siblings
	Losses   int // attempts and scorings lost with a plugin, so far
	Unclosed int // environments whose Close failed, so far
}

// Live looks at the engine.
func (e *Engine) Live() Live {
	return Live{
		Queued: int(e.live.queued.Load()), Running: int(e.live.running.Load()), Waiting: int(e.live.waiting.Load()),
		Losses: int(e.live.losses.Load()), Unclosed: int(e.live.unclosed.Load()),
	}
}

// Glance is what an engine is at, for people who watch.
type Glance struct {
	Stage  string
	Places int    // most episodes at work
	Waits  []Wait // of the episodes under way
	Looked int    // episodes that the circuit breaker remembers
	Failed int    // those of them that failed
}

// Glance looks at the engine. ok is false before its first stage.
func (e *Engine) Glance() (now Glance, ok bool) {
	stage := e.stage.Load()
	if stage == nil {
		return Glance{}, false
	}
	now = Glance{Stage: stage.Name, Places: stage.Concurrency, Waits: e.Waits()}
	for _, class := range e.BreakerWindow() {
		now.Looked++
		if class != "" {
			now.Failed++
		}
	}
	return now, true
}
