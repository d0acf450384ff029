package local

import "github.com/awhost/awhost/sdk"

// knob describes how one of the spec's knobs is handled. Exactly one of key and refused is set.
type knob struct {
	path    string
	key     string             // the embedded trainer's name for it; byHost if only the host uses it
	value   func(settings) any // the stage's value; nil if only the host uses it
	note    string             // on the value, for the README
	refused string             // why the embedded trainer does not support it
}

const byHost = "host"

// knobs lists all of sdk.Knobs, in order. The plan, the README and a completeness test are based on it.
var knobs = []knob{
	{path: "seed", key: "seed", value: func(s settings) any { return s.seed },
		note: "of the policy's first weights, the warm start's draws and the order of mini-batches"},
	{path: "steps", key: "steps", value: func(s settings) any { return s.steps }},
	{path: "epochs", key: "steps", value: func(s settings) any { return s.steps },
		note: "steps = epochs × tasks / prompts, rounded up"},
	{path: "batch.prompts", key: "grpo.prompts", value: func(s settings) any { return s.prompts }},
	{path: "batch.group_size", key: "grpo.group_size", value: func(s settings) any { return s.groupSize }},
	{path: "mini_batch.size", key: "grpo.mini_batch", value: func(s settings) any { return s.hyper.MiniBatch },
		note: "0: all samples in one update"},
	{path: "mini_batch.epochs", key: "grpo.epochs", value: func(s settings) any { return s.hyper.Epochs }},
	{path: "optimizer.learning_rate", key: "adamw.learning_rate", value: func(s settings) any { return s.schedule.Peak }},
	{path: "optimizer.schedule", key: "adamw.schedule", value: func(s settings) any { return s.schedule.Shape },
		note: "decays to 10 % of the peak over the stage"},
	{path: "optimizer.warmup_steps", key: "adamw.warmup_steps",
		value: func(s settings) any { return s.schedule.WarmupSteps }},
	{path: "optimizer.weight_decay", key: "adamw.weight_decay",
		value: func(s settings) any { return s.adamw.WeightDecay }},
	{path: "optimizer.max_grad_norm", key: "adamw.max_grad_norm",
		value: func(s settings) any { return s.adamw.MaxGradNorm }},
	{path: "optimizer.beta1", key: "adamw.beta1", value: func(s settings) any { return s.adamw.Beta1 }},
	{path: "optimizer.beta2", key: "adamw.beta2", value: func(s settings) any { return s.adamw.Beta2 }},
	{path: "algorithm.name", key: "algorithm", value: func(settings) any { return algorithm }},
	{path: "algorithm.clip_low", key: "grpo.clip_low", value: func(s settings) any { return s.hyper.ClipLow }},
	{path: "algorithm.clip_high", key: "grpo.clip_high", value: func(s settings) any { return s.hyper.ClipHigh }},
	{path: "algorithm.kl", key: "grpo.kl", value: func(s settings) any { return s.hyper.KL }},
	{path: "algorithm.entropy", key: "grpo.entropy", value: func(s settings) any { return s.hyper.Entropy }},
	{path: "algorithm.normalize_by", key: "grpo.normalize", value: func(s settings) any { return s.hyper.Normalize },
		note: "`none` is Dr. GRPO"},
	{path: "algorithm.drop_zero_variance", key: "grpo.drop_zero_variance",
		value: func(s settings) any { return !s.hyper.KeepZeroVariance },
		note:  "only KL penalty and entropy bonus act on a group without variance"},
	{path: "sampling.temperature", key: "sampling.temperature",
		value: func(s settings) any { return s.sampling.Temperature },
		note:  "updates are of the distribution at this temperature"},
	{path: "sampling.top_p", key: "sampling.top_p", value: func(s settings) any { return s.sampling.TopP },
		note: "below 1 is refused: the gradient would be biased"},
	{path: "sampling.top_k", key: "sampling.top_k", value: func(s settings) any { return s.sampling.TopK },
		note: "0: all; others are refused, as with `top_p`"},
	{path: "sampling.stop", refused: noStopStrings},
	{path: "limits.prompt_tokens", refused: noPromptLimit},
	{path: "limits.response_tokens", key: byHost},
	{path: "limits.message_tokens", key: "sampling.max_tokens",
		value: func(s settings) any { return s.sampling.MaxTokens }, note: "0: until the context is full"},
	{path: "limits.overlong", key: byHost},
	{path: "filter_groups", refused: noRefill},
	{path: "filter_groups.metric", refused: noRefill},
	{path: "filter_groups.refill", refused: noRefill},
	{path: "filter_groups.max_refills", refused: noRefill},
	{path: "validate.every", key: "validate.every", value: func(s settings) any { return s.validate.every },
		note: "0: only after the last step"},
	{path: "validate.before_train", key: "validate.before_train",
		value: func(s settings) any { return s.validate.beforeTrain }},
	{path: "validate.samples", key: "validate.samples", value: func(s settings) any { return s.validate.samples }},
	{path: "validate.best_by", key: byHost},
	{path: "validate.log_generations", key: byHost},
	{path: "validate.sampling.temperature", key: byHost},
	{path: "validate.sampling.top_p", key: byHost},
	{path: "validate.sampling.top_k", key: byHost},
	{path: "validate.sampling.stop", refused: noStopStrings},
	{path: "checkpoint.every", key: byHost},
	{path: "checkpoint.unit", key: byHost},
	{path: "checkpoint.keep", key: byHost},
	{path: "env", refused: "the embedded trainer runs inside its plugin and reads no environment variables"},
	{path: "concurrency", key: "rollout.concurrency", value: func(s settings) any { return s.concurrency },
		note: "twice as many requests are in flight, so that the host always has the next one"},
	{path: "overrides", refused: "the embedded trainer has no framework keys to override; use the knobs"},
}

// Reasons that apply to several knobs.
const (
	noStopStrings = "the embedded policy ends a message with a control token and does not support stop strings"
	noRefill      = "groups without variance leave the update (algorithm.drop_zero_variance) and are not replaced by others"
	noPromptLimit = "the embedded trainer knows how long a prompt is only when its episode runs, and has no data loader that could leave it out; keep long tasks out of the dataset, or bound the answers with limits.response_tokens"
)

// emptyBlocks lists the blocks that a spec may leave empty.
var emptyBlocks = map[string]bool{
	"batch": true, "mini_batch": true, "optimizer": true, "algorithm": true, "sampling": true, "limits": true,
	"validate": true, "validate.sampling": true, "checkpoint": true,
}

// mapKnob returns the mapping of a knob that the spec sets.
func mapKnob(path string) sdk.KnobMapping {
	for _, k := range knobs {
		if k.path == path {
			return sdk.KnobMapping{Knob: path, Key: k.key, Refused: k.refused}
		}
	}
	return sdk.KnobMapping{Knob: path, Refused: "the embedded trainer does not support this knob"}
}
