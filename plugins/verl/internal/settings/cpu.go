package settings

import (
	"maps"
	"slices"

	"github.com/awhost/awhost/sdk/framework"
)

// A CPU trains short rows of a tiny model: in a smoke run, and with device = "cpu". What a user wrote for GPUs gives
// way there, and the plan says so.

// madeSmall are the knobs that say how long a run is and how large a step: in a smoke run the host has made them small,
// whatever anybody wrote.
var madeSmall = []string{
	"steps", "batch.prompts", "batch.group_size", "mini_batch.size", "validate.every", "validate.before_train",
	"validate.samples", "checkpoint.every", "checkpoint.unit",
}

// smokeRun is the origin of what a smoke run sets.
const smokeRun = "smoke run"

const policyModel = "actor_rollout_ref.model."

// noGPU is what a CPU takes of settings that are for GPUs alone.
var noGPU = map[string]any{
	sequenceParallelKey:                                 int64(1),
	actor + "fsdp_config.model_dtype":                   "fp32",
	actor + "fsdp_config.param_offload":                 false,
	actor + "fsdp_config.optimizer_offload":             false,
	reference + "fsdp_config.param_offload":             false,
	reference + "strategy":                              "fsdp2",
	"actor_rollout_ref.model.use_fused_kernels":         false,
	"actor_rollout_ref.model.enable_activation_offload": false,
}

// offInSmoke are trackers and tracers, which a smoke run does not feed.
var offInSmoke = map[string]any{
	"trainer.logger":          []any{"console", "file"},
	rollout + "trace.backend": nil,
}

// fitToCPU replaces what a CPU cannot do, gives a step of short rows the largest parts, and one that a smoke run has
// made small parts at all.
func (r *resolver) fitToCPU() {
	if !r.req.CPU && !r.req.Smoke {
		return
	}
	r.replaceUsers(noGPU)
	for _, rank := range []string{"lora_rank", "lora.rank"} { // the CPU's sampler loads whole models, not adapters
		if n, _ := r.view.Int(policyModel + rank); n > 0 && r.schema.Has(policyModel+"lora.merge") {
			r.replace(policyModel+"lora.merge", true)
		}
	}
	if r.req.Smoke {
		r.replaceUsers(offInSmoke)
		r.replace(ownModel, framework.Verbatim(r.req.Needs.Model))
	}
	r.fitParts()
}

// replaceUsers replaces what the user wrote.
func (r *resolver) replaceUsers(values map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if s := r.view.Get(key); s != nil && !framework.Equal(s.Value, values[key]) {
			r.replace(key, values[key])
		}
	}
}

func (r *resolver) replace(key string, value any) {
	origin := "device = \"cpu\""
	if r.req.Smoke {
		origin = smokeRun
	}
	r.view.Set(&setting{Key: key, Value: value, Level: framework.SmokeRun, Origin: origin})
}

// mostAtOnce is how many short rows a CPU takes at once without loss.
const mostAtOnce = 128

// fitParts makes the parts of a step as large as they may be.
func (r *resolver) fitParts() {
	batch, _ := r.view.Int("data.train_batch_size")
	group, _ := r.view.Int(rollout + "n")
	if batch < 1 || group < 1 {
		return
	}
	mini, written := r.view.Int(actor + "ppo_mini_batch_size")
	if r.req.Smoke && written && (mini < 1 || batch%mini != 0) {
		mini = batch
		r.replace(actor+"ppo_mini_batch_size", int64(batch))
	}
	for _, m := range microBatches {
		if m.total == actor+"ppo_micro_batch_size" {
			r.fitPart(m, mini*group)
		} else {
			r.fitPart(m, batch*group)
		}
	}
}

// fitPart takes as much at once as divides a number of samples.
func (r *resolver) fitPart(m microBatch, samples int) {
	if !m.used(r) || r.view.IsTrue(m.packed) || samples < 1 {
		return
	}
	if total, _ := r.view.Value(m.total); total != nil {
		r.replace(m.total, nil)
	}
	ranks := max(1, r.gpus()) // sequenceParallelKey is 1
	r.replace(m.perGPU, int64(largestDivisor(samples/ranks, mostAtOnce)))
}
