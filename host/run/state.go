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
	"github.com/awhost/awhost/sdk/metric"
)

// runState is the run's state across all of its processes, on which its final report and a resume are based. It is part
// of each commit, and a launch begins with the state that was committed. It is written by the boundary in progress and,
// between launches, by the runner.
type runState struct {
	tip       *runstore.Checkpoint
	committed state
	now       state
	// inexactReason explains why this process's commits are not reproducible. It is empty if they are.
	inexactReason string
}

// state is the part of runState that a manifest contains.
type state struct {
	Breaker []sdk.FailureClass `json:"breaker,omitempty"` // the circuit breaker's window
	// Quarantine lists the tasks in the current stage that are not tried again. Each stage has its own list.
	Quarantine []rollout.Quarantined `json:"quarantine,omitempty"`
	// Codecs holds what has read the policy's messages, by adapter.
	Codecs map[string]rollout.Codec `json:"codecs,omitempty"`
	Stages []int                    `json:"stages"` // the step after which each stage began
	// Training is the training result for each stage. Runs by earlier versions do not have it.
	Training []training       `json:"training,omitempty"`
	Best     *best            `json:"best,omitempty"`
	Before   *float64         `json:"before,omitempty"` // held-out success at the first validation on Set
	Set      string           `json:"set,omitempty"`    // address of the dataset of the last validation
	Exact    bool             `json:"exact"`
	Inexact  string           `json:"inexact,omitempty"` // the reason why it is not
	Last     runstore.Numbers `json:"last,omitempty"`    // the last value of each number
}

// best is a stage's best validation pass.
type best struct {
	Stage int     `json:"stage"`
	Step  int     `json:"step"`
	Value float64 `json:"value"`
	Star  bool    `json:"star"` // it belongs to a trained policy, or its checkpoint is kept
}

// training is a stage's training result.
type training struct {
	Episodes int                      `json:"episodes,omitempty"` // not withdrawn
	Trained  int                      `json:"trained,omitempty"`  // of Episodes, reported as trained by the trainer
	Failed   int                      `json:"failed,omitempty"`   // without a number
	Dropped  int                      `json:"dropped,omitempty"`  // with a number, and dropped because siblings failed
	Judged   int                      `json:"judged,omitempty"`   // counted by the circuit breaker
	Broken   map[sdk.FailureClass]int `json:"broken,omitempty"`   // of Judged, failures by class
	Groups   int                      `json:"groups,omitempty"`   // with at least two rewards that were not dropped
	Flat     int                      `json:"flat,omitempty"`     // of Groups, with equal rewards
	Foreign  int                      `json:"foreign,omitempty"`  // of Episodes: most tool calls were not read
}

// nothingLearned reports whether there was training, but no sample was trained or the rewards within each group were
// equal.
func (t training) nothingLearned() bool { return t.Episodes > 0 && (t.Trained == 0 || t.allFlat()) }

// allFlat reports whether there were groups and the rewards within each of them were equal.
func (t training) allFlat() bool { return t.Groups > 0 && t.Groups == t.Flat }

// mostlyFailed reports whether nothing was trained because of failures: the majority of episodes failed or were
// dropped.
func (t training) mostlyFailed() bool {
	return t.Trained == 0 && !t.allFlat() && t.Failed > 0 && 2*(t.Failed+t.Dropped) > t.Episodes
}

func newState(stages int) state {
	return state{Exact: true, Stages: make([]int, stages), Training: make([]training, stages), Last: runstore.Numbers{}}
}

// openRunState reads the state at the tip of the lineage, or creates one.
func openRunState(w *runstore.Writer, stages int) (*runState, error) {
	b := &runState{tip: w.Tip(), committed: newState(stages), inexactReason: w.Inexact()}
	if b.tip != nil {
		manifest, err := w.ReadManifest(b.tip.Dir)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(manifest.Budgets, &b.committed); err != nil || len(b.committed.Stages) != stages {
			return nil, fmt.Errorf("checkpoint %s does not record where its stages began: start another run with: awhost "+
				"apply --new", b.tip.Dir)
		}
	}
	b.rollBack()
	return b, nil
}

// rollBack discards uncommitted changes.
func (b *runState) rollBack() { b.now = b.markInexact(b.committed.clone()) }

// markInexact marks a state from which this process continues as inexact.
func (b *runState) markInexact(s state) state {
	if b.inexactReason != "" {
		s.Exact, s.Inexact = false, b.inexactReason
	}
	return s
}

// resume restores the state after the last boundary of a trainer that the host reattaches to. A nil boundary means that
// there has been none since the commit.
func (b *runState) resume(last *runstore.BoundaryRecord) error {
	if last == nil || b.tip != nil && last.Step < b.tip.Step {
		return nil
	}
	var now state
	if err := json.Unmarshal(last.State, &now); err != nil || len(now.Stages) != len(b.committed.Stages) {
		return fmt.Errorf("the boundary record for step %d does not record where its stages began", last.Step)
	}
	b.now = b.markInexact(now.clone())
	return nil
}

func (s state) clone() state {
	s.Breaker, s.Stages, s.Last, s.Quarantine = slices.Clone(s.Breaker), slices.Clone(s.Stages), maps.Clone(s.Last),
		slices.Clone(s.Quarantine)
	s.Training = append(slices.Clone(s.Training), make([]training, len(s.Stages)-len(s.Training))...)
	for i := range s.Training {
		s.Training[i].Broken = maps.Clone(s.Training[i].Broken)
	}
	s.Codecs = maps.Clone(s.Codecs)
	if s.Last == nil {
		s.Last = runstore.Numbers{}
	}
	return s
}

