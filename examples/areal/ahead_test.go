package areal_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// slowReward makes an episode take longer than a step of the tiny model and fails in slightly less than half of the
// episodes.
const slowReward = `
import asyncio, random

async def slow(final_answer):
    await asyncio.sleep(8)
    if random.random() < 0.45:
        raise ValueError("the judge fell asleep")
    return 0.0
`

// drawAhead makes AReaL sample two steps ahead, and ends the run if a quarter of the latest episodes have failed.
func drawAhead(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, "train.hcl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	spec := string(text)
	for old, replacement := range map[string]string{
		"device = \"cpu\"\n":                             "device = \"cpu\"\n  max_staleness = 2\n",
		"  reward     = reward.calculator.shape.score\n": "  reward     = reward.calculator.shape.score + reward.python.slow.score\n",
		"  validation = dataset.jsonl.held_out\n":        "",
		"  validate {\n    before_train = true\n  }\n":   "",
		"  concurrency     = 64\n":                       "  concurrency     = 128\n  on_failure \"reward\" { action = [\"mask\"] }\n  circuit_breaker {\n    failed_fraction = 0.25\n    window          = 48\n    min_episodes    = 32\n  }\n",
		"reward \"calculator\" \"shape\" {}\n":           "reward \"calculator\" \"shape\" {}\nreward \"python\" \"slow\" {\n  file = \"slow.py\"\n  name = \"slow\"\n  concurrency = 64\n}\n",
	} {
		if strings.Count(spec, old) != 1 {
			t.Fatalf("%s does not say %q once", path, old)
		}
		spec = strings.Replace(spec, old, replacement, 1)
	}
	if err := os.WriteFile(path, []byte(spec), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "slow.py"), []byte(slowReward), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestAReaL_EpisodesLongerThanAStepCount checks that an asynchronous AReaL, which uses episodes several steps after
// requesting them, still counts them, and that many failures open the circuit breaker.
func TestAReaL_EpisodesLongerThanAStepCount(t *testing.T) {
	for _, way := range ways[:1] {
		t.Run(way.name, func(t *testing.T) {
			python := realtest.Python(t, way.variable)
			realtest.Slow(t)
			dir := realtest.Copy(t, "examples/areal")
			drawAhead(t, dir)
			finished := start(t, python, dir, "--var", "mode="+way.mode, "--var", "steps=12", "--var", "prompts=4", "--var",
				"group_size=4").WaitFor(longest)
			if finished.Exit != "stopped_by_guard" || !strings.Contains(finished.Reason, "circuit breaker") {
				t.Errorf("outcome %s, exit %s at step %d, because %q; want the circuit breaker\n%s", finished.Outcome,
					finished.Exit, finished.Step, finished.Reason, finished.Problems)
			}
			counted := 0.0
			for step, all := 1, realtest.Steps(t, filepath.Join(dir, finished.Dir)); step <= finished.Step; step++ {
				counted += all[step]["train/episodes"]
				t.Logf("step %d: %g episodes, %g of them failed", step, all[step]["train/episodes"], all[step]["train/failed"])
				if want := 16 * float64(step); counted < want {
					t.Errorf("up to step %d count %g episodes, and %g were used", step, counted, want)
				}
			}
			checkGone(t, filepath.Join(dir, finished.Dir))
		})
	}
}
