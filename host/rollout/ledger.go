package rollout

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/awhost/awhost/host/rollout/internal/slot"
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
	dropped    bool // with its group, or as the only survivor of it
	withdrawn  bool // cancelled because somebody asked for it, not because it could not be had
	trainable  bool // something of it can be trained: a later step may use it
	wallClock  bool
	blamed     string // see EpisodeRecord
	turns      int
	tokens     int // of all sampled messages
	trained    int // of them, of the agents that are trained
	retries    int
	redraws    int
	drift      int
	malformed  int
	refused    int
	components map[string]float64
	metrics    map[string]float64
	members    []MemberRecord
	seen       int // the first boundary after its end, 0 before
}

func summarise(r *EpisodeRecord) *summary {
	s := &summary{
		slot: r.Slot, episode: r.EpisodeID, draw: r.Draw, outcome: r.Outcome, reward: r.Reward, success: r.IsSuccess,
		masked: r.Masked, dropped: r.DropGroup || r.LoneSurvivor, wallClock: r.WallClock, blamed: r.Blamed, turns: len(r.Turns), retries: r.Retries, redraws: r.Redraws,
		drift: r.DriftCount, malformed: r.MalformedCalls, refused: r.RefusedCalls,
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
		// A turn from the journal names its agent where there are several.
		trains := func(c ChainRecord) bool { return c.Train && (t.Agent == c.Agent || t.Agent == "") }
		if slices.ContainsFunc(r.Chains, trains) {
			s.trained += t.OutputTokens
		}
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

// ledger keeps one summary per slot until a step counts it. An episode counts in the numbers of the step that uses it; one of which
// nothing can be trained will not be used, and counts at the first boundary after its end, as does one that has waited longer than window.
// So it does not matter how long an episode takes, nor how far ahead a trainer draws. The circuit breaker waits for nobody: it weighs
// what failed and what did not at the same boundary, the first after the end, else a trainer that draws ahead would seem to fail.
type ledger struct {
	mu      sync.Mutex
	window  int // see Options.OpenWindow
	slots   map[Slot]*summary
	ids     map[string]Slot // of all episodes of these slots
	early   map[string]bool // used, as the trainer says, before they were over: lost
	weighed map[Slot]bool   // the breaker has had an episode of these
}

func newLedger() *ledger {
	return &ledger{slots: map[Slot]*summary{}, ids: map[string]Slot{}, early: map[string]bool{}, weighed: map[Slot]bool{}}
}

// recall takes in an episode that is on record.
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

// takeTrain removes the summaries that count at a boundary of training, in slot order.
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

// expired says whether no step will use an episode any more: it waited too long. The lock is held.
func (l *ledger) expired(s *summary, step int) bool {
	since := s.slot.Step
	if since == 0 { // its trainer does not say
		since = s.seen
	}
	return l.window > 0 && since > 0 && since < step-l.window
}

// weigh lists, in slot order, what the circuit breaker has to look at after a boundary at which some episodes counted: these, and
// those that wait for the step that uses them, each slot once.
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

// forget lets go of slots of steps that are over: nobody fills them again.
func (l *ledger) forget(before int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.weighed, func(slot Slot, _ bool) bool { return slot.Step < before && l.slots[slot] == nil })
}

// takeValidation removes those of the passes up to a step.
func (l *ledger) takeValidation(stage string, step int) []*summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.take(func(slot Slot, _ *summary) bool {
		return slot.Stage == stage && slot.Split == sdk.SplitValidation && slot.Step <= step
	})
}

// take removes the summaries that are due, in slot order. The lock is held.
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

// open lists the steps of the training episodes that are over and have not counted.
func (l *ledger) open(yield func(step int)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for slot := range l.slots {
		if slot.Split == sdk.SplitTrain {
			yield(slot.Step)
		}
	}
}

// discard forgets what a stage that is over left behind.
func (l *ledger) discard() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.slots)
	clear(l.ids)
	clear(l.early)
	clear(l.weighed)
}
