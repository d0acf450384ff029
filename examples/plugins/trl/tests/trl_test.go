package trl_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/sdk/process"
)

// These tests train with the real TRL on a CPU: AWHOST_TRL_PYTHON names the Python that has it. What is about the adapter alone is
// tested with a stand-in, too: AWHOST_SDK_PYTHON names a Python for that. To the host the adapter is a stranger's: a directory
// that required_plugins names, built and accepted by `awhost init`.

const adapter = "adapter.trl.grpo"

// prepare copies the plugin, and accepts it.
func prepare(t *testing.T) (dir string) {
	t.Helper()
	if os.Getenv("AWHOST_SDK_PYTHON") == "" {
		realtest.Python(t, "AWHOST_TRL_PYTHON") // skips without
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // where `init` keeps the key of what was accepted
	dir = realtest.Copy(t, "examples/plugins/trl")
	if err := os.CopyFS(filepath.Join(dir, "awhost_trl"), os.DirFS("../awhost_trl")); err != nil {
		t.Fatal(err)
	}
	realtest.Do(t, dir, "init", "train.hcl")
	return dir
}

// start applies the example with the tiny model. Where runs are compared nothing may depend on who was faster.
func start(t *testing.T, dir string, args ...string) *realtest.Run {
	t.Helper()
	return apply(t, dir, append([]string{"python=" + realtest.Python(t, "AWHOST_TRL_PYTHON"), "model=" + realtest.TinyModel(t), "prompt_tokens=16"}, args...)...)
}

// startStandIn does the same with a TRL that trains nothing; its weights are what was sampled.
func startStandIn(t *testing.T, dir, python string, args ...string) *realtest.Run {
	t.Helper()
	return apply(t, dir, append([]string{"python=" + python, "model=nowhere", "prompt_tokens=4000"}, args...)...)
}

func apply(t *testing.T, dir string, variables ...string) *realtest.Run {
	t.Helper()
	var args []string
	for _, v := range append([]string{"device=cpu", "prompts=16", "response_tokens=80", "micro_batch=128", "patience=10m"}, variables...) {
		args = append(args, "--var", v)
	}
	return realtest.Apply(t, dir, args...)
}

// standIn makes the interpreter of a TRL that trains nothing.
func standIn(t *testing.T) (python string) {
	t.Helper()
	venv := filepath.Join(t.TempDir(), "venv")
	make := "import pathlib, sys; from tests import fake; fake.interpreter(pathlib.Path(sys.argv[1]))"
	cmd := exec.CommandContext(t.Context(), realtest.Python(t, "AWHOST_SDK_PYTHON"), "-c", make, venv)
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(venv, "bin", "python")
}

// checkSteps says whether steps are on record, and whether what TRL computes of the sampled tokens is what they were sampled
// with. A mask or a token in a wrong place shows here, where the reward may rise nevertheless.
func checkSteps(t *testing.T, runDir string, last int) (largest float64) {
	t.Helper()
	steps := realtest.Steps(t, runDir)
	for step := 1; step <= last; step++ {
		values, ok := steps[step]
		if !ok {
			t.Errorf("step %d is not on record", step)
			continue
		}
		gap, ok := values["train/probability_gap"]
		if !ok || !(gap > 0 && gap < 1e-4) {
			t.Errorf("step %d: probabilities at sampling and in training differ by %g (known: %v); want some difference below 1e-4", step, gap, ok)
		}
		largest = max(largest, gap)
		for _, name := range []string{"train/grad_norm", "train/reward", "trl/awhost/reward.calculator.shape.tool", "trl/completions/mean_length"} {
			if !(values[name] > 0) {
				t.Errorf("step %d: %s is %g", step, name, values[name])
			}
		}
	}
	return largest
}

// launches are the folders of a run's launches: each is one start of TRL.
func launches(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".awhost", "runs", "*", "plugins", adapter, "*", "trl.json"))
	if err != nil {
		t.Fatal(err)
	}
	for i, path := range found {
		found[i] = filepath.Dir(path)
	}
	return found
}