// keepCodec records the codec of an adapter's messages, if it is known.
func (b *runState) keepCodec(adapter string, codec *rollout.Codec) {
	if codec == nil {
		return
	}
	if b.now.Codecs == nil {
		b.now.Codecs = map[string]rollout.Codec{}
	}
	b.now.Codecs[adapter] = *codec
}

// Codecs returns the codecs that had read the policy's messages when a checkpoint was committed, by adapter.
func Codecs(m *runstore.Manifest) (map[string]rollout.Codec, error) {
	var s struct {
		Codecs map[string]rollout.Codec `json:"codecs"`
	}
	if err := json.Unmarshal(m.Budgets, &s); err != nil {
		return nil, fmt.Errorf("read the codecs of step %d: %w", m.Step, err)
	}
	return s.Codecs, nil
}

// at returns the state for a manifest, including the engine's state at this step.
func (b *runState) at(breaker []sdk.FailureClass, quarantine []rollout.Quarantined) state {
	b.now.Breaker, b.now.Quarantine = breaker, quarantine
	out := b.now.clone()
	out.Last = repeatable(out.Last)
	return out
}

// commit makes the current state the one from which launches start.
func (b *runState) commit(c *runstore.Checkpoint) {
	b.tip, b.committed = c, b.now.clone()
}

// add adds the numbers from a boundary.
func (b *runState) add(numbers runstore.Numbers, report rollout.BoundaryReport) {
	maps.Copy(b.now.Last, numbers)
	if report.Train.WallClock > 0 || report.Validation != nil && report.Validation.WallClock > 0 {
		b.now.Exact, b.now.Inexact = false, "the outcome of an episode depended on how long something took"
	}
}

// count adds the training result of a step in a stage. It must be called before the validation pass that follows the
// step.
func (b *runState) count(stage int, a rollout.Aggregate, trained int) {
	t := &b.now.Training[stage]
	t.Episodes += a.Episodes - a.Withdrawn
	t.Trained += trained
	t.Failed += failed(a)
	t.Dropped += a.Dropped
	t.Groups += a.Groups
	t.Flat += a.ZeroVarianceGroups
	t.Foreign += a.Foreign
	classes, judged := a.Broken()
	t.Judged += judged
	if t.Broken == nil {
		t.Broken = map[sdk.FailureClass]int{}
	}
	for class, n := range classes {
		t.Broken[class] += n
	}
}

// validation describes a pass over held-out tasks.
type validation struct {
	stage, step int
	set         string // address of its dataset
	by          string // the spec's best_by
	checkpoint  bool   // a checkpoint is committed with it
}

// validated reports whether a validation pass is the best of its stage so far, after effective training. If several are
// equal, the first is the best, and its checkpoint is kept. A stage's initial validation pass is the baseline for the
// others and may remain the best until the stage ends.
func (b *runState) validated(v validation, a rollout.Aggregate) bool {
	if b.now.Set != v.set {
		b.now.Set, b.now.Before, b.now.Best = v.set, nil, nil
	}
	if b.now.Best != nil && b.now.Best.Stage != v.stage {
		b.now.Best = nil
	}
	if b.now.Before == nil {
		rate := a.SuccessRate
		b.now.Before = &rate
	}
	value, known, worth := a.SuccessRate, true, a.SuccessRate > 0
	if v.by == "reward" {
		value, known, worth = a.RewardMean, a.Scored > 0, true
	}
	if !known || b.now.Best != nil && value <= b.now.Best.Value {
		return false
	}
	t := b.now.Training[v.stage]
	star := worth && !t.nothingLearned() && (t.Episodes > 0 || v.checkpoint)
	b.now.Best = &best{Stage: v.stage, Step: v.step, Value: value, Star: star}
	return star && t.Episodes > 0
}

// bestStep returns the step of a stage's best validation pass. ok is false if none qualify.
func (b *runState) bestStep(stage int) (step int, ok bool) {
	if b.now.Best == nil || b.now.Best.Stage != stage || !b.now.Best.Star || b.now.Training[stage].nothingLearned() {
		return 0, false
	}
	return b.now.Best.Step, true
}

// finished fills in the run's result: the committed checkpoint with the latest numbers.
func (b *runState) finished(into *event.RunFinished) {
	into.Exact = b.now.Exact
	into.Before = event.Optional(b.now.Before)
	if b.now.Best != nil {
		if step, ok := b.bestStep(b.now.Best.Stage); ok {
			into.Best = event.Known(float64(step))
		}
	}
	into.Metrics = event.Metrics(maps.Clone(b.now.Last))
	if rate, ok := b.now.Last[metric.ValidationSuccessRate]; ok {
		into.After = event.Known(rate)
	}
	if b.tip != nil {
		into.Checkpoint, into.Digest, into.Step = relative(b.tip.Path), b.tip.Digest, b.tip.Step
	}
}

// inexact returns the reason why the run is not exactly reproducible, or an empty string if it is.
func (b *runState) inexact() string {
	if b == nil {
		return ""
	}
	return b.now.Inexact
}
