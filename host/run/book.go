package run

import (
	"encoding/json"
	"sync"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// book is what has happened in the run so far, this process and the ones before: what the end of a run reports and what
// a resumed run goes on from. It is part of each commit.
type book struct {
	mu     sync.Mutex
	stages []int // the step after which each stage began
	last   map[string]float64
	best   *bestSoFar
	before *float64
	exact  bool
	why    string // it is not exact
	tip    *runstore.Checkpoint
	window []sdk.FailureClass // of the circuit breaker, at the last commit
}

// bestSoFar is the best validation.
type bestSoFar struct {
	Step  int     `json:"step"`
	Value float64 `json:"value"`
}

func newBook(config Config) *book {
	b := &book{last: map[string]float64{}, exact: true, stages: make([]int, len(config.Plan.Stages))}
	tip := config.Writer.Tip()
	if tip == nil {
		return b
	}
	b.tip = tip
	var state hostState
	if manifest, err := config.Writer.ReadManifest(tip.Dir); err == nil && json.Unmarshal(manifest.Budgets, &state) == nil {
		copy(b.stages, state.Stages)
		b.window = state.Breaker
		b.best, b.before, b.exact, b.why = state.Best, state.Before, state.Exact, state.Inexact
		for name, v := range state.Last {
			b.last[name] = v
		}
	}
	return b
}

func (b *book) state(window []sdk.FailureClass) hostState {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.window = window
	return hostState{
		Breaker: window, Stages: append([]int(nil), b.stages...), Best: b.best, Exact: b.exact, Inexact: b.why,
		Last: deterministic(b.last), Before: b.before,
	}
}

// deterministic leaves out what depends on the clock, so that equal runs have equal manifests but for times.
func deterministic(metrics map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for name, v := range metrics {
		switch name {
		case "train/tokens_per_second", "train/rollout_seconds", "train/update_seconds":
		default:
			out[name] = v
		}
	}
	return out
}

// breakerWindow is what the circuit breaker remembers at a commit.
func (b *book) breakerWindow(tip *runstore.Checkpoint) []sdk.FailureClass {
	if tip == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.window
}

func (b *book) stageStart(index int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stages[index]
}

func (b *book) startStage(index, after int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stages[index] = after
}

// add takes the numbers of a boundary.
func (b *book) add(metrics runstore.Numbers, report rollout.BoundaryReport) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, v := range metrics {
		b.last[name] = v
	}
	if report.Train.WallClock > 0 || report.Validation != nil && report.Validation.WallClock > 0 {
		b.exact, b.why = false, "an episode's outcome depended on how long something took"
	}
}

// validated says whether a validation is the best so far.
func (b *book) validated(step int, by string, a rollout.Aggregate) bool {
	value := a.SuccessRate
	if by == "reward" {
		value = a.RewardMean
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.before == nil {
		rate := a.SuccessRate
		b.before = &rate
	}
	if b.best != nil && value <= b.best.Value {
		return false
	}
	b.best = &bestSoFar{Step: step, Value: value}
	return true
}

func (b *book) committed(c *runstore.Checkpoint) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tip = c
}

func (b *book) numbers() runstore.Numbers {
	b.mu.Lock()
	defer b.mu.Unlock()
	return runstore.Numbers(deterministic(b.last))
}

// finished fills in what the run has come to.
func (b *book) finished(into *event.RunFinished) {
	b.mu.Lock()
	defer b.mu.Unlock()
	into.Metrics = event.Metrics{}
	for name, v := range b.last {
		into.Metrics[name] = v
	}
	into.Exact = b.exact
	into.Before = event.Optional(b.before)
	if rate, ok := b.last["validation/success_rate"]; ok {
		into.After = event.Known(rate)
	}
	if b.tip != nil {
		into.Checkpoint, into.Digest, into.Step = b.tip.Path, b.tip.Digest, b.tip.Step
	}
}

func (b *book) inexact() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.why
}
