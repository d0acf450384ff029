package settings

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// knob says what becomes of a knob of the spec. Exactly one of keys, does and refused is set.
type knob struct {
	path    string
	keys    []knobKey                                    // of verl; the first is the one that a plan names
	apply   func(in knobInput) (values []any, no string) // of a knob with a value: one per key; nil: the knob's own
	does    string                                       // without a key: byHost or builtIn
	refused string                                       // why verl cannot honour it, in any release
	note    string                                       // for the documentation
}

// knobKey is a key and the releases that have it.
type knobKey struct {
	key   string
	since release
}

// What becomes of knobs without a key.
const (
	byHost  = "host"     // awhost acts on it
	builtIn = "built in" // verl does so anyway
)

// knobInput is what the value of a knob may depend on.
type knobInput struct {
	sdk.Knobs
	resolver *resolver
}

const (
	actor     = "actor_rollout_ref.actor."
	optimizer = "actor_rollout_ref.actor.optim."
	valKwargs = "actor_rollout_ref.rollout.val_kwargs."
	filter    = "algorithm.filter_groups."
)

// knobs is the whole vocabulary of sdk.Knobs, in its order. The plan, docs/reference/verl-knobs.md, and tests that no
// knob is forgotten and every key is there come from it.
var knobs = []knob{
	{path: "seed", keys: []knobKey{{"data.seed", v061}, {actor + "data_loader_seed", v070}, {rollout + "seed", v090}}, apply: seed,
		note: "awhost orders the tasks in all versions"},
	{path: "steps", keys: keys("trainer.total_training_steps"), apply: func(in knobInput) ([]any, string) { return []any{int64(*in.Steps + in.resolver.req.StepsBefore)}, "" },
		note: "`trainer.total_epochs` is raised so that verl does not end earlier"},
	{path: "epochs", keys: keys("trainer.total_training_steps", "trainer.total_epochs"), apply: epochs, note: "steps = epochs × tasks / prompts, rounded up"},
	{path: "batch.prompts", keys: keys("data.train_batch_size")},
	{path: "batch.group_size", keys: keys(rollout + "n")},
	{path: "mini_batch.size", keys: keys(actor + "ppo_mini_batch_size"), apply: miniBatch,
		note: "divided by the group size: verl counts prompts, awhost samples. Unset: one update per step"},
	{path: "mini_batch.epochs", keys: keys(actor + "ppo_epochs")},
	{path: "optimizer.learning_rate", keys: keys(optimizer + "lr")},
	{path: "optimizer.schedule", keys: keys(optimizer+"lr_scheduler_type", optimizer+"lr_decay_style"), apply: schedule,
		note: "`constant` and `cosine`. Megatron has the second key, and `linear`, too"},
	{path: "optimizer.warmup_steps", keys: keys(optimizer + "lr_warmup_steps")},
	{path: "optimizer.weight_decay", keys: keys(optimizer + "weight_decay")},
	{path: "optimizer.max_grad_norm", keys: keys(optimizer+"clip_grad", actor+"grad_clip"), note: "the workers of 0.7.1 and older read the second key"},
	{path: "optimizer.beta1", keys: keys(optimizer + "betas"), apply: betas},
	{path: "optimizer.beta2", keys: keys(optimizer + "betas"), apply: betas},
	{path: "algorithm.name", keys: keys("algorithm.adv_estimator"), apply: algorithm},
	{path: "algorithm.clip_low", keys: keys(actor + "clip_ratio_low")},
	{path: "algorithm.clip_high", keys: keys(actor + "clip_ratio_high")},
	{path: "algorithm.kl", keys: keys(actor+"use_kl_loss", actor+"kl_loss_coef"), apply: kl, note: "0 disables the penalty, and no reference policy is loaded"},
	{path: "algorithm.entropy", keys: keys(actor + "entropy_coeff")},
	{path: "algorithm.normalize_by", keys: keys("algorithm.norm_adv_by_std_in_grpo"), apply: normalizeBy},
	{path: "algorithm.drop_zero_variance", does: builtIn, apply: dropZeroVariance,
		note: "verl always behaves as `false`. `true` is refused: use `filter_groups`, which replaces such groups by others"},
	{path: "sampling.temperature", keys: keys(rollout + "temperature")},
	{path: "sampling.top_p", keys: keys(rollout + "top_p")},
	{path: "sampling.top_k", keys: keys(rollout + "top_k"), apply: func(in knobInput) ([]any, string) { return topK(*in.Sampling.TopK) }, note: "0 (all tokens) becomes -1"},
	{path: "sampling.stop", does: byHost, apply: stop, note: "refused with `rollout.name=sglang`, whose servers run without a tokenizer"},
	{path: "limits.prompt_tokens", keys: keys("data.max_prompt_length")},
	{path: "limits.response_tokens", keys: keys("data.max_response_length")},
	{path: "limits.message_tokens", does: byHost},
	{path: "limits.overlong", does: byHost},
	{path: "filter_groups", keys: []knobKey{{filter + "enable", v090}}, apply: filterGroups, note: "refused before 0.9, and with `trainer.use_v1 = false`"},
	{path: "filter_groups.metric", keys: []knobKey{{filter + "metric", v090}, {filter + "enable", v090}}, apply: filterMetric},
	{path: "filter_groups.refill", keys: []knobKey{{filter + "enable", v090}}, apply: filterRefill},
	{path: "filter_groups.max_refills", refused: "verl has no bound on refilling (its trainer ignores algorithm.filter_groups.max_num_gen_batches)"},
	{path: "validate.every", keys: keys("trainer.test_freq"), note: "unset: once, after the last step"},
	{path: "validate.before_train", keys: keys("trainer.val_before_train"),
		note: "unset: `false`, or verl's `true` if verl keys describe validation"},
	{path: "validate.samples", keys: keys(valKwargs + "n")},
	{path: "validate.best_by", does: byHost},
	{path: "validate.log_generations", keys: keys("trainer.log_val_generations")},
	{path: "validate.sampling.temperature", keys: keys(valKwargs+"temperature", valKwargs+"do_sample"), apply: valTemperature, note: "unset: as in training, or greedy if verl keys describe validation"},
	{path: "validate.sampling.top_p", keys: keys(valKwargs + "top_p")},
	{path: "validate.sampling.top_k", keys: keys(valKwargs + "top_k"), apply: func(in knobInput) ([]any, string) { return topK(*in.Validate.Sampling.TopK) }},
	{path: "validate.sampling.stop", does: byHost, apply: stop},
	{path: "checkpoint.every", keys: keys("trainer.save_freq"), apply: saveFrequency, note: "unset: once, after the last step"},
	{path: "checkpoint.unit", keys: keys("trainer.save_freq"), apply: saveFrequency, note: "an epoch has only full steps: verl drops the incomplete one"},
	{path: "checkpoint.keep", keys: keys("trainer.max_actor_ckpt_to_keep"),
		note: "verl keeps the newest checkpoints, and not the best one"},
	{path: "env", does: "environment of verl's process", note: "and of its workers"},
	{path: "concurrency", does: byHost, note: "verl requests a whole batch at once; awhost limits how many of its episodes run at a time"},
	{path: "overrides", does: "verl's own keys", note: "`apply spec -- key=value`"},
}

