package verl_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/sdk/process"
)

// These tests train with the real verl on a CPU. AWHOST_VERL_PYTHON names a Python that has it.

const adapter = "adapter.verl.grpo"

// start applies the example with the tiny model.
func start(t *testing.T, dir string, args ...string) *realtest.Run {
	t.Helper()
	return apply(t, dir, append(settings(t), args...)...)
}

// apply starts a run of any spec for verl.
func apply(t *testing.T, dir string, args ...string) *realtest.Run {
	t.Helper()
	t.Cleanup(func() { // a test that fails midway leaves a trainer behind, which outlives its host
		for _, launch := range launches(t, dir) {
			if _, err := process.EndLaunch(context.Background(), filepath.Base(launch)); err != nil {
				t.Error(err)
			}
		}
	})
	return realtest.Apply(t, dir, args...)
}

func settings(t *testing.T) []string {
	t.Helper()
	return []string{
		"--var", "python=" + realtest.Python(t, "AWHOST_VERL_PYTHON"), "--var", "model=" + realtest.TinyModel(t),
		"--var", "device=cpu", "--var", "prompts=16", "--var", "prompt_tokens=16", "--var", "response_tokens=80",
	}
}

// checkTokens checks that the token probabilities computed by verl agree with the ones at sampling, and returns the
// largest difference. This detects a misplaced mask or token even if the reward rises.
func checkTokens(t *testing.T, runDir string, first, last int) (largest float64) {
	t.Helper()
	steps := realtest.Steps(t, runDir)
	for step := first; step <= last; step++ {
		values, ok := steps[step]
		if !ok {
			t.Errorf("step %d is not on record", step)
			continue
		}
		gap, ok := values["train/probability_gap"]
		if !ok || gap > 1e-4 {
			t.Errorf("step %d: probabilities at sampling and in training differ by %g (known: %v)", step, gap, ok)
		}
		largest = max(largest, gap)
		if norm := values["train/grad_norm"]; !(norm > 0) {
			t.Errorf("step %d: the gradient's norm is %g", step, norm)
		}
	}
	return largest
}

// checkGone checks that a launch has left no processes behind.
func checkGone(t *testing.T, runDir string) {
	t.Helper()
	launches, err := filepath.Glob(filepath.Join(runDir, "plugins", adapter, "*.i*"))
	if err != nil || len(launches) == 0 {
		t.Fatalf("no launch in %s: %v", runDir, err)
	}
	for _, dir := range launches {
		realtest.Eventually(t, "the processes of "+filepath.Base(dir)+" are gone", func() bool {
			left, err := process.FindMarked(filepath.Base(dir))
			return err == nil && len(left) == 0
		})
	}
}

// weightSyncs counts how often the sampler received weights.
func weightSyncs(t *testing.T, runDir string) int {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(runDir, "plugins", adapter, "*", "verl.log"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range logs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n += bytes.Count(text, []byte("has the weights of step"))
	}
	return n
}

// rowsWitness is Python code that records the training rows that verl receives.
const rowsWitness = `
def change(module):
    make = module.output
    def witnessed(episode, result, row, reward):
        out = make(episode, result, row, reward)
        if row is not None and not episode.validation:
            ahead = len(out.prompt_ids)
            saw(chain=row.chain, ids=out.prompt_ids + out.response_ids,
                trained=[False] * ahead + [bool(m) for m in out.response_mask],
                sampler=[0.0] * ahead + out.response_logprobs)
        return out
    module.output = witnessed
changes = {"awhost_verl.output": change}
`

