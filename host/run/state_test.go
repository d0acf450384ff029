package run

import (
	"testing"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
)

// The best validation belongs to one stage and one validation set, and follows effective training there.
func TestRunState_Best(t *testing.T) {
	type pass struct {
		stage          int
		set            string
		rate           float64
		flat, trained  bool // in the previous step: groups without variance, or with variance
		checkpointOnly bool // a checkpoint without training so far
		star           bool
	}
	learned := rollout.Aggregate{Episodes: 4, Scored: 4, Groups: 2, ZeroVarianceGroups: 1}
	flat := rollout.Aggregate{Episodes: 4, Scored: 4, Groups: 2, ZeroVarianceGroups: 2}
	for name, test := range map[string]struct {
		passes []pass
		before float64
		best   int // step, -1: none; the n-th pass belongs to step n
	}{
		"the highest, the first of equals": {before: 0.1, best: 2, passes: []pass{
			{set: "a", rate: 0.1}, {set: "a", rate: 0.2, trained: true, star: true},
			{set: "a", rate: 0.5, trained: true, star: true}, {set: "a", rate: 0.5, trained: true},
		}},
		"none at 0 %": {best: -1, passes: []pass{{set: "a"}, {set: "a", trained: true}}},
		"none worse than the start": {before: 0.4, best: -1,
			passes: []pass{{set: "a", rate: 0.4}, {set: "a", rate: 0.3, trained: true}}},
		"the checkpoint of a warm start": {before: 0.4, best: 0,
			passes: []pass{{set: "a", rate: 0.4, checkpointOnly: true}, {set: "a", rate: 0.3, trained: true}}},
		"none where groups are all equal": {before: 0.4, best: -1,
			passes: []pass{{set: "a", rate: 0.4, checkpointOnly: true}, {set: "a", rate: 0.5, flat: true}}},
		"another stage starts again": {before: 0.1, best: 2, passes: []pass{
			{set: "a", rate: 0.1}, {set: "a", rate: 0.9, trained: true, star: true},
			{stage: 1, set: "a", rate: 0.3, trained: true, star: true},
		}},
		"another stage has none": {before: 0.1, best: -1, passes: []pass{
			{set: "a", rate: 0.1}, {set: "a", rate: 0.9, trained: true, star: true}, {stage: 1, set: "a", rate: 0.3},
		}},
		"another set is another measure": {before: 0.3, best: 3, passes: []pass{
			{set: "a", rate: 0.8}, {set: "a", rate: 0.9, trained: true, star: true}, {stage: 1, set: "b", rate: 0.3},
			{stage: 1, set: "b", rate: 0.4, trained: true, star: true},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := &runState{committed: newState(2)}
			b.rollBack()
			for step, p := range test.passes {
				switch {
				case p.trained:
					b.count(p.stage, learned, 2)
				case p.flat:
					b.count(p.stage, flat, 0)
				}
				v := validation{stage: p.stage, set: p.set, step: step, by: "success_rate", checkpoint: p.checkpointOnly ||
					p.trained}
				if star := b.validated(v, rollout.Aggregate{SuccessRate: p.rate, Scored: 4}); star != p.star {
					t.Errorf("step %d, %v: star %t", step, p.rate, star)
				}
			}
			var end event.RunFinished
			b.finished(&end)
			best, ok := end.Best.Get()
			if !ok {
				best = -1
			}
			before, _ := end.Before.Get()
			if int(best) != test.best || before != test.before {
				t.Errorf("best at step %v, before %v; want %d, %v", best, before, test.best, test.before)
			}
		})
	}
}

// A negative reward may still be the best. If all episodes failed, no validation is the best.
func TestRunState_BestByReward(t *testing.T) {
	b := &runState{committed: newState(1)}
	b.rollBack()
	b.count(0, rollout.Aggregate{Episodes: 1, Scored: 1}, 1)
	by := validation{set: "a", step: 1, by: "reward", checkpoint: true}
	if b.validated(by, rollout.Aggregate{}) {
		t.Error("a star where all episodes failed")
	}
	if !b.validated(by, rollout.Aggregate{RewardMean: -2, Scored: 3}) {
		t.Error("no star for the only reward")
	}
}

// The training of a run has learned something, nothing, or nothing because of failures.
func TestTraining_NothingLearned(t *testing.T) {
	for name, test := range map[string]struct {
		training
		nothing, failures bool
	}{
		"no training": {training{}, false, false},
		"some learned": {training{Episodes: 64, Trained: 8, Failed: 50, Groups: 4, Flat: 1}, false,
			false},
		"samples worth the same":               {training{Episodes: 8, Groups: 2, Flat: 2}, true, false},
		"samples worth the same, and failures": {training{Episodes: 8, Failed: 6, Groups: 1, Flat: 1}, true, false},
		"all failed":                           {training{Episodes: 8, Failed: 8}, true, true},
		"a third failed and took the rest":     {training{Episodes: 64, Failed: 21, Dropped: 43}, true, true},
		"most were cut off, and one failed":    {training{Episodes: 100, Failed: 1}, true, false},
		"rewards differed, and none was used":  {training{Episodes: 8, Groups: 2}, true, false},
	} {
		if got := test.nothingLearned(); got != test.nothing {
			t.Errorf("%s: nothing learned %t, want %t", name, got, test.nothing)
		}
		if got := test.mostlyFailed(); got != test.failures {
			t.Errorf("%s: because of failures %t, want %t", name, got, test.failures)
		}
	}
}
