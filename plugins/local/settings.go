package local

import (
	"fmt"
	"math"

	"github.com/awhost/awhost/plugins/local/grpo"
	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

// settings are the knobs of a stage in the trainer's own terms.
type settings struct {
	seed            int64
	steps           int // of the stage
	prompts         int // groups per step
	groupSize       int
	hyper           grpo.Hyper
	schedule        grpo.Schedule
	adamw           tinylm.AdamW
	validateEvery   int // 0: only after the last step
	validateBefore  bool
	validateSamples int
	concurrency     int
}

func value[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
}

func newSettings(k sdk.Knobs, req sdk.TrainRequest) (settings, error) {
	s := settings{
		seed: k.Seed, prompts: value(k.Batch.Prompts, 32), groupSize: value(k.Batch.GroupSize, 8), concurrency: k.Concurrency,
		validateEvery: value(k.Validate.Every, 0), validateBefore: value(k.Validate.BeforeTrain, false), validateSamples: value(k.Validate.Samples, 1),
	}
	var err error
	if s.steps, err = stageSteps(k, req, s.prompts); err != nil {
		return s, err
	}
	if name := k.Algorithm.Name; name != "" && name != "grpo" {
		return s, fmt.Errorf("algorithm %q: the embedded trainer has grpo only", name)
	}
	h := grpo.DefaultHyper()
	h.ClipLow, h.ClipHigh = value(k.Algorithm.ClipLow, h.ClipLow), value(k.Algorithm.ClipHigh, h.ClipHigh)
	h.KL, h.Entropy = value(k.Algorithm.KL, h.KL), value(k.Algorithm.Entropy, h.Entropy)
	h.Normalize = grpo.Normalization(value(k.Algorithm.NormalizeBy, string(h.Normalize)))
	h.KeepZeroVariance = !value(k.Algorithm.DropZeroVariance, true)
	h.MiniBatch, h.Epochs = value(k.MiniBatch.Size, 0), value(k.MiniBatch.Epochs, 1)
	s.hyper = h
	if err := h.Validate(); err != nil {
		return s, err
	}
	s.schedule = grpo.Schedule{
		Peak: value(k.Optimizer.LearningRate, 1e-3), Shape: grpo.Shape(value(k.Optimizer.Schedule, string(grpo.Linear))),
		WarmupSteps: value(k.Optimizer.WarmupSteps, 5), TotalSteps: s.steps,
	}
	if err := s.schedule.Validate(); err != nil {
		return s, err
	}
	o := tinylm.DefaultAdamW()
	o.Beta1, o.Beta2 = value(k.Optimizer.Beta1, o.Beta1), value(k.Optimizer.Beta2, o.Beta2)
	o.WeightDecay, o.MaxGradNorm = value(k.Optimizer.WeightDecay, o.WeightDecay), value(k.Optimizer.MaxGradNorm, o.MaxGradNorm)
	s.adamw = o
	return s, o.Validate()
}

func stageSteps(k sdk.Knobs, req sdk.TrainRequest, prompts int) (int, error) {
	if prompts < 1 {
		return 0, fmt.Errorf("batch.prompts is %d: it must be at least 1", prompts)
	}
	switch {
	case k.Steps != nil && *k.Steps > 0:
		return *k.Steps, nil
	case k.Epochs != nil && *k.Epochs > 0:
		return max(1, int(math.Ceil(*k.Epochs*float64(req.TrainTasks)/float64(prompts)))), nil
	}
	return 0, fmt.Errorf("neither steps nor epochs is set: say how long to train")
}
