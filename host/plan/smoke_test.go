package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

func stageOf(change func(*spec.Stage)) *spec.Stage {
	s := &spec.Stage{Name: "main", Settings: spec.Settings{Validation: "dataset.jsonl.test",
		CircuitBreaker: spec.CircuitBreaker{FailedFraction: 0.2}}}
	k := &s.Knobs
	k.Steps, k.Batch.Prompts, k.Batch.GroupSize = pointer(60), pointer(32), pointer(8)
	k.Checkpoint.Every, k.Checkpoint.Unit = pointer(10), pointer("epochs")
	k.Set = []string{"steps", "batch.prompts", "batch.group_size", "checkpoint.every"}
	if change != nil {
		change(s)
	}
	return s
}

func TestSmoke_MakesStagesSmall(t *testing.T) {
	own := stageOf(func(s *spec.Stage) {
		s.Knobs.Optimizer.LearningRate = pointer(1e-6)
		s.Knobs.Limits.ResponseTokens = pointer(4096)
		s.Knobs.Overrides = map[string]string{"a.b": "c"}
		s.Knobs.MiniBatch.Size = pointer(64)
		s.Knobs.FilterGroups = &sdk.FilterGroupsKnobs{Refill: pointer(true)}
		s.Knobs.Set = append(s.Knobs.Set, "filter_groups.refill")
		s.MinGroup = pointer(6)
	})
	before := *own
	train, smoke := smoke(&spec.Train{Stages: []*spec.Stage{own}, Tracking: spec.Tracking{TensorBoard: true}})
	if train.Tracking.Any() {
		t.Errorf("it tracks: %+v", train.Tracking)
	}
	if diff := cmp.Diff(before.Knobs, own.Knobs); diff != "" || own.CircuitBreaker.FailedFraction != 0.2 {
		t.Errorf("the spec itself has changed:\n%s", diff)
	}
	got := train.Stages[0]
	want := sdk.Knobs{
		Steps: pointer(2), Batch: sdk.BatchKnobs{Prompts: pointer(2), GroupSize: pointer(4)},
		MiniBatch: sdk.MiniBatchKnobs{Size: pointer(8)},
		Optimizer: own.Knobs.Optimizer, Limits: own.Knobs.Limits, Overrides: own.Knobs.Overrides,
		Validate:   sdk.ValidateKnobs{Every: pointer(2), BeforeTrain: pointer(true), Samples: pointer(1)},
		Checkpoint: sdk.CheckpointKnobs{Every: pointer(1), Unit: pointer("steps")},
		Set: []string{"steps", "batch.prompts", "batch.group_size", "checkpoint.every", "filter_groups.refill",
			"validate.every", "validate.before_train"},
	}
	if diff := cmp.Diff(want, got.Knobs); diff != "" {
		t.Errorf("knobs (-want +got):\n%s", diff)
	}
	if got.CircuitBreaker.FailedFraction != 1 || *got.MinGroup != 4 {
		t.Errorf("breaker at %v, min_group %d", got.CircuitBreaker.FailedFraction, *got.MinGroup)
	}
	for _, part := range []string{"2 steps of 2 prompts × 4 samples",
		"the circuit breaker, filter_groups, tracking are off", "on at most 4 tasks"} {
		if !slices.ContainsFunc(smoke.Changes, func(c string) bool { return strings.Contains(c, part) }) {
			t.Errorf("the changes do not say %q: %q", part, smoke.Changes)
		}
	}
	if smoke.adds("filter_groups.refill") || !smoke.adds("validate.every") || (*Smoke)(nil).adds("validate.every") {
		t.Errorf("added: %q", smoke.added)
	}
}

func TestSmoke_Sizes(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*spec.Stage)
		want   string // prompts, samples, samples of an update
	}{
		"smaller already": {func(s *spec.Stage) {
			s.Knobs.Batch.Prompts, s.Knobs.Batch.GroupSize = pointer(1),
				pointer(2)
		}, "1 2 0"},
		"no group":               {func(s *spec.Stage) { s.Knobs.Batch.GroupSize = pointer(1) }, "2 2 0"},
		"an odd group":           {func(s *spec.Stage) { s.Knobs.Batch.GroupSize = pointer(3) }, "2 2 0"},
		"left to the framework":  {func(s *spec.Stage) { s.Knobs.Batch = sdk.BatchKnobs{} }, "2 4 0"},
		"an update that divides": {func(s *spec.Stage) { s.Knobs.MiniBatch.Size = pointer(4) }, "2 4 4"},
		"one that does not":      {func(s *spec.Stage) { s.Knobs.MiniBatch.Size = pointer(3) }, "2 4 8"},
		"one sample, of a group of one": {func(s *spec.Stage) {
			s.Knobs.MiniBatch.Size, s.Knobs.Batch.GroupSize = pointer(1), pointer(1)
		}, "2 2 2"},
		"one that is more": {func(s *spec.Stage) { s.Knobs.MiniBatch.Size = pointer(256) }, "2 4 8"},
		"epochs instead of steps": {func(s *spec.Stage) {
			s.Knobs.Steps, s.Knobs.Epochs, s.Knobs.Set = nil, pointer(3.0), []string{"epochs"}
		}, "2 4 0"},
	} {
		k := smokeStage(stageOf(c.change)).Knobs
		updates := 0
		if k.MiniBatch.Size != nil {
			updates = *k.MiniBatch.Size
		}
		if got := fmt.Sprint(*k.Batch.Prompts, *k.Batch.GroupSize, updates); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if *k.Steps != 2 || k.Epochs != nil || slices.Contains(k.Set, "epochs") || !slices.Contains(k.Set, "steps") {
			t.Errorf("%s: steps %d, epochs %v, set %q", name, *k.Steps, k.Epochs, k.Set)
		}
	}
}
