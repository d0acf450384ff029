package areal_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/realtest/stranger"
)

// These tests train with the real AReaL on a CPU. AWHOST_AREAL_PYTHON names a Python that has it,
// AWHOST_AREAL_MAIN_PYTHON one with AReaL 2.0.

const adapter = "adapter.areal.cpu"

// gapBound is the allowed difference between sampler and trainer in a token's log-probability, in single precision.
const gapBound = 1e-4

func start(t *testing.T, python, dir string, args ...string) *realtest.Run {
	t.Helper()
	return realtest.Apply(t, dir, append([]string{"--var", "python=" + python, "--var", "model=" + realtest.TinyModel(t)},
		args...)...)
}

// checkTokens checks that the log-probabilities computed by AReaL agree with the ones at sampling, and returns the
// largest difference. This detects a misplaced mask or token even if the reward rises.
func checkTokens(t *testing.T, runDir string, steps int) (largest float64) {
	t.Helper()
	all := realtest.Steps(t, runDir)
	still := 0
	for step := 1; step <= steps; step++ {
		values := all[step]
		gap, ok := values["train/logprob_gap"]
		if !ok || gap > gapBound {
			t.Errorf("step %d: log-probabilities at sampling and in training differ by %g (known: %v)", step, gap, ok)
		}
		largest = max(largest, gap)
		if left := values["train/filtered_fraction"]; left != 0 {
			t.Errorf("step %d: %g of the tokens were left out", step, left)
		}
		switch norm, ok := values["train/grad_norm"]; {
		case !ok || !(norm >= 0):
			t.Errorf("step %d: the gradient's norm is %g (known: %v)", step, norm, ok)
		case norm == 0:
			still++
		}
	}
	if 4*still > steps { // in a small batch, every group may be all right or all wrong, which gives no gradient
		t.Errorf("in %d of %d steps the gradient's norm is 0", still, steps)
	}
	return largest
}

// logs returns the logs of AReaL's launches in a run.
func logs(t *testing.T, runDir string) []byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(runDir, "plugins", adapter, "*", "areal.log"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no log of AReaL in %s: %v", runDir, err)
	}
	var out []byte
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text...)
	}
	return out
}

func checkSyncs(t *testing.T, runDir string, steps int) {
	t.Helper()
	if n := bytes.Count(logs(t, runDir), []byte("the CPU sampler took over the weights")); n < steps {
		t.Errorf("the sampler got weights %d times in %d steps", n, steps)
	}
}

