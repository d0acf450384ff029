package areal

import (
	"fmt"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// breaker ends a stage in which no episode can be used any more. AReaL draws another prompt for each group that it cannot use,
// without a pause and for ever, and so never comes to the boundary at which the host's own breaker decides.
type breaker struct {
	most int  // episodes that cannot be used: in a row, or of one step
	step bool // all of a step count; otherwise only those in a row that have no reward

	mu     sync.Mutex
	row    tally // without a reward, since the last that has one
	spoilt tally // of this step: lost by their workers and, with step, without a reward
	broken bool
}

// tally counts episodes that cannot be used.
type tally struct {
	n     int
	first string // what became of the first of them
	own   bool   // that one has failed itself, and not a sibling of it
}

func (t *tally) add(why string, own bool) {
	t.n++
	if t.n == 1 || own && !t.own {
		t.first, t.own = why, own
	}
}

// fewest keeps one unlucky group of a small batch from ending a run.
const fewest = 32

// newBreaker allows two batches. In agent mode AReaL gives up a group for one of its samples, and in a smoke run half of the episodes are
// by the script and may well have rewards: there the others may have them, and still no group can be used. So all failures of a step
// count, and those that are played ahead with them.
func newBreaker(r *record) *breaker {
	b := &breaker{step: r.Request.Smoke || r.Mode == modeAgent}
	batch := r.Prompts * r.GroupSize
	if b.step {
		batch *= 1 + r.Staleness
	}
	b.most = max(fewest, 2*batch)
	return b
}

// count takes an episode's result and returns why the stage has to end, once; or nothing.
func (b *breaker) count(r *sdk.EpisodeResult) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.broken, r.Outcome == sdk.OutcomeCancelled:
		return ""
	case r.Reward != nil && !r.Masked && !r.DropGroup:
		b.row = tally{}
		return ""
	}
	why, own := reasonOf(r), r.Failure != nil // a sample of a dropped group has not failed itself
	b.row.add(why, own)
	if b.step {
		b.spoilt.add(why, own)
	}
	return b.trip()
}

// lose takes an episode that has a result and that its worker cannot use.
func (b *breaker) lose(why string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.broken {
		return ""
	}
	b.spoilt.add(why, true)
	return b.trip()
}

// trip says why the stage has to end. The caller holds mu.
func (b *breaker) trip() string {
	counted, which := b.row, "in a row have no reward"
	if b.step || b.spoilt.n >= b.most {
		counted, which = b.spoilt, "of one step cannot be used"
	}
	if counted.n < b.most {
		return ""
	}
	b.broken = true
	return fmt.Sprintf("circuit breaker: %d episodes %s, and AReaL would draw others for ever. The first of them: %s", counted.n, which, counted.first)
}

func reasonOf(r *sdk.EpisodeResult) string {
	if r.Failure == nil {
		return "episode " + r.EpisodeID + " was " + string(r.Outcome)
	}
	return fmt.Sprintf("episode %s, %s: %s", r.EpisodeID, r.Failure.Class, r.Failure.Detail)
}

// reset begins anew: AReaL has finished a step.
func (b *breaker) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.row, b.spoilt = tally{}, tally{}
}

func (b *breaker) tripped() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.broken
}
