package rollout

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

// summary holds the episode data that sums and the breaker need until the boundary of the episode's step.
type summary struct {
	slot       Slot
	episode    string
	draw       int
	outcome    sdk.Outcome
	class      sdk.FailureClass // class of the failure
	reward     *float64
	success    *bool
	masked     bool
	dropped    bool // with its group, or as the group's only survivor
	withdrawn  bool // canceled on request, not because of a problem
	trainable  bool // a part of it can be trained, so a later step may use it
	wallClock  bool
	blamed     string // see EpisodeRecord
	turns      int
	tokens     int // of all sampled messages
	trained    int // of tokens, the share of trained agents
	retries    int
	redraws    int
	drift      int
	malformed  int
	refused    int
	foreign    float64 // share of the messages with tools that contain an unread call
	example    string  // of such a call
	served     map[string]ForeignCalls
	components map[string]float64
	metrics    map[string]float64
	members    []MemberRecord
	seen       int // step of the first boundary after its end, 0 before
}

func summarise(r *EpisodeRecord) *summary {
	s := &summary{
		slot: r.Slot, episode: r.EpisodeID, draw: r.Draw, outcome: r.Outcome, reward: r.Reward, success: r.IsSuccess,
		masked: r.Masked, dropped: r.DropGroup || r.LoneSurvivor, wallClock: r.WallClock, blamed: r.Blamed,
		turns: len(r.Turns), retries: r.Retries, redraws: r.Redraws,
		drift: r.DriftCount, malformed: r.MalformedCalls, refused: r.RefusedCalls,
		foreign: r.Metrics[metric.ForeignCallRate], example: r.Foreign.Example,
		served:     r.ServedForeign,
		components: r.Scored(), metrics: r.Metrics, members: r.Members(),
	}
	if r.Failure != nil {
		s.class = r.Failure.Class
	}
	s.withdrawn = r.Outcome == sdk.OutcomeCancelled && r.Failure == nil
	s.trainable = slices.ContainsFunc(r.Chains, func(c ChainRecord) bool { return c.Train })
	for i := range r.Turns {
		t := &r.Turns[i]
		s.tokens += t.OutputTokens
		// A turn from the journal names its agent only if there are several agents.
		trains := func(c ChainRecord) bool { return c.Train && (t.Agent == c.Agent || t.Agent == "") }
		if slices.ContainsFunc(r.Chains, trains) {
			s.trained += t.OutputTokens
		}
	}
	return s
}

// supersedes reports whether s, rather than other, counts for their slot. An episode that was not canceled takes
// precedence over a canceled one; otherwise, the later draw wins. Remaining ties are resolved by ID, so that the result
// does not depend on which came first. If two episodes have the same ID, the later one wins; see Restore.
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

// ledger keeps one summary per slot until it is counted in a step. An episode is included in the numbers of the step
// that uses it. An episode without trainable parts is not used by any step, and is counted at the first boundary after
// its end, as is an episode that has waited longer than window. Therefore, neither the duration of an episode nor the
// trainer's prefetching matters. The circuit breaker does not wait: it evaluates both failed and other episodes at the
// first boundary after their end. Otherwise, a trainer that prefetches would appear to be failing.
type ledger struct {
	mu      sync.Mutex
	window  int // see Options.OpenWindow
	slots   map[Slot]*summary
	ids     map[string]Slot // of all episodes of these slots
	early   map[string]bool // reported as used before they ended; these episodes are lost
	weighed map[Slot]bool   // slots with an episode that the breaker has evaluated
}

func newLedger() *ledger {
	return &ledger{slots: map[Slot]*summary{}, ids: map[string]Slot{}, early: map[string]bool{}, weighed: map[Slot]bool{}}
}

// recall adds an episode from the record.
func (l *ledger) recall(past *PastEpisode) {
	s := summarise(past.EpisodeRecord)
	if _, counts := breakerView(s); counts && past.Weighed {
		l.mu.Lock()
		l.weighed[past.Slot] = true
		l.mu.Unlock()
	}
	if !past.Counted {
		l.add(s)
	}
}

func (l *ledger) add(s *summary) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.early[s.episode] {
		delete(l.early, s.episode)
		s.trainable = false
	}
	l.ids[s.episode] = s.slot
	if other := l.slots[s.slot]; other == nil || s.supersedes(other) {
		l.slots[s.slot] = s
	}
}

// takeTrain removes the summaries that are counted at a training boundary and returns them in slot order.
func (l *ledger) takeTrain(end StepEnd) []*summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	used := map[Slot]bool{}
	for _, id := range end.Used {
		if slot, over := l.ids[id]; over {
			used[slot] = true
		} else {
			l.early[id] = true
		}
	}
	return l.take(func(slot Slot, s *summary) bool {
		return slot.Stage == end.Stage && slot.Split == sdk.SplitTrain &&
			(used[slot] || end.Last || slot.Step <= end.Step && !s.trainable || l.expired(s, end.Step))
	})
}

// expired reports whether an episode has waited too long for a step to use it. The lock is held.
func (l *ledger) expired(s *summary, step int) bool {
	since := s.slot.Step
	if since == 0 { // the trainer does not report the step
		since = s.seen
	}
	return l.window > 0 && since > 0 && since < step-l.window
}

// weigh returns, in slot order, the episodes that the circuit breaker must evaluate after a boundary: the counted
// ones and the ones waiting for the step that uses them, each slot once.
func (l *ledger) weigh(end StepEnd, counted []*summary) []*summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	due := slices.Clone(counted)
	for slot, s := range l.slots {
		if slot.Stage == end.Stage && slot.Split == sdk.SplitTrain && slot.Step <= end.Step {
			s.seen = cmp.Or(s.seen, end.Step)
			due = append(due, s)
		}
	}
	due = slices.DeleteFunc(due, func(s *summary) bool {
		_, counts := breakerView(s)
		return !counts || l.weighed[s.slot]
	})
	for _, s := range due {
		l.weighed[s.slot] = true
	}
	slices.SortFunc(due, func(a, b *summary) int { return slot.Compare(a.slot, b.slot) })
	return due
}

// forget drops the slots of finished steps. They cannot be filled again.
func (l *ledger) forget(before int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.weighed, func(slot Slot, _ bool) bool { return slot.Step < before && l.slots[slot] == nil })
}

// takeValidation removes and returns the summaries from validation passes up to a given step.
func (l *ledger) takeValidation(stage string, step int) []*summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.take(func(slot Slot, _ *summary) bool {
		return slot.Stage == stage && slot.Split == sdk.SplitValidation && slot.Step <= step
	})
}

// take removes the summaries that are due and returns them in slot order. The lock is held.
func (l *ledger) take(due func(Slot, *summary) bool) []*summary {
	var taken []*summary
	for slot, s := range l.slots {
		if due(slot, s) {
			taken = append(taken, s)
			delete(l.slots, slot)
		}
	}
	maps.DeleteFunc(l.ids, func(_ string, slot Slot) bool { return l.slots[slot] == nil })
	slices.SortFunc(taken, func(a, b *summary) int { return slot.Compare(a.slot, b.slot) })
	return taken
}

// open yields the steps of training episodes that have ended but have not been counted.
func (l *ledger) open(yield func(step int)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for slot := range l.slots {
		if slot.Split == sdk.SplitTrain {
			yield(slot.Step)
		}
	}
}

// discard drops the previous stage's data.
func (l *ledger) discard() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.slots)
	clear(l.ids)
	clear(l.early)
	clear(l.weighed)
}
