package verl_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/internal/realtest"
)

// TestVerl_ASwarmTrains checks that two trained members of a swarm give verl two rows per episode. Each chain that
// the journal marks as trained must be a row, with the episode's reward, in verl's own dump of trained rows. The
// token probabilities that verl computes must agree with the sampled ones.
func TestVerl_ASwarmTrains(t *testing.T) {
	realtest.Slow(t)
	trainsChains(t, []string{"react.planner", "react.solver"}, func(spec string) {
		realtest.Edit(t, spec, "agent      = agent.react.solver", "agent      = swarm.workflow.duo")
		realtest.Edit(t, spec, `reward "calculator" "shape" {}`, `agent "react" "planner" {
  environment = environment.calculator.desk
  max_turns   = 4
}
swarm "workflow" "duo" { members = [agent.react.planner, agent.react.solver] }

reward "calculator" "shape" {}`)
	})
}

// TestVerl_AnAgentOverHTTPTrains checks the same for an agent that reaches the policy only through a URL and a key,
// in two conversations of several calls.
func TestVerl_AnAgentOverHTTPTrains(t *testing.T) {
	realtest.Slow(t)
	trainsChains(t, []string{"python.mine"}, func(spec string) { realtest.PlaysOverHTTP(t, spec, true) })
}

// trainsChains trains the example, changed by edit, for two steps and compares the chains of the journal with verl's
// rows.
func trainsChains(t *testing.T, members []string, edit func(spec string)) {
	t.Helper()
	const steps = 2
	dir := realtest.Copy(t, "examples/verl")
	rows, spec := filepath.Join(dir, "rows"), filepath.Join(dir, "train.hcl")
	realtest.Edit(t, spec, "  gpus_per_node = var.gpus\n",
		fmt.Sprintf("  gpus_per_node = var.gpus\n  overrides     = { \"trainer.rollout_data_dir\" = %q }\n", rows))
	edit(spec)
	finished := start(t, dir, "--var", fmt.Sprintf("steps=%d", steps), "--var", "prompt_tokens=128").Wait()
	if finished.Outcome != "completed" || finished.Step != steps {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	want := trainedRows(t, dir, members)
	for step := 1; step <= steps; step++ {
		got := dumped(t, filepath.Join(rows, fmt.Sprintf("%d.jsonl", step)))
		if diff := cmp.Diff(want[step], got); diff != "" {
			t.Errorf("step %d: the rewards of trained chains (-) and of verl's rows (+):\n%s", step, diff)
		}
	}
	checkTokens(t, filepath.Join(dir, finished.Dir), 1, steps)
	checkUpdates(t, filepath.Join(dir, finished.Dir), steps, 1)
	checkGone(t, filepath.Join(dir, finished.Dir))
}

// checkUpdates compares the optimizer's own count in the last checkpoint, and the metric of each step, with the
// expected updates per step.
func checkUpdates(t *testing.T, runDir string, steps, each int) {
	t.Helper()
	for step, values := range realtest.Steps(t, runDir) {
		if got := values["train/updates"]; step > 0 && got != float64(each) {
			t.Errorf("step %d: train/updates is %v, want %d", step, got, each)
		}
	}
	last := filepath.Join(runDir, "checkpoints", fmt.Sprintf("step-%06d", steps))
	states, err := filepath.Glob(filepath.Join(last, "actor", "optim_*.pt"))
	if err != nil || len(states) != 1 {
		t.Fatalf("optimizer states in %s: %v %v", runDir, states, err)
	}
	const script = `import sys, torch
state = torch.load(sys.argv[1], weights_only=False)["state"]
print(*sorted({int(s["step"]) for s in state.values()}))`
	python := realtest.Python(t, "AWHOST_VERL_PYTHON")
	out, err := exec.CommandContext(t.Context(), python, "-c", script, states[0]).Output()
	if got := strings.TrimSpace(string(out)); err != nil || got != fmt.Sprint(steps*each) {
		t.Errorf("the optimizer has made %s updates after %d steps of %d: %v", got, steps, each, err)
	}
}

// trainedRows returns the rewards of the trained chains by step. Each chain has its episode's reward.
func trainedRows(t *testing.T, dir string, members []string) map[int][]float64 {
	t.Helper()
	out, trained := map[int][]float64{}, map[string]int{}
	for line := range strings.Lines(realtest.Do(t, dir, "show", "--episodes")) {
		var e struct {
			Standing string   `json:"standing"`
			Reward   *float64 `json:"reward"`
			Slot     struct {
				Split string `json:"split"`
				Step  int    `json:"step"`
			} `json:"slot"`
			Chains []struct {
				Agent string `json:"agent"`
				Train bool   `json:"train"`
			} `json:"chains"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if e.Standing != "COUNTED" || e.Slot.Split != "train" || e.Reward == nil {
			continue
		}
		for _, chain := range e.Chains {
			if chain.Train {
				out[e.Slot.Step] = append(out[e.Slot.Step], float64(float32(*e.Reward)))
				trained[chain.Agent]++
			}
		}
	}
	for step := range out {
		slices.Sort(out[step])
	}
	for _, name := range members {
		if trained[name] == 0 {
			t.Errorf("trained chains by member: %v", trained)
		}
	}
	return out
}
