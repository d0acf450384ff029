package stranger

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// TwoSteps: the framework samples, updates, saves and ends, and nothing is left of it.
func (a Adapter) TwoSteps(t *testing.T) {
	dir := a.Prepare(t)
	finished := a.Start(t, dir, "steps=2").Wait()
	Done(t, finished, "completed", 2)
	gap := a.CheckSteps(t, filepath.Join(dir, finished.Dir), 2)
	a.CheckGone(t, dir)
	a.Record(t, realtest.Result{What: realtest.TwoSteps, Steps: 2, Gap: &gap})
}

// Learns: 15 steps of 16 × 8 episodes raise the success on held-out tasks by 20 points.
func (a Adapter) Learns(t *testing.T) {
	dir := a.Prepare(t)
	finished := a.Start(t, dir, "steps=15").Wait()
	before, after := Trained(t, finished, 15)
	if after-before < 0.20 {
		t.Errorf("held-out success: from %g to %g; want a rise of 20 points", before, after)
	}
	gap := a.CheckSteps(t, filepath.Join(dir, finished.Dir), 15)
	a.CheckGone(t, dir)
	realtest.Do(t, dir, "show", "--audit")
	a.Record(t, realtest.Result{What: realtest.Learned, Steps: 15, Before: &before, After: &after, Gap: &gap, Curve: realtest.Curve(t, filepath.Join(dir, finished.Dir), 15)})
}

// Trained is the held-out success before and after a run of so many steps, which must have come to its end.
func Trained(t *testing.T, finished realtest.Finished, steps int) (before, after float64) {
	t.Helper()
	Done(t, finished, "completed", steps)
	if finished.Before == nil || finished.After == nil {
		t.Fatalf("held-out success: from %v to %v", finished.Before, finished.After)
	}
	t.Logf("held-out success: %g → %g", *finished.Before, *finished.After)
	return *finished.Before, *finished.After
}

// Conforms: the conformance suite kills, stops and resumes the real trainer, too.
func (a Adapter) Conforms(t *testing.T) {
	realtest.Slow(t)
	dir, fixtures := a.Prepare(t), filepath.Join(t.TempDir(), "conformance.json")
	text, err := json.Marshal(map[string]any{"components": []any{map[string]any{
		"kind": "adapter", "type": a.Name, "config": map[string]any{"python": realtest.Python(t, a.Python()), "device": "cpu"},
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
	a.CheckGone(t, dir)
}

// SurvivesDeaths kills trainer, plugin and host of a run in turn: it comes to the bits of one that nobody disturbed.
func (a Adapter) SurvivesDeaths(t *testing.T, start Start, steps int) (dir string, finished realtest.Finished) {
	undisturbed := a.Prepare(t)
	args := []string{fmt.Sprintf("steps=%d", steps), "checkpoints=2"}
	want := start(t, undisturbed, args...).Wait()
	Done(t, want, "completed", steps)

	dir = a.Prepare(t)
	run := start(t, dir, args...)
	run.UntilStep(3)
	for _, pid := range Trainers(t, dir) {
		realtest.Kill(t, pid)
	}
	run.UntilStep(4)
	run.Kill(a.id())
	run.UntilStep(5)
	run.KillHost()
	a.CheckGone(t, dir)
	finished = realtest.Start(t, dir, "resume").Wait()
	Done(t, finished, "completed", steps)
	if n := len(a.Launches(t, dir)); n != 4 {
		t.Errorf("the framework was started %d times; want once more after each of three deaths", n)
	}
	if got, want := digest(t, dir, finished), digest(t, undisturbed, want); got != want {
		t.Errorf("the last checkpoint is %s; without deaths it is %s", got, want)
	}
	a.CheckGone(t, dir)
	realtest.Do(t, dir, "show", "--audit")
	return dir, finished
}

// SurvivesRealDeaths is SurvivesDeaths with the real framework.
func (a Adapter) SurvivesRealDeaths(t *testing.T) {
	realtest.Slow(t)
	dir, finished := a.SurvivesDeaths(t, a.Start, 8)
	a.CheckSteps(t, filepath.Join(dir, finished.Dir), 8)
	for _, fault := range []string{"trainer killed", "plugin killed", "host killed"} {
		a.Record(t, realtest.Result{What: realtest.Survived, Detail: fault})
	}
}

// StopsAndGoesOn stops a run, which leaves a checkpoint of the step that was under way, and resumes it.
func (a Adapter) StopsAndGoesOn(t *testing.T, start Start, steps int) (dir string, finished realtest.Finished) {
	dir = a.Prepare(t)
	run := start(t, dir, fmt.Sprintf("steps=%d", steps))
	run.UntilStep(2)
	run.Interrupt()
	stopped := run.Wait()
	if stopped.Outcome != "stopped" || stopped.Step < 2 || stopped.Step >= steps {
		t.Fatalf("outcome %s at step %d of %d; want stopped after the step that was under way\n%s", stopped.Outcome, stopped.Step, steps, stopped.Problems)
	}
	a.CheckGone(t, dir)
	finished = realtest.Start(t, dir, "resume").Wait()
	Done(t, finished, "completed", steps)
	return dir, finished
}

// LeavesOutEpisodesThatFail has a judge that fails for some samples: they have no reward, and are not trained. It returns what each
// step has on record.
func (a Adapter) LeavesOutEpisodesThatFail(t *testing.T) map[int]map[string]float64 {
	realtest.Slow(t)
	dir := a.Prepare(t)
	code := "import random\n\ndef score(solution_str, ground_truth):\n    if random.random() < 0.3:\n        raise RuntimeError('the judge is down')\n    return float(ground_truth in solution_str)\n"
	if err := os.WriteFile(filepath.Join(dir, "rewards.py"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	spec := filepath.Join(dir, "train.hcl")
	realtest.Edit(t, spec, `reward "gaia" "answer" {}`, "reward \"python\" \"flaky\" {\n  file = \"rewards.py\"\n  name = \"score\"\n}\n\nreward \"gaia\" \"answer\" {}")
	realtest.Edit(t, spec, "reward     = reward.calculator.shape.score\n", "reward     = reward.python.flaky.score\n")
	realtest.Edit(t, spec, "success    = reward.calculator.shape.score == 1 && reward.gaia.answer.score == 1\n", "success    = reward.python.flaky.score == 1\n")
	finished := a.Start(t, dir, "steps=2").Wait()
	Done(t, finished, "completed", 2)
	steps := realtest.Steps(t, filepath.Join(dir, finished.Dir))
	delete(steps, 0)
	for step, values := range steps {
		checkGap(t, step, values)
		if !(values["train/failed"] > 0) {
			t.Errorf("step %d: no episode has failed, so that nothing is shown", step)
		}
	}
	if log := a.TrainerLog(t, dir); strings.Contains(log, "Traceback") {
		t.Errorf("the trainer's log: %s", log)
	}
	return steps
}