// processes returns the processes whose command line names a run.
func processes(t *testing.T, runDir string) (pids []int) {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range entries {
		line, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(line, []byte(runDir)) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

func checkGone(t *testing.T, runDir string) {
	t.Helper()
	realtest.Eventually(t, "AReaL's processes are gone", func() bool { return len(processes(t, runDir)) == 0 })
}

// rowsWitness is Python code that records the rows that AReaL receives.
const rowsWitness = `
def change(module):
    make = module.tensors
    def witnessed(row):
        out = make(row)
        ids, trained, sampler = (out[name][0].tolist() for name in ("input_ids", "loss_mask", "logprobs"))
        saw(chain=row.chain, ids=ids, trained=[bool(m) for m in trained], sampler=sampler)
        return out
    module.tensors = witnessed
changes = {"awhost_areal.rows": change}
`

func TestAReaL_TwoSteps(t *testing.T) {
	for _, test := range ways {
		t.Run(test.name, func(t *testing.T) {
			python := realtest.Python(t, test.variable)
			dir, given := realtest.Copy(t, "examples/areal"), filepath.Join(t.TempDir(), "rows")
			spec := filepath.Join(dir, "train.hcl")
			site := realtest.Mutant(t, realtest.SawPython(given)+rowsWitness)
			realtest.Edit(t, spec, "  checkpoint {", fmt.Sprintf("  env { PYTHONPATH = %q }\n  checkpoint {", site))
			realtest.Edit(t, spec, "  device = \"cpu\"\n", "  device = \"cpu\"\n  tokens_every = 2\n")
			finished := start(t, python, dir, "--var", "mode="+test.mode, "--var", "prompts=16", "--var", "group_size=8").Wait()
			if finished.Outcome != "completed" || finished.Step != 2 {
				t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
			}
			runDir := filepath.Join(dir, finished.Dir)
			gap := checkTokens(t, runDir, 2)
			if told := realtest.Tokens(t, runDir); test.mode == "workflow" {
				realtest.CheckTokens(t, told, given)
				realtest.CheckTokenSteps(t, dir, told, 2)
			} else if len(told) > 0 {
				t.Errorf("%d rows of tokens are told, which AReaL's proxy keeps", len(told))
			}
			checkSyncs(t, runDir, 2)
			checkGone(t, runDir)
			if _, err := os.Stat(filepath.Join(dir, finished.Checkpoint, "model.safetensors")); err != nil {
				t.Errorf("the checkpoint cannot be used: %v", err)
			}
			checkExport(t, python, dir)
			realtest.CheckClean(t, runDir, recorder(python), test.mode+", 2 steps")
			record(t, python, realtest.Result{Mode: test.mode, What: realtest.TwoSteps, Steps: 2, Gap: &gap})
		})
	}
}

// loads is a script that loads a model with transformers and checks for missing or unexpected weights.
const loads = `
import sys, torch
from transformers import AutoModelForCausalLM, AutoTokenizer
model, info = AutoModelForCausalLM.from_pretrained(sys.argv[1], output_loading_info=True)
assert not info["missing_keys"] and not info["unexpected_keys"], info
ids = AutoTokenizer.from_pretrained(sys.argv[1])("17+25=", return_tensors="pt").input_ids
assert torch.isfinite(model(ids).logits).all()
print("loaded")
`

// checkExport exports the newest checkpoint and checks that transformers can load it.
func checkExport(t *testing.T, python, dir string) {
	t.Helper()
	realtest.Do(t, dir, "export", "--out", "model")
	if _, err := os.Stat(filepath.Join(dir, "model", "areal")); err == nil {
		t.Error("the export has AReaL's recover files")
	}
	out, err := exec.CommandContext(t.Context(), python, "-c", loads, filepath.Join(dir, "model")).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("loaded")) {
		t.Errorf("transformers does not load the export: %v\n%s", err, out)
	}
}

// recorder returns record for a Python.
func recorder(python string) func(*testing.T, realtest.Result) {
	return func(t *testing.T, r realtest.Result) {
		t.Helper()
		record(t, python, r)
	}
}

// record records a test result for the AReaL version of a Python.
func record(t *testing.T, python string, r realtest.Result) {
	t.Helper()
	r.Framework, r.Version = "AReaL", realtest.Version(t, python, "areal")
	realtest.Record(t, r)
}

// ways are the tested versions and modes.
var ways = []struct{ name, variable, mode string }{
	{"1.0.4 workflow", "AWHOST_AREAL_PYTHON", "workflow"},
	{"1.0.4 agent", "AWHOST_AREAL_PYTHON", "agent"},
	{"main workflow", "AWHOST_AREAL_MAIN_PYTHON", "workflow"},
	{"main agent", "AWHOST_AREAL_MAIN_PYTHON", "agent"},
}

// longest bounds a run. Fifteen steps take four minutes on two busy cores, sixty larger ones half an hour, and much
// longer if other processes use the cores.
const longest = 2 * time.Hour

// learns trains the tiny model for a number of steps, each with a number of prompts and eight samples per prompt, and
// records the result.
func learns(t *testing.T, variable, mode string, steps, prompts int, what string) realtest.Finished {
	t.Helper()
	python := realtest.Python(t, variable)
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/areal")
	finished := start(t, python, dir, "--var", "mode="+mode, "--var", fmt.Sprint("steps=", steps), "--var",
		fmt.Sprint("prompts=", prompts), "--var", "group_size=8").WaitFor(longest)
	if finished.Outcome != "completed" || finished.Step != steps {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	if finished.Before == nil || finished.After == nil {
		t.Fatalf("held-out success was not measured: %+v", finished)
	}
	runDir := filepath.Join(dir, finished.Dir)
	gap := checkTokens(t, runDir, steps)
	checkSyncs(t, runDir, steps)
	checkGone(t, runDir)
	realtest.CheckClean(t, runDir, recorder(python), fmt.Sprintf("%s, %d steps", mode, steps))
	record(t, python, realtest.Result{Mode: mode, What: what, Steps: steps, Before: finished.Before, After: finished.After,
		Gap: &gap})
	return finished
}

func TestAReaL_APolicyLearns(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			if finished := learns(t, way.variable, way.mode, 15, 16, realtest.Learned); *finished.After-*finished.Before < 0.20 {
				t.Errorf("held-out success does not rise by 20 points: from %g to %g", *finished.Before, *finished.After)
			}
		})
	}
}

