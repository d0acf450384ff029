// Package swift is the adapter for ModelScope's ms-swift: the table of sdk/framework/hf, and the trainer,
// shim/awhost_swift.
package swift

import (
	"embed"
	"io/fs"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/framework/hf"
	"github.com/awhost/awhost/sdk/python"
)

//go:embed shim/awhost_swift/*.py
var shim embed.FS

// tested has the probe's answers for the tested versions.
//
//go:embed tested.jsonl.gz
var tested []byte

var owned = []hf.Owned{
	{Why: "with it, ms-swift renders assistant messages as str(list), and trains prompts and tool results",
		Prefixes: []string{"template_backend"}},
	{Why: "the rows are the sampled tokens: no template of ms-swift renders them", Prefixes: []string{"template",
		"agent_template", "use_chat_template", "response_prefix", "system", "truncation_strategy", "loss_scale",
		"is_binary_loss", "add_non_thinking", "preserve_thinking", "padding_", "packing", "new_special_tokens", "chord_"}},
	{Why: "write limits { response_tokens = … }: it replaces max_completion_length", Prefixes: []string{"response_length",
		"max_new_tokens"}},
	{Why: "write steps or epochs in the train block", Prefixes: []string{"max_epochs"}},
	{Why: "write a validate block", Prefixes: []string{"val_dataset", "cached_val", "split_dataset", "predict_with",
		"early_stop", "metric_for_best"}},
	{Why: "a checkpoint is complete when awhost is notified of it, with weights in safetensors",
		Prefixes: []string{"use_flash_ckpt", "safe_serialization"}},
	{Why: `write model "hf" "policy" { path = "…" }, and policy = model.hf.policy in train`, Prefixes: []string{"model=",
		"model_revision", "adapters"}},
	{Why: "there is one reward, the spec's", Prefixes: []string{"reward_", "teacher_", "rlsd_", "sdar_", "soft_",
		"cosine_", "repetition_n", "repetition_max"}},
	{Why: "awhost runs the episodes", Prefixes: []string{"multi_turn", "max_turns", "use_gym", "gym_", "async_generate",
		"dynamic_sample", "overlong_filter", "completion_length_limit", "advantage_reweight"}},
	{Why: "episodes are sampled by this adapter, with the model that is trained", Prefixes: []string{"stop_words", "min_p",
		"repetition_penalty", "use_vllm", "vllm_", "sleep_level", "structured_outputs", "num_beams", "generation_"}},
	{Why: "the loss would use another policy than the one that samples, or count rows without a reward",
		Prefixes: []string{"neftune", "boft_dropout", "vera_dropout", "use_liger"}},
	{Why: "GRPO does not use it", Prefixes: []string{"num_ppo", "kl_coef", "cliprange", "whiten", "missing_eos", "vf_coef",
		"simpo", "cpo_", "label_smoothing", "offload_"}},
	{Why: "each process samples with the whole model", Prefixes: []string{"zero_hpz", "sequence_parallel", "parallelism_",
		"device_map", "max_memory", "use_ray"}},
	{Why: "awhost does that", Prefixes: []string{"rlhf_type", "task_type", "dataset", "cached_dataset", "custom_dataset",
		"columns", "interleave_prob", "group_by_length", "train_sampling", "train_dataloader_shuffle", "streaming",
		"lazy_tokenize", "callbacks", "external_plugins", "custom_register", "add_version", "create_checkpoint", "resume_",
		"ignore_data_skip", "load_args", "load_data", "ignore_args", "check_model", "load_from_cache"}},
}

// required are the hooks of the trainer, in ms-swift's registries, and values that the hooks depend on.
var required = map[string]any{
	"rlhf_type": "grpo", "template": name, "multi_turn_scheduler": name, "reward_funcs": []any{name},
	"callbacks": []any{name}, "overlong_filter": true, "use_vllm": false, "dataset_shuffle": false,
	"train_dataloader_shuffle": false, "split_dataset_ratio": 0.0, "dataloader_num_workers": 0,
	"load_from_cache_file": false, "add_version": false, "check_model": false,
}

// name is the name of the hooks, as in registries.py.
const name = "awhost"

func chatTemplate(s *framework.Settings) (out python.ChatTemplate) {
	if value, _ := s.Value("enable_thinking"); value != nil {
		out.Kwargs = map[string]any{"enable_thinking": value}
	}
	return out
}

// Plugin describes the plugin to sdk.Serve.
func Plugin() sdk.Plugin { return hf.Plugin(table()) }

func table() hf.Framework {
	code, err := fs.Sub(shim, "shim")
	if err != nil {
		panic(err) // the path is a constant
	}
	return hf.Framework{
		Name: "swift", Title: "ms-swift", Description: "Trains with ModelScope's ms-swift (4.6 or newer): its GRPO.",
		Package: "ms-swift", Marker: "swift/arguments/rlhf_args.py", Class: "swift.arguments.rlhf_args.RLHFArguments",
		Tested: tested,
		Versions: []hf.Versions{
			// Earlier versions run a scheduler with vLLM only.
			{Package: "ms-swift", From: framework.Release{4, 6}, Below: framework.Release{5}},
			// The sampler does not support the cache of earlier versions.
			{Package: "transformers", From: framework.Release{4, 56}, Below: framework.Release{6}},
		},
		// ms-swift imports msgspec and does not declare it.
		Packages: []string{"msgspec", "torch", "transformers", "peft"}, Python: code,
		Config: "Fields of ms-swift's `RLHFArguments`.", Example: map[string]any{"tuner_type": "full"},
		Unscorable: "in_baseline", Owned: owned, ChatTemplate: chatTemplate,
		Refused: map[string]string{
			"algorithm.drop_zero_variance": "ms-swift keeps such groups: their advantages are 0",
			"algorithm.entropy":            "ms-swift's GRPO has no entropy term",
		},
		Defaults: map[string]any{
			"report_to":    []any{"none"}, // awhost records the metrics
			"lora_dropout": 0.0,           // with dropout, the loss would use other policies than the one that samples
		},
		Required: required,
		CPU:      map[string]any{"torch_dtype": "float32", "attn_impl": "eager", "gradient_checkpointing": false},
		Smoke:    map[string]any{"report_to": []any{"none"}, "quant_bits": nil, "quant_method": nil},
	}
}
