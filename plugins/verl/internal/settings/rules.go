package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// Rules are what verl asserts after minutes of loading, or never says: they hold between keys.

// rules are in the order in which their problems are shown.
var rules = []func(*resolver){
	(*resolver).checkMandatory,
	(*resolver).checkModel,
	(*resolver).checkTasks,
	(*resolver).checkSteps,
	(*resolver).checkWarmup,
	(*resolver).checkGPUs,
	(*resolver).checkWorkers,
	(*resolver).checkMiniBatch,
	(*resolver).checkMicroBatches,
	(*resolver).checkParallel,
	(*resolver).checkContext,
	(*resolver).checkLengths,
	(*resolver).checkSampling,
	(*resolver).checkValidation,
	(*resolver).checkCheckpoints,
	(*resolver).checkTrainer,
	(*resolver).checkRollouts,
	(*resolver).checkUnused,
	(*resolver).checkToolResults,
}

// say is a setting with its value and origin, for messages: of one that refers to another by itself, who set that.
func (r *resolver) say(key string) string {
	value, _ := r.view.Value(key)
	return fmt.Sprintf("%s = %s (%s)", key, framework.Shown(value), r.view.Origin(r.view.Source(key)))
}

// number returns a number for checks that the adapters share.
func (r *resolver) number(key string) framework.Number {
	n, _ := r.view.Int(key)
	return framework.Number{Value: n, Said: r.say(key)}
}

// add reports a problem with some keys, if there is one.
func (r *resolver) add(d *sdk.Diagnostic, keys ...string) {
	if d != nil {
		d.Path = r.where(keys...)
		r.out.Diagnostics = append(r.out.Diagnostics, *d)
	}
}

// where is the attribute of the first of some keys that a user set in the adapter's block, else the first knob that
// says one.
func (r *resolver) where(keys ...string) []string {
	var knob []string
	for _, key := range keys {
		switch s := r.view.Get(key); {
		case s == nil || len(s.Path) == 0:
		case s.IsVerbatim():
			return s.Path
		case knob == nil:
			knob = s.Path
		}
	}
	return knob
}

func (r *resolver) checkMandatory() {
	if name, _ := r.view.Value(rollout + "name"); name == nil {
		r.fail(nil, "Missing setting", "%sname is empty; it names the engine that samples: vllm or sglang.", rollout)
	}
	if r.view.Get(ownModel) == nil {
		r.fail(nil, "No model to train", "Nothing names the policy. Set policy = model.… in the train block, or %s in the adapter's config or overrides.", ownModel)
	}
}

func (r *resolver) checkTasks() {
	const key = "data.train_batch_size"
	batch, ok := r.view.Int(key)
	switch tasks := r.req.Data.TrainTasks; {
	case !ok:
	case batch < 1:
		r.fail(r.where(key), "Impossible batch", "%s: it must be at least 1.", r.say(key))
	case tasks > 0 && tasks < batch:
		r.fail(r.where(key), "Fewer tasks than a batch", "%s, and the dataset has %d tasks: verl leaves out what does not fill a batch, so it would take 0 steps. Lower batch.prompts, or bring more tasks.", r.say(key), tasks)
	}
}

// checkSteps looks whether the epochs end before the steps do.
func (r *resolver) checkSteps() {
	steps, ok := r.view.Int("trainer.total_training_steps")
	rounds, also := r.view.Int("trainer.total_epochs")
	n := r.perEpoch()
	if !ok || !also || n == 0 || rounds*n >= steps {
		return
	}
	r.fail(r.where("trainer.total_epochs", "trainer.total_training_steps"), "Training would end early",
		"%s, and %s: an epoch is %d steps, so verl would stop after %d. Remove the number of epochs; awhost sets it to what the steps need.",
		r.say("trainer.total_training_steps"), r.say("trainer.total_epochs"), n, rounds*n)
}

// checkWarmup warns only: verl trains so.
func (r *resolver) checkWarmup() {
	const key = optimizer + "lr_warmup_steps"
	warmup, ok := r.view.Int(key)
	steps, also := r.view.Int("trainer.total_training_steps")
	if ok && also && warmup > steps-r.req.StepsBefore && !r.req.Smoke {
		r.warn(r.where(key), "Warm-up longer than training", "%s, and %s: the learning rate never comes to its peak. Lower optimizer.warmup_steps.", r.say(key), r.say("trainer.total_training_steps"))
	}
}

// samples is how many rollouts a step has.
func (r *resolver) samples() (n int, ok bool) {
	batch, ok := r.view.Int("data.train_batch_size")
	group, also := r.view.Int(rollout + "n")
	if ok && also && group < 1 {
		return 0, false
	}
	return batch * group, ok && also
}

