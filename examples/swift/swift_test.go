package swift_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/realtest/stranger"
)

// These tests train with the real ms-swift on a CPU: AWHOST_SWIFT_PYTHON names the Python that has it.
var swift = stranger.Adapter{
	Name: "swift", Title: "ms-swift", Bundled: true, Distribution: "ms_swift", Components: "swift/awhost/",
	Config: map[string]any{"config": map[string]any{"model_type": "qwen2", "tuner_type": "full"}},
}

// The sampler and the rest of awhost_bridge.hf are tested where torch is.
func TestSwift_TheSampler(t *testing.T) {
	swift.Unittest(t, "../../sdk/python", "tests.test_hf_sampler")
}

func TestSwift_TwoSteps(t *testing.T)      { swift.TwoSteps(t) }
func TestSwift_APolicyLearns(t *testing.T) { swift.Learns(t, 16, 15, realtest.Learned) }
func TestSwift_Conforms(t *testing.T)      { swift.Conforms(t) }
func TestSwift_ASmokeRun(t *testing.T)     { swift.Smokes(t) }
func TestSwift_TwoProcesses(t *testing.T)  { swift.TwoProcesses(t) }

func withLoRA(t *testing.T, spec string) {
	t.Helper()
	realtest.Edit(t, spec, `= "full" # ms-swift's own default is lora`, `= "lora"`)
}

func TestSwift_LoRA(t *testing.T)              { swift.LoRA(t, withLoRA) }
func TestSwift_FindsPolicyFaults(t *testing.T) { swift.FindsPolicyFaults(t, withLoRA) }

// judge tells the witness what the loss counts.
const judge = `
def judge(module):
    loss = module.GRPOTrainer._compute_loss_and_metrics
    def judged(self, model, inputs, about):
        kept = about.completion_mask.bool() & ~about.truncated_mask.unsqueeze(-1)
        rows = zip(inputs["input_ids"][:, -kept.shape[1]:].tolist(), kept.tolist())
        check(([i for i, k in zip(ids, own) if k], own != sorted(own)) for ids, own in rows)
        first = inputs["input_ids"].shape[1] - kept.shape[1]  # the ids before are prompts of all rows
        for n, length in enumerate(inputs["attention_mask"].sum(1).tolist()):
            columns = (kept, about.rollout_per_token_logps, about.old_per_token_logps, about.advantages.expand_as(kept))
            trained, sampler, trainer, advantages = (([0] * first + column[n].tolist())[:length] for column in columns)
            saw(step=self.state.global_step + 1, ids=inputs["input_ids"][n].tolist()[:length],
                trained=[bool(k) for k in trained], sampler=sampler, trainer=trainer, advantages=advantages)
        return loss(self, model, inputs, about)
    module.GRPOTrainer._compute_loss_and_metrics = judged

changes["swift.rlhf_trainers.grpo_trainer"] = judge
`

func TestSwift_TheLossCountsWhatWasSampled(t *testing.T) { swift.LossCountsWhatWasSampled(t, judge) }
func TestSwift_TheWitnessFindsAShiftedMask(t *testing.T) { swift.WitnessFindsAShiftedMask(t, judge) }

func TestSwift_SurvivesTheDeathsOfTrainerPluginAndHost(t *testing.T) { swift.SurvivesRealDeaths(t) }

func TestSwift_StopsWithACheckpointAndGoesOnFromIt(t *testing.T) {
	realtest.Slow(t)
	dir, finished := swift.StopsAndGoesOn(t, swift.Start, 6)
	swift.CheckSteps(t, filepath.Join(dir, finished.Dir), 6)
}

// A step that is trained again is in ms-swift's own log once.
func TestSwift_ItsLogHasEachStepOnce(t *testing.T) {
	realtest.Slow(t)
	dir := swift.Prepare(t)
	run := swift.Start(t, dir, "steps=6", "checkpoints=2")
	run.UntilStep(3)
	for _, pid := range stranger.Trainers(t, dir) {
		realtest.Kill(t, pid)
	}
	finished := run.Wait()
	stranger.Done(t, finished, "completed", 6)
	file, err := os.Open(filepath.Join(dir, finished.Dir, "checkpoints", ".staging", "logging.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	seen := map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var line struct {
			Step string   `json:"global_step/max_steps"`
			Loss *float64 `json:"loss"` // the sum at the end has none
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line.Loss != nil {
			seen[line.Step]++
		}
	}
	for step := 1; step <= 6; step++ { // the host may have cleared what the trainer before has left
		if n := seen[fmt.Sprintf("%d/6", step)]; n > 1 || n == 0 && step > 2 {
			t.Errorf("step %d is in the log %d times", step, n)
		}
	}
}

// Samples without a reward get the mean of their group and are not trained. awhost reports the mean of the others.
func TestSwift_LeavesOutEpisodesThatFail(t *testing.T) {
	for step, values := range swift.LeavesOutEpisodesThatFail(t) {
		failed := values["swift/completions/clipped_ratio"] * 128
		if failed < 1 || failed != values["train/failed"] {
			t.Errorf("step %d: %g rows are not trained, and %g episodes have failed", step, failed, values["train/failed"])
		}
	}
}

func TestSwift_AnAgentOverHTTPTrains(t *testing.T) {
	realtest.Slow(t)
	swift.TrainsOverHTTP(t, judge)
}
