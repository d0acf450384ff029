package areal

import (
	"strings"

	"github.com/awhost/awhost/plugins/areal/internal/settings"
	"github.com/awhost/awhost/sdk/framework"
)

// defaults is what holds where neither the spec nor the user's file says anything, and differs from AReaL's own.
func (r *resolved) defaults(b *settings.Builder) {
	for key, value := range map[string]any{
		"seed": 1, "enable_offload": false,
		"gconfig.max_tokens": r.maxContext, "gconfig.max_new_tokens": r.maxContext,
		"eval_gconfig.max_tokens": r.maxContext, "eval_gconfig.max_new_tokens": r.maxContext,
		"saver.freq_epochs": 1, "recover.freq_epochs": 1, "evaluator.freq_epochs": 1,
		"stats_logger.wandb.mode": "disabled", "stats_logger.swanlab.mode": "disabled",
	} {
		b.Default(key, value)
	}
	b.Inherit("eval_gconfig", "gconfig") // validation samples as training does
	r.rolloutDefaults(b)
	r.actorDefaults(b)
	r.engineDefaults(b)
}

func (r *resolved) rolloutDefaults(b *settings.Builder) {
	_, backend := r.config.backends()
	b.Default("rollout.backend", backend)
	b.Default("rollout.max_concurrent_rollouts", max(1, r.concurrency()))
	b.Default("rollout.setup_timeout", duration(r.config.StartTimeout).Seconds())
	// A group must be over by then: the host has limits of its own, which are the spec's.
	b.Default("rollout.request_timeout", 21600.0)
	b.Default("rollout.scheduling_spec", r.worker())
}

// concurrency is how many prompts are played at a time.
func (r *resolved) concurrency() int {
	episodes := r.knobs.Concurrency
	if episodes < 1 {
		episodes = 64
	}
	return (episodes + r.groupSize - 1) / r.groupSize
}

func (r *resolved) actorDefaults(b *settings.Builder) {
	backend, _ := r.config.backends()
	for key, value := range map[string]any{
		"backend": backend, "scheduling_spec": r.worker(), "disable_dropout": true, "init_from_scratch": false,
		"kl_ctl": 0.0, "eps_clip": 0.2, "ppo_n_minibatches": 1, "recompute_logprob": true, "use_decoupled_loss": true,
		"mb_spec.max_tokens_per_mb": max(8192, r.maxContext), "optimizer.type": "adam", "optimizer.lr": 1e-6,
		"weight_update_mode": "xccl", "optimizer.warmup_steps_proportion": 0.0,
		// Without it AReaL's decoupled loss leaves out the sampler's share of the ratio, and reports no difference to it.
		"rejection_sampling.level": "token", "rejection_sampling.action": "mask", "rejection_sampling.metric": "ratio", "rejection_sampling.upper": 5.0,
	} {
		b.Default("actor."+key, value)
	}
	if r.config.cpu() {
		for key, value := range map[string]any{
			"dtype": "float32", "attn_impl": "sdpa", "gradient_checkpointing": false, "weight_update_mode": "disk",
		} {
			b.Default("actor."+key, value)
		}
	}
	// GRPO, unless the configuration has other baselines.
	if b.Writes("actor.reward_norm") || !b.Writes("actor.adv_norm") && !b.Writes("critic") {
		b.Default("actor.reward_norm.mean_level", "group")
		b.Default("actor.reward_norm.std_level", "group")
	}
	if temperature, ok := b.Value("gconfig.temperature"); ok {
		b.Default("actor.temperature", temperature) // the trainer's log-probabilities are the sampler's
	}
	r.modelDefaults(b)
}

// modelDefaults sets up the reference model, where there is a penalty for leaving it, and a critic that is configured.
func (r *resolved) modelDefaults(b *settings.Builder) {
	penalty, _ := b.Value("actor.kl_ctl")
	for section, used := range map[string]bool{"ref": !framework.Equal(penalty, 0.0), "critic": false} {
		if !used && !b.Writes(section) {
			b.Default(section, nil)
			continue
		}
		for key, value := range map[string]any{
			"experiment_name": experiment, "trial_name": r.trial, "path": r.model, "backend": r.backend(b, "actor.backend"),
			"scheduling_spec": r.worker(), "disable_dropout": true, "init_from_scratch": false,
			"mb_spec.max_tokens_per_mb": max(8192, r.maxContext),
		} {
			b.Default(section+"."+key, value)
		}
		if r.config.cpu() {
			b.Default(section+".dtype", "float32")
			b.Default(section+".attn_impl", "sdpa")
		}
	}
}

func (r *resolved) engineDefaults(b *settings.Builder) {
	if strings.HasPrefix(r.backend(b, "rollout.backend"), "vllm") {
		b.Default("vllm.model", r.weights)
		b.Default("vllm.max_model_len", r.maxContext)
		return
	}
	b.Default("sglang.model_path", r.weights)
	b.Default("sglang.skip_tokenizer_init", true)
	b.Default("sglang.context_length", r.maxContext)
	if r.config.cpu() {
		b.Default("sglang.dtype", "float32")
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