func (r *resolver) saySamples() string {
	n, _ := r.samples()
	return fmt.Sprintf("A step has %d samples: %s × %s", n, r.say("data.train_batch_size"), r.say(rollout+"n"))
}

func (r *resolver) sayGPUs() string {
	return fmt.Sprintf("%d GPUs: %s × %s", r.gpus(), r.say("trainer.nnodes"), r.say("trainer.n_gpus_per_node"))
}

func (r *resolver) checkGPUs() {
	gpus := r.gpus()
	if gpus < 1 {
		r.fail(r.where("trainer.nnodes", "trainer.n_gpus_per_node"), "No GPU", "%s and %s: verl's trainer needs at least one.", r.say("trainer.nnodes"), r.say("trainer.n_gpus_per_node"))
		return
	}
	if group, ok := r.view.Int(rollout + "n"); ok && group < 1 {
		r.fail(r.where(rollout+"n"), "Impossible group", "%s: it must be at least 1.", r.say(rollout+"n"))
	}
	if n, ok := r.samples(); ok && n > 0 && n%gpus != 0 && !r.view.IsTrue(actor+"use_dynamic_bsz") {
		r.fail(r.where("data.train_batch_size", rollout+"n", "trainer.n_gpus_per_node"), "Batch that the GPUs cannot share",
			"%s. That is no multiple of %s.", r.saySamples(), r.sayGPUs())
	}
}

// checkWorkers holds the rule of V0 that each agent loop worker gets an equal part.
func (r *resolver) checkWorkers() {
	workers, ok := r.view.Int(workersKey)
	if ok && workers < 1 {
		r.fail(r.where(workersKey), "Impossible number of workers", "%s: it must be at least 1.", r.say(workersKey))
		return
	}
	n, also := r.samples()
	if !ok || !also || r.generation() == V1 || n%workers == 0 {
		return
	}
	r.fail(r.where(workersKey, "data.train_batch_size", rollout+"n"), "Batch that the workers cannot share",
		"%s. That is no multiple of %s, and verl wants equal parts. Set it to %d, or leave it out.", r.saySamples(), r.say(workersKey), largestDivisor(n, workers))
}

func (r *resolver) checkMiniBatch() {
	const key, batch = actor + "ppo_mini_batch_size", "data.train_batch_size"
	_, ok := r.view.Int(key)
	if _, also := r.view.Int(batch); ok && also {
		r.add(framework.MiniBatch(r.number(key), r.number(batch), "prompts", r.oldWorkers()), key, batch)
	}
}

// oldWorkers says that the workers of before 0.8 run, which are less strict.
func (r *resolver) oldWorkers() bool {
	choice := r.view.Text("trainer.use_legacy_worker_impl")
	return choice == "auto" || choice == "enable"
}

func (r *resolver) checkMicroBatches() {
	for _, m := range microBatches {
		if !m.used(r) {
			continue
		}
		total, _ := r.view.Value(m.total)
		each, _ := r.view.Value(m.perGPU)
		if total != nil && each != nil {
			r.fail(r.where(m.total, m.perGPU), "Two sizes of a micro-batch", "%s, and %s: verl takes one of them. Keep the second.", r.say(m.total), r.say(m.perGPU))
		}
	}
	r.checkDivides(actor+"ppo_micro_batch_size_per_gpu", actor+"use_dynamic_bsz", actor+"ppo_mini_batch_size", "An update")
	r.checkDivides(rollout+"log_prob_micro_batch_size_per_gpu", rollout+"log_prob_use_dynamic_bsz", "data.train_batch_size", "A step")
}

// checkDivides holds that what a GPU gets of some prompts is a multiple of the micro-batch.
func (r *resolver) checkDivides(micro, packed, prompts, what string) {
	size, ok := r.view.Int(micro)
	count, also := r.view.Int(prompts)
	group, both := r.view.Int(rollout + "n")
	ranks := r.gpus() / max(1, r.sequenceParallel())
	if !ok || !also || !both || ranks < 1 || r.view.IsTrue(packed) {
		return
	}
	switch {
	case size < 1:
		r.fail(r.where(micro), "Impossible micro-batch", "%s: it must be at least 1.", r.say(micro))
	case count*group%ranks == 0 && count*group/ranks%size != 0:
		r.fail(r.where(micro, prompts), "Micro-batch that does not divide",
			"%s. %s gives each of %d ranks %d samples (%s × %s), which is no multiple of it.", r.say(micro), what, ranks, count*group/ranks, r.say(prompts), r.say(rollout+"n"))
	}
}

const sequenceParallelKey = actor + "ulysses_sequence_parallel_size"