func keys(names ...string) []knobKey {
	out := make([]knobKey, len(names))
	for i, name := range names {
		out[i].key = name
	}
	return out
}

func (in knobInput) int(key string) int {
	n, _ := in.resolver.view.Int(key)
	return n
}

// seed is the same everywhere.
func seed(in knobInput) ([]any, string) {
	if in.Seed < 0 || in.Seed > math.MaxUint32 {
		return nil, fmt.Sprintf("verl seeds NumPy with it, which takes 0 to %d", uint32(math.MaxUint32))
	}
	return []any{in.Seed, in.Seed, in.Seed}, ""
}

// epochs are counted in steps, as awhost does: verl leaves out what does not fill a batch in each epoch.
func epochs(in knobInput) ([]any, string) {
	batch, tasks := in.int("data.train_batch_size"), in.resolver.req.Data.TrainTasks
	if in.Steps != nil || batch < 1 || tasks < batch {
		return nil, "" // a batch that is never full is said elsewhere
	}
	steps := in.resolver.req.StepsBefore + framework.StepsOf(*in.Epochs, tasks, batch)
	return []any{int64(steps), int64(epochsFor(steps, tasks/batch))}, ""
}

// epochsFor is how often verl must go over the tasks for that many steps.
func epochsFor(steps, perEpoch int) int { return (steps + perEpoch - 1) / perEpoch }

