package local

import (
	"errors"
	"fmt"
	"math"

	"github.com/awhost/awhost/plugins/local/grpo"
	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

const algorithm = "grpo" // the only algorithm

// settings holds a stage's knobs in the trainer's format.
type settings struct {
	seed        int64
	steps       int // of the stage
	prompts     int // groups per step
	groupSize   int
	hyper       grpo.Hyper // without learning rate and seed, which each step sets
	schedule    grpo.Schedule
	adamw       tinylm.AdamW
	sampling    tinylm.Sampling // in training; the host sends it with each call
	validate    validation
	concurrency int // episodes that the host runs concurrently
}

type validation struct {
	every       int // steps; 0: only after the last one
	beforeTrain bool
	samples     int // per task
}

// knobError reports an invalid knob value.
type knobError struct {
	knob string
	err  error
}

// Error implements error.
func (e *knobError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *knobError) Unwrap() error { return e.err }

// at adds the knob to an error; a nil error stays nil.
func at(knob string, err error) error {
	if err == nil {
		return nil
	}
	return &knobError{knob, err}
}

// newSettings fills in the trainer's defaults and returns an error if the settings cannot be used for training.
func newSettings(k sdk.Knobs, trainTasks int) (settings, error) {
	s := settings{
		seed: k.Seed, prompts: sdk.ValueOr(k.Batch.Prompts, 32), groupSize: sdk.ValueOr(k.Batch.GroupSize, 8),
		concurrency: k.Concurrency,
		validate: validation{
			every: sdk.ValueOr(k.Validate.Every, 0), beforeTrain: sdk.ValueOr(k.Validate.BeforeTrain, false),
			samples: sdk.ValueOr(k.Validate.Samples, 1),
		},
	}
	if s.concurrency < 1 {
		s.concurrency = 64
	}
	if name := k.Algorithm.Name; name != "" && name != algorithm {
		return s, at("algorithm", fmt.Errorf("algorithm %q: the embedded trainer has %s only", name, algorithm))
	}
	var err error
	if s.steps, err = stageSteps(k, trainTasks, s.prompts); err != nil {
		return s, err
	}
	if s.hyper, err = hyper(k); err != nil {
		return s, err
	}
	if s.groupSize < 1 || s.groupSize == 1 && !s.hyper.KeepZeroVariance {
		return s, at("batch.group_size", fmt.Errorf(
			"batch.group_size is %d: GRPO compares the samples of a group, so there must be at least 2", s.groupSize))
	}
	if s.schedule, err = schedule(k.Optimizer, s.steps); err != nil {
		return s, err
	}
	if s.adamw, err = adamw(k.Optimizer); err != nil {
		return s, err
	}
	s.sampling, err = trainingSampling(k)
	return s, err
}

// step returns the hyperparameters for the stage's k-th step. number counts the step across all stages.
func (s settings) step(k, number int) grpo.Hyper {
	h := s.hyper
	h.LearningRate = s.schedule.At(k)
	h.Seed = uint64(s.seed)<<32 ^ uint64(number)
	return h
}

func stageSteps(k sdk.Knobs, trainTasks, prompts int) (int, error) {
	if prompts < 1 {
		return 0, at("batch.prompts", fmt.Errorf("batch.prompts is %d: it must be at least 1", prompts))
	}
	switch {
	case k.Steps != nil && *k.Steps > 0:
		return *k.Steps, nil
	case k.Epochs != nil && *k.Epochs > 0:
		return max(1, int(math.Ceil(*k.Epochs*float64(trainTasks)/float64(prompts)))), nil
	}
	return 0, at("steps", errors.New("neither steps nor epochs is set: set one of them"))
}

func hyper(k sdk.Knobs) (grpo.Hyper, error) {
	h := grpo.DefaultHyper()
	h.ClipLow, h.ClipHigh = sdk.ValueOr(k.Algorithm.ClipLow, h.ClipLow), sdk.ValueOr(k.Algorithm.ClipHigh, h.ClipHigh)
	h.KL, h.Entropy = sdk.ValueOr(k.Algorithm.KL, h.KL), sdk.ValueOr(k.Algorithm.Entropy, h.Entropy)
	h.Normalize = grpo.Normalization(sdk.ValueOr(k.Algorithm.NormalizeBy, string(h.Normalize)))
	h.KeepZeroVariance = !sdk.ValueOr(k.Algorithm.DropZeroVariance, true)
	h.MiniBatch, h.Epochs = sdk.ValueOr(k.MiniBatch.Size, 0), sdk.ValueOr(k.MiniBatch.Epochs, 1)
	return h, at("algorithm", h.Validate())
}

func schedule(k sdk.OptimizerKnobs, steps int) (grpo.Schedule, error) {
	s := grpo.Schedule{
		Peak:        sdk.ValueOr(k.LearningRate, grpo.DefaultHyper().LearningRate),
		Shape:       grpo.Shape(sdk.ValueOr(k.Schedule, string(grpo.Linear))),
		WarmupSteps: sdk.ValueOr(k.WarmupSteps, 5), TotalSteps: steps,
	}
	return s, at("optimizer.schedule", s.Validate())
}

func adamw(k sdk.OptimizerKnobs) (tinylm.AdamW, error) {
	o := tinylm.DefaultAdamW()
	o.Beta1, o.Beta2 = sdk.ValueOr(k.Beta1, o.Beta1), sdk.ValueOr(k.Beta2, o.Beta2)
	o.WeightDecay, o.MaxGradNorm = sdk.ValueOr(k.WeightDecay, o.WeightDecay), sdk.ValueOr(k.MaxGradNorm, o.MaxGradNorm)
	return o, at("optimizer", o.Validate())
}

func trainingSampling(k sdk.Knobs) (tinylm.Sampling, error) {
	s := sampling(sdk.Sampling{
		Temperature: k.Sampling.Temperature, TopP: k.Sampling.TopP, TopK: sdk.ValueOr(k.Sampling.TopK, 0),
		MaxTokens: sdk.ValueOr(k.Limits.MessageTokens, 0),
	})
	if truncatesDistribution(s) {
		return s, fmt.Errorf("sampling.top_p is %v and sampling.top_k is %d: %w", s.TopP, s.TopK, errCut)
	}
	return s, nil
}

// errCut rejects top-p and top-k for training. The trainer's logprobs cover all tokens, so updates on samples drawn
// from fewer tokens would optimize a distribution that was not sampled from.
var errCut = errors.New("the embedded trainer follows the gradient of the distribution over all tokens, and " +
	"truncated sampling would bias it; leave top_p at 1 and top_k at 0, and use sampling.temperature. " +
	"validate.sampling may truncate")

// sampling returns the sampling parameters for a message.
func sampling(s sdk.Sampling) tinylm.Sampling {
	return tinylm.Sampling{Temperature: sdk.ValueOr(s.Temperature, 1), TopP: sdk.ValueOr(s.TopP, 1), TopK: s.TopK,
		MaxTokens: s.MaxTokens}
}

// truncatesDistribution reports whether some tokens are never drawn.
func truncatesDistribution(s tinylm.Sampling) bool { return s.TopP < 1 || s.TopK > 0 }