func TestAReaL_APolicyLearnsForLong(t *testing.T) {
	for _, mode := range []string{"workflow", "agent"} {
		t.Run(mode, func(t *testing.T) {
			if finished := learns(t, "AWHOST_AREAL_PYTHON", mode, 60, 32, realtest.Mastered); *finished.After < 0.85 {
				t.Errorf("held-out success: from %g to %g; want 85 %%", *finished.Before, *finished.After)
			}
		})
	}
}

// speaking adds a chat template that writes tool calls to a model, because the tiny model's own does not.
func speaking(t *testing.T, model string) string {
	t.Helper()
	const template = `{% for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}{% for c in m.tool_calls or [] %}<tool_call>` +
		`{{ {"name": c.function.name, "arguments": c.function.arguments} | tojson }}</tool_call>{% endfor %}<|end|>{% endfor %}` +
		`{% if add_generation_prompt %}<|assistant|>{% endif %}`
	if err := os.WriteFile(filepath.Join(model, "chat_template.jinja"), []byte(template), 0o600); err != nil {
		t.Fatal(err)
	}
	return model
}

func TestAReaL_SmokeRun(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			python := realtest.Python(t, way.variable)
			realtest.Slow(t)
			dir, model := realtest.Copy(t, "examples/areal"), speaking(t, realtest.TinyModel(t))
			// The spec is for GPUs; the smoke run uses the CPU anyway.
			realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  device = \"cpu\"\n",
				"  device = \"gpu\"\n  overrides = { \"sglang.mem_fraction_static\" = 0.8 }\n")
			if err := os.Remove(filepath.Join(model, "model.safetensors")); err != nil { // no weights are read
				t.Fatal(err)
			}
			finished := realtest.Apply(t, dir, "--smoke", "--var", "python="+python, "--var", "model="+model, "--var", "mode="+
				way.mode).Wait()
			if finished.Smoke == nil || len(finished.Smoke.Stages) != 1 {
				t.Fatalf("outcome %s at step %d, without a report\n%s", finished.Outcome, finished.Step, finished.Problems)
			}
			stage := finished.Smoke.Stages[0]
			if finished.Outcome != "completed" || finished.Smoke.Verdict != "pass" || stage.Steps != 2 || stage.Trained < 16 ||
				stage.ScriptCalls == 0 || stage.Misread > 0 {
				t.Fatalf("outcome %s, %+v\n%s", finished.Outcome, finished.Smoke, finished.Problems)
			}
			checkGone(t, dir)
			if left, err := os.ReadDir(filepath.Join(dir, ".awhost", "smoke")); err == nil && len(left) > 0 {
				t.Errorf("the smoke run has left %v", left)
			}
			record(t, python, realtest.Result{Mode: way.mode, What: realtest.Smoked})
		})
	}
}

// mutants are possible errors of a shim or a sampler that the bound on log-probabilities must detect.
var mutants = map[string]string{
	"stale weights": `
def change(module):
    async def update(self, path):
        self.updates += 1
        print("awhost: the CPU sampler took over the weights of nowhere", flush=True)
    module.Engine.update = update
changes = {"sglang.server": change}
`,
	"mask shifted by one": `
def change(module):
    tensors = module.tensors
    def shifted(row):
        out = tensors(row)
        out["loss_mask"] = out["loss_mask"].roll(1, -1)
        return out
    module.tensors = shifted
changes = {"awhost_areal.rows": change}
`,
	"a token lost between turns": `
def change(module):
    tensors = module.tensors
    def lossy(row):
        out = tensors(row)
        mask = out["loss_mask"][0].tolist()
        first = mask.index(1)
        gap = mask.index(0, first) if 0 in mask[first:] else first
        return {name: value[:, [i for i in range(len(mask)) if i != gap]] for name, value in out.items()}
    module.tensors = lossy
changes = {"awhost_areal.rows": change}
`,
}

