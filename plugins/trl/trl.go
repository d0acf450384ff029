// Package trl is the adapter for Hugging Face TRL: the table of sdk/framework/hf, and the trainer, shim/awhost_trl.
package trl

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/framework/hf"
	"github.com/awhost/awhost/sdk/python"
)

//go:embed shim/awhost_trl/*.py
var shim embed.FS

// tested has the probe's answers for the tested versions.
//
//go:embed tested.jsonl.gz
var tested []byte

const sampled = "episodes are sampled by this adapter, with the model that is trained"

var owned = []hf.Owned{
	{Why: "there is one reward, the spec's", Prefixes: []string{"reward_weights", "multi_obj"}},
	{Why: sampled, Prefixes: []string{"generation_kw", "min_p", "repetition_", "cache_impl", "use_transf",
		"transformers_", "vllm_structured"}},
	{Why: "each process has a vLLM with the whole model", Prefixes: []string{"vllm_mode", "vllm_server", "vllm_group",
		"vllm_tensor", "vllm_enable_sleep"}},
	{Why: "awhost does that", Prefixes: []string{"shuffle_dataset"}},
}

// generation are the methods that hooks.py replaces.
var generation = []string{"_tokenize_prompts", "_generate_single_turn", "_tool_call_loop"}

// hook describes how TRL gets the rows of episodes, from its trainer's methods.
func hook(methods map[string][]string) (string, error) {
	if slices.Contains(methods["__init__"], "rollout_func") {
		return "rollout_func", nil
	}
	for _, name := range generation {
		if _, ok := methods[name]; !ok {
			return "", fmt.Errorf("TRL's GRPOTrainer has neither rollout_func nor %s: install trl==1.16.0", name)
		}
	}
	return "its generation methods, because it has no rollout_func", nil
}

func chatTemplate(s *framework.Settings) (out python.ChatTemplate) {
	value, _ := s.Value("chat_template_kwargs")
	out.Kwargs, _ = value.(map[string]any)
	if s.Text("chat_template_path") != "" {
		out.NoRows = "chat_template_path names another one than the model's"
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
		Name: "trl", Title: "TRL", Description: "Trains with Hugging Face TRL (1.10 or newer): its GRPOTrainer.",
		Package: "trl", Marker: "trl/trainer/grpo_config.py", Class: "trl.trainer.grpo_config.GRPOConfig",
		Trainer: "trl.trainer.grpo_trainer.GRPOTrainer", Tested: tested,
		// Earlier versions count a sample without a reward as 0.
		Versions: []hf.Versions{{Package: "trl", From: framework.Release{1, 10}, Below: framework.Release{2}}},
		Packages: []string{"torch", "transformers", "accelerate"}, Python: code,
		Config: "Fields of TRL's `GRPOConfig`.", Example: map[string]any{"loss_type": "grpo"}, LoRA: true,
		Unscorable: "exact", Constraints: true, Owned: owned, ChatTemplate: chatTemplate, Hook: hook,
		Refused:  map[string]string{"algorithm.drop_zero_variance": "TRL keeps such groups: their advantages are 0"},
		Defaults: map[string]any{"report_to": []any{}}, // awhost records the metrics
		Required: map[string]any{"shuffle_dataset": false, "remove_unused_columns": false},
		CPU:      map[string]any{"bf16": false, "gradient_checkpointing": false},
		Smoke:    map[string]any{"report_to": []any{}, "model_init_kwargs": nil},
	}
}
