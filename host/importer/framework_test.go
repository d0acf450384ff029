package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/importer"
)

// A small file of each framework becomes the blocks that its owner meant.
func TestFrameworks(t *testing.T) {
	t.Setenv("HOME", "/home/user")
	const (
		algorithm = "algorithm: {adv_estimator: grpo}\n"
		clip      = "actor_rollout_ref: {actor: {clip_ratio_low: 0.1}}\n"
		norm      = "actor: {path: m, reward_norm: {mean_level: group, std_level: null}, eps_clip: 0.3}\n"
	)
	for name, test := range map[string]struct {
		system, text string
		files        map[string]string // next to the configuration
		want         []string          // texts in the spec, or in the error if one begins with !
		absent       string
	}{
		"verl: sizes": {
			system: "verl", text: "data: {train_batch_size: 16}\nactor_rollout_ref: {rollout: {n: 4}, actor: {ppo_mini_batch_size: 8}}\n",
			want: []string{"prompts    = 16", "group_size = 4", "size = 32", "epochs  = 30"},
		},
		"verl: a mini-batch that exceeds the batch": {
			system: "verl", text: "data: {train_batch_size: 16}\nactor_rollout_ref: {actor: {ppo_mini_batch_size: 32}}\n",
			want: []string{"prompts = 16"}, absent: "mini_batch",
		},
		"verl: steps":                 {system: "verl", text: "trainer: {total_training_steps: 7, total_epochs: 3}\n", want: []string{"steps   = 7"}, absent: "epochs"},
		"verl: no such frequency":     {system: "verl", text: "trainer: {save_freq: -1, test_freq: 5}\n", want: []string{"every = 5"}, absent: "checkpoint"},
		"verl: an objective":          {system: "verl", text: algorithm + clip, want: []string{`algorithm "grpo" {`, "clip_low = 0.1"}},
		"verl: another estimator":     {system: "verl", text: clip, want: []string{`"actor_rollout_ref.actor.clip_ratio_low" = 0.1`}, absent: "algorithm"},
		"verl: a bound of the spec":   {system: "verl", text: algorithm + strings.Replace(clip, "0.1", "10", 1), want: []string{`clip_ratio_low" = 10`}},
		"verl: a penalty":             {system: "verl", text: algorithm + "actor_rollout_ref: {actor: {use_kl_loss: true}}\n", want: []string{"kl = 0.001"}},
		"verl: no penalty":            {system: "verl", text: algorithm + "actor_rollout_ref: {actor: {use_kl_loss: false, kl_loss_coef: 0.1}}\n", want: []string{"kl = 0\n"}},
		"verl: the betas":             {system: "verl", text: "actor_rollout_ref: {actor: {optim: {betas: [0.9, 0.95]}}}\n", want: []string{"beta1 = 0.9\n", "beta2 = 0.95"}},
		"verl: filtered groups":       {system: "verl", text: "algorithm: {filter_groups: {enable: true, metric: acc}}\n", want: []string{"filter_groups {", `metric = "acc"`}},
		"verl: the engine Megatron":   {system: "verl", text: "defaults: [ppo_megatron_trainer]\ntrainer: {nnodes: 2}\n", want: []string{`"model_engine" = "megatron"`, "nodes  = 2"}},
		"verl: an unset length":       {system: "verl", text: "trainer: {nnodes: 1}\n", want: []string{"epochs  = 30", `variable "model" {` + "\n  type        = string\n  description"}},
		"verl: several files":         {system: "verl", text: "data: {train_files: [~/a.parquet, b.jsonl]}\n", want: []string{`"/home/user/a.parquet"`, `dataset "jsonl" "train_2"`, `dataset "mix" "train"`}},
		"verl: another column":        {system: "verl", text: "data: {train_files: a.parquet, prompt_key: q}\n", want: []string{`prompt       = "q"`}},
		"verl: lengths of the loop":   {system: "verl", text: "data: {max_prompt_length: 9}\nactor_rollout_ref: {rollout: {prompt_length: 5}}\n", want: []string{"prompt_tokens = 5"}},
		"verl: a new key":             {system: "verl", text: "trainer: {nnodes: 1}\nmine: {a: [1, {b: \"${x}\"}]}\n", want: []string{`"mine.a" = [1, { "b" : "$${x}" }]`}},
		"verl: a reward":              {system: "verl", text: "custom_reward_function: {path: x/r.py}\n", files: map[string]string{"r.py": ""}, want: []string{`default     = "r.py"`, `name = "compute_score"`}},
		"verl: a reward not found":    {system: "verl", text: "custom_reward_function: {path: x/r.py, name: f}\n", want: []string{`default     = "x/r.py"`, `name = "f"`}},
		"verl: an agent":              {system: "verl", text: "actor_rollout_ref: {rollout: {agent: {agent_loop_config_path: x/a.yaml}}}\n", files: map[string]string{"a.yaml": "- _target_: m.loop.Agent\n", "m/loop.py": ""}, want: []string{`default     = "m/loop.py"`, `name = "Agent"`, "agent.python.solver"}},
		"verl: an agent not found":    {system: "verl", text: "actor_rollout_ref: {rollout: {agent: {agent_loop_config_path: a.yaml}}}\n", files: map[string]string{"a.yaml": "- _target_: m.loop.Agent\n"}, want: []string{`# agent "python" "solver" { file = "m/loop.py", name = "Agent" }`, `agent "react" "solver"`}},
		"verl: another system's":      {system: "verl", text: "ajet: {a: 1}\n", want: []string{"!is not a configuration of verl"}},
		"areal: an objective":         {system: "areal", text: norm, want: []string{"clip_low     = 0.3", `normalize_by = "none"`, "epochs  = 1"}},
		"areal: without groups":       {system: "areal", text: "actor: {eps_clip: 0.3}\n", want: []string{`"actor.eps_clip" = 0.3`}, absent: "algorithm"},
		"areal: rollouts in episodes": {system: "areal", text: "rollout: {max_concurrent_rollouts: 8}\ngconfig: {n_samples: 4}\n", want: []string{"concurrency = 32"}},
		"areal: parts of a batch":     {system: "areal", text: "train_dataset: {batch_size: 8}\ngconfig: {n_samples: 4}\nactor: {ppo_n_minibatches: 2}\n", want: []string{"size = 16"}},
		"areal: staleness":            {system: "areal", text: "rollout: {max_head_offpolicyness: 2}\n", want: []string{"max_staleness = 2"}},
		"areal: checkpoints":          {system: "areal", text: "saver: {freq_epochs: 2, freq_steps: null}\n", want: []string{"every = 2", `unit  = "epochs"`}},
		"areal: a reference":          {system: "areal", text: "gconfig: {n_samples: 4}\neval_gconfig: {n_samples: \"${gconfig.n_samples}\"}\n", want: []string{"samples = 4"}},
		"areal: GSM8K":                {system: "areal", text: "train_dataset: {path: openai/gsm8k}\n", want: []string{`config = "main"`, `"#### (.*)"`}},
		"areal: a reward":             {system: "areal", text: "seed: 1\nreward_fn_path: my.rewards.score\n", want: []string{`default     = "my/rewards.py"`, `name = "score"`}},
		"areal: a reward of its own":  {system: "areal", text: "seed: 1\nreward_fn_path: areal.reward.gsm8k.gsm8k_reward_fn\n", want: []string{`reward "math" "answer"`}},
		"areal: turns":                {system: "areal", text: "seed: 1\nagent_run_args: {max_turns: 3}\n", want: []string{"max_turns = 3"}},
		"trl: sizes":                  {system: "trl", text: "per_device_train_batch_size: 4\ngradient_accumulation_steps: 4\nnum_generations: 8\n", want: []string{"prompts    = 2", `"per_device_train_batch_size" = 4`, "epochs  = 3"}},
		"trl: LoRA":                   {system: "trl", text: "use_peft: true\nlora_r: 8\n", want: []string{"lora = {", `"r" = 8`}},
		"trl: no LoRA":                {system: "trl", text: "seed: 1\nlora_r: 8\n", absent: "lora"},
		"trl: rewards":                {system: "trl", text: "reward_funcs: [accuracy_reward, think_format_reward, a.b.f]\nreward_weights: [1, 0.5, 2]\n", want: []string{"reward.math.reward_1.score * 1 + reward.format.reward_2.score * 0.5 + reward.python.reward_3.score * 2", "reward.math.reward_1.is_success"}},
		"trl: a share of the steps":   {system: "trl", text: "max_steps: 100\nwarmup_ratio: 0.03\n", want: []string{"warmup_steps = 3", "steps   = 100"}},
		"trl: the model's settings":   {system: "trl", text: "dtype: bfloat16\nbeta: 0.1\n", want: []string{`"dtype" = "bfloat16"`, "kl = 0.1"}},
		"swift: a limit":              {system: "swift", text: "rlhf_type: grpo\ndataset: [a/b#100]\n", want: []string{"limit = 100", `default     = "a/b"`}},
		"swift: lists":                {system: "swift", text: "rlhf_type: grpo\ntarget_modules: all-linear\n", want: []string{`"target_modules" = ["all-linear"]`}},
		"swift: unknown rewards":      {system: "swift", text: "reward_funcs: [mine]\n", want: []string{"# The reward mine has no counterpart", `reward "math"`}},
		"swift: another method":       {system: "swift", text: "rlhf_type: dpo\n", want: []string{"!:1: rlhf_type = \"dpo\": the adapter trains with grpo only"}},
		"swift: a system message":     {system: "swift", text: "system: Be brief.\n", want: []string{`system_prompt = "Be brief."`}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range test.files {
				path := filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			spec, err := importer.Systems[test.system].Import(filepath.Join(dir, "config.yaml"), []byte(test.text), importer.Options{})
			for _, want := range test.want {
				if want, wrong := strings.CutPrefix(want, "!"); wrong {
					if err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("%v, want %q", err, want)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(string(spec.Text), want) {
					t.Errorf("want %q in\n%s", want, spec.Text)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if test.absent != "" && strings.Contains(string(spec.Text), test.absent) {
				t.Errorf("do not want %q in\n%s", test.absent, spec.Text)
			}
			for _, key := range spec.Keys {
				if key.To == "" && key.Why == "" {
					t.Errorf("nothing is said of %s", key.Key)
				}
			}
		})
	}
}
