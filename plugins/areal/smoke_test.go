package areal

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/areal/internal/settings"
	"github.com/awhost/awhost/sdk"
)

// shrunk is what the host makes of a spec for a smoke run.
func shrunk(k *sdk.Knobs) {
	k.Steps, k.Batch = pointer(2), sdk.BatchKnobs{Prompts: pointer(2), GroupSize: pointer(4)}
	k.Checkpoint.Every, k.Validate.Every, k.Validate.BeforeTrain, k.Validate.Samples = pointer(1), pointer(2), pointer(true), pointer(1)
	k.Set = append(k.Set, "checkpoint.every", "validate.every", "validate.before_train")
}

// values are the configuration of the stage, by key.
func values(out *sdk.PlanResponse) map[string]string {
	all := map[string]string{}
	for _, e := range out.Effective {
		all[strings.TrimPrefix(e.Key, "main/")] = string(e.ValueJSON)
	}
	return all
}

const gpuFile = `
scheduler: {type: slurm}
cluster: {n_nodes: 4, n_gpus_per_node: 8}
total_train_steps: 500
train_dataset: {batch_size: 64}
gconfig: {n_samples: 16, top_p: 0.9}
eval_gconfig: {n_samples: 32}
saver: {freq_steps: 100}
evaluator: {freq_steps: 50}
actor:
  backend: megatron:d8p2t2
  dtype: bfloat16
  attn_impl: flash_attention_2
  weight_update_mode: xccl
  ppo_n_minibatches: 4
  optimizer: {weight_decay: 0.05}
rollout:
  backend: vllm:d16
  scheduling_spec: [{gpu: 1, cmd: mine}]
vllm: {gpu_memory_utilization: 0.8}
stats_logger: {wandb: {mode: online}}
`

func TestPlan_ASmokeRunOfASpecForGPUs(t *testing.T) {
	for version := range versions {
		t.Run(version, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "gpu.yaml")
			if err := os.WriteFile(file, []byte(gpuFile), 0o600); err != nil {
				t.Fatal(err)
			}
			attributes := map[string]any{"config": file, "device": "gpu", "scheduler": "slurm", "nodes": 4, "shared_folder": "/scratch", "actor": "megatron:d8p2t2", "rollout": "vllm:d16"}
			out := plan(t, version, attributes, func(k *sdk.Knobs) {
				shrunk(k)
				k.Optimizer.WarmupSteps, k.MiniBatch.Size = pointer(20), pointer(8)
				k.Set = append(k.Set, "optimizer.warmup_steps", "mini_batch.size")
			}, sdk.PlanRequest{Policy: json.RawMessage(policyOf(t)), Smoke: true})
			if text := objections(out); text != "" || !out.Capabilities.Smoke {
				t.Fatalf("smoke %v, and the plan objects:\n%s", out.Capabilities.Smoke, text)
			}
			got := values(out)
			want := map[string]string{
				"scheduler.type": `"local"`, "cluster.n_nodes": "1", "total_train_steps": "2", "train_dataset.batch_size": "2", "gconfig.n_samples": "4",
				"actor.reward_norm.group_size": "4", "eval_gconfig.n_samples": "1", "saver.freq_steps": "1", "recover.freq_steps": "1", "evaluator.freq_steps": "2",
				"actor.backend": `"fsdp:d1"`, "actor.dtype": `"float32"`, "actor.attn_impl": `"sdpa"`, "actor.weight_update_mode": `"disk"`, "actor.ppo_n_minibatches": "1",
				"actor.optimizer.warmup_steps_proportion": "1", "rollout.backend": `"sglang:d1"`, "stats_logger.wandb.mode": `"disabled"`,
				"gconfig.top_p": "0.9", "actor.optimizer.weight_decay": "0.05", "vllm.gpu_memory_utilization": "0.8", // the user's own
			}
			for key := range want {
				if got[key] != want[key] {
					t.Errorf("%s is %s; want %s", key, got[key], want[key])
				}
			}
			for _, key := range []string{"tokenizer_path", "actor.path", "sglang.model_path"} {
				if !strings.HasSuffix(got[key], `/tiny"`) {
					t.Errorf("%s is %s, not the tiny model", key, got[key])
				}
			}
			if strings.Contains(got["cluster.fileroot"]+got["rollout.scheduling_spec"], "/scratch") || strings.Contains(got["rollout.scheduling_spec"], "mine") {
				t.Errorf("the smoke run leaves this machine: %s, %s", got["cluster.fileroot"], got["rollout.scheduling_spec"])
			}
		})
	}
}

func TestPlan_ASmokeRunStillFindsWhatIsWrong(t *testing.T) {
	out := plan(t, "1.0.4", map[string]any{"overrides": map[string]any{"actor.optimiser.lr": 1e-5, "gconfig.n_samples": "many", "train_dataset.shuffle": true}}, shrunk,
		sdk.PlanRequest{Policy: json.RawMessage(policyOf(t)), Smoke: true})
	text := objections(out)
	for _, want := range []string{"did you mean actor.optimizer?", `gconfig.n_samples takes int, and not "many"`, "train_dataset.shuffle is true by overrides"} {
		if !strings.Contains(text, want) {
			t.Errorf("the plan says\n%s\nwant %s", text, want)
		}
	}
}

func TestPlan_AnAReaLTooOldForSmokeRunsSaysSo(t *testing.T) {
	source := checkout(t, "1.0.4")
	project := filepath.Join(source, "pyproject.toml")
	if err := os.WriteFile(project, []byte("version = \"1.0.3\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := plan(t, "1.0.4", map[string]any{"source": source}, shrunk, sdk.PlanRequest{Policy: json.RawMessage(policyOf(t)), Smoke: true})
	if text := objections(out); out.Capabilities.Smoke || !strings.Contains(text, "smoke runs need 1.0.4 or later") {
		t.Errorf("smoke %v, and the plan says %q", out.Capabilities.Smoke, text)
	}
}

func TestEnvironment_OfASmokeRunHasNoGPU(t *testing.T) {
	r := &resolved{inputs: inputs{smoke: true, config: config{}.smoke(), dir: folder(t.TempDir())}, installed: &settings.Installed{}}
	r.knobs.Env = map[string]string{"CUDA_VISIBLE_DEVICES": "0,1", "MINE": "yes"}
	got := r.environment()
	if got["CUDA_VISIBLE_DEVICES"] != "" || got["MINE"] != "yes" || got["AWHOST_AREAL_SCRIPTS"] == "" {
		t.Errorf("the environment is %v", got)
	}
}
