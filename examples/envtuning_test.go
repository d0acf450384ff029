package examples_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// byAwhost are the settings of EnvTuning's scripts that awhost provides, that examples/verl-bfcl/train.hcl sets as
// knobs, or that verl ignores.
var byAwhost = []string{
	"actor_rollout_ref.actor.clip_ratio_high", "actor_rollout_ref.actor.clip_ratio_low",
	"actor_rollout_ref.actor.entropy_coeff", "actor_rollout_ref.actor.grad_clip", "actor_rollout_ref.actor.kl_loss_coef",
	"actor_rollout_ref.actor.optim.lr", "actor_rollout_ref.actor.ppo_mini_batch_size",
	"actor_rollout_ref.actor.use_kl_loss", "actor_rollout_ref.hybrid_engine", "actor_rollout_ref.model.path",
	"actor_rollout_ref.rollout.multi_turn", "actor_rollout_ref.rollout.n", "actor_rollout_ref.rollout.name",
	"algorithm.adv_estimator", "algorithm.kl_ctrl", "algorithm.kl_penalty", "algorithm.loss_agg_mode", "critic",
	"custom_reward_function", "data.filter_overlong_prompts", "data.max_prompt_length", "data.max_response_length",
	"data.return_raw_chat", "data.train_batch_size", "data.train_files", "data.val_files", "reward_model", "trainer",
}

var setting = regexp.MustCompile(`(?m)^ +([a-z_]+\.[a-z_.]+)=(\S+) \\\\?$`)

// TestVerlBFCL_HasTheValuesOfEnvTuningsScripts compares the settings of the scripts with the example's file for verl,
// except settings for which awhost has a knob.
func TestVerlBFCL_HasTheValuesOfEnvTuningsScripts(t *testing.T) {
	data := os.Getenv("AWHOST_TESTDATA")
	if data == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the folder with users/envtuning: the scripts are in it")
	}
	theirs := filepath.Join(data, "users", "envtuning")
	script := read(t, filepath.Join(theirs, "scripts", "run_multi_turn_fc_grpo_stage3.sh"))
	want := settings(t, read(t, filepath.Join(theirs, "config", "multi_turn_fc_grpo_stage3.yaml")))
	script = strings.ReplaceAll(script, "$MAX_TOEKN_LEN_PER_GPU", "65536")
	for _, match := range setting.FindAllStringSubmatch(script, -1) {
		want[match[1]] = strings.ToLower(strings.Trim(match[2], "'"))
	}
	ours := settings(t, read(t, filepath.Join("verl-bfcl", "verl.yaml")))
	compared := 0
	for key, value := range want {
		if handled(key) {
			continue
		}
		compared++
		if ours[key] != value {
			t.Errorf("%s is %q in examples/verl-bfcl/verl.yaml, and %q in EnvTuning's files", key, ours[key], value)
		}
	}
	if compared < 15 {
		t.Errorf("%d settings are compared", compared)
	}
}

func handled(key string) bool {
	for _, known := range byAwhost {
		if key == known || strings.HasPrefix(key, known+".") || strings.HasPrefix(key, "hydra.") || key == "defaults" {
			return true
		}
	}
	return false
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// settings returns the values of a verl configuration file by key.
func settings(t *testing.T, text string) map[string]string {
	t.Helper()
	var top map[string]any
	if err := yaml.Unmarshal([]byte(text), &top); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	var walk func(prefix string, value any)
	walk = func(prefix string, value any) {
		if inner, ok := value.(map[string]any); ok {
			for name, below := range inner {
				walk(strings.TrimPrefix(prefix+"."+name, "."), below)
			}
			return
		}
		out[prefix] = fmt.Sprint(value)
	}
	walk("", top)
	return out
}
