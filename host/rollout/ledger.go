package rollout

import (
	"slices"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// summary is what remains of an episode until its step's boundary: enough for sums and for the breaker.
type summary struct {
	slot       Slot
	episode    string
	draw       int
	outcome    sdk.Outcome
	class      sdk.FailureClass // of a failure
	reward     *float64
	success    *bool
	masked     bool
	withdrawn  bool // cancelled because somebody asked for it, not because it could not be had
	wallClock  bool
	blamed     string // see EpisodeRecord
	turns      int
	tokens     int // of all sampled messages
	retries    int
	redraws    int
	drift      int
	malformed  int
	refused    int
	components map[string]float64
	metrics    map[string]float64
}

func summarise(r *EpisodeRecord) *summary {
	s := &summary{
		slot: r.Slot, episode: r.EpisodeID, draw: r.Draw, outcome: r.Outcome, reward: r.Reward, success: r.IsSuccess,
		masked: r.Masked, wallClock: r.WallClock, blamed: r.Blamed, turns: len(r.Turns), retries: r.Retries, redraws: r.Redraws,
		drift: r.DriftCount, malformed: r.MalformedCalls, refused: r.RefusedCalls,
		components: components(r.Scores), metrics: r.Metrics,
	}
	if r.Failure != nil {
		s.class = r.Failure.Class
	}
	s.withdrawn = r.Outcome == sdk.OutcomeCancelled && r.Failure == nil
	for i := range r.Turns {
		s.tokens += r.Turns[i].OutputTokens
	}
	return s
}

// supersedes says which of two episodes of one slot counts: one that was not cancelled, then the later draw. The
// rest is settled by id, so that it does not depend on which came first; of one id it is the later, see TakeUp.
func (s *summary) supersedes(other *summary) bool {
	gone, otherGone := s.outcome == sdk.OutcomeCancelled, other.outcome == sdk.OutcomeCancelled
	switch {
	case gone != otherGone:
		return otherGone
	case s.draw != other.draw:
		return s.draw > other.draw
	}
	return s.episode >= other.episode
}

// ledger keeps one summary per slot until it is taken at a boundary.
type ledger struct {
	mu    sync.Mutex
	slots map[Slot]*summary
	taken map[sdk.Split]int // the last step that was
}

func newLedger() *ledger { return &ledger{slots: map[Slot]*summary{}, taken: map[sdk.Split]int{}} }

// add reports false for an episode that comes after its step was taken: it belongs to no numbers any more, and its
// slot may have counted already. A step may be validated more than once, and step 0 is that of adapters that have none.
func (l *ledger) add(s *summary) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	over := l.taken[s.slot.Split]
	if s.slot.Split == sdk.SplitValidation {
		over--
	}
	if s.slot.Step > 0 && s.slot.Step <= over {
		return false
	}
	if other := l.slots[s.slot]; other == nil || s.supersedes(other) {
		l.slots[s.slot] = s
	}
	return true
}

// take removes the summaries up to a step, in slot order.
func (l *ledger) take(stage string, split sdk.Split, step int) []*summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken[split] = step
	var taken []*summary
	for slot, s := range l.slots {
		if slot.Stage == stage && slot.Split == split && slot.Step <= step {
			taken = append(taken, s)
			delete(l.slots, slot)
		}
	}
	slices.SortFunc(taken, func(a, b *summary) int { return compareSlots(a.slot, b.slot) })
	return taken
}

// discard forgets what a stage that is over left behind.
func (l *ledger) discard() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.slots)
}
