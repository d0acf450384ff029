package run

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// book is what the run has come to, this process and the ones before: what its end reports and what a resumed run goes on
// from. It is part of each commit; a launch begins with what was committed. It is written by the boundary under way, and
// between launches by the runner.
type book struct {
	tip       *runstore.Checkpoint
	committed state
	now       state
}

// state is the book in a manifest.
type state struct {
	Breaker []sdk.FailureClass `json:"breaker,omitempty"` // what the circuit breaker remembers
	// Quarantine are the tasks that are not tried any more: of the stage under way, since each looks for itself.
	Quarantine []rollout.Quarantined `json:"quarantine,omitempty"`
	Stages     []int                 `json:"stages"` // the step after which each stage began
	Best       *best                 `json:"best,omitempty"`
	Before     *float64              `json:"before,omitempty"` // held-out success before the first step
	Exact      bool                  `json:"exact"`
	Inexact    string                `json:"inexact,omitempty"` // why it is not
	Last       runstore.Numbers      `json:"last,omitempty"`    // the last value of each number
}

// best is the best validation.
type best struct {
	Step  int     `json:"step"`
	Value float64 `json:"value"`
}

// openBook reads the book at the tip of the lineage, or begins one.
func openBook(w *runstore.Writer, stages int) (*book, error) {
	b := &book{tip: w.Tip(), committed: state{Exact: true, Stages: make([]int, stages), Last: runstore.Numbers{}}}
	if b.tip != nil {
		manifest, err := w.ReadManifest(b.tip.Dir)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(manifest.Budgets, &b.committed); err != nil || len(b.committed.Stages) != stages {
			return nil, fmt.Errorf("checkpoint %s does not say where its stages began: start another run with: awhost apply --new", b.tip.Dir)
		}
	}
	b.rollBack()
	return b, nil
}

// rollBack forgets what was not committed.
func (b *book) rollBack() { b.now = b.committed.clone() }

// goOn remembers what the last boundary of a trainer came to that is taken up again; nil: there was none since the commit.
func (b *book) goOn(last *runstore.BoundaryRecord) error {
	if last == nil || b.tip != nil && last.Step < b.tip.Step {
		return nil
	}
	var now state
	if err := json.Unmarshal(last.State, &now); err != nil || len(now.Stages) != len(b.committed.Stages) {
		return fmt.Errorf("the record of the boundary of step %d does not say where its stages began", last.Step)
	}
	b.now = now.clone()
	return nil
}

func (s state) clone() state {
	s.Breaker, s.Stages, s.Last, s.Quarantine = slices.Clone(s.Breaker), slices.Clone(s.Stages), maps.Clone(s.Last), slices.Clone(s.Quarantine)
	if s.Last == nil {
		s.Last = runstore.Numbers{}
	}
	return s
}

// at is the book for a manifest, with what the engine remembers at this step.
func (b *book) at(breaker []sdk.FailureClass, quarantine []rollout.Quarantined) state {
	b.now.Breaker, b.now.Quarantine = breaker, quarantine
	out := b.now.clone()
	out.Last = repeatable(out.Last)
	return out
}

// commit makes what is in the book now what a launch goes on from.
func (b *book) commit(c *runstore.Checkpoint) {
	b.tip, b.committed = c, b.now.clone()
}

// add takes the numbers of a boundary.
func (b *book) add(numbers runstore.Numbers, report rollout.BoundaryReport) {
	maps.Copy(b.now.Last, numbers)
	if report.Train.WallClock > 0 || report.Validation != nil && report.Validation.WallClock > 0 {
		b.now.Exact, b.now.Inexact = false, "the outcome of an episode depended on how long something took"
	}
}

// validated says whether a validation is the best so far. Of equal ones the first is: its checkpoint is kept.
func (b *book) validated(step int, by string, a rollout.Aggregate) bool {
	if b.now.Before == nil {
		rate := a.SuccessRate
		b.now.Before = &rate
	}
	value, known := a.SuccessRate, true
	if by == "reward" {
		value, known = a.RewardMean, a.Scored > 0
	}
	if !known || b.now.Best != nil && value <= b.now.Best.Value {
		return false
	}
	b.now.Best = &best{Step: step, Value: value}
	return true
}

// finished fills in what the run has come to: what was committed, with the last numbers.
func (b *book) finished(into *event.RunFinished) {
	into.Exact = b.now.Exact
	into.Before = event.Optional(b.now.Before)
	into.Metrics = event.Metrics(maps.Clone(b.now.Last))
	if rate, ok := b.now.Last["validation/success_rate"]; ok {
		into.After = event.Known(rate)
	}
	if b.tip != nil {
		into.Checkpoint, into.Digest, into.Step = relative(b.tip.Path), b.tip.Digest, b.tip.Step
	}
}

// inexact is why the run is not exactly repeatable, or nothing.
func (b *book) inexact() string {
	if b == nil {
		return ""
	}
	return b.now.Inexact
}