func TestAReaL_FindsPolicyFaults(t *testing.T) {
	python := realtest.Python(t, "AWHOST_AREAL_PYTHON")
	realtest.FindsPolicyFaults(t, recorder(python), "sglang.sampler", mutants["mask shifted by one"],
		func(t *testing.T, fault string, change func(dir string)) string {
			if fault == realtest.LoRAOff {
				t.Skip("the stand-in for SGLang merges adapters")
			}
			dir := realtest.Copy(t, "examples/areal")
			change(dir)
			run := start(t, python, dir, "--var", "steps=3", "--var", "prompts=16", "--var", "group_size=8")
			if fault == realtest.BaseResume {
				run.UntilStep(2)
				realtest.Kill(t, driver(t, dir))
			}
			finished := run.Wait()
			stranger.Done(t, finished, "completed", 3)
			return filepath.Join(dir, finished.Dir)
		})
}

func TestAReaL_MutantsExceedTheBound(t *testing.T) {
	python := realtest.Python(t, "AWHOST_AREAL_PYTHON")
	realtest.Slow(t)
	for name, text := range mutants {
		t.Run(name, func(t *testing.T) {
			dir, site := realtest.Copy(t, "examples/areal"), realtest.Mutant(t, text)
			realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  checkpoint {",
				fmt.Sprintf("  env { PYTHONPATH = %q }\n  checkpoint {", site))
			finished := start(t, python, dir, "--var", "steps=3").Wait()
			if finished.Outcome != "completed" {
				t.Fatalf("outcome %s\n%s", finished.Outcome, finished.Problems)
			}
			for _, values := range realtest.Steps(t, filepath.Join(dir, finished.Dir)) {
				if values["train/logprob_gap"] > gapBound || values["train/filtered_fraction"] > 0 {
					return
				}
			}
			t.Error("no step shows that sampler and trainer disagree")
		})
	}
}

// driver returns the process ID of AReaL's controller.
func driver(t *testing.T, dir string) int {
	t.Helper()
	for _, pid := range processes(t, dir) {
		if line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); bytes.Contains(line, []byte("awhost_areal.train")) {
			return pid
		}
	}
	t.Fatal("AReaL's driver does not run")
	return 0
}

