package settings

import "github.com/awhost/awhost/sdk/framework"

// fill sets what nobody has set and what verl's default would not do for: values without which the run would not
// begin, or would end without a checkpoint.
func (r *resolver) fill() {
	r.fillEngine()
	r.fillSteps()
	r.fillBatch()
	r.fitToCPU()
	r.fillMicroBatches()
	r.fillValidation()
	r.fillIn("trainer.project_name", "awhost")
	if r.req.Stage != "" {
		r.fillIn("trainer.experiment_name", framework.Verbatim(r.req.Stage))
	}
}

// fillIn sets a key unless somebody has.
func (r *resolver) fillIn(key string, value any) {
	if r.view.Get(key) == nil && r.schema.Has(key) {
		r.view.Default(key, value)
	}
}

// generation is which of verl's trainers runs.
func (r *resolver) generation() Generation {
	if r.view.IsTrue("trainer.use_v1") {
		return V1
	}
	return V0
}

// gpus is what the trainer takes; 0: unknown.
func (r *resolver) gpus() int {
	nodes, _ := r.view.Int("trainer.nnodes")
	each, _ := r.view.Int("trainer.n_gpus_per_node")
	return max(0, nodes*each)
}

// perEpoch is how many steps verl makes of the tasks; 0: unknown, or none at all.
func (r *resolver) perEpoch() int {
	batch, ok := r.view.Int("data.train_batch_size")
	if !ok || batch < 1 {
		return 0
	}
	return r.req.Data.TrainTasks / batch
}

func (r *resolver) fillEngine() {
	engine := "vllm"
	if r.req.Installed.Packages["vllm"] == "" && r.req.Installed.Packages["sglang"] != "" {
		engine = "sglang"
	}
	r.fillIn(rollout+"name", engine)
	if width, ok := r.view.Int(rollout + "tensor_model_parallel_size"); ok && width > 0 && r.gpus() > 0 && r.gpus()%width != 0 {
		r.fillIn(rollout+"tensor_model_parallel_size", int64(1)) // verl's default is 2
	}
}

// fillSteps makes verl go over the tasks as often as the steps need, and keeps a checkpoint of the last one.
func (r *resolver) fillSteps() {
	steps, ok := r.view.Int("trainer.total_training_steps")
	if !ok {
		return
	}
	if n := r.perEpoch(); n > 0 {
		r.fillIn("trainer.total_epochs", int64(epochsFor(steps, n)))
	}
	r.fillIn("trainer.save_freq", int64(steps)) // verl saves in the last step too, if it saves at all
}

func (r *resolver) fillBatch() {
	batch, ok := r.view.Int("data.train_batch_size")
	group, also := r.view.Int(rollout + "n")
	if !ok || !also || batch < 1 || group < 1 {
		return
	}
	r.fillIn(actor+"ppo_mini_batch_size", int64(batch))
	if workers, ok := r.view.Int(workersKey); ok && r.generation() == V0 && workers > 0 && batch*group%workers != 0 {
		r.fillIn(workersKey, int64(largestDivisor(batch*group, workers)))
	}
}

const workersKey = rollout + "agent.num_workers"

// largestDivisor of n that is not above most.
func largestDivisor(n, most int) int {
	for d := min(n, most); d > 1; d-- {
		if n%d == 0 {
			return d
		}
	}
	return 1
}

// microBatch is a pair of keys of which verl wants exactly one, unless it packs by tokens.
type microBatch struct {
	total, perGPU string
	packed        string // true: none of both is needed
	used          func(r *resolver) bool
}

var microBatches = []microBatch{
	{actor + "ppo_micro_batch_size", actor + "ppo_micro_batch_size_per_gpu", actor + "use_dynamic_bsz", func(*resolver) bool { return true }},
	{rollout + "log_prob_micro_batch_size", rollout + "log_prob_micro_batch_size_per_gpu", rollout + "log_prob_use_dynamic_bsz", func(*resolver) bool { return true }},
	{reference + "log_prob_micro_batch_size", reference + "log_prob_micro_batch_size_per_gpu", reference + "log_prob_use_dynamic_bsz", (*resolver).hasReference},
}

const reference = "actor_rollout_ref.ref."

// hasReference says whether a reference policy is loaded.
func (r *resolver) hasReference() bool {
	return r.view.IsTrue(actor+"use_kl_loss") || r.view.IsTrue("algorithm.use_kl_in_reward")
}

// fillMicroBatches takes the smallest micro-batch, which always fits and always divides. Larger ones are faster, and
// only the user knows the memory.
func (r *resolver) fillMicroBatches() {
	for _, m := range microBatches {
		if !m.used(r) || r.view.IsTrue(m.packed) {
			continue
		}
		if total, _ := r.view.Value(m.total); total != nil {
			continue
		}
		if each, _ := r.view.Value(m.perGPU); each == nil {
			r.fillIn(m.perGPU, int64(1))
		}
	}
}

// validatesByVerl reports whether the user describes validation in verl's own keys. verl's defaults then apply to the
// keys that are left open: greedy sampling, and a validation before the first step.
func (r *resolver) validatesByVerl() bool {
	written := func(key string) bool { s := r.view.Get(key); return s != nil && s.IsVerbatim() }
	return len(r.req.Config) > 0 || written("trainer.test_freq") || written("trainer.val_before_train")
}

// fillValidation samples as in training, unless verl's own keys describe validation, and validates after the last step.
func (r *resolver) fillValidation() {
	if r.req.Data.ValidationTasks == 0 {
		r.fillIn("trainer.val_before_train", false)
	} else if steps, ok := r.view.Int("trainer.total_training_steps"); ok {
		r.fillIn("trainer.test_freq", int64(steps))
	}
	if r.validatesByVerl() {
		return
	}
	if s := r.view.Get(valKwargs + "do_sample"); s != nil && framework.Equal(s.Value, false) {
		r.fillIn(valKwargs+"temperature", int64(0)) // verl's agent loops read the temperature alone
	}
	for _, name := range []string{"temperature", "top_p", "top_k"} {
		if value, ok := r.view.Value(rollout + name); ok {
			r.fillIn(valKwargs+name, value)
		}
	}
	if value, ok := r.view.Value(valKwargs + "temperature"); ok {
		t, _ := framework.Float(value)
		r.fillIn(valKwargs+"do_sample", t > 0)
	}
}
