package settings

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/framework"
)

// synthetic lists the settings of installations that the tests make: names of verl, defaults that tell things apart.
// until is the first release without it.
var synthetic = []struct {
	key          string
	value        any
	since, until release
}{
	{key: "actor_rollout_ref.actor._target_", value: "verl.workers.config.ActorConfig"},
	{key: "actor_rollout_ref.actor.optim._target_", value: "verl.workers.config.OptimConfig"},
	{key: "actor_rollout_ref.actor.optim.lr", value: 1e-6},
	{key: "actor_rollout_ref.actor.optim.lr_scheduler_type", value: "constant"},
	{key: "actor_rollout_ref.actor.optim.lr_warmup_steps", value: -1},
	{key: "actor_rollout_ref.actor.optim.warmup_style", value: nil},
	{key: "actor_rollout_ref.actor.optim.weight_decay", value: 0.01},
	{key: "actor_rollout_ref.actor.optim.betas", value: []any{0.9, 0.999}},
	{key: "actor_rollout_ref.actor.optim.clip_grad", value: 1.0},
	{key: "actor_rollout_ref.actor.grad_clip", value: 1.0},
	{key: "actor_rollout_ref.actor.strategy", value: "fsdp"},
	{key: "actor_rollout_ref.actor.ppo_mini_batch_size", value: 256},
	{key: "actor_rollout_ref.actor.ppo_micro_batch_size", value: nil},
	{key: "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu", value: nil},
	{key: "actor_rollout_ref.actor.ppo_max_token_len_per_gpu", value: 16384},
	{key: "actor_rollout_ref.actor.use_dynamic_bsz", value: false},
	{key: "actor_rollout_ref.actor.ppo_epochs", value: 1},
	{key: "actor_rollout_ref.actor.clip_ratio_low", value: 0.2},
	{key: "actor_rollout_ref.actor.clip_ratio_high", value: 0.2},
	{key: "actor_rollout_ref.actor.clip_ratio_c", value: 3.0},
	{key: "actor_rollout_ref.actor.entropy_coeff", value: 0},
	{key: "actor_rollout_ref.actor.use_kl_loss", value: false},
	{key: "actor_rollout_ref.actor.kl_loss_coef", value: 0.001},
	{key: "actor_rollout_ref.actor.kl_loss_type", value: "low_var_kl"},
	{key: "actor_rollout_ref.actor.loss_agg_mode", value: "token-mean"},
	{key: "actor_rollout_ref.actor.policy_loss.loss_mode", value: "vanilla"},
	{key: "actor_rollout_ref.actor.data_loader_seed", value: 42, since: v070},
	{key: "actor_rollout_ref.actor.ulysses_sequence_parallel_size", value: 1},
	{key: "actor_rollout_ref.actor.fsdp_config.param_offload", value: false},
	{key: "actor_rollout_ref.actor.fsdp_config.optimizer_offload", value: false},
	{key: "actor_rollout_ref.actor.fsdp_config.model_dtype", value: "fp32"},
	{key: "actor_rollout_ref.actor.fsdp_config.fsdp_size", value: -1},
	{key: "actor_rollout_ref.ref.log_prob_micro_batch_size", value: nil},
	{key: "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu", value: nil},
	{key: "actor_rollout_ref.ref.log_prob_use_dynamic_bsz", value: "${oc.select:actor_rollout_ref.actor.use_dynamic_bsz,false}"},
	{key: "actor_rollout_ref.rollout._target_", value: "verl.workers.config.RolloutConfig"},
	{key: "actor_rollout_ref.rollout.name", value: framework.Mandatory},
	{key: "actor_rollout_ref.rollout.mode", value: "sync", until: v070},
	{key: "actor_rollout_ref.rollout.mode", value: "async", since: v070},
	{key: "actor_rollout_ref.rollout.n", value: 1},
	{key: "actor_rollout_ref.rollout.seed", value: 42, since: v090},
	{key: "actor_rollout_ref.rollout.temperature", value: 1.0},
	{key: "actor_rollout_ref.rollout.top_p", value: 1},
	{key: "actor_rollout_ref.rollout.top_k", value: -1},
	{key: "actor_rollout_ref.rollout.dtype", value: "bfloat16"},
	{key: "actor_rollout_ref.rollout.enforce_eager", value: false},
	{key: "actor_rollout_ref.rollout.free_cache_engine", value: true},
	{key: "actor_rollout_ref.rollout.gpu_memory_utilization", value: 0.5},
	{key: "actor_rollout_ref.rollout.prompt_length", value: "${oc.select:data.max_prompt_length,512}"},
	{key: "actor_rollout_ref.rollout.response_length", value: "${oc.select:data.max_response_length,512}"},
	{key: "actor_rollout_ref.rollout.max_model_len", value: nil},
	{key: "actor_rollout_ref.rollout.max_num_seqs", value: 1024},
	{key: "actor_rollout_ref.rollout.max_num_batched_tokens", value: 8192},
	{key: "actor_rollout_ref.rollout.enable_chunked_prefill", value: true},
	{key: "actor_rollout_ref.rollout.tensor_model_parallel_size", value: 2},
	{key: "actor_rollout_ref.rollout.data_parallel_size", value: 1},
	{key: "actor_rollout_ref.rollout.log_prob_micro_batch_size", value: nil},
	{key: "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu", value: nil},
	{key: "actor_rollout_ref.rollout.log_prob_use_dynamic_bsz", value: "${oc.select:actor_rollout_ref.actor.use_dynamic_bsz,false}"},
	{key: "actor_rollout_ref.rollout.calculate_log_probs", value: false},
	{key: "actor_rollout_ref.rollout.engine_kwargs.vllm", value: map[string]any{}},
	{key: "actor_rollout_ref.rollout.val_kwargs._target_", value: "verl.workers.config.SamplingConfig"},
	{key: "actor_rollout_ref.rollout.val_kwargs.n", value: 1},
	{key: "actor_rollout_ref.rollout.val_kwargs.temperature", value: 0},
	{key: "actor_rollout_ref.rollout.val_kwargs.top_p", value: 1.0},
	{key: "actor_rollout_ref.rollout.val_kwargs.top_k", value: -1},
	{key: "actor_rollout_ref.rollout.val_kwargs.do_sample", value: false},
	{key: "actor_rollout_ref.rollout.agent._target_", value: "verl.workers.config.AgentLoopConfig"},
	{key: "actor_rollout_ref.rollout.agent.num_workers", value: 8},
	{key: "actor_rollout_ref.rollout.agent.default_agent_loop", value: "single_turn_agent"},
	{key: "actor_rollout_ref.rollout.agent.agent_loop_config_path", value: nil},
	{key: "actor_rollout_ref.rollout.multi_turn.enable", value: false},
	{key: "actor_rollout_ref.rollout.multi_turn.max_assistant_turns", value: nil},
	{key: "actor_rollout_ref.rollout.multi_turn.max_user_turns", value: nil},
	{key: "actor_rollout_ref.rollout.multi_turn.format", value: "hermes"},
	{key: "actor_rollout_ref.rollout.multi_turn.tool_config_path", value: nil},
	{key: "actor_rollout_ref.rollout.multi_turn.max_tool_response_length", value: 256},
	{key: "actor_rollout_ref.rollout.multi_turn.interaction_config_path", value: nil, until: v080},
	{key: "actor_rollout_ref.rollout.trace.backend", value: nil},
	{key: "actor_rollout_ref.rollout.skip_rollout", value: false, since: v070, until: v080},
	{key: "actor_rollout_ref.rollout.skip.enable", value: false, since: v080, until: v090},
	{key: "skip.rollout.enable", value: false, since: v090},
	{key: "actor_rollout_ref.model.path", value: "~/models/x"},
	{key: "actor_rollout_ref.model.use_remove_padding", value: true},
	{key: "actor_rollout_ref.model.enable_gradient_checkpointing", value: true},
	{key: "actor_rollout_ref.model.use_fused_kernels", value: false},
	{key: "actor_rollout_ref.model.override_config", value: map[string]any{}},
	{key: "actor_rollout_ref.hybrid_engine", value: true},
	{key: "algorithm.adv_estimator", value: "gae"},
	{key: "algorithm.gamma", value: 1.0},
	{key: "algorithm.lam", value: 1.0},
	{key: "algorithm.kl_penalty", value: "kl"},
	{key: "algorithm.norm_adv_by_std_in_grpo", value: true},
	{key: "algorithm.use_kl_in_reward", value: false},
	{key: "algorithm.kl_ctrl.type", value: "fixed"},
	{key: "algorithm.kl_ctrl.kl_coef", value: 0.001},
	{key: "algorithm.filter_groups.enable", value: false, since: v090},
	{key: "algorithm.filter_groups.metric", value: nil, since: v090},
	{key: "critic.grad_clip", value: 1.0},
	{key: "critic.cliprange_value", value: 0.5},
	{key: "custom_reward_function.path", value: nil},
	{key: "custom_reward_function.name", value: "compute_score", until: v071},
	{key: "custom_reward_function.name", value: nil, since: v071},
	{key: "reward_model.reward_manager", value: "naive", until: v071},
	{key: "reward_model.reward_manager", value: nil, since: v071},
	{key: "reward_model.enable", value: false, until: v071},
	{key: "reward_model.enable", value: nil, since: v071},
	{key: "reward_model.launch_reward_fn_async", value: false, until: v071},
	{key: "reward_model.num_workers", value: nil, since: v071},
	{key: "reward_model.model.external_lib", value: nil, since: v071},
	{key: "reward_model.model.trust_remote_code", value: nil, since: v071},
	{key: "reward.custom_reward_function.path", value: nil, since: v071},
	{key: "reward.custom_reward_function.name", value: "compute_score", since: v071},
	{key: "reward.reward_manager.source", value: "register", since: v071},
	{key: "reward.reward_manager.name", value: "naive", since: v071},
	{key: "reward.reward_model.enable", value: false, since: v071},
	{key: "reward.num_workers", value: 8, since: v071},
	{key: "data.train_files", value: "~/train.parquet"},
	{key: "data.val_files", value: "~/val.parquet"},
	{key: "data.train_batch_size", value: 1024},
	{key: "data.max_prompt_length", value: 512},
	{key: "data.max_response_length", value: 512},
	{key: "data.return_raw_chat", value: false},
	{key: "data.shuffle", value: true},
	{key: "data.seed", value: nil, since: v061},
	{key: "data.truncation", value: "error"},
	{key: "data.filter_overlong_prompts", value: false},
	{key: "data.custom_cls.path", value: nil},
	{key: "data.sampler.class_path", value: nil, until: v080},
	{key: "trainer.total_epochs", value: 30},
	{key: "trainer.total_training_steps", value: nil},
	{key: "trainer.project_name", value: "verl_examples"},
	{key: "trainer.experiment_name", value: "gsm8k"},
	{key: "trainer.logger", value: []any{"console", "wandb"}},
	{key: "trainer.log_val_generations", value: 0},
	{key: "trainer.nnodes", value: 1},
	{key: "trainer.n_gpus_per_node", value: 8},
	{key: "trainer.save_freq", value: -1},
	{key: "trainer.test_freq", value: -1},
	{key: "trainer.val_before_train", value: true},
	{key: "trainer.val_only", value: false},
	{key: "trainer.critic_warmup", value: 0},
	{key: "trainer.resume_mode", value: "auto"},
	{key: "trainer.resume_from_path", value: nil},
	{key: "trainer.default_local_dir", value: "checkpoints/${trainer.project_name}/${trainer.experiment_name}"},
	{key: "trainer.max_actor_ckpt_to_keep", value: nil},
	{key: "trainer.device", value: "cuda"},
	{key: "trainer.use_legacy_worker_impl", value: "auto", until: v080},
	{key: "trainer.use_v1", value: true, since: v090},
	{key: "trainer.v1.trainer_mode", value: "sync", since: v090},
	{key: "ray_kwargs.ray_init.num_cpus", value: nil},
	{key: "ray_kwargs.timeline_json_file", value: nil},
}