func (r *resolver) sequenceParallel() int {
	n, _ := r.view.Int(sequenceParallelKey)
	return max(1, n)
}

func (r *resolver) checkParallel() {
	gpus := r.gpus()
	width := 1
	var said []string
	for _, name := range []string{"tensor_model_parallel_size", "data_parallel_size", "pipeline_model_parallel_size"} {
		n, ok := r.view.Int(rollout + name)
		if !ok || n == 1 {
			continue
		}
		if width *= n; n < 1 {
			r.fail(r.where(rollout+name), "Impossible parallelism", "%s: it must be at least 1.", r.say(rollout+name))
			return
		}
		said = append(said, r.say(rollout+name))
	}
	if gpus > 0 && gpus%width != 0 {
		r.fail(r.where(rollout+"tensor_model_parallel_size", rollout+"data_parallel_size", "trainer.n_gpus_per_node"), "Rollout servers that do not fit the GPUs",
			"A server takes %d GPUs (%s), and there are %s. It must divide them.", width, strings.Join(said, " × "), r.sayGPUs())
	}
	sequence := r.sequenceParallel()
	if sequence == 1 || r.engine != defaultEngine {
		return
	}
	if gpus%sequence != 0 {
		r.fail(r.where(sequenceParallelKey, "trainer.n_gpus_per_node"), "Sequence parallelism that does not fit the GPUs", "%s does not divide the %s.", r.say(sequenceParallelKey), r.sayGPUs())
	}
	if packing := "actor_rollout_ref.model.use_remove_padding"; !r.view.IsTrue(packing) {
		r.fail(r.where(sequenceParallelKey, packing), "Sequence parallelism needs packing", "%s needs %s = true, and it is %s.", r.say(sequenceParallelKey), packing, r.say(packing))
	}
}

func (r *resolver) checkLengths() {
	prompt, response := rollout+"prompt_length", rollout+"response_length"
	p, ok := r.view.Int(prompt)
	a, also := r.view.Int(response)
	if !ok || !also {
		return
	}
	limits := r.req.Knobs.Limits
	r.checkSameLength(prompt, "data.max_prompt_length", "limits.prompt_tokens", limits.PromptTokens)
	r.checkSameLength(response, "data.max_response_length", "limits.response_tokens", limits.ResponseTokens)
	if most, said := r.context(); most > 0 && most < p+a {
		r.fail(r.where(rollout+"max_model_len", prompt, response), "Context shorter than an episode",
			"%s, and a prompt and its answers may have %d tokens: %s + %s. Lower limits.prompt_tokens or limits.response_tokens.", said, p+a, r.say(prompt), r.say(response))
	}
	if most, ok := r.view.Int(rollout + "max_num_batched_tokens"); ok && most < p+a && !r.view.IsTrue(rollout+"enable_chunked_prefill") {
		r.fail(r.where(rollout+"max_num_batched_tokens", rollout+"enable_chunked_prefill"), "Context longer than a batch of the server",
			"%s is less than the %d tokens of an episode (%s + %s), and %s. Raise it, or turn that on.", r.say(rollout+"max_num_batched_tokens"), p+a, r.say(prompt), r.say(response), r.say(rollout+"enable_chunked_prefill"))
	}
	packedKey := actor + "ppo_max_token_len_per_gpu"
	if most, ok := r.view.Int(packedKey); ok && r.view.IsTrue(actor+"use_dynamic_bsz") && most*r.sequenceParallel() < p+a {
		r.fail(r.where(packedKey, actor+"use_dynamic_bsz"), "Episode longer than a packed batch",
			"%s is less than the %d tokens of an episode (%s + %s), and verl fails on the first that is so long. Raise it.", r.say(packedKey), p+a, r.say(prompt), r.say(response))
	}
}

// checkSameLength holds what verl's data loader and its servers believe to be the same. A knob is for both: what it says is compared,
// as the data loader's may be another that was named already.
func (r *resolver) checkSameLength(server, data, path string, knob *int) {
	a, _ := r.view.Int(server)
	b, ok := r.view.Int(data)
	set := r.view.Get(server)
	switch written := knob != nil && slices.Contains(r.req.Knobs.Set, path); {
	case !ok || set == nil:
	case written && a != *knob && set.Level == framework.File:
		r.view.Set(&setting{Key: server, Value: *knob, Level: framework.Spec, Origin: path})
		r.noteReplaced(set, r.view.Get(server))
	case written && a != *knob:
		r.twice(&setting{Key: data, Value: int64(*knob), Origin: path}, &setting{Key: data, Value: set.Value, Origin: set.Origin + ", as " + server, Path: set.Path})
	case !written && a != b:
		r.warn(set.Path, "Two lengths for one thing", "%s, and %s. awhost goes by the first.", r.say(server), r.say(data))
	}
}

