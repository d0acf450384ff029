package verl_test

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// survivor is a training sample that has a reward, and whether it is the only one of its group.
type survivor struct {
	step int
	row  float64 // its reward, as stored in verl's tensors
	lone bool
}

func survivors(t *testing.T, dir string) (found []survivor) {
	t.Helper()
	for line := range strings.Lines(realtest.Do(t, dir, "show", "--episodes")) {
		var e struct {
			Standing string   `json:"standing"`
			Reward   *float64 `json:"reward"`
			Lone     bool     `json:"lone_survivor"`
			Slot     struct {
				Split string `json:"split"`
				Step  int    `json:"step"`
			} `json:"slot"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if e.Standing == "COUNTED" && e.Slot.Split == "train" && e.Reward != nil {
			found = append(found, survivor{e.Slot.Step, float64(float32(*e.Reward)), e.Lone})
		}
	}
	return found
}

// TestVerl_ASampleWithoutSiblingsIsNoRow checks that verl never receives a sample whose siblings all failed, because
// it would use the sample's reward as its advantage. Four of five samples fail and each reward is unique. verl's dump
// of trained rows must contain exactly the samples with siblings.
func TestVerl_ASampleWithoutSiblingsIsNoRow(t *testing.T) {
	realtest.Slow(t)
	const steps = 2
	dir := realtest.Copy(t, "examples/verl")
	failing(t, dir, "random.random() < 0.8")
	rows, spec := filepath.Join(dir, "rows"), filepath.Join(dir, "train.hcl")
	realtest.Edit(t, filepath.Join(dir, "rewards.py"), "return float(ground_truth in solution_str)",
		"return random.random()")
	realtest.Edit(t, spec, "  gpus_per_node = var.gpus\n",
		fmt.Sprintf("  gpus_per_node = var.gpus\n  overrides     = { \"trainer.rollout_data_dir\" = %q }\n", rows))
	realtest.Edit(t, spec, `episode_timeout = "5m"`, `episode_timeout = "5m"
  on_failure "reward" { action = ["drop_sample"] }
  circuit_breaker { failed_fraction = 1 }`)
	finished := start(t, dir, "--var", fmt.Sprintf("steps=%d", steps)).Wait()
	if finished.Outcome != "completed" || finished.Step != steps {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	trained := map[int][]float64{}
	for step := 1; step <= steps; step++ {
		trained[step] = dumped(t, filepath.Join(rows, fmt.Sprintf("%d.jsonl", step)))
	}
	lone := 0
	for _, s := range survivors(t, dir) {
		inside := slices.ContainsFunc(trained[s.step], func(score float64) bool { return math.Abs(score-s.row) < 1e-9 })
		if inside == s.lone {
			t.Errorf("step %d: the sample with the reward %v is lone: %v, a row inside verl: %v", s.step, s.row, s.lone, inside)
		}
		if s.lone {
			lone++
		}
	}
	if lone == 0 {
		t.Error("no group had one survivor: nothing is shown")
	}
	checkTokens(t, filepath.Join(dir, finished.Dir), 1, steps)
}