// syntheticFields are the fields of dataclasses, with the kinds of their values. Some are not in the configuration.
var syntheticFields = map[string][]string{
	"actor_rollout_ref.actor.entropy_coeff":                    {"float", "int"},
	"actor_rollout_ref.actor.ppo_epochs":                       {"int"},
	"actor_rollout_ref.actor.use_rollout_log_probs":            {"bool"},
	"actor_rollout_ref.actor.optim.lr":                         {"float", "int"},
	"actor_rollout_ref.actor.optim.betas":                      {"list"},
	"actor_rollout_ref.actor.optim.clip_grad":                  {"float", "int"},
	"actor_rollout_ref.actor.optim.lr_scheduler_type":          {"str"},
	"actor_rollout_ref.actor.optim.override_optimizer_config":  {"dict", "null"},
	"actor_rollout_ref.rollout.name":                           {"str", "null"},
	"actor_rollout_ref.rollout.n":                              {"int"},
	"actor_rollout_ref.rollout.temperature":                    {"float", "int"},
	"actor_rollout_ref.rollout.top_p":                          {"float", "int"},
	"actor_rollout_ref.rollout.top_k":                          {"int"},
	"actor_rollout_ref.rollout.max_model_len":                  {"int", "null"},
	"actor_rollout_ref.rollout.repetition_penalty":             {"float", "int"},
	"actor_rollout_ref.rollout.custom":                         {"dict", "null"},
	"actor_rollout_ref.rollout.limit_images":                   {"int", "null"},
	"actor_rollout_ref.rollout.val_kwargs.temperature":         {"float", "int"},
	"actor_rollout_ref.rollout.val_kwargs.top_k":               {"int"},
	"actor_rollout_ref.rollout.val_kwargs.top_p":               {"float", "int"},
	"actor_rollout_ref.rollout.val_kwargs.do_sample":           {"bool"},
	"actor_rollout_ref.rollout.val_kwargs.n":                   {"int"},
	"actor_rollout_ref.rollout.agent.num_workers":              {"int"},
	"actor_rollout_ref.rollout.agent.default_agent_loop":       {"str"},
	"actor_rollout_ref.rollout.agent.agent_loop_config_path":   {"str", "null"},
	"actor_rollout_ref.rollout.agent.agent_loop_manager_class": {"str", "null"},
}