// trained trains for a number of steps and compares the recorded tokens with the rows that verl received. Tokens are
// recorded at each step that is a multiple of every.
func trained(t *testing.T, steps, every int) (finished realtest.Finished, gap float64) {
	t.Helper()
	dir, given := realtest.Copy(t, "examples/verl"), filepath.Join(t.TempDir(), "rows")
	spec := filepath.Join(dir, "train.hcl")
	site := realtest.Mutant(t, realtest.SawPython(given)+rowsWitness)
	realtest.Edit(t, spec, "  checkpoint {", fmt.Sprintf("  env { PYTHONPATH = %q }\n  checkpoint {", site))
	realtest.Edit(t, spec, "  gpus_per_node = var.gpus\n",
		fmt.Sprintf("  gpus_per_node = var.gpus\n  tokens_every  = %d\n", every))
	finished = start(t, dir, "--var", fmt.Sprintf("steps=%d", steps)).Wait()
	if finished.Outcome != "completed" || finished.Step != steps {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	runDir := filepath.Join(dir, finished.Dir)
	gap = checkTokens(t, runDir, 1, steps)
	told := realtest.Tokens(t, runDir)
	realtest.CheckTokens(t, told, given)
	var wanted []int
	for step := every; step <= steps; step += every {
		wanted = append(wanted, step)
	}
	realtest.CheckTokenSteps(t, dir, told, wanted...)
	checkGone(t, runDir)
	if n := weightSyncs(t, runDir); n < steps {
		t.Errorf("the sampler got weights %d times in %d steps", n, steps)
	}
	realtest.CheckClean(t, runDir, record, fmt.Sprint(steps, " steps"))
	return finished, gap
}

func TestVerl_APolicyLearns(t *testing.T) {
	finished, gap := trained(t, 15, 7)
	if finished.Before == nil || finished.After == nil || *finished.After-*finished.Before < 0.20 {
		t.Errorf("held-out success: from %v to %v; want a rise of 20 points", value(finished.Before), value(finished.After))
	}
	t.Logf("held-out success: %v → %v", value(finished.Before), value(finished.After))
	record(t, realtest.Result{What: realtest.Learned, Steps: 15, Before: finished.Before, After: finished.After,
		Gap: &gap})
}

// TestVerl_APolicyLearnsForLong trains with the quick start's step size until the task is mastered.
func TestVerl_APolicyLearnsForLong(t *testing.T) {
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/verl")
	finished := start(t, dir, "--var", "steps=60", "--var", "prompts=32").WaitFor(time.Hour)
	if finished.Outcome != "completed" || finished.Step != 60 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	runDir := filepath.Join(dir, finished.Dir)
	gap := checkTokens(t, runDir, 1, 60)
	checkGone(t, runDir)
	steps := realtest.Steps(t, runDir)
	for _, step := range slices.Sorted(maps.Keys(steps)) {
		if rate, ok := steps[step]["validation/success_rate"]; ok {
			t.Logf("step %d: held-out success %g", step, rate)
		}
	}
	if finished.After == nil || *finished.After < 0.85 {
		t.Errorf("held-out success: from %v to %v; want 85 %%", value(finished.Before), value(finished.After))
	}
	record(t, realtest.Result{What: realtest.Mastered, Steps: 60, Before: finished.Before, After: finished.After,
		Gap: &gap})
}

// record records a test result for the installed verl.
func record(t *testing.T, r realtest.Result) {
	t.Helper()
	r.Framework, r.Version = "verl", realtest.Version(t, realtest.Python(t, "AWHOST_VERL_PYTHON"), "verl")
	realtest.Record(t, r)
}

func value(v *float64) any {
	if v == nil {
		return "unknown"
	}
	return *v
}

func TestVerl_TwoSteps(t *testing.T) {
	_, gap := trained(t, 2, 2)
	record(t, realtest.Result{What: realtest.TwoSteps, Steps: 2, Gap: &gap})
}

// TestVerl_AppliesDecodingConstraints trains two steps with an agent that restricts each message.
func TestVerl_AppliesDecodingConstraints(t *testing.T) {
	realtest.Slow(t)
	dir, given := realtest.Copy(t, "examples/verl"), filepath.Join(t.TempDir(), "rows")
	spec := filepath.Join(dir, "train.hcl")
	site := realtest.Mutant(t, realtest.SawPython(given)+rowsWitness)
	realtest.Edit(t, spec, "  checkpoint {", fmt.Sprintf("  env { PYTHONPATH = %q }\n  checkpoint {", site))
	realtest.PlaysConstrained(t, dir, "  gpus_per_node = var.gpus\n")
	finished := start(t, dir, "--var", "steps=2", "--var", "prompts=2", "--var", "response_tokens=480").Wait()
	if finished.Outcome != "completed" || finished.Step != 2 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	runDir := filepath.Join(dir, finished.Dir)
	t.Logf("the gap is %g", checkTokens(t, runDir, 1, 2))
	told := realtest.Tokens(t, runDir)
	realtest.CheckTokens(t, told, given)
	realtest.CheckConstrained(t, told)
}

// dumped returns the scores of the rows in verl's own dump of a training step. Rows without prompt and answer, which
// verl adds to fill a batch, are skipped.
func dumped(t *testing.T, path string) (scores []float64) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := bufio.NewScanner(f)
	rows.Buffer(nil, 16<<20)
	for rows.Scan() {
		var row struct {
			Input, Output string
			Score         float64 `json:"score"`
		}
		if err := json.Unmarshal(rows.Bytes(), &row); err != nil {
			t.Fatalf("%s: %v", rows.Bytes(), err)
		}
		if row.Input != "" || row.Output != "" {
			scores = append(scores, row.Score)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(scores)
	return scores
}