// trainers are the processes that train in a folder: those whose working directory is that of a launch.
func trainers(t *testing.T, dir string) (pids []int) {
	t.Helper()
	found, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range found {
		if cwd, err := os.Readlink(link); err == nil && strings.HasPrefix(cwd, dir+"/.awhost/") {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link)))
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// checkGone says whether a run has left processes behind.
func checkGone(t *testing.T, dir string) {
	t.Helper()
	realtest.Eventually(t, "no trainer is left", func() bool { return len(trainers(t, dir)) == 0 })
	for _, launch := range launches(t, dir) {
		if left, err := process.FindMarked(filepath.Base(launch)); err != nil || len(left) > 0 {
			t.Errorf("launch %s has left %v behind: %v", filepath.Base(launch), left, err)
		}
	}
}

// done checks how a run ended.
func done(t *testing.T, finished realtest.Finished, outcome string, step int) {
	t.Helper()
	if finished.Outcome != outcome || finished.Step != step {
		t.Fatalf("outcome %s at step %d; want %s at step %d\n%s", finished.Outcome, finished.Step, outcome, step, finished.Problems)
	}
}

// digest is that of the checkpoint that a run ended with.
func digest(t *testing.T, dir string, finished realtest.Finished) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, finished.Checkpoint, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Digest string `json:"digest"`
	}
	if err := json.Unmarshal(data, &manifest); err != nil || manifest.Digest == "" {
		t.Fatalf("the checkpoint has no digest: %v", err)
	}
	return manifest.Digest
}

func record(t *testing.T, r realtest.Result) {
	t.Helper()
	r.Framework, r.Version = "TRL", realtest.Version(t, realtest.Python(t, "AWHOST_TRL_PYTHON"), "trl")
	realtest.Record(t, r)
}

// The SDK's sampler is tested where it runs.
func TestTRL_TheSampler(t *testing.T) {
	sdk, err := filepath.Abs("../../../../sdk/python")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), realtest.Python(t, "AWHOST_TRL_PYTHON"), "-m", "unittest", "tests.test_hf_sampler")
	cmd.Dir = sdk
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "OMP_NUM_THREADS=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "\nOK") || strings.Contains(string(out), "skipped") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestTRL_TwoSteps(t *testing.T) {
	dir := prepare(t)
	finished := start(t, dir, "steps=2").Wait()
	done(t, finished, "completed", 2)
	gap := checkSteps(t, filepath.Join(dir, finished.Dir), 2)
	checkGone(t, dir)
	record(t, realtest.Result{What: realtest.TwoSteps, Steps: 2, Gap: &gap})
}

// learns trains with the real TRL: held-out success rises by 20 points at least.
func learns(t *testing.T, prompts, steps int, what string) {
	t.Helper()
	dir := prepare(t)
	finished := start(t, dir, fmt.Sprintf("prompts=%d", prompts), fmt.Sprintf("steps=%d", steps)).Wait()
	done(t, finished, "completed", steps)
	if finished.Before == nil || finished.After == nil {
		t.Fatalf("held-out success: from %v to %v", finished.Before, finished.After)
	}
	t.Logf("held-out success: %g → %g", *finished.Before, *finished.After)
	if *finished.After-*finished.Before < 0.20 {
		t.Errorf("held-out success: from %g to %g; want a rise of 20 points", *finished.Before, *finished.After)
	}
	if what == realtest.Mastered && *finished.After < 0.85 {
		t.Errorf("held-out success: from %g to %g; want 85 %%", *finished.Before, *finished.After)
	}
	gap := checkSteps(t, filepath.Join(dir, finished.Dir), steps)
	checkGone(t, dir)
	realtest.Do(t, dir, "show", "--audit")
	record(t, realtest.Result{What: what, Steps: steps, Before: finished.Before, After: finished.After, Gap: &gap})
}

func TestTRL_APolicyLearns(t *testing.T) {
	learns(t, 16, 15, realtest.Learned)
}

func TestTRL_APolicyLearnsForLong(t *testing.T) {
	realtest.Slow(t)
	learns(t, 32, 60, realtest.Mastered)
}