// syntheticConfiguration returns the probe's answer for an installation of a release.
func syntheticConfiguration(t *testing.T, r release) *framework.Configuration {
	t.Helper()
	keys := []map[string]any{{
		"key": "actor_rollout_ref.actor.megatron.tensor_model_parallel_size", "default": 1, "in": []string{"megatron"},
	}}
	sections, classes := map[string]bool{}, map[string]bool{}
	add := func(key string, entry map[string]any) {
		entry["key"], entry["in"] = key, []string{defaultEngine}
		if kinds, ok := syntheticFields[key]; ok {
			entry["takes"] = kinds
			_, isKnown := entry["default"]
			entry["open"] = slices.Contains(kinds, "dict") && (!isKnown || entry["default"] == nil)
		}
		keys = append(keys, entry)
		for above, _, ok := framework.CutLast(key); ok; above, _, ok = framework.CutLast(above) {
			sections[above] = true
		}
	}
	for _, s := range synthetic {
		if r.Before(s.since) || s.until != (release{}) && r.AtLeast(s.until) {
			continue
		}
		if section, isClass := strings.CutSuffix(s.key, "._target_"); isClass {
			classes[section] = true
		}
		entry := map[string]any{"default": s.value, "open": false}
		switch v := s.value.(type) {
		case bool:
			entry["takes"] = []string{"bool"}
		case int:
			entry["takes"] = []string{"int", "null"}
		case float64:
			entry["takes"] = []string{"float", "int", "null"}
		case []any:
			entry["takes"] = []string{"list", "null"}
		case map[string]any:
			entry["takes"], entry["open"] = []string{"dict", "null"}, true
		case string:
			if v != framework.Mandatory && !strings.Contains(v, "${") {
				entry["takes"] = []string{"str", "null"}
			}
		}
		add(s.key, entry)
	}
	for key := range syntheticFields {
		if !slices.ContainsFunc(keys, func(entry map[string]any) bool { return entry["key"] == key }) {
			add(key, map[string]any{})
		}
	}
	for section := range sections {
		keys = append(keys, map[string]any{
			"key": section, "section": true, "strict": classes[section], "in": []string{defaultEngine},
		})
	}
	slices.SortFunc(keys, func(a, b map[string]any) int { return strings.Compare(a["key"].(string), b["key"].(string)) })
	text, err := json.Marshal(map[string]any{
		"version": r.String(), "schemas": []string{defaultEngine, "megatron"}, "keys": keys,
	})
	out := &framework.Configuration{}
	if err == nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// syntheticTree writes an installation of a release and finds it.
func syntheticTree(t *testing.T, r release) *Installed {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "verl/version/version", r.String()+"\n")
	write(t, dir, "verl/trainer/config/_generated_ppo_trainer.yaml", "")
	if r.AtLeast(v090) {
		write(t, dir, "verl/trainer/ppo/v1/trainer_base.py", strings.Join(trainerHooks, "\n"))
	}
	for _, name := range []string{"torch-2.11.0", "ray-2.52.0", "transformers-5.9.0", "hydra_core-1.3.8", "tensordict-0.10.0", "vllm-0.12.0", "TransferQueue-0.1.11"} {
		write(t, dir, name+".dist-info/METADATA", "Name: x\n")
	}
	write(t, dir, "verl-"+r.String()+".dist-info/METADATA", "Metadata-Version: 2.1\nName: verl\nVersion: "+r.String()+"\nRequires-Python: >=3.10,<3.13\n\nVersion: 9\n")
	return configured(t, dir, r)
}

