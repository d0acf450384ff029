package verl_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/internal/realtest"
)

// launches returns the folders of a run's launches. Each launch is one start of verl.
func launches(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".awhost", "runs", "*", "plugins", adapter, "*.i*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// trainer returns the process ID of a launch.
func trainer(t *testing.T, launch string) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(launch, "launch.json"))
	if err != nil {
		t.Fatal(err)
	}
	var record struct {
		Job struct {
			Process struct {
				PID int `json:"pid"`
			} `json:"process"`
		} `json:"job"`
	}
	if err := json.Unmarshal(data, &record); err != nil || record.Job.Process.PID == 0 {
		t.Fatalf("no process in %s: %v", data, err)
	}
	return record.Job.Process.PID
}

func TestVerl_SurvivesTheDeathsOfPluginHostAndTrainer(t *testing.T) {
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/verl")
	run := start(t, dir, "--var", "steps=8")
	run.UntilStep(1)
	run.Kill(adapter)
	run.UntilStep(3)
	run.KillHost()
	if n := len(launches(t, dir)); n != 1 {
		t.Fatalf("verl was started %d times before the host died; want once, also after the plugin's death", n)
	}
	run = realtest.Start(t, dir, "resume")
	run.UntilStep(6) // after the checkpoint of step 5
	before := launches(t, dir)
	if len(before) != 1 {
		t.Fatalf("verl was started %d times; the resumed run did not continue the running launch", len(before))
	}
	realtest.Kill(t, trainer(t, before[0]))
	finished := run.Wait()
	if finished.Outcome != "completed" || finished.Step != 8 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	if n := len(launches(t, dir)); n != 2 {
		t.Errorf("verl was started %d times; want once more after its death", n)
	}
	runDir := filepath.Join(dir, finished.Dir)
	checkTokens(t, runDir, 1, 8)
	checkGone(t, runDir)
	for _, fault := range []string{"plugin killed", "host killed", "trainer killed"} {
		record(t, realtest.Result{What: realtest.Survived, Detail: fault})
	}
}

func TestVerl_StopsAtACheckpointAndGoesOnFromIt(t *testing.T) {
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/verl")
	run := start(t, dir, "--var", "steps=7")
	run.UntilStep(2)
	run.Interrupt()
	finished := run.Wait()
	if finished.Outcome != "stopped" || finished.Step != 5 {
		t.Fatalf("outcome %s at step %d; want stopped at the checkpoint of step 5\n%s", finished.Outcome, finished.Step,
			finished.Problems)
	}
	checkGone(t, filepath.Join(dir, finished.Dir))
	finished = realtest.Start(t, dir, "resume").Wait()
	if finished.Outcome != "completed" || finished.Step != 7 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	checkTokens(t, filepath.Join(dir, finished.Dir), 1, 7)
}