// launches returns the number of a run's launches. Each launch is one start of AReaL.
func launches(t *testing.T, dir string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".awhost", "runs", "*", "plugins", adapter, "*.i*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

// checkOnce checks that each step counts once. If a step was made or reported twice, only the one that later steps
// are based on counts.
func checkOnce(t *testing.T, runDir string, steps int) {
	t.Helper()
	run, err := runstore.At(filepath.Dir(runDir), runstore.Options{}).Open(runDir)
	if err != nil {
		t.Fatal(err)
	}
	times := map[int]int{}
	for row, err := range run.Metrics() {
		if err != nil {
			t.Fatal(err)
		}
		if _, trained := row.Values["train/grad_norm"]; trained {
			times[row.Step]++
		}
	}
	for step := 1; step <= steps; step++ {
		if times[step] != 1 {
			t.Errorf("step %d is on record %d times", step, times[step])
		}
	}
}

// launched checks how often a run has started AReaL.
func launched(t *testing.T, dir string, want int, when string) {
	t.Helper()
	if n := launches(t, dir); n != want {
		t.Fatalf("AReaL was started %d times %s; want %d", n, when, want)
	}
}

// TestAReaL_SurvivesTheDeathsOfTrainerPluginAndHost checks that AReaL continues if its plugin or host is killed, and
// is attached again. Only killing AReaL itself loses the steps since a checkpoint.
func TestAReaL_SurvivesTheDeathsOfTrainerPluginAndHost(t *testing.T) {
	for _, mode := range []string{"workflow", "agent"} {
		t.Run(mode, func(t *testing.T) {
			python := realtest.Python(t, "AWHOST_AREAL_PYTHON")
			realtest.Slow(t)
			dir := realtest.Copy(t, "examples/areal")
			realtest.Edit(t, filepath.Join(dir, "train.hcl"), "checkpoint { every = 5 }", "checkpoint { every = 3 }")
			run := start(t, python, dir, "--var", "steps=7", "--var", "mode="+mode)
			run.UntilStep(1)
			first := driver(t, dir)
			run.Kill(adapter)
			run.UntilStep(3)
			if now := driver(t, dir); now != first {
				t.Fatalf("AReaL is process %d after the death of its plugin, and was %d", now, first)
			}
			run.KillHost()
			launched(t, dir, 1, "before the host died, also after the plugin's death")
			if now := driver(t, dir); now != first {
				t.Fatalf("AReaL is process %d after the death of the host, and was %d", now, first)
			}
			run = realtest.Start(t, dir, "resume")
			run.UntilStep(4)
			launched(t, dir, 1, "after the host's exit: the resumed run did not continue the running launch")
			realtest.Kill(t, driver(t, dir))
			finished := run.Wait()
			if finished.Outcome != "completed" || finished.Step != 7 {
				t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
			}
			launched(t, dir, 2, "and once more after its own death")
			runDir := filepath.Join(dir, finished.Dir)
			checkOnce(t, runDir, 7)
			checkTokens(t, runDir, 7)
			checkGone(t, dir)
			for _, fault := range []string{"trainer killed", "plugin killed", "host killed"} {
				record(t, python, realtest.Result{Mode: mode, What: realtest.Survived, Detail: fault})
			}
		})
	}
}

// TestAReaL_StopEndsATrainerWhoseHostIsGone checks that awhost stop ends a trainer that has outlived its host, with
// all its workers.
func TestAReaL_StopEndsATrainerWhoseHostIsGone(t *testing.T) {
	python := realtest.Python(t, "AWHOST_AREAL_PYTHON")
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/areal")
	run := start(t, python, dir, "--var", "steps=7")
	run.UntilStep(1)
	run.KillHost()
	driver(t, dir)
	realtest.Do(t, dir, "stop")
	checkGone(t, dir)
}

// TestAReaL_EndsItselfWhenNobodyComesBack checks that AReaL exits if no host attaches again.
func TestAReaL_EndsItselfWhenNobodyComesBack(t *testing.T) {
	python := realtest.Python(t, "AWHOST_AREAL_PYTHON")
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/areal")
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  device = \"cpu\"\n",
		"  device = \"cpu\"\n  absence_timeout = \"40s\"\n")
	run := start(t, python, dir, "--var", "steps=7")
	run.UntilStep(1)
	runDir := filepath.Join(dir, ".awhost", "runs", "tiny-1")
	driver(t, dir)
	run.KillHost()
	driver(t, dir)
	// The limit covers absence_timeout and the time that AReaL takes to exit.
	realtest.Within(t, 10*time.Minute, "AReaL has ended itself", func() bool { return len(processes(t, dir)) == 0 })
	if !bytes.Contains(logs(t, runDir), []byte("AReaL's driver ends, because awhost is gone")) {
		t.Error("its log lacks the reason for its end")
	}
	finished := realtest.Start(t, dir, "resume").Wait()
	if finished.Outcome != "completed" || finished.Step != 7 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	launched(t, dir, 2, "by the host that died and the one that came")
	checkOnce(t, runDir, 7)
}

// unreadable simulates a rollout worker that runs as a different user than awhost and AReaL's driver.
const unreadable = `
def change(module):
    def refuse(path, *args, **kwargs):
        if str(path).endswith("bridge.token") and b"awhost_areal.train" not in open("/proc/self/cmdline", "rb").read():
            raise PermissionError(13, "Permission denied", str(path))
        return open(path, *args, **kwargs)
    module.open = refuse
changes = {"awhost_bridge.endpoint": change}
`

func TestAReaL_SaysThatItsWorkersCannotReadTheToken(t *testing.T) {
	python := realtest.Python(t, "AWHOST_AREAL_PYTHON")
	realtest.Slow(t)
	dir, site := realtest.Copy(t, "examples/areal"), realtest.Mutant(t, unreadable)
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  checkpoint {",
		fmt.Sprintf("  env { PYTHONPATH = %q }\n  checkpoint {", site))
	finished := start(t, python, dir).Wait()
	for _, want := range []string{"cannot reach awhost", "Permission denied", "/bridge.token", "as the user"} {
		if finished.Outcome != "failed" || !strings.Contains(finished.Problems, want) {
			t.Errorf("outcome %s without the problem %q:\n%s", finished.Outcome, want, finished.Problems)
		}
	}
	checkGone(t, dir)
}