// configured finds the verl in a directory and gives it the configuration of a release.
func configured(t *testing.T, dir string, r release) *Installed {
	t.Helper()
	installed, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	installed.Configuration = syntheticConfiguration(t, r)
	return installed
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// realTrees are the installations that AWHOST_VERL_TREES lists: directories of packages with verl in them, unpacked
// wheels for example.
func realTrees(t *testing.T) map[release]*Installed {
	t.Helper()
	list := os.Getenv("AWHOST_VERL_TREES")
	if list == "" {
		t.Skip("AWHOST_VERL_TREES is not set: nothing here was held against a real verl. List directories with unpacked wheels of verl in it")
	}
	out := map[release]*Installed{}
	for _, dir := range filepath.SplitList(list) {
		installed, err := Find(dir)
		if err != nil {
			t.Fatal(err)
		}
		out[installed.Release] = installed
	}
	return out
}

// trees are all installations that a test can look at: made-up ones of every release, and the real ones.
func trees(t *testing.T) map[string]*Installed {
	t.Helper()
	out := map[string]*Installed{}
	for _, r := range releases {
		out["made-up "+r.String()] = syntheticTree(t, r)
	}
	if os.Getenv("AWHOST_VERL_TREES") == "" {
		t.Log("AWHOST_VERL_TREES is not set: only made-up installations are looked at")
		return out
	}
	for r, installed := range realTrees(t) {
		if r.AtLeast(v060) {
			out["real "+r.String()] = installed
		}
	}
	return out
}

// each runs a test per installation.
func each(t *testing.T, run func(t *testing.T, installed *Installed)) {
	t.Helper()
	all := trees(t)
	for _, name := range sortedKeys(all) {
		t.Run(name, func(t *testing.T) { run(t, all[name]) })
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