// failing replaces the example's reward with one that fails for a share of the samples.
func failing(t *testing.T, dir, condition string) {
	t.Helper()
	code := "import random\n\ndef score(solution_str, ground_truth):\n    if " + condition +
		":\n        raise RuntimeError('the judge is down')\n    return float(ground_truth in solution_str)\n"
	if err := os.WriteFile(filepath.Join(dir, "rewards.py"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	spec := filepath.Join(dir, "train.hcl")
	realtest.Edit(t, spec, `reward "gaia" "answer" {}`,
		"reward \"python\" \"flaky\" {\n  file = \"rewards.py\"\n  name = \"score\"\n}\n\nreward \"gaia\" \"answer\" {}")
	realtest.Edit(t, spec, "reward     = reward.calculator.shape.score\n", "reward     = reward.python.flaky.score\n")
	realtest.Edit(t, spec, "success    = reward.calculator.shape.score == 1 && reward.gaia.answer.score == 1\n",
		"success    = reward.python.flaky.score == 1\n")
}

func TestVerl_LeavesOutEpisodesThatFail(t *testing.T) {
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/verl")
	failing(t, dir, "random.random() < 0.3")
	finished := start(t, dir, "--var", "steps=2").Wait()
	if finished.Outcome != "completed" || finished.Step != 2 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	checkTokens(t, filepath.Join(dir, finished.Dir), 1, 2)
}

func TestVerl_SaysThatAllEpisodesFailed(t *testing.T) {
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/verl")
	failing(t, dir, "True")
	finished := start(t, dir, "--var", "steps=2").Wait()
	if finished.Outcome != "failed" || !strings.Contains(finished.Problems, "episodes") {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	checkGone(t, filepath.Join(dir, finished.Dir))
}

// TestVerl_TwoRunsOnOneMachine checks that two simultaneous runs of a spec do not interfere, get the same tasks and
// sample the same messages.
func TestVerl_TwoRunsOnOneMachine(t *testing.T) {
	realtest.Slow(t)
	var runs []*realtest.Run
	var dirs []string
	for range 2 {
		dirs = append(dirs, realtest.Copy(t, "examples/verl"))
		runs = append(runs, start(t, dirs[len(dirs)-1], "--var", "steps=2"))
	}
	for i, run := range runs {
		finished := run.Wait()
		if finished.Outcome != "completed" {
			t.Errorf("run %d: outcome %s at step %d\n%s", i, finished.Outcome, finished.Step, finished.Problems)
			continue
		}
		checkTokens(t, filepath.Join(dirs[i], finished.Dir), 1, 2)
	}
	first, second := played(t, dirs[0]), played(t, dirs[1])
	same := 0
	for place, one := range first {
		other := second[place]
		if one.Seeds.Environment != other.Seeds.Environment || one.Task != other.Task {
			t.Errorf("%v: task %s with seed %s in one run, %s with %s in the other", place, one.Task, one.Seeds.Environment,
				other.Task, other.Seeds.Environment)
		}
		if bytes.Equal(one.Transcripts, other.Transcripts) {
			same++
		}
	}
	t.Logf("%d of %d episodes went the same way", same, len(first))
	if len(first) != len(second) || same < len(first)*98/100 { // verl sums in order of arrival: rounding may differ
		t.Errorf("of %d and %d episodes %d went the same way", len(first), len(second), same)
	}
}

// place is the position of an episode in a run.
type place struct {
	Split                  string
	Step, Position, Sample int
}

// told has the fields of an episode that are equal in two runs of a spec.
type told struct {
	Task        string          `json:"task_id"`
	Transcripts json.RawMessage `json:"transcripts"`
	Seeds       struct {
		Environment string `json:"environment"`
	} `json:"seeds"`
}

func played(t *testing.T, dir string) map[place]told {
	t.Helper()
	out := map[place]told{}
	lines := json.NewDecoder(strings.NewReader(realtest.Do(t, dir, "show", "--episodes")))
	for lines.More() {
		var episode struct {
			told
			Position int   `json:"position"`
			Slot     place `json:"slot"`
		}
		if err := lines.Decode(&episode); err != nil {
			t.Fatal(err)
		}
		episode.Slot.Position = episode.Position
		out[episode.Slot] = episode.told
	}
	return out
}

func TestVerl_AWorkerThatNeverSaysHello(t *testing.T) {
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/verl")
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), "gpus_per_node = var.gpus\n",
		"gpus_per_node = var.gpus\n  start_timeout = \"5s\"\n")
	finished := start(t, dir, "--var", "steps=2").Wait()
	if finished.Outcome != "failed" || !strings.Contains(finished.Problems, "start_timeout") {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	checkGone(t, filepath.Join(dir, finished.Dir))
}

// TestVerl_LeavesOutEpisodesWhoseEnvironmentHangs checks that an episode whose environment never returns times out,
// and that the other episodes are trained.
func TestVerl_LeavesOutEpisodesWhoseEnvironmentHangs(t *testing.T) {
	realtest.Slow(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // where `init` stores the key of accepted plugins
	dir := realtest.Copy(t, "examples/verl")
	spec, stuck := filepath.Join(dir, "train.hcl"), filepath.Join(t.TempDir(), "stuck")
	if out, err := exec.Command("go", "build", "-o", stuck, "./testdata/stuck").CombinedOutput(); err != nil {
		t.Fatalf("build the environment: %v\n%s", err, out)
	}
	realtest.Edit(t, spec, `environment "calculator" "desk" {}`,
		fmt.Sprintf("awhost {\n  required_plugins {\n    stuck = { source = %q }\n  }\n}\n\nenvironment \"stuck\" \"desk\" {}", stuck))
	realtest.Edit(t, spec, "environment.calculator.desk", "environment.stuck.desk")
	realtest.Edit(t, spec, `episode_timeout = "5m"`,
		"episode_timeout = \"60s\"\n  on_failure \"timeout\" {\n    action = [\"mask\"]\n  }")
	realtest.Do(t, dir, "init", "train.hcl")
	finished := start(t, dir, "--var", "steps=2").Wait()
	if finished.Outcome != "completed" || finished.Step != 2 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	runDir := filepath.Join(dir, finished.Dir)
	checkTokens(t, runDir, 1, 2)
	for step, values := range realtest.Steps(t, runDir) {
		if failed := values["train/failed"]; step > 0 && !(failed > 0 && failed < 64) {
			t.Errorf("step %d: %g of 128 episodes failed; want about 16, the hung ones", step, failed)
		}
	}
	realtest.Do(t, dir, "show", "--audit")
	checkGone(t, runDir)
	record(t, realtest.Result{What: realtest.Survived, Detail: "environment hung"})
}

// unreadable simulates a worker that runs as another user.
const unreadable = `
def change(module):
    def refuse(path, *args, **kwargs):
        if str(path).endswith("bridge.token"):
            raise PermissionError(13, "Permission denied", str(path))
        return open(path, *args, **kwargs)
    module.open = refuse
changes = {"awhost_bridge.endpoint": change}
`

func TestVerl_SaysThatItsWorkersCannotReadTheToken(t *testing.T) {
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/verl")
	mutate(t, dir, unreadable)
	finished := start(t, dir, "--var", "steps=2").Wait()
	if finished.Outcome != "failed" {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	for _, want := range []string{"Permission denied", "/bridge.token", "as the user"} {
		if !strings.Contains(finished.Problems, want) {
			t.Errorf("no problem contains %q:\n%s", want, finished.Problems)
		}
	}
	checkGone(t, filepath.Join(dir, finished.Dir))
}

// TestVerl_TrainsOverABadNetwork checks that no episode is lost or duplicated over a slow connection that breaks
// every two seconds during the first steps.
func TestVerl_TrainsOverABadNetwork(t *testing.T) {
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/verl")
	network := realtest.NewNetwork(t, 100*time.Millisecond, 2*time.Second, func() (string, error) {
		found := launches(t, dir)
		if len(found) == 0 {
			return "", os.ErrNotExist
		}
		return realtest.Bridge(found[len(found)-1])
	})
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), "gpus_per_node = var.gpus\n",
		fmt.Sprintf("gpus_per_node = var.gpus\n  bridge {\n    advertise = [%q]\n  }\n", network.Address()))
	run := start(t, dir, "--var", "steps=4")
	run.UntilStep(2)
	cuts := network.Cuts()
	network.Heal()
	finished := run.Wait()
	if finished.Outcome != "completed" || finished.Step != 4 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	if cuts < 3 {
		t.Errorf("the connection broke %d times before the network healed: too seldom to show anything", cuts)
	}
	t.Logf("the connection broke %d times", cuts)
	runDir := filepath.Join(dir, finished.Dir)
	checkTokens(t, runDir, 1, 4)
	for step := 1; step <= 4; step++ {
		values := realtest.Steps(t, runDir)[step]
		if values["train/episodes"] != 128 || values["train/failed"] != 0 || values["train/retries"] != 0 {
			t.Errorf("step %d: %g episodes, of which %g failed, after %g retries; want 128, each once",
				step, values["train/episodes"], values["train/failed"], values["train/retries"])
		}
	}
	realtest.Do(t, dir, "show", "--audit")
	checkGone(t, runDir)
	record(t, realtest.Result{What: realtest.Survived, Detail: "connections broken"})
}

// slowly delays the end of saving, so that a test can act on an incomplete checkpoint: verl marks it as the latest
// only afterwards.
const slowly = `
import time
def change(module):
    save = module.FSDPCheckpointManager.save_checkpoint
    def save_slowly(self, *args, **kwargs):
        save(self, *args, **kwargs)
        time.sleep(20)
    module.FSDPCheckpointManager.save_checkpoint = save_slowly
changes = {"verl.utils.checkpoint.fsdp_checkpoint_manager": change}
`

// writing waits until verl is writing the checkpoint of a step.
func writing(t *testing.T, dir string, run *realtest.Run, step int) {
	t.Helper()
	name := fmt.Sprintf("global_step_%d", step)
	run.Until(name+" on its way", func() bool {
		found, err := filepath.Glob(filepath.Join(dir, ".awhost", "runs", "*", "checkpoints", "*", name, "actor", "model_*"))
		return err == nil && len(found) > 0
	})
}

func TestVerl_StopsInTheMiddleOfACheckpoint(t *testing.T) {
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/verl")
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), "every = 5\n", "every = 2\n")
	mutate(t, dir, slowly)
	run := start(t, dir, "--var", "steps=6")
	writing(t, dir, run, 2)
	run.Interrupt()
	finished := run.Wait()
	if finished.Outcome != "stopped" || finished.Step != 2 {
		t.Fatalf("outcome %s at step %d; want stopped at the checkpoint that was on its way\n%s", finished.Outcome,
			finished.Step, finished.Problems)
	}
	runDir := filepath.Join(dir, finished.Dir)
	checkGone(t, runDir)

	run = realtest.Start(t, dir, "resume")
	writing(t, dir, run, 4)
	realtest.Do(t, dir, "stop", "--now")
	finished = run.Wait()
	if finished.Outcome != "aborted" || finished.Step != 2 {
		t.Fatalf("outcome %s at step %d; want aborted, with step 2 as the last one committed\n%s", finished.Outcome,
			finished.Step, finished.Problems)
	}
	checkGone(t, runDir)

	finished = realtest.Start(t, dir, "resume").Wait()
	if finished.Outcome != "completed" || finished.Step != 6 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	checkTokens(t, runDir, 1, 6)
	checkGone(t, runDir)
	realtest.Do(t, dir, "show", "--audit")
	realtest.Do(t, dir, "checkpoints", "--verify")
	record(t, realtest.Result{What: realtest.Survived, Detail: "stopped while it saved"})
}
