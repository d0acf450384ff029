package trl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/realtest/stranger"
)

// These tests train with the real TRL on a CPU: AWHOST_TRL_PYTHON names the Python that has it.
var trl = stranger.Adapter{Name: "trl", Title: "TRL", Bundled: true, Distribution: "trl", Components: "trl/awhost/"}

// The sampler and the rest of awhost_bridge.hf are tested where torch is.
func TestTRL_TheSampler(t *testing.T) {
	trl.Unittest(t, "../../sdk/python", "tests.test_hf_sampler")
}

// TestTRL_TheGrammars runs the tests of restricted messages, which need torch and xgrammar.
func TestTRL_TheGrammars(t *testing.T) {
	trl.Unittest(t, "../../sdk/python", "tests.test_constraints")
}

func TestTRL_TwoSteps(t *testing.T)      { trl.TwoSteps(t) }
func TestTRL_APolicyLearns(t *testing.T) { trl.Learns(t, 16, 15, realtest.Learned) }
func TestTRL_Conforms(t *testing.T)      { trl.Conforms(t) }
func TestTRL_ASmokeRun(t *testing.T)     { trl.Smokes(t) }
func TestTRL_TwoProcesses(t *testing.T)  { trl.TwoProcesses(t) }

func TestTRL_APolicyLearnsForLong(t *testing.T) {
	realtest.Slow(t)
	trl.Learns(t, 32, 60, realtest.Mastered)
}

