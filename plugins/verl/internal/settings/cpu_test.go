package settings

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// TestSmoke_AFileForGPUsGivesWay: what a smoke run cannot take of a user's file it replaces, and says so. What is wrong
// on any machine stays wrong.
func TestSmoke_AFileForGPUsGivesWay(t *testing.T) {
	const file = `
data: {train_batch_size: 64}
actor_rollout_ref:
  model: {path: Qwen/Qwen3-32B, use_fused_kernels: true}
  actor:
    ppo_mini_batch_size: 64
    ppo_micro_batch_size_per_gpu: 16
    ulysses_sequence_parallel_size: 8
    fsdp_config: {param_offload: true}
  rollout: {n: 16, log_prob_micro_batch_size_per_gpu: 32, trace: {backend: mlflow}}
trainer: {save_freq: 30, test_freq: 7, logger: [console, wandb], n_gpus_per_node: 1}
`
	smoke := func(req *Request) {
		req.Config = []ConfigFile{{Name: "mine.yaml", Text: []byte(file)}}
		req.Smoke, req.Needs.Model = true, "/run/tiny"
		req.Knobs.Steps, req.Knobs.Batch = ptr(2), sdk.BatchKnobs{Prompts: ptr(2), GroupSize: ptr(4)}
		req.Knobs.Checkpoint.Every, req.Knobs.Validate.Every = ptr(1), ptr(2)
		req.Knobs.Set = append(req.Knobs.Set, "checkpoint.every", "validate.every")
	}
	each(t, func(t *testing.T, installed *Installed) {
		if installed.Release.Before(v071) {
			t.Skip("this verl has no smoke runs")
		}
		out := resolve(t, request(installed, smoke))
		if problems := errorsOf(out); len(problems) > 0 {
			t.Errorf("problems: %v", problems)
		}
		note := strings.Join(out.Notes, "\n")
		for key, want := range map[string]any{
			"data.train_batch_size": int64(2), rollout + "n": int64(4),
			"trainer.save_freq": int64(1), "trainer.test_freq": int64(2),
			actor + "ppo_mini_batch_size": int64(2), actor + "ppo_micro_batch_size_per_gpu": int64(8),
			rollout + "log_prob_micro_batch_size_per_gpu": int64(8), sequenceParallelKey: int64(1), ownModel: "/run/tiny",
			"actor_rollout_ref.model.use_fused_kernels": false, actor + "fsdp_config.param_offload": false,
			rollout + "trace.backend": nil, "trainer.logger": []any{"console", "file"},
		} {
			if got, ok := out.Value(key); !ok || !framework.Equal(got, want) {
				t.Errorf("%s is %v, want %v", key, got, want)
			}
			if !strings.Contains(note, key+" = ") {
				t.Errorf("it is not said that %s is replaced", key)
			}
		}
		if !strings.Contains(note, "smoke run: data.train_batch_size = 2, and not 64 (mine.yaml:2)") {
			t.Errorf("no line of the file is named: %s", note)
		}
		wrong := request(installed, smoke)
		wrong.Overrides = overrides("data.shuffle", true)
		if problems := errorsOf(resolve(t, wrong)); len(problems) != 1 || !strings.Contains(problems[0], "data.shuffle") {
			t.Errorf("a setting that is wrong anywhere: %v", problems)
		}
	})
}

// TestCPU_PartsFollowTheFile: device = "cpu" makes the parts of a step of what the user's own file says.
func TestCPU_PartsFollowTheFile(t *testing.T) {
	each(t, func(t *testing.T, installed *Installed) {
		out := resolve(t, request(installed, func(req *Request) {
			req.Config = []ConfigFile{{Name: "mine.yaml", Text: []byte("data: {train_batch_size: 6}\n" +
				"actor_rollout_ref: {actor: {ppo_mini_batch_size: 3}, rollout: {n: 5}}\ntrainer: {n_gpus_per_node: 1}\n")}}
			req.CPU, req.Knobs.Batch, req.Knobs.Set = true, sdk.BatchKnobs{}, []string{"steps"}
		}))
		if problems := errorsOf(out); len(problems) > 0 {
			t.Errorf("problems: %v", problems)
		}
		for key, want := range map[string]int{
			actor + "ppo_micro_batch_size_per_gpu": 15, rollout + "log_prob_micro_batch_size_per_gpu": 30,
		} {
			if got := out.Int(key); got != want {
				t.Errorf("%s is %d, want %d", key, got, want)
			}
		}
	})
}

func TestSmoke_MergesAnAdapter(t *testing.T) {
	each(t, func(t *testing.T, installed *Installed) {
		s, err := installed.schema(defaultEngine)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Has(policyModel + "lora.merge") {
			t.Skip("this verl merges no adapters")
		}
		out := resolve(t, request(installed, func(req *Request) {
			req.Smoke, req.Needs.Model = true, "/run/tiny"
			req.Overrides = overrides(policyModel+"lora_rank", 64)
		}))
		if got, _ := out.Value(policyModel + "lora.merge"); got != true {
			t.Errorf("lora.merge is %v, but the CPU's sampler loads no adapters", got)
		}
	})
}