func TestAReaL_GoesOnWhereAnEnvironmentAndARewardHang(t *testing.T) {
	python := realtest.Python(t, "AWHOST_AREAL_PYTHON")
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/areal")
	spec := filepath.Join(dir, "train.hcl")
	code := "import random, time\n\ndef score(solution_str, ground_truth):\n    if random.random() < 0.2:\n        time.sleep(600)\n    return float(ground_truth in solution_str)\n"
	if err := os.WriteFile(filepath.Join(dir, "rewards.py"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	realtest.Edit(t, spec, `reward "gaia" "answer" {}`,
		"reward \"python\" \"slow\" {\n  file    = \"rewards.py\"\n  name    = \"score\"\n  timeout = \"2s\"\n}")
	realtest.Edit(t, spec, "  reward     = reward.calculator.shape.score\n",
		"  reward     = 0.5 * reward.calculator.shape.score + 0.5 * reward.python.slow.score\n")
	realtest.Edit(t, spec, "reward.gaia.answer.score == 1", "reward.python.slow.score == 1")
	realtest.Edit(t, spec, `episode_timeout = "5m"`,
		"episode_timeout = \"30s\"\n  on_failure \"timeout\" { action = [\"mask\"] }")
	realtest.Edit(t, spec, "  validation = dataset.jsonl.held_out\n", "") // with 200 tasks, 40 of which would hang
	realtest.Edit(t, spec, "  validate {\n    before_train = true\n  }\n", "")
	run := start(t, python, dir, "--var", "steps=3")
	run.UntilStep(1)
	desk := run.UntilPlugin("environment.calculator.desk")
	if err := syscall.Kill(desk, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	finished := run.Wait()
	if finished.Outcome != "completed" || finished.Step != 3 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	failed := 0.0
	for _, values := range realtest.Steps(t, filepath.Join(dir, finished.Dir)) {
		failed += values["train/failed"]
	}
	if failed == 0 || failed > 36 {
		t.Errorf("%g of 48 episodes failed; want those whose reward or environment hung, about 20", failed)
	}
	checkTokens(t, filepath.Join(dir, finished.Dir), 3)
	checkGone(t, dir)
	record(t, python, realtest.Result{Mode: "workflow", What: realtest.Survived,
		Detail: "environment and reward that hang"})
}

func TestAReaL_Faults(t *testing.T) {
	python := realtest.Python(t, "AWHOST_AREAL_PYTHON")
	realtest.Slow(t)
	t.Run("a person stops the run, and it resumes later", func(t *testing.T) {
		dir := realtest.Copy(t, "examples/areal")
		run := start(t, python, dir, "--var", "steps=8")
		run.UntilStep(1)
		run.Interrupt()
		finished := run.Wait()
		if finished.Outcome != "stopped" || finished.Checkpoint == "" || finished.Step >= 8 {
			t.Fatalf("outcome %s at step %d, checkpoint %q\n%s", finished.Outcome, finished.Step, finished.Checkpoint,
				finished.Problems)
		}
		checkGone(t, dir)
		resumed := realtest.Start(t, dir, "resume").Wait()
		if resumed.Outcome != "completed" || resumed.Step != 8 {
			t.Fatalf("outcome %s at step %d\n%s", resumed.Outcome, resumed.Step, resumed.Problems)
		}
		checkTokens(t, filepath.Join(dir, resumed.Dir), 8)
		checkGone(t, dir)
		record(t, python, realtest.Result{Mode: "workflow", What: realtest.Survived, Detail: "stopped and resumed"})
	})
	t.Run("every episode fails", func(t *testing.T) {
		dir := realtest.Copy(t, "examples/areal")
		realtest.Edit(t, filepath.Join(dir, "train.hcl"), `episode_timeout = "5m"`, `episode_timeout = "1ms"`)
		finished := start(t, python, dir).Wait()
		if finished.Outcome == "completed" || !strings.Contains(finished.Problems+finished.Reason, "circuit breaker") {
			t.Errorf("outcome %s, reason %q\n%s", finished.Outcome, finished.Reason, finished.Problems)
		}
		checkGone(t, dir)
	})
}
