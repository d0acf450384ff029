package areal

import (
	"slices"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// knob says what becomes of a knob of the spec. Exactly one of key and refused is set.
type knob struct {
	path    string
	key     string                             // AReaL's; byHost where only the host acts on it
	write   func(*resolved, func(string, any)) // sets AReaL's keys; nil: key, to the knob's value
	note    string                             // on the value, for the docs
	refused string                             // why AReaL cannot honour it
}

const byHost = "host"

// isSet says whether the spec sets the knob.
func (k knob) isSet(knobs sdk.Knobs) bool { return slices.Contains(knobs.Set, k.path) }

// topK writes a number of tokens, unless it is 0, which means all tokens, as AReaL's default does.
func topK(path, key string) func(*resolved, func(string, any)) {
	return func(r *resolved, set func(string, any)) {
		if n, _ := framework.Int(framework.Knob(r.knobs, path)); n > 0 {
			set(key, n)
		}
	}
}

// derived are the knobs whose keys follow from the sizes.
var derived = []string{"steps", "epochs", "mini_batch.size", "optimizer.warmup_steps", "checkpoint.every", "concurrency"}

func stageLength(r *resolved, set func(string, any)) { set("total_train_steps", r.stageSteps()) }

// elsewhere sets nothing: the keys of the knob are set at another place.
func elsewhere(*resolved, func(string, any)) {}

// knobs is the whole vocabulary of sdk.Knobs, in its order. The plan, the docs and a test that no knob is forgotten come
// from it.
var knobs = []knob{
	{path: "seed", key: "seed"},
	{path: "steps", key: "total_train_steps", write: stageLength},
	{path: "epochs", key: "total_train_steps", write: stageLength,
		note: "steps = epochs × tasks / prompts, rounded up"},
	{path: "batch.prompts", key: "train_dataset.batch_size",
		note: "and `rollout.consumer_batch_size`"},
	{path: "batch.group_size", key: "gconfig.n_samples",
		note: "and `group_size` of `actor.reward_norm` and `actor.adv_norm`"},
	{path: "mini_batch.size", key: "actor.ppo_n_minibatches", write: func(r *resolved, set func(string, any)) {
		if size := sdk.ValueOr(r.knobs.MiniBatch.Size, 0); size > 0 {
			set("actor.ppo_n_minibatches", max(1, r.prompts*r.groupSize/size))
		}
	}, note: "samples of a step / size, which must divide them"},
	{path: "mini_batch.epochs", refused: "AReaL passes over a batch once; actor.ppo_n_minibatches splits it into several updates"},
	{path: "optimizer.learning_rate", key: "actor.optimizer.lr"},
	{path: "optimizer.schedule", key: "actor.optimizer.lr_scheduler_type",
		note: "decays to `actor.optimizer.min_lr_ratio` of the peak, AReaL's default 0, over the stage"},
	{path: "optimizer.warmup_steps", key: "actor.optimizer.warmup_steps_proportion", write: func(r *resolved, set func(string, any)) {
		if n := r.knobs.Optimizer.WarmupSteps; n != nil {
			set("actor.optimizer.warmup_steps_proportion", float64(*n)/float64(r.stageSteps()))
		}
	}, note: "steps / all steps of the stage"},
	{path: "optimizer.weight_decay", key: "actor.optimizer.weight_decay"},
	{path: "optimizer.max_grad_norm", key: "actor.optimizer.gradient_clipping"},
	{path: "optimizer.beta1", key: "actor.optimizer.beta1"},
	{path: "optimizer.beta2", key: "actor.optimizer.beta2"},
	{path: "algorithm.name", key: "actor.reward_norm.mean_level", write: func(r *resolved, set func(string, any)) {
		if r.knobs.Algorithm.Name == algorithm {
			set("actor.reward_norm.mean_level", "group")
		}
	}, note: "`grpo`: rewards are compared within their group"},
	{path: "algorithm.clip_low", key: "actor.eps_clip"},
	{path: "algorithm.clip_high", key: "actor.eps_clip_higher"},
	{path: "algorithm.kl", key: "actor.kl_ctl", note: "above 0 a reference model is loaded: `ref`"},
	{path: "algorithm.entropy", refused: "AReaL's loss has no entropy bonus"},
	{path: "algorithm.normalize_by", key: "actor.reward_norm.std_level", write: func(r *resolved, set func(string, any)) {
		switch sdk.ValueOr(r.knobs.Algorithm.NormalizeBy, "") {
		case "std":
			set("actor.reward_norm.std_level", "group")
		case "none":
			set("actor.reward_norm.std_level", nil)
		}
	}, note: "`std` is `group`, `none` is null (Dr. GRPO)"},
	{path: "algorithm.drop_zero_variance", refused: "AReaL keeps such groups, with the advantage 0; filter_groups replaces them by others"},
	{path: "sampling.temperature", key: "gconfig.temperature", note: "and `actor.temperature`"},
	{path: "sampling.top_p", key: "gconfig.top_p"},
	{path: "sampling.top_k", key: "gconfig.top_k", write: topK("sampling.top_k", "gconfig.top_k"), note: "0: all"},
	{path: "sampling.stop", key: "gconfig.stop"},
	{path: "limits.prompt_tokens", refused: "AReaL learns how long a prompt is only when its episode runs; keep long tasks out of the dataset, or bound the context with max_context"},
	{path: "limits.response_tokens", key: byHost},
	{path: "limits.message_tokens", key: "gconfig.max_new_tokens", write: func(r *resolved, set func(string, any)) {
		if n := sdk.ValueOr(r.knobs.Limits.MessageTokens, 0); n > 0 {
			set("gconfig.max_new_tokens", n)
			set("eval_gconfig.max_new_tokens", n)
		}
	}, note: "and `eval_gconfig.max_new_tokens`"},
	{path: "limits.overlong", key: byHost},
	{path: "filter_groups", key: "dynamic_filter_fn", write: elsewhere, note: "an argument of AReaL's `train`: groups whose rewards are all equal are left out"},
	{path: "filter_groups.metric", key: "dynamic_filter_fn", write: elsewhere, note: "`reward` only"},
	{path: "filter_groups.refill", key: "dynamic_bs", write: func(r *resolved, set func(string, any)) {
		if f := r.knobs.FilterGroups; f != nil {
			set("dynamic_bs", !sdk.ValueOr(f.Refill, true))
		}
	}, note: "`true`, the default, is `dynamic_bs: false`: others are drawn until the batch is full"},
	{path: "filter_groups.max_refills", refused: "AReaL draws further groups without a bound"},
	{path: "validate.every", key: "evaluator.freq_steps", note: "and after the last step: `evaluator.freq_epochs: 1`"},
	{path: "validate.before_train", key: byHost, note: "by awhost's driver: AReaL's `evaluator.eval_before_train` validates after the first update"},
	{path: "validate.samples", key: "eval_gconfig.n_samples"},
	{path: "validate.best_by", key: byHost},
	{path: "validate.log_generations", key: byHost},
	{path: "validate.sampling.temperature", key: "eval_gconfig.temperature"},
	{path: "validate.sampling.top_p", key: "eval_gconfig.top_p"},
	{path: "validate.sampling.top_k", key: "eval_gconfig.top_k", write: topK("validate.sampling.top_k", "eval_gconfig.top_k"), note: "0: all"},
	{path: "validate.sampling.stop", key: "eval_gconfig.stop"},
	{path: "checkpoint.every", key: "saver.freq_steps", write: func(r *resolved, set func(string, any)) {
		if n := r.saveEvery(); n > 0 {
			set("saver.freq_steps", n)
			set("recover.freq_steps", n)
		}
	}, note: "and `recover.freq_steps`; the last step is always saved"},
	{path: "checkpoint.unit", key: "saver.freq_steps", write: elsewhere, note: "epochs are counted in steps: AReaL's own epoch is the stage"},
	{path: "checkpoint.keep", key: byHost},
	{path: "env", key: "environment", write: elsewhere, note: "of AReaL's processes; with Ray and Slurm what their workers inherit"},
	{path: "concurrency", key: "rollout.max_concurrent_rollouts", write: func(r *resolved, set func(string, any)) {
		set("rollout.max_concurrent_rollouts", max(1, r.concurrency()))
	}, note: "in prompts: concurrency / group_size, rounded up"},
	{path: "overrides", key: "any", write: elsewhere, note: "`apply spec -- key=value`, checked as `overrides` of the adapter is"},
}

// algorithm is the only one that awhost maps.
const algorithm = "grpo"

// saveEvery is the distance of checkpoints in steps; 0: only the last.
func (r *resolved) saveEvery() int {
	return framework.CheckpointSteps(r.knobs.Checkpoint, r.trainTasks, r.prompts)
}

// mapKnob says what becomes of a knob that the spec sets.
func mapKnob(path string) sdk.KnobMapping {
	for _, k := range knobs {
		if k.path == path {
			return sdk.KnobMapping{Knob: path, Key: k.key, Refused: k.refused}
		}
	}
	return sdk.KnobMapping{Knob: path, Refused: "the AReaL adapter does not know this knob"}
}