func (r *resolver) checkSampling() {
	t, ok := r.view.Value(rollout + "temperature")
	if heat, isNumber := framework.Float(t); ok && isNumber && heat <= 0 {
		r.fail(r.where(rollout+"temperature"), "Nothing to learn from",
			"%s: the samples of a group would be equal, and verl divides by it. Raise it; validate.sampling { temperature = 0 } makes validation greedy.", r.say(rollout+"temperature"))
	}
	if one := framework.GroupOfOne(r.number(rollout + "n")); one != nil && r.view.Text(estimator) == "grpo" {
		one.Severity = sdk.SeverityWarning
		r.add(one, rollout+"n")
	}
	greedy, _ := r.view.Value(valKwargs + "temperature")
	if r.view.IsTrue(valKwargs+"do_sample") && framework.Equal(greedy, int64(0)) {
		r.fail(r.where(valKwargs+"do_sample", valKwargs+"temperature"), "Sampling without a temperature", "%s, and %s.", r.say(valKwargs+"do_sample"), r.say(valKwargs+"temperature"))
	}
}

func (r *resolver) checkValidation() {
	every, _ := r.view.Int("trainer.test_freq")
	before := r.view.IsTrue("trainer.val_before_train")
	if r.req.Data.ValidationTasks > 0 || every <= 0 && !before {
		return
	}
	key := "trainer.test_freq"
	if before {
		key = "trainer.val_before_train"
	}
	r.fail(r.where("trainer.test_freq", "trainer.val_before_train"), "Nothing to validate on", "%s, and the spec has no validation tasks. Set validation = dataset.… in the train block, or turn validation off.", r.say(key))
}

func (r *resolver) checkCheckpoints() {
	if every, ok := r.view.Int("trainer.save_freq"); ok && every <= 0 {
		r.warn(r.where("trainer.save_freq"), "No checkpoint", "%s: verl keeps nothing of the run, and it cannot be resumed.", r.say("trainer.save_freq"))
	}
}

func (r *resolver) checkTrainer() {
	if s := r.view.Get("algorithm.adv_estimator"); s == nil || !framework.Equal(s.Value, "grpo") {
		r.warn(r.where("algorithm.adv_estimator"), "Untested algorithm", "%s: awhost is tested with grpo.", r.say("algorithm.adv_estimator"))
	}
	if mode := r.view.Text("trainer.v1.trainer_mode"); r.generation() == V1 && mode != "sync" {
		r.warn(r.where("trainer.v1.trainer_mode"), "Untested trainer", "%s: awhost is tested with sync. Others sample while they train, so that the versions of the policy mix.", r.say("trainer.v1.trainer_mode"))
	}
}

// unused are settings of verl's own agent loops.
var unused = []string{"enable", "max_user_turns", "max_assistant_turns", "format", "interaction_config_path"}

func (r *resolver) checkUnused() {
	var said []string
	var path []string
	for _, name := range unused {
		if s := r.view.Get(rollout + "multi_turn." + name); s != nil && s.IsVerbatim() && framework.Truthy(s.Value) {
			said, path = append(said, fmt.Sprintf("multi_turn.%s (%s)", name, s.Origin)), s.Path
		}
	}
	if len(said) > 0 {
		r.warn(path, "Settings of verl's own agent loops", "%s: kept, and without effect. The turns of an episode are bounded by the agent (max_turns), its tools are the environment's.", strings.Join(said, ", "))
	}
}

// charactersPerToken is how many characters the environment "mcp" counts as a token.
const charactersPerToken = 4

// checkToolResults names the attribute for the length to which verl's own agent loops cut results of tools:
// environments do not read verl's settings. A script that enables those loops means verl's default.
func (r *resolver) checkToolResults() {
	const key, enable = rollout + "multi_turn.max_tool_response_length", rollout + "multi_turn.enable"
	length, ok := r.view.Int(key)
	written := func(key string) bool {
		s := r.view.Get(key)
		return s != nil && s.IsVerbatim() && framework.Truthy(s.Value)
	}
	if !ok || !written(key) && !written(enable) {
		return
	}
	r.warn(r.where(key, enable), "Limit of tool results", "%s: in verl, characters of a tool's result. awhost's "+
		"environments do not read it. Write max_result_tokens = %d into the environment \"mcp\" for this limit; its "+
		"default is 25000. The beginning of a result is kept, whatever tool_response_truncate_side is.",
		r.say(key), (length+charactersPerToken-1)/charactersPerToken)
}
