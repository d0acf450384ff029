package sdk

// Knobs is awhost's vocabulary of training settings, the same for every adapter. An adapter maps a knob to its
// framework's key or refuses it with the reason. The JSON names are the names of the spec language; a nil pointer
// means that neither the spec nor a default gives a value.
type Knobs struct {
	Seed         int64              `json:"seed"`
	Steps        *int               `json:"steps,omitempty"`  // optimiser steps of this stage
	Epochs       *float64           `json:"epochs,omitempty"` // instead of steps
	Batch        BatchKnobs         `json:"batch"`
	MiniBatch    MiniBatchKnobs     `json:"mini_batch"`
	Optimizer    OptimizerKnobs     `json:"optimizer"`
	Algorithm    AlgorithmKnobs     `json:"algorithm"`
	Sampling     SamplingKnobs      `json:"sampling"`
	Limits       LimitKnobs         `json:"limits"`
	FilterGroups *FilterGroupsKnobs `json:"filter_groups,omitempty"`
	Validate     ValidateKnobs      `json:"validate"`
	Checkpoint   CheckpointKnobs    `json:"checkpoint"`
	Tracking     TrackingKnobs      `json:"tracking"`
	Env          map[string]string  `json:"env,omitempty"`       // for the trainer's process
	Concurrency  int                `json:"concurrency"`         // most episodes at a time
	Overrides    map[string]string  `json:"overrides,omitempty"` // `apply spec -- key=value`
	// Set lists the paths that the user wrote, "batch.prompts" for example; all others are defaults.
	Set []string `json:"set,omitempty"`
}

// BatchKnobs size a step.
type BatchKnobs struct {
	Prompts   *int `json:"prompts,omitempty"`    // groups per step
	GroupSize *int `json:"group_size,omitempty"` // samples per group
}

// MiniBatchKnobs split a step into several updates.
type MiniBatchKnobs struct {
	Size   *int `json:"size,omitempty"`   // samples per update
	Epochs *int `json:"epochs,omitempty"` // passes over the batch
}

// OptimizerKnobs set up AdamW.
type OptimizerKnobs struct {
	LearningRate *float64 `json:"learning_rate,omitempty"`
	Schedule     *string  `json:"schedule,omitempty"` // constant, linear, cosine
	WarmupSteps  *int     `json:"warmup_steps,omitempty"`
	WeightDecay  *float64 `json:"weight_decay,omitempty"`
	MaxGradNorm  *float64 `json:"max_grad_norm,omitempty"`
	Beta1        *float64 `json:"beta1,omitempty"`
	Beta2        *float64 `json:"beta2,omitempty"`
}

// AlgorithmKnobs choose the objective.
type AlgorithmKnobs struct {
	Name             string   `json:"name"`                   // "grpo"
	ClipLow          *float64 `json:"clip_low,omitempty"`     // ratio may fall by this much
	ClipHigh         *float64 `json:"clip_high,omitempty"`    // ratio may rise by this much
	KL               *float64 `json:"kl,omitempty"`           // coefficient of the KL penalty to the reference
	Entropy          *float64 `json:"entropy,omitempty"`      // coefficient of the entropy bonus
	NormalizeBy      *string  `json:"normalize_by,omitempty"` // "std" (GRPO) or "none" (Dr. GRPO)
	DropZeroVariance *bool    `json:"drop_zero_variance,omitempty"`
}

// SamplingKnobs draw a rollout.
type SamplingKnobs struct {
	Temperature *float64 `json:"temperature,omitempty"`
	TopP        *float64 `json:"top_p,omitempty"`
	TopK        *int     `json:"top_k,omitempty"`
	Stop        []string `json:"stop,omitempty"`
}

// LimitKnobs bound an episode.
type LimitKnobs struct {
	PromptTokens   *int    `json:"prompt_tokens,omitempty"`
	ResponseTokens *int    `json:"response_tokens,omitempty"` // per episode, tool results included
	MessageTokens  *int    `json:"message_tokens,omitempty"`  // per assistant message
	Overlong       *string `json:"overlong,omitempty"`        // score, mask, penalise
}

// FilterGroupsKnobs drop groups that teach nothing.
type FilterGroupsKnobs struct {
	Metric     *string `json:"metric,omitempty"`
	Refill     *bool   `json:"refill,omitempty"`
	MaxRefills *int    `json:"max_refills,omitempty"`
}

// ValidateKnobs say when and how to validate.
type ValidateKnobs struct {
	Every          *int           `json:"every,omitempty"` // steps; nil: only at the end
	BeforeTrain    *bool          `json:"before_train,omitempty"`
	Samples        *int           `json:"samples,omitempty"` // per task
	BestBy         *string        `json:"best_by,omitempty"`
	LogGenerations *int           `json:"log_generations,omitempty"`
	Sampling       *SamplingKnobs `json:"sampling,omitempty"`
}

// CheckpointKnobs say which checkpoints are kept.
type CheckpointKnobs struct {
	Every *int    `json:"every,omitempty"`
	Unit  *string `json:"unit,omitempty"` // steps, epochs
	Keep  *int    `json:"keep,omitempty"`
}

// TrackingKnobs name where metrics go besides the run directory.
type TrackingKnobs struct {
	TensorBoard *bool   `json:"tensorboard,omitempty"`
	WandB       *bool   `json:"wandb,omitempty"`
	SwanLab     *bool   `json:"swanlab,omitempty"`
	Project     *string `json:"project,omitempty"`
	Experiment  *string `json:"experiment,omitempty"`
}
