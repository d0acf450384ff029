package areal

import (
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// defaults is what holds where neither the spec nor the user's file says anything, and differs from AReaL's own.
func (r *resolved) defaults() {
	for key, value := range map[string]any{
		"seed": 1, "enable_offload": false,
		"gconfig.max_tokens": r.maxContext, "gconfig.max_new_tokens": r.maxContext,
		"eval_gconfig.max_tokens": r.maxContext, "eval_gconfig.max_new_tokens": r.maxContext,
		"saver.freq_epochs": 1, "recover.freq_epochs": 1, "evaluator.freq_epochs": 1,
		"stats_logger.wandb.mode": "disabled", "stats_logger.swanlab.mode": "disabled",
	} {
		r.settings.Default(key, value)
	}
	r.inherit("eval_gconfig", "gconfig") // validation samples as training does
	r.rolloutDefaults()
	r.actorDefaults()
	r.engineDefaults()
}

func (r *resolved) rolloutDefaults() {
	_, backend := r.config.backends()
	r.settings.Default("rollout.backend", backend)
	r.settings.Default("rollout.max_concurrent_rollouts", max(1, r.concurrency()))
	r.settings.Default("rollout.setup_timeout", duration(r.config.StartTimeout).Seconds())
	// A group must be over by then: the host has limits of its own, which are the spec's.
	r.settings.Default("rollout.request_timeout", 21600.0)
	r.settings.Default("rollout.scheduling_spec", r.worker())
}

// concurrency is how many prompts are played at a time.
func (r *resolved) concurrency() int {
	episodes := r.knobs.Concurrency
	if episodes < 1 {
		episodes = 64
	}
	return (episodes + r.groupSize - 1) / r.groupSize
}

func (r *resolved) actorDefaults() {
	backend, _ := r.config.backends()
	for key, value := range map[string]any{
		"backend": backend, "scheduling_spec": r.worker(), "disable_dropout": true, "init_from_scratch": false,
		"kl_ctl": 0.0, "eps_clip": 0.2, "ppo_n_minibatches": 1, "recompute_logprob": true, "use_decoupled_loss": true,
		"mb_spec.max_tokens_per_mb": max(8192, r.maxContext), "optimizer.type": "adam", "optimizer.lr": 1e-6,
		"weight_update_mode": "xccl", "optimizer.warmup_steps_proportion": 0.0,
		// Without it AReaL's decoupled loss leaves out the sampler's share of the ratio, and reports no difference to it.
		"rejection_sampling.level": "token", "rejection_sampling.action": "mask", "rejection_sampling.metric": "ratio", "rejection_sampling.upper": 5.0,
	} {
		r.settings.Default("actor."+key, value)
	}
	if r.config.cpu() {
		for key, value := range map[string]any{
			"dtype": "float32", "attn_impl": "sdpa", "gradient_checkpointing": false, "weight_update_mode": "disk",
		} {
			r.settings.Default("actor."+key, value)
		}
	}
	// GRPO, unless the configuration has other baselines.
	if r.writes("actor.reward_norm") || !r.writes("actor.adv_norm") && !r.writes("critic") {
		r.settings.Default("actor.reward_norm.mean_level", "group")
		r.settings.Default("actor.reward_norm.std_level", "group")
	}
	if temperature, _ := r.settings.Value("gconfig.temperature"); temperature != nil {
		r.settings.Default("actor.temperature", temperature) // the trainer's log-probabilities are the sampler's
	}
	r.modelDefaults()
}

// modelDefaults sets up the reference model, where there is a penalty for leaving it, and a critic that is configured.
func (r *resolved) modelDefaults() {
	penalty, _ := r.settings.Value("actor.kl_ctl")
	for section, used := range map[string]bool{"ref": !framework.Equal(penalty, 0.0), "critic": false} {
		if !used && !r.writes(section) {
			r.settings.Default(section, nil)
			continue
		}
		for key, value := range map[string]any{
			"experiment_name": experiment, "trial_name": r.trial, "path": r.model, "backend": r.settings.Text("actor.backend"),
			"scheduling_spec": r.worker(), "disable_dropout": true, "init_from_scratch": false,
			"mb_spec.max_tokens_per_mb": max(8192, r.maxContext),
		} {
			r.settings.Default(section+"."+key, value)
		}
		if r.config.cpu() {
			r.settings.Default(section+".dtype", "float32")
			r.settings.Default(section+".attn_impl", "sdpa")
		}
	}
}

func (r *resolved) engineDefaults() {
	if strings.HasPrefix(r.settings.Text("rollout.backend"), "vllm") {
		r.settings.Default("vllm.model", r.weights)
		r.settings.Default("vllm.max_model_len", r.maxContext)
		return
	}
	r.settings.Default("sglang.model_path", r.weights)
	r.settings.Default("sglang.skip_tokenizer_init", true)
	r.settings.Default("sglang.context_length", r.maxContext)
	if r.config.cpu() {
		r.settings.Default("sglang.dtype", "float32")
	}
}

// worker is the resources of one of AReaL's workers.
func (r *resolved) worker() []any {
	spec := map[string]any{"cpu": 4, "gpu": 1, "mem": 32, "port_count": 2, "cmd": "python -m areal.infra.rpc.rpc_server", "env_vars": map[string]any{}}
	if r.config.cpu() {
		spec["cpu"], spec["gpu"], spec["mem"], spec["cmd"] = 1, 0, 1, "python -m awhost_areal.cpu"
	}
	return []any{spec}
}