// withStandIn makes an environment that has what another one has, and the stand-in for vLLM.
func withStandIn(t *testing.T, python string) string {
	t.Helper()
	from := filepath.Dir(filepath.Dir(python))
	found, err := filepath.Glob(filepath.Join(from, "lib", "python3*", "site-packages"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the packages of %s: %v: %v", python, found, err)
	}
	to := t.TempDir()
	site := filepath.Join(to, "lib", filepath.Base(filepath.Dir(found[0])), "site-packages")
	if err := os.CopyFS(site, os.DirFS("testdata/vllm_stand_in")); err != nil {
		t.Fatal(err)
	}
	about := filepath.Join(site, "vllm-0.27.0.dist-info")
	if err := os.Mkdir(about, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"METADATA": "Metadata-Version: 2.1\nName: vllm\nVersion: 0.27.0\n", "top_level.txt": "vllm\n"} {
		if err := os.WriteFile(filepath.Join(about, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(found[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.Symlink(filepath.Join(found[0], e.Name()), filepath.Join(site, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"bin", "pyvenv.cfg"} {
		if err := os.Symlink(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(to, "bin", "python")
}

// vLLM needs a GPU. What stands in for it samples with the weights that TRL has given to it: that they are those which are trained shows in the
// probabilities, and nothing here says how the real one samples.
func TestTRL_SamplesWithAStandInForVLLM(t *testing.T) {
	realtest.Slow(t)
	python := withStandIn(t, realtest.Python(t, trl.Python()))
	dir := trl.Prepare(t)
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), `    loss_type                   = "dapo"`, "    loss_type                   = \"dapo\"\n    use_vllm                    = true")
	finished := trl.Start(t, dir, "steps=4", "python="+python).Wait()
	stranger.Done(t, finished, "completed", 4)
	trl.CheckSteps(t, filepath.Join(dir, finished.Dir), 4)
	if n := strings.Count(trl.TrainerLog(t, dir), "vLLM's stand-in has new weights"); n != 5 {
		t.Errorf("the stand-in was given weights %d times; want before each step, and for the validation at the end", n)
	}
	trl.CheckGone(t, dir)
}

func withLoRA(t *testing.T, spec string) {
	t.Helper()
	const before = "  patience = var.patience\n"
	realtest.Edit(t, spec, before, before+"  lora     = { r = 16, target_modules = \"all-linear\" }\n")
}

func TestTRL_LoRA(t *testing.T)              { trl.LoRA(t, withLoRA) }
func TestTRL_FindsPolicyFaults(t *testing.T) { trl.FindsPolicyFaults(t, withLoRA) }

// judge tells the witness what the loss counts.
const judge = `
def judge(module):
    loss = module.GRPOTrainer._compute_loss
    def judged(self, model, inputs):
        rows = zip(inputs["completion_ids"].tolist(), inputs["completion_mask"].tolist(), inputs["tool_mask"].tolist())
        check(([i for i, k, o in zip(ids, kept, own) if k and o], any(k and not o for k, o in zip(kept, own))) for ids, kept, own in rows)
        out = loss(self, model, inputs)
        for n, advantage in enumerate(inputs["advantages"].tolist()):
            prompt = inputs["prompt_ids"][n][inputs["prompt_mask"][n].bool()].tolist()
            kept, ahead = inputs["completion_mask"][n].bool(), [0.0] * len(prompt)
            ids = prompt + inputs["completion_ids"][n][kept].tolist()
            saw(step=self.state.global_step + 1, ids=ids,
                trained=[False] * len(prompt) + inputs["tool_mask"][n][kept].bool().tolist(),
                sampler=ahead + inputs["sampling_per_token_logps"][n][kept].tolist(),
                trainer=ahead + self.judged_logps[n][kept].tolist(), advantages=[advantage] * len(ids))
        return out
    module.GRPOTrainer._compute_loss = judged
    compute = module.GRPOTrainer._get_per_token_logps_and_entropies
    def computed(self, *args, **kwargs):
        out = compute(self, *args, **kwargs)
        self.judged_logps = out[0].detach()
        return out
    module.GRPOTrainer._get_per_token_logps_and_entropies = computed

changes["trl.trainer.grpo_trainer"] = judge
`

func TestTRL_TheLossCountsWhatWasSampled(t *testing.T) { _, _ = trl.LossCountsWhatWasSampled(t, judge) }

// withoutRolloutFunc removes rollout_func from TRL's trainer.
const withoutRolloutFunc = `
def remove(module):
    init = module.GRPOTrainer.__init__
    def without(self, model, reward_funcs, args, train_dataset, processing_class, peft_config):
        init(self, model=model, reward_funcs=reward_funcs, args=args, train_dataset=train_dataset,
             processing_class=processing_class, peft_config=peft_config)
    module.GRPOTrainer.__init__ = without

changes["trl.trainer.grpo_trainer"] = lambda module: (judge(module), remove(module))
`

// TestTRL_TrainsTheSameWithRolloutFuncRemoved: TRL may remove rollout_func. The rows then reach its trainer through the
// methods that generate.
func TestTRL_TrainsTheSameWithRolloutFuncRemoved(t *testing.T) {
	dir := trl.TrainsTheSame(t, judge, withoutRolloutFunc)
	if log := trl.TrainerLog(t, dir); !strings.Contains(log, "gets the episodes through its generation methods") {
		t.Errorf("the trainer's log does not name the hook: %s", log)
	}
}

func TestTRL_TheWitnessFindsAShiftedMask(t *testing.T) { trl.WitnessFindsAShiftedMask(t, judge) }

func TestAdapter_SurvivesTheDeathsOfTrainerPluginAndHost(t *testing.T) {
	trl.SurvivesDeaths(t, trl.StandIn(t), 20)
}

func TestTRL_SurvivesTheDeathsOfTrainerPluginAndHost(t *testing.T) { trl.SurvivesRealDeaths(t) }

func TestAdapter_StopsWithACheckpointAndGoesOnFromIt(t *testing.T) {
	trl.StopsAndGoesOn(t, trl.StandIn(t), 20)
}

func TestAdapter_Conforms(t *testing.T) { trl.ConformsWith(t, trl.Fake(t), "nowhere") }

func TestAdapter_RefusesAToolFormat(t *testing.T) { trl.RefusesAToolFormat(t, trl.StandIn(t)) }

func TestAdapter_EndsAStageBehindACheckpoint(t *testing.T) {
	trl.EndsAStageBehindACheckpoint(t, trl.StandIn(t))
}

func TestTRL_StopsWithACheckpointAndGoesOnFromIt(t *testing.T) {
	realtest.Slow(t)
	dir, finished := trl.StopsAndGoesOn(t, trl.Start, 6)
	trl.CheckSteps(t, filepath.Join(dir, finished.Dir), 6)
}

// Samples without a reward are left out of TRL's mean, too.
func TestTRL_LeavesOutEpisodesThatFail(t *testing.T) {
	for step, values := range trl.LeavesOutEpisodesThatFail(t) {
		if ours, theirs := values["train/reward"], values["trl/reward"]; fmt.Sprintf("%.3f", ours) != fmt.Sprintf("%.3f", theirs) {
			t.Errorf("step %d: the mean reward is %g here and %g in TRL, which should leave out what has none", step, ours, theirs)
		}
	}
}

// TestTRL_AppliesDecodingConstraints trains with restricted messages.
func TestTRL_AppliesDecodingConstraints(t *testing.T) {
	realtest.Slow(t)
	trl.TrainsConstrained(t, judge)
}

func TestTRL_TrainsEachModelFamily(t *testing.T) { trl.TrainsFamilies(t, judge) }

// TestTRL_ASwarmTrainsOneMember: TRL makes one row of an episode, so one member of a swarm trains. The loss counts what
// that one has sampled, and nothing of what the others said.
func TestTRL_ASwarmTrainsOneMember(t *testing.T) {
	realtest.Slow(t)
	trl.TrainsOneMember(t, judge)
}

func TestTRL_AnAgentOverHTTPTrains(t *testing.T) {
	realtest.Slow(t)
	trl.TrainsOverHTTP(t, judge)
}
