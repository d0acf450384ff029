package settings

import (
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// move says that a key is no longer where it was. Both names may end in ".*": what follows is kept.
type move struct {
	from  string
	to    string  // empty: no successor; the value of a file is left out with a warning
	since release // the first release without it; the zero release: none of 0.5 and later had it
	alias bool    // until then both are read, so a value is simply moved
	also  release // from the first of 0.7.1 until this release verl itself moves it; zero: never
	inert bool    // verl still accepts the key, and has ignored it since then
	why   string  // with a successor: what changed in the value, which a file must then adapt
}

const rollout = "actor_rollout_ref.rollout."

// moves are keys that users bring along from other versions, or from forks. The order decides between prefixes.
var moves = []move{
	{from: "custom_reward_function.*", to: "reward.custom_reward_function.*", since: v071, also: v090},
	{from: "reward_model.reward_manager", to: "reward.reward_manager.name", since: v071, also: v090},
	{from: "reward_model.num_workers", to: "reward.num_workers", since: v071, also: v090},
	{from: "reward_model.enable", to: "reward.reward_model.enable", since: v071, also: v090},
	{from: "reward_model.enable_resource_pool", to: "reward.reward_model.enable_resource_pool", since: v071, also: v090},
	{from: "reward_model.n_gpus_per_node", to: "reward.reward_model.n_gpus_per_node", since: v071, also: v090},
	{from: "reward_model.nnodes", to: "reward.reward_model.nnodes", since: v071, also: v090},
	{from: "reward_model.model.path", to: "reward.reward_model.model_path", since: v071, also: v090},
	{from: "reward_model.model.external_lib", since: v071, inert: true},
	{from: "reward_model.model.trust_remote_code", since: v071, inert: true},
	{from: "reward_model.rollout.*", to: "reward.reward_model.rollout.*", since: v071, also: v090},
	{from: "reward_model.reward_kwargs.*", to: "reward.reward_kwargs.*", since: v071, also: v090},
	{from: "reward_model.reward_loop_source", to: "reward.reward_manager.source", since: v071, also: v090},
	{from: "reward_model.reward_loop_module_path", to: "reward.reward_manager.module.path", since: v071, also: v090},
	{from: "reward_model.reward_loop_class_name", to: "reward.reward_manager.module.name", since: v071, also: v090},
	{from: "reward_model.sandbox_fusion.*", to: "reward.sandbox_fusion.*", since: v071},
	{from: "reward_model.launch_reward_fn_async", since: v071, why: "rewards are always computed while episodes run"},
	{from: "reward_model.use_reward_loop", since: v071, why: "rewards are always computed while episodes run"},
	{from: "reward_model.*", since: v071, why: "a reward model is served by a rollout engine now: reward.reward_model"},
	{from: "sandbox_fusion.*", to: "reward.sandbox_fusion.*", since: v071, also: v090},
	{from: "reward_manager.*", to: "reward.reward_manager.*", since: v071},
	{from: rollout + "multi_turn.max_turns", to: rollout + "multi_turn.max_assistant_turns"},
	{from: rollout + "multi_turn.interaction_config_path", since: v080, why: "verl has no interactions any more; an environment of awhost answers the agent instead"},
	{from: rollout + "multi_turn.completion_callback", since: v060, why: "agent loops took its place"},
	{from: rollout + "update_weights_bucket_megabytes", to: rollout + "checkpoint_engine.update_weights_bucket_megabytes", since: v071},
	{from: rollout + "skip_rollout", to: rollout + "skip.enable", since: v080},
	{from: rollout + "skip_dump_dir", to: rollout + "skip.dump_dir", since: v080},
	{from: rollout + "skip.*", to: "skip.rollout.*", since: v090},
	{from: "actor_rollout_ref.actor.optim.warmup_style", to: "actor_rollout_ref.actor.optim.lr_scheduler_type", since: v060, alias: true},
	{from: "actor_rollout_ref.actor.optim.grad_clip", to: "actor_rollout_ref.actor.optim.clip_grad", since: v060, alias: true},
	{from: "actor_rollout_ref.actor.sum_pi_squared_checkpointing", since: v080},
	{from: "actor_rollout_ref.actor.checkpoint.mbridge_config.*", since: v090, why: "only the engine megatron has it: model_engine=megatron"},
	{from: "actor_rollout_ref.actor.router_replay.*", since: v091, why: "it belongs to the engines now: actor_rollout_ref.actor.megatron.router_replay, …veomni.router_replay"},
	{from: "algorithm.loss_agg_mode", to: "actor_rollout_ref.actor.loss_agg_mode"},
	{from: "algorithm.rollout_is_threshold", to: "algorithm.rollout_correction.rollout_is_threshold", since: v061},
	{from: "algorithm.rollout_is_level", to: "algorithm.rollout_correction.rollout_is", since: v061},
	{from: "algorithm.rollout_is", to: "algorithm.rollout_correction.rollout_is", since: v061, why: "it is \"token\", \"sequence\" or null now"},
	{from: "algorithm.rollout_is_*", to: "algorithm.rollout_correction", since: v061},
	{from: "algorithm.rollout_correction.use_policy_gradient", to: "algorithm.rollout_correction.loss_type", since: v070, why: "true is \"reinforce\" now, false \"ppo_clip\""},
	{from: "algorithm.rollout_correction.rollout_rs_threshold_lower", to: "algorithm.rollout_correction.rollout_rs_threshold", since: v071, why: "it is one text now, \"lower_upper\""},
	{from: "algorithm.rollout_correction.rollout_token_veto_threshold", to: "algorithm.rollout_correction.rollout_rs", since: v071},
	{from: "critic.model.fsdp_config.*", to: "critic.fsdp.*", since: v080},
	{from: "data.sampler.*", since: v080, why: "the order of the tasks is awhost's"},
	{from: "data.datagen.*", since: v080, why: "the tasks are awhost's"},
	{from: "data.continuous_token.*", since: v091, why: "it is always on"},
	{from: "ray_init.num_cpus", to: "ray_kwargs.ray_init.num_cpus", since: v060},
	{from: "ray_init.timeline_json_file", to: "ray_kwargs.timeline_json_file", since: v060},
	{from: "ray_init.*", to: "ray_kwargs.ray_init.*", since: v060},
	{from: "trainer.use_legacy_worker_impl", since: v080, why: "the old workers are gone"},
	{from: "trainer.val_generations_to_log_to_wandb", to: "trainer.log_val_generations", since: v060},
	{from: "trainer.remove_previous_ckpt_in_save", to: "trainer.max_actor_ckpt_to_keep", since: v060},
	{from: "trainer.profile_steps", to: "global_profiler.steps", since: v060},
	{from: "trainer.controller_nsight_options.*", to: "global_profiler.global_tool_config.nsys.controller_nsight_options.*", since: v060},
	{from: "trainer.worker_nsight_options.*", to: "global_profiler.global_tool_config.nsys.worker_nsight_options.*", since: v060},
	{from: "trainer.npu_profile.*", to: "global_profiler.tool", since: v060},
}

// movedFrom finds out whether a key is no longer what this release reads, and where it went. The schema has the last
// word: a key that it knows has not moved, unless verl accepts it and ignores it.
func movedFrom(key string, r release, s *framework.Schema) (move, bool) {
	for _, m := range moves {
		to, ok := m.target(key)
		if !ok || r.Before(m.since) {
			continue
		}
		m.to = to
		ignored := m.also != release{} || m.alias || m.inert
		if s.At(key).Kind != framework.Unknown && !ignored || to != "" && !s.Has(to) && s.At(to).Kind != framework.Free {
			continue
		}
		return m, true
	}
	return move{}, false
}

// target is where a key goes by this move.
func (m move) target(key string) (to string, ok bool) {
	prefix, wild := strings.CutSuffix(m.from, "*")
	if !wild {
		return m.to, key == m.from
	}
	rest, ok := strings.CutPrefix(key, prefix)
	if !ok {
		return "", false
	}
	to, keeps := strings.CutSuffix(m.to, "*")
	if keeps {
		to += rest
	}
	return to, true
}

// byVerl says that verl still moves the value itself, so that awhost may as well.
func (m move) byVerl(r release) bool { return m.alias || m.also != release{} && r.Before(m.also) }