// The suite kills, stops and resumes the real trainer, too.
func TestTRL_Conforms(t *testing.T) {
	realtest.Slow(t)
	dir, fixtures := prepare(t), filepath.Join(t.TempDir(), "conformance.json")
	text, err := json.Marshal(map[string]any{"components": []any{map[string]any{
		"kind": "adapter", "type": "trl", "config": map[string]any{"python": realtest.Python(t, "AWHOST_TRL_PYTHON"), "device": "cpu"},
		"train": map[string]any{
			"policy": map[string]any{"path": realtest.TinyModel(t)}, "knobs": map[string]any{"checkpoint": map[string]any{"every": 1}}, "seconds": 600,
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fixtures, text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Log(realtest.Do(t, dir, "plugin", "test", ".", "--fixtures", fixtures))
	checkGone(t, dir)
}

// witness stands beside sampler and loss in the trainer's process. It ends the training where the loss counts anything but the ids that
// were sampled for one episode, all of them, and says how many rows it has seen.
const witness = `
said, rows = {}, [0, 0]

def listen(module):
    sample = module.sample
    def listening(model, messages, *rest):
        sample(model, messages, *rest)
        for m in messages:
            said.setdefault(m.call_id.rpartition("/")[0], []).extend(m.ids)
    module.sample = listening

def judge(module):
    loss = module.GRPOTrainer._compute_loss
    def judged(self, model, inputs):
        whole = {tuple(ids) for ids in said.values()}
        for ids, kept, own in zip(inputs["completion_ids"].tolist(), inputs["completion_mask"].tolist(), inputs["tool_mask"].tolist()):
            counted = tuple(i for i, k, o in zip(ids, kept, own) if k and o)
            assert counted in whole, f"the loss counts {counted}, which nobody has sampled"
            rows[0] += 1
            rows[1] += len(counted) < sum(kept)
        print(f"witness: {rows[0]} rows, {rows[1]} with tool results", flush=True)
        return loss(self, model, inputs)
    module.GRPOTrainer._compute_loss = judged

changes = {"awhost_bridge.hf.sampler": listen, "trl.trainer.grpo_trainer": judge}
`

// shifted is a mistake that the witness has to find.
const shifted = `
def shift(module):
    trained = module.BatchedEpisode.trained
    def wrong(self, result):
        row, use = trained(self, result)
        if row is not None:
            n = row.prompt_length
            row.loss_mask[n:] = [0] + row.loss_mask[n:-1]
        return row, use
    module.BatchedEpisode.trained = wrong

changes["awhost_bridge.batched"] = shift
`

// watched makes a folder in which the witness stands by.
func watched(t *testing.T, code string) (dir string) {
	t.Helper()
	dir = prepare(t)
	env := fmt.Sprintf("  env { PYTHONPATH = %q }\n  checkpoint {", realtest.Mutant(t, code))
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  checkpoint {", env)
	return dir
}

// A policy learns with a wrong mask, too, only less: that the reward rises proves nothing.
func TestTRL_TheLossCountsWhatWasSampled(t *testing.T) {
	dir := watched(t, witness)
	finished := start(t, dir, "steps=2").Wait()
	done(t, finished, "completed", 2)
	log, err := os.ReadFile(filepath.Join(launches(t, dir)[0], "trainer.log"))
	if err != nil {
		t.Fatal(err)
	}
	var rows, withTools int
	for _, line := range strings.Split(string(log), "\n") {
		_, _ = fmt.Sscanf(line, "witness: %d rows, %d with tool results", &rows, &withTools) // of other lines there is nothing to read
	}
	if rows != 256 || withTools < 128 {
		t.Errorf("the witness saw %d rows, %d of them with tool results; want 256, most of them with one", rows, withTools)
	}
}

func TestTRL_TheWitnessFindsAShiftedMask(t *testing.T) {
	realtest.Slow(t)
	finished := start(t, watched(t, witness+shifted), "steps=2").Wait()
	if finished.Outcome != "failed" || !strings.Contains(finished.Problems, "nobody has sampled") {
		t.Errorf("outcome %s at step %d; want failed by the witness\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
}

// starter applies the example in a folder.
type starter func(dir string, args ...string) *realtest.Run

// surviveDeaths kills trainer, plugin and host of a run in turn: it comes to the bits of one that nobody disturbed.
func surviveDeaths(t *testing.T, start starter, steps int) (dir string, finished realtest.Finished) {
	t.Helper()
	undisturbed := prepare(t)
	args := []string{fmt.Sprintf("steps=%d", steps), "checkpoints=2"}
	want := start(undisturbed, args...).Wait()
	done(t, want, "completed", steps)

	dir = prepare(t)
	run := start(dir, args...)
	run.UntilStep(3)
	for _, pid := range trainers(t, dir) {
		realtest.Kill(t, pid)
	}
	run.UntilStep(4)
	run.Kill(adapter)
	run.UntilStep(5)
	run.KillHost()
	checkGone(t, dir)
	finished = realtest.Start(t, dir, "resume").Wait()
	done(t, finished, "completed", steps)
	if n := len(launches(t, dir)); n != 4 {
		t.Errorf("TRL was started %d times; want once more after each of three deaths", n)
	}
	if got, want := digest(t, dir, finished), digest(t, undisturbed, want); got != want {
		t.Errorf("the last checkpoint is %s; without deaths it is %s", got, want)
	}
	checkGone(t, dir)
	realtest.Do(t, dir, "show", "--audit")
	return dir, finished
}

func TestAdapter_SurvivesTheDeathsOfTrainerPluginAndHost(t *testing.T) {
	python := standIn(t)
	surviveDeaths(t, func(dir string, args ...string) *realtest.Run { return startStandIn(t, dir, python, args...) }, 60)
}

func TestTRL_SurvivesTheDeathsOfTrainerPluginAndHost(t *testing.T) {
	realtest.Slow(t)
	dir, finished := surviveDeaths(t, func(dir string, args ...string) *realtest.Run { return start(t, dir, args...) }, 8)
	checkSteps(t, filepath.Join(dir, finished.Dir), 8)
	for _, fault := range []string{"trainer killed", "plugin killed", "host killed"} {
		record(t, realtest.Result{What: realtest.Survived, Detail: fault})
	}
}

func TestAdapter_StopsWithACheckpointAndGoesOnFromIt(t *testing.T) {
	python, dir := standIn(t), prepare(t)
	run := startStandIn(t, dir, python, "steps=60")
	run.UntilStep(2)
	run.Interrupt()
	stopped := run.Wait()
	if stopped.Outcome != "stopped" || stopped.Step < 2 {
		t.Fatalf("outcome %s at step %d; want stopped after the step that was under way\n%s", stopped.Outcome, stopped.Step, stopped.Problems)
	}
	checkGone(t, dir)
	done(t, realtest.Start(t, dir, "resume").Wait(), "completed", 60)
}

// The boundary of a step that is saved comes behind its checkpoint, which is there already.
func TestAdapter_EndsAStageBehindACheckpoint(t *testing.T) {
	python, dir := standIn(t), prepare(t)
	spec := filepath.Join(dir, "train.hcl")
	realtest.Edit(t, spec, "every        = 15\n", "every        = 1\n")
	realtest.Edit(t, spec, "before_train = true\n", "before_train = false\n")
	realtest.Edit(t, spec, "  concurrency     = 128\n", "  concurrency     = 128\n  stage \"one\" { advance_when = validation.success_rate >= 0 }\n  stage \"two\" { carry = \"weights\" }\n")
	done(t, startStandIn(t, dir, python, "steps=3", "checkpoints=1").Wait(), "completed", 4)
	checkGone(t, dir)
}

func TestTRL_StopsWithACheckpointAndGoesOnFromIt(t *testing.T) {
	realtest.Slow(t)
	dir := prepare(t)
	run := start(t, dir, "steps=6")
	run.UntilStep(2)
	run.Interrupt()
	stopped := run.Wait()
	if stopped.Outcome != "stopped" || stopped.Step < 2 || stopped.Step > 5 {
		t.Fatalf("outcome %s at step %d; want stopped after the step that was under way\n%s", stopped.Outcome, stopped.Step, stopped.Problems)
	}
	checkGone(t, dir)
	finished := realtest.Start(t, dir, "resume").Wait()
	done(t, finished, "completed", 6)
	checkSteps(t, filepath.Join(dir, finished.Dir), 6)
}

// vary changes the adapter's block in a folder.
func vary(t *testing.T, dir, lines string) {
	t.Helper()
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  patience = var.patience\n", "  patience = var.patience\n"+lines)
}

// holds lists the tensors of a safetensors file.
func holds(t *testing.T, path string) (names []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var tensors map[string]json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(data[8:])).Decode(&tensors); err != nil { // 8 bytes say how long the header is
		t.Fatalf("%s: %v", path, err)
	}
	for name := range tensors {
		if name != "__metadata__" {
			names = append(names, name)
		}
	}
	return names
}

// Two stages train an adapter of few weights, and a KL penalty holds it to the policy of the spec. Killed in both of them, the run comes to
// the same adapter: nothing of it is lost on the way into the second stage, nor by a resume there.
func TestTRL_LoRA(t *testing.T) {
	realtest.Slow(t)
	prepared := func() string {
		dir := prepare(t)
		vary(t, dir, "  lora     = { r = 16, target_modules = \"all-linear\" }\n")
		spec := filepath.Join(dir, "train.hcl")
		realtest.Edit(t, spec, "kl        = 0\n", "kl        = 0.05\n")
		realtest.Edit(t, spec, "warmup_steps  = 5\n", "warmup_steps  = 1\n")
		realtest.Edit(t, spec, "  concurrency     = 128\n", "  concurrency     = 128\n  stage \"one\" {}\n  stage \"two\" {}\n")
		return dir
	}
	undisturbed := prepared()
	want := start(t, undisturbed, "steps=3", "checkpoints=2").Wait()
	done(t, want, "completed", 6)

	dir := prepared()
	run := start(t, dir, "steps=3", "checkpoints=2")
	for _, step := range []int{2, 5} {
		run.UntilStep(step)
		for _, pid := range trainers(t, dir) {
			realtest.Kill(t, pid)
		}
	}
	finished := run.Wait()
	done(t, finished, "completed", 6)
	if got, want := digest(t, dir, finished), digest(t, undisturbed, want); got != want {
		t.Errorf("the last checkpoint is %s; without deaths it is %s", got, want)
	}
	gap := checkSteps(t, filepath.Join(dir, finished.Dir), 6)
	if kl := realtest.Steps(t, filepath.Join(dir, finished.Dir))[4]["train/kl"]; !(kl > 0) {
		t.Errorf("the second stage begins with a divergence of %g: it has forgotten the first one, or refers to it", kl)
	}
	checkpoint := filepath.Join(dir, finished.Checkpoint)
	if all, err := filepath.Glob(filepath.Join(checkpoint, "*.safetensors")); err != nil || len(all) != 1 {
		t.Errorf("the checkpoint has the weights %v: %v; want those of the adapter", all, err)
	}
	names := holds(t, filepath.Join(checkpoint, "adapter_model.safetensors"))
	for _, name := range names {
		if !strings.Contains(name, ".lora_") {
			t.Errorf("the checkpoint has %s, which is no weight of the adapter", name)
		}
	}
	if len(names) != 2*2*7 {
		t.Errorf("the checkpoint has %d weights; want two for each of seven matrices in both layers", len(names))
	}
	checkGone(t, dir)
	t.Logf("largest gap: %g", gap)
}

// starts says whether a process is the one that has started the others of its launch.
func starts(t *testing.T, pid int) bool {
	t.Helper()
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(line, []byte("awhost_trl_worker.launch"))
}

func TestTRL_TwoProcesses(t *testing.T) {
	realtest.Slow(t)
	prepared := func() string {
		dir := prepare(t)
		vary(t, dir, "  processes = 2\n")
		return dir
	}
	const steps = 14
	args := []string{"micro_batch=64", fmt.Sprintf("steps=%d", steps), "checkpoints=2"}
	undisturbed := prepared()
	want := start(t, undisturbed, args...).Wait()
	done(t, want, "completed", steps)
	checkSteps(t, filepath.Join(undisturbed, want.Dir), steps)

	// They play what one process plays. The learning rate of the first step is 0, so the second one has the same weights.
	alone := prepare(t)
	both, one := realtest.Steps(t, filepath.Join(undisturbed, want.Dir)), start(t, alone, "steps=2").Wait()
	done(t, one, "completed", 2)
	for step, values := range realtest.Steps(t, filepath.Join(alone, one.Dir)) {
		for _, name := range []string{"train/reward", "train/episodes", "train/grad_norm"} {
			if step > 0 && fmt.Sprintf("%.3f", values[name]) != fmt.Sprintf("%.3f", both[step][name]) {
				t.Errorf("step %d: %s is %g with one process, and %g with two", step, name, values[name], both[step][name])
			}
		}
	}

	dir := prepared()
	run := start(t, dir, args...)
	for i, kill := range []func(launcher int, others []int){
		func(launcher int, _ []int) { realtest.Kill(t, launcher) }, // the others are in sessions of their own
		func(_ int, others []int) { realtest.Kill(t, others[0]) },
		func(_ int, others []int) { realtest.Kill(t, others[1]) },
		func(int, []int) { run.Kill(adapter) },
	} {
		run.UntilStep(2*i + 2)
		before := trainers(t, dir)
		launcher := slices.IndexFunc(before, func(pid int) bool { return starts(t, pid) })
		if len(before) != 3 || launcher < 0 {
			t.Fatalf("%v train; want two, and one that has started them", before)
		}
		kill(before[launcher], slices.Delete(slices.Clone(before), launcher, launcher+1))
		run.UntilStep(2*i + 3)
		for _, pid := range trainers(t, dir) {
			if slices.Contains(before, pid) {
				t.Errorf("process %d of the launch before still trains", pid)
			}
		}
	}
	run.Interrupt()
	stopped := run.Wait()
	if stopped.Outcome != "stopped" || stopped.Step < 9 || stopped.Step >= steps {
		t.Fatalf("outcome %s at step %d; want stopped after the step that was under way\n%s", stopped.Outcome, stopped.Step, stopped.Problems)
	}
	checkGone(t, dir)
	finished := realtest.Start(t, dir, "resume").Wait()
	done(t, finished, "completed", steps)
	if n := len(launches(t, dir)); n != 6 {
		t.Errorf("TRL was started %d times; want once more after each of four deaths and a stop", n)
	}
	if got, want := digest(t, dir, finished), digest(t, undisturbed, want); got != want {
		t.Errorf("the last checkpoint is %s; without deaths it is %s", got, want)
	}
	checkGone(t, dir)
}

// A judge that fails for some samples: they have no reward, and are not trained.
func TestTRL_LeavesOutEpisodesThatFail(t *testing.T) {
	realtest.Slow(t)
	dir := prepare(t)
	code := "import random\n\ndef score(solution_str, ground_truth):\n    if random.random() < 0.3:\n        raise RuntimeError('the judge is down')\n    return float(ground_truth in solution_str)\n"
	if err := os.WriteFile(filepath.Join(dir, "rewards.py"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	spec := filepath.Join(dir, "train.hcl")
	realtest.Edit(t, spec, `reward "gaia" "answer" {}`, "reward \"python\" \"flaky\" {\n  file = \"rewards.py\"\n  name = \"score\"\n}\n\nreward \"gaia\" \"answer\" {}")
	realtest.Edit(t, spec, "reward     = reward.calculator.shape.score\n", "reward     = reward.python.flaky.score\n")
	realtest.Edit(t, spec, "success    = reward.calculator.shape.score == 1 && reward.gaia.answer.score == 1\n", "success    = reward.python.flaky.score == 1\n")
	finished := start(t, dir, "steps=2").Wait()
	done(t, finished, "completed", 2)
	for step, values := range realtest.Steps(t, filepath.Join(dir, finished.Dir)) {
		if step == 0 {
			continue
		}
		if gap := values["train/probability_gap"]; !(gap > 0 && gap < 1e-4) {
			t.Errorf("step %d: probabilities differ by %g", step, gap)
		}
		if ours, theirs := values["train/reward"], values["trl/reward"]; fmt.Sprintf("%.3f", ours) != fmt.Sprintf("%.3f", theirs) {
			t.Errorf("step %d: the mean reward is %g here and %g in TRL, which should leave out what has none", step, ours, theirs)
		}
	}
	log, err := os.ReadFile(filepath.Join(launches(t, dir)[0], "trainer.log"))
	if err != nil || bytes.Contains(log, []byte("Traceback")) {
		t.Errorf("the trainer's log: %v\n%s", err, log)
	}
}