func miniBatch(in knobInput) ([]any, string) {
	size, group := *in.MiniBatch.Size, in.int(rollout+"n")
	if group < 1 || size%group != 0 {
		return nil, fmt.Sprintf("verl splits a step into whole groups: %d samples are no multiple of the group size, %d", size, group)
	}
	return []any{int64(size / group)}, ""
}

func schedule(in knobInput) ([]any, string) {
	options, engine := choices[optimizer+"lr_scheduler_type"], "FSDP"
	if in.resolver.engine == "megatron" {
		options, engine = choices[optimizer+"lr_decay_style"], "Megatron"
	}
	if !slices.Contains(options, *in.Optimizer.Schedule) {
		return nil, fmt.Sprintf("verl's %s engine has no schedule %q: write %s", engine, *in.Optimizer.Schedule,
			strings.Join(options, " or "))
	}
	return []any{*in.Optimizer.Schedule, *in.Optimizer.Schedule}, ""
}

// betas are one list in verl; what the spec leaves open stays.
func betas(in knobInput) ([]any, string) {
	now, _ := in.resolver.view.Value(optimizer + "betas")
	pair, ok := now.([]any)
	if !ok || len(pair) != 2 {
		pair = []any{0.9, 0.999} // AdamW's own, in all releases
	}
	out := []any{pair[0], pair[1]}
	for i, beta := range []*float64{in.Optimizer.Beta1, in.Optimizer.Beta2} {
		if beta != nil {
			out[i] = *beta
		}
	}
	return []any{out}, ""
}

func algorithm(in knobInput) ([]any, string) {
	switch in.Algorithm.Name {
	case "":
		return nil, ""
	case "grpo":
		return []any{"grpo"}, ""
	}
	return nil, fmt.Sprintf("awhost's knobs describe grpo, not %q; leave out the block and set algorithm.adv_estimator in overrides", in.Algorithm.Name)
}

func kl(in knobInput) ([]any, string) {
	if *in.Algorithm.KL == 0 {
		return []any{false}, ""
	}
	return []any{true, *in.Algorithm.KL}, ""
}

func normalizeBy(in knobInput) ([]any, string) {
	return []any{*in.Algorithm.NormalizeBy == "std"}, ""
}

func dropZeroVariance(in knobInput) ([]any, string) {
	if !*in.Algorithm.DropZeroVariance || in.FilterGroups != nil {
		return nil, ""
	}
	return nil, "verl trains on all groups of a step (those without variance have advantage 0); with verl 0.9, filter_groups { refill = true } draws others in their place"
}

func topK(k int) ([]any, string) {
	if k == 0 {
		k = -1
	}
	return []any{k}, ""
}

func stop(in knobInput) ([]any, string) {
	if len(in.Sampling.Stop) == 0 {
		return nil, ""
	}
	name, written := in.resolver.view.WrittenValue(rollout + "name")
	if !written {
		name, _ = in.resolver.view.Value(rollout + "name")
	}
	if name == "sglang" {
		return nil, "the servers of SGLang run without a tokenizer and know no texts; use vllm (actor_rollout_ref.rollout.name), or limits.message_tokens"
	}
	return nil, ""
}

func filterGroups(in knobInput) ([]any, string) {
	r := in.resolver
	if r.generation() != V1 || !r.schema.Has(filter+"metric") {
		return nil, fmt.Sprintf("the trainer of verl %s does not filter groups; that of 0.9 does (trainer.use_v1)", r.req.Installed.Version)
	}
	return []any{true}, ""
}

func filterRefill(in knobInput) ([]any, string) {
	values, no := filterGroups(in)
	if no == "" && !*in.FilterGroups.Refill {
		no = "verl draws other groups for those that it leaves out, always; remove the block to train on all groups"
	}
	return values, no
}

func filterMetric(in knobInput) ([]any, string) {
	values, no := filterGroups(in)
	return append([]any{framework.Verbatim(*in.FilterGroups.Metric)}, values...), no
}

func valTemperature(in knobInput) ([]any, string) {
	t := *in.Validate.Sampling.Temperature
	return []any{t, t > 0}, ""
}

func saveFrequency(in knobInput) ([]any, string) {
	every := framework.CheckpointSteps(in.Checkpoint, in.resolver.req.Data.TrainTasks, in.int("data.train_batch_size"))
	if every == 0 { // only the unit is set
		return nil, ""
	}
	return []any{int64(every)}, ""
}
