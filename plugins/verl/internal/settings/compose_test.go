package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// composer composes awhost's file with the real Hydra, as verl's own main does, and prints what came out of some keys.
// It imports neither verl nor torch.
const composer = `
import json, sys
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
ask = json.load(sys.stdin)
with initialize_config_dir(config_dir=ask["dir"], version_base=None):
    config = compose("awhost", overrides=ask["overrides"])
print(json.dumps({key: OmegaConf.to_container(OmegaConf.create({"v": OmegaConf.select(config, key)}))["v"] for key in ask["keys"]}))
`

// TestResolve_IsWhatVerlComposes compares a plan with the configuration that verl composes.
func TestResolve_IsWhatVerlComposes(t *testing.T) {
	python := os.Getenv("AWHOST_VERL_PYTHON")
	if python == "" {
		t.Skip("AWHOST_VERL_PYTHON is not set: no interpreter with hydra-core, so no plan is held against what verl composes")
	}
	for r, installed := range realTrees(t) {
		if r.Before(v060) {
			continue
		}
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			composes(t, python, request(installed, nil))
			composes(t, python, request(installed, everyKnob))
			if r.AtLeast(v071) {
				composes(t, python, request(installed, override(engineKey, "megatron")))
			}
		})
	}
}

// everyKnob sets all knobs that fit together, and values that are hard to write.
func everyKnob(req *Request) {
	for _, c := range knobCases {
		if c.refused == "" && c.path != "epochs" {
			c.set(&req.Knobs)
			req.Knobs.Set = append(req.Knobs.Set, c.path)
		}
	}
	req.Needs.CheckpointDir = `/run/it's ${here}, [really]\`
	req.Overrides = overrides(
		"actor_rollout_ref.rollout.engine_kwargs.vllm", map[string]any{"swap_space": 4}, "+mine.own", []any{"a b", 1.5, nil, true, "null", "1e-6", "yes", "1:30", "007", "it's", `C:\`, "a,b", "~", "", "1_000", "=", "0o7"},
		"actor_rollout_ref.model.override_config.attn_implementation", "eager", "ray_kwargs.ray_init.include_dashboard", false,
	)
}

func composes(t *testing.T, python string, req Request) {
	t.Helper()
	out := resolve(t, req)
	if problems := errorsOf(out); len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	wanted := map[string]json.RawMessage{}
	var keys []string
	for _, e := range out.Keys {
		if !strings.HasPrefix(e.Key, "hydra.") {
			wanted[e.Key] = e.ValueJSON
			keys = append(keys, e.Key)
		}
	}
	arguments := []string{}
	if out.Engine != "" {
		arguments = append(arguments, engineKey+"="+out.Engine)
	}
	theirs := "file://" + filepath.Join(req.Installed.Root, "verl", "trainer", "config")
	text := bytes.Replace(out.File, []byte("pkg://verl.trainer.config"), []byte(theirs), 1)
	dir := t.TempDir()
	ask, err := json.Marshal(map[string]any{"dir": dir, "overrides": arguments, "keys": keys})
	if err := errors.Join(err, os.WriteFile(filepath.Join(dir, "awhost.yaml"), text, 0o600)); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), python, "-c", composer)
	run.Stdin = bytes.NewReader(ask)
	printed, err := run.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		t.Fatalf("%v\n%s", err, failed.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	var composed map[string]json.RawMessage
	if err := json.Unmarshal(printed, &composed); err != nil {
		t.Fatal(err)
	}
	for key, want := range wanted {
		a, err := framework.FromJSON(want)
		b, also := framework.FromJSON(composed[key])
		if err != nil || also != nil || !framework.Equal(a, b) {
			t.Errorf("%s is %s in the plan and %s in verl (%v, %v)", key, want, composed[key], err, also)
		}
	}
}

// TestUsers_ConfigurationsOfAWorldAndEnvTuning merges what users have, written for other versions of verl.
func TestUsers_ConfigurationsOfAWorldAndEnvTuning(t *testing.T) {
	data := os.Getenv("AWHOST_TESTDATA")
	if data == "" {
		t.Skip("AWHOST_TESTDATA is not set: no configuration of a real user is merged")
	}
	read := func(name string) ConfigFile {
		text, err := os.ReadFile(filepath.Join(data, "users", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return ConfigFile{Name: filepath.Base(name), Text: text}
	}
	each(t, func(t *testing.T, installed *Installed) {
		t.Run("aworld", func(t *testing.T) { mergesAWorld(t, installed, read("aworld/grpo_trainer.yaml")) })
		for _, stage := range []string{"1", "2", "3"} {
			t.Run("envtuning "+stage, func(t *testing.T) {
				mergesEnvTuning(t, installed, read("envtuning/config/multi_turn_fc_grpo_stage"+stage+".yaml"))
			})
		}
	})
}

// mergesAWorld holds that the file of AWorld is kept as it is where it says something, and completed where it is empty.
func mergesAWorld(t *testing.T, installed *Installed, file ConfigFile) {
	out := resolve(t, request(installed, func(req *Request) {
		req.Config = []ConfigFile{file}
		req.Knobs.Batch, req.Knobs.Set = sdk.BatchKnobs{}, []string{"steps"}
		req.Needs.Model = ""
	}))
	if problems := errorsOf(out); len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	for key, want := range map[string]any{
		"actor_rollout_ref.model.path": "Qwen/Qwen3-32B", "actor_rollout_ref.actor.clip_ratio_high": 0.28, "actor_rollout_ref.rollout.response_length": int64(8192),
		"data.train_batch_size": int64(1), "trainer.save_freq": int64(30), "trainer.project_name": "verl_train", "actor_rollout_ref.actor.optim.lr": 6e-6,
		"data.train_files": []any{"/run/train.jsonl"}, "trainer.default_local_dir": "/run/checkpoints",
		"actor_rollout_ref.rollout.agent.agent_loop_config_path": "/run/agent.yaml", "trainer.logger": []any{"console", "file"},
		"actor_rollout_ref.rollout.multi_turn.tool_config_path": nil,
	} {
		if got, ok := out.Value(key); !ok || !framework.Equal(got, want) {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	left := 0
	for _, d := range out.Diagnostics {
		if d.Summary == "Setting left out" && strings.Contains(d.Detail, "dummy_tool_config.json") {
			left++
		}
	}
	if left != 1 {
		t.Errorf("nothing is said of the dummy tools: %v", out.Diagnostics)
	}
}

// mergesEnvTuning checks that keys that no release has any more are moved or left out, and named.
func mergesEnvTuning(t *testing.T, installed *Installed, file ConfigFile) {
	out := resolve(t, request(installed, func(req *Request) { req.Config = []ConfigFile{file} }))
	if problems := errorsOf(out); len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	texts := slices.Clone(out.Notes)
	for _, d := range out.Diagnostics {
		texts = append(texts, d.Detail)
	}
	text := strings.Join(texts, "\n")
	wanted := []string{
		"multi_turn.max_assistant_turns", "actor_rollout_ref.actor.loss_agg_mode", `_reward.py" is not used`,
		`"bfcl" is not used`,
	}
	if installed.Release.AtLeast(v080) {
		wanted = append(wanted, "verl has no interactions any more")
	}
	for _, part := range wanted {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not among the diagnostics and notes:\n%s", part, text)
		}
	}
	if got, _ := out.Value("actor_rollout_ref.actor.kl_loss_coef"); !framework.Equal(got, 0.1) {
		t.Errorf("the file's kl_loss_coef became %v", got)
	}
}
