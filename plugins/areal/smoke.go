package areal

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/python"
)

// A smoke run trains with the real AReaL on a CPU, a tiny random model of the policy's architecture, and messages by a script
// in half of the episodes. The Python side is awhost_areal.script and the stand-in for SGLang.

// inSmoke are the inputs of the same stage in a smoke run. All stages share a model, which is in the plugin's own folder.
func (in inputs) inSmoke(dir string) inputs {
	in.smoke, in.config, in.model = true, in.config.smoke(), filepath.Join(dir, "tiny")
	if n := in.knobs.Optimizer.WarmupSteps; n != nil && in.knobs.Steps != nil {
		short := min(*n, *in.knobs.Steps)
		in.knobs.Optimizer.WarmupSteps = &short
	}
	return in
}

// counted are the knobs that say how long a run is and how large a step: the host has made them small.
var counted = []string{
	"steps", "batch.prompts", "batch.group_size", "mini_batch.size", "validate.every", "validate.samples", "checkpoint.every",
}

// replace sets what a smoke run needs. Keys that this AReaL does not have are left out.
func (r *resolved) replace(key string, value any) {
	s := framework.Setting{Key: key, Value: value, Level: framework.SmokeRun, Origin: "smoke run"}
	if normal, err := framework.Normal(value); err == nil && r.installed.Check(key, normal) == nil {
		r.settings.Set(&s)
	}
}

// small sets what a smoke run needs where the user's own file or overrides differ: the CPU, and no trackers. The length
// of the run and the size of a step are knobs: see writeKnobs.
func (r *resolved) small() {
	replace := r.replace
	for key, value := range map[string]any{
		"dynamic_bs": false, "scheduler.type": r.config.Scheduler,
		"cluster.n_nodes": r.config.Nodes, "cluster.n_gpus_per_node": r.gpusPerNode(),
		"enable_offload": false, "actor.weight_update_mode": "disk", "actor.fsdp.offload_params": false, "sglang.dtype": "float32",
		"stats_logger.wandb.mode": "disabled", "stats_logger.swanlab.mode": "disabled", "stats_logger.trackio.mode": "disabled",
		"stats_logger.tensorboard.path": nil, "actor._version": "v1", "rollout._version": "v1",
	} {
		replace(key, value)
	}
	actor, rollout := r.config.backends()
	replace("actor.backend", actor)
	for _, model := range []string{"ref.", "critic."} {
		replace(model+"backend", actor)
		replace(model+"path", r.model)
	}
	replace("rollout.backend", rollout)
	for _, engine := range []string{"actor.", "ref.", "critic.", "rollout."} {
		replace(engine+"scheduling_spec", r.worker())
		replace(engine+"scheduling_strategy.type", "separation")
		replace(engine+"scheduling_strategy.target", nil)
	}
	for _, trained := range []string{"actor.", "ref.", "critic."} {
		replace(trained+"dtype", "float32")
		replace(trained+"attn_impl", "sdpa")
		replace(trained+"gradient_checkpointing", false)
		replace(trained+"use_kernels", false)
		replace(trained+"offload", false)
	}
}

// scripts is where workers leave what the policy is to say for the stand-in of SGLang; empty: this is no smoke run.
func (r *resolved) scripts() string {
	if !r.smoke {
		return ""
	}
	return r.dir.scripts()
}

// makeModel makes the tiny model, unless a stage before has.
func (r *resolved) makeModel(ctx context.Context) error {
	return python.TinyModel{Python: r.installed.Python, Like: r.policy, Dir: r.model, Env: r.knobs.Env}.Make(ctx)
}

// oldest is the first AReaL whose workers and proxy run on a CPU as they are.
const oldest = "1.0.4"

// planSmoke says what a smoke run does, and where it cannot.
func planSmoke(out *sdk.PlanResponse, r *resolved) {
	if !r.installed.Release.AtLeast(framework.Release{1, 0, 4}) {
		out.Capabilities.Smoke = false
		out.Diagnostics = append(out.Diagnostics, problem("No smoke run with this AReaL", fmt.Sprintf(
			"AReaL %s has other workers, and a proxy that fails without a GPU: smoke runs need %s or later. Install that into an "+
				"environment of its own and name its Python in `python`, or a checkout of it in `source`.", r.installed.Release, oldest), "python"))
	}
	out.Notes = append(out.Notes,
		fmt.Sprintf("the tiny model has the architecture and the tokenizer of %s; sampled messages have at most 64 tokens", r.policy),
		fmt.Sprintf("AReaL's own trainer, controllers and workers run, with %q and %q, and awhost's stand-in samples in the place of SGLang",
			r.settings.Text("actor.backend"), r.settings.Text("rollout.backend")),
	)
	if r.mode == modeAgent {
		out.Notes = append(out.Notes, "agent mode: AReaL's proxy keeps the tokens, also of what the script says; an episode that it would give up its "+
			"group for is trained with the reward 0 instead, or the steps of a random policy would never end")
	}
}
