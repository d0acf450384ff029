package runstore

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/sdk"
)

// The reasons why an episode used by a step was not trained, apart from the class of its failure.
const (
	whyEqualRewards = "equal_rewards" // in its group, which therefore teaches nothing
	whyGroupDropped = "group_dropped"
	whyTruncated    = "truncated" // and masked by the spec
	whyLost         = "lost"      // the trainer cannot use it: its rows are gone
	whyStale        = "stale"
	whyLeftOut      = "left_out" // by the trainer, although it has a reward
)

// IncompleteStep is a step in the lineage that had fewer samples than the spec plans.
type IncompleteStep struct {
	Stage   string `json:"stage"`
	Step    int    `json:"step"`
	Planned int    `json:"planned"`
	Samples int    `json:"samples"` // trained samples, and samples of groups with equal rewards
	// Why counts the other used samples by their failure class or by one of the reasons above. Missing samples were
	// never used: they have no result.
	Why map[string]int `json:"why,omitempty"`
}

// whyTexts maps the reasons to display text.
var whyTexts = map[string]string{
	whyGroupDropped: "dropped with their group", whyTruncated: "cut by a limit and masked", whyLost: "lost by the trainer",
	whyStale: "too old", whyLeftOut: "left out by the trainer",
}

// String returns a description for people.
func (s IncompleteStep) String() string {
	var parts []string
	for _, why := range slices.Sorted(maps.Keys(s.Why)) {
		text, known := whyTexts[why]
		if !known {
			text = "failed (" + why + ")"
		}
		parts = append(parts, fmt.Sprintf("%d %s", s.Why[why], text))
	}
	if n := s.missing(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d without a result", n))
	}
	return fmt.Sprintf("step %d of stage %s had %d of %d samples: %s", s.Step, s.Stage, s.Samples, s.Planned,
		strings.Join(parts, ", "))
}

func (s IncompleteStep) missing() int {
	n := s.Planned - s.Samples
	for _, count := range s.Why {
		n -= count
	}
	return n
}

// IncompleteSteps returns the steps in the lineage that had fewer samples than planned, in order. Launches without a
// planned number are ignored.
func (r *Run) IncompleteSteps() ([]IncompleteStep, error) {
	h, err := r.history()
	if err != nil {
		return nil, err
	}
	tally := newSampleTally(h)
	err = r.eachCommit(h, func(_ Checkpoint, consumed []Consumed) error {
		tally.add(consumed)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tally.incomplete(r, h)
}

// sampleTally counts the samples in each step.
type sampleTally struct {
	planned map[string]int // by stage
	steps   map[int]*IncompleteStep
}

func newSampleTally(h *history) *sampleTally {
	t := &sampleTally{planned: map[string]int{}, steps: map[int]*IncompleteStep{}}
	for _, l := range h.launches {
		t.planned[l.Stage] = l.Samples
	}
	return t
}

// add adds the samples in a manifest's list.
func (t *sampleTally) add(consumed []Consumed) {
	for _, c := range consumed {
		if c.Use == UseValidated {
			continue
		}
		s := t.step(c.Slot.Stage, c.Step)
		switch {
		case c.Use == sdk.ConsumedTrained, c.Why == whyEqualRewards:
			s.Samples++
		default:
			s.Why[c.Why]++
		}
	}
}

func (t *sampleTally) step(stage string, step int) *IncompleteStep {
	s := t.steps[step]
	if s == nil {
		s = &IncompleteStep{Step: step, Why: map[string]int{}}
		t.steps[step] = s
	}
	if stage != "" { // a lost one may have no slot
		s.Stage, s.Planned = stage, t.planned[stage]
	}
	return s
}

// incomplete lists the steps with fewer samples than planned, including the steps that used none.
func (t *sampleTally) incomplete(r *Run, h *history) ([]IncompleteStep, error) {
	tip := -1
	if n := len(h.lineage); n > 0 {
		tip = h.lineage[n-1].Step
	}
	for record, err := range r.Records(journal.Position{}, TypeStep) {
		if err == nil {
			err = decoded(record, func(s StepRecord) {
				if len(s.Consumed) == 0 && s.Step <= tip {
					t.step(s.Stage, s.Step)
				}
			})
		}
		if err != nil {
			return nil, err
		}
	}
	var out []IncompleteStep
	for _, step := range slices.Sorted(maps.Keys(t.steps)) {
		if s := t.steps[step]; s.Samples < s.Planned {
			out = append(out, *s)
		}
	}
	return out, nil
}

// whyNot returns why a record can no longer be trained on, whatever its trainer does, or an empty string if it has a
// reward.
func whyNot(e *EpisodeRecord) string {
	switch {
	case e.Failure != nil:
		return string(e.Failure.Class)
	case e.DropGroup, e.Outcome == sdk.OutcomeDropped:
		return whyGroupDropped
	case e.Reward == nil || e.Masked:
		return whyTruncated
	}
	return ""
}

// explain sets the reasons for used episodes that were not trained on. The caller holds mu. The episodes are still
// open.
func (w *Writer) explain(consumed []Consumed) {
	type span struct{ least, most float64 }
	groups := map[Slot]*span{}
	for _, c := range consumed {
		if reward := w.open[c.EpisodeID].reward; reward != nil {
			g := groups[c.Slot.groupSlot()]
			if g == nil {
				g = &span{math.Inf(1), math.Inf(-1)}
				groups[c.Slot.groupSlot()] = g
			}
			g.least, g.most = min(g.least, *reward), max(g.most, *reward)
		}
	}
	for i := range consumed {
		c := &consumed[i]
		episode := w.open[c.EpisodeID]
		switch {
		case c.Use == sdk.ConsumedTrained:
		case c.Use == sdk.ConsumedLost:
			c.Why = whyLost
		case c.Use == sdk.ConsumedStale:
			c.Why = whyStale
		case episode.why != "":
			c.Why = episode.why
		case c.Use == sdk.ConsumedFiltered && episode.reward != nil &&
			groups[c.Slot.groupSlot()].least == groups[c.Slot.groupSlot()].most:
			c.Why = whyEqualRewards
		default:
			c.Why = whyLeftOut
		}
	}
}

// groupSlot returns a slot that is the same for all samples in a group.
func (s Slot) groupSlot() Slot {
	s.Sample = 0
	return s
}
