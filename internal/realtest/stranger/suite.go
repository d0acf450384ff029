package stranger

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/sdk/metric"
)

// TwoSteps checks that the framework samples, updates, saves, and ends, and leaves no processes behind.
func (a Adapter) TwoSteps(t *testing.T) {
	dir := a.Prepare(t)
	finished := a.Start(t, dir, "steps=2").Wait()
	Done(t, finished, "completed", 2)
	gap := a.CheckSteps(t, filepath.Join(dir, finished.Dir), 2)
	a.CheckGone(t, dir)
	realtest.CheckClean(t, filepath.Join(dir, finished.Dir), a.Record, "2 steps")
	a.Record(t, realtest.Result{What: realtest.TwoSteps, Steps: 2, Gap: &gap})
}

// writesCalls is the tiny model's chat template with a message's tool calls, which a smoke run scripts.
const writesCalls = `{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls %}` +
	`<tool_call>{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}</tool_call>` +
	`{% endfor %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`

// Smokes checks that a smoke run passes, for a spec of several processes on GPUs.
func (a Adapter) Smokes(t *testing.T) {
	realtest.Slow(t)
	dir, model := a.Prepare(t), realtest.TinyModel(t)
	const before = "  patience = var.patience\n"
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), before, before+"  processes = 2\n")
	if err := os.WriteFile(filepath.Join(model, "chat_template.jinja"), []byte(writesCalls), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"apply", "train.hcl", "--smoke", "--verbose"}
	for _, v := range []string{"python=" + realtest.Python(t, a.Python()), "model=" + model, "response_tokens=600"} {
		args = append(args, "--var", v)
	}
	finished := realtest.Start(t, dir, args...).Wait()
	if finished.Outcome != "completed" || finished.Smoke == nil || finished.Smoke.Verdict != "pass" {
		t.Fatalf("outcome %s, report %+v\n%s", finished.Outcome, finished.Smoke, finished.Problems)
	}
	for _, stage := range finished.Smoke.Stages {
		if stage.Steps != 2 || stage.Trained == 0 || stage.ScriptCalls == 0 || stage.Misread != 0 {
			t.Errorf("a stage has %+v; want 2 steps, trained episodes, and calls that were read as they were written", stage)
		}
	}
	a.CheckGone(t, dir)
	a.Record(t, realtest.Result{What: realtest.Smoked})
}

// RefusesAToolFormat checks that a tool format without a codec ends a run before its first episode, with the choices.
func (a Adapter) RefusesAToolFormat(t *testing.T, start Start) {
	dir := a.Prepare(t)
	const before = "  patience = var.patience\n"
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), before, before+"  tool_format = \"qwen9\"\n")
	finished := start(t, dir, "steps=1").Wait()
	want := "The model's tool calls cannot be read (tool_format): unknown tool_format 'qwen9': " +
		"this tokenizer and the installed libraries allow auto, hermes"
	if finished.Outcome != "failed" || !strings.Contains(finished.Problems, want) {
		t.Errorf("outcome %s at step %d; want failed because of %q\n%s", finished.Outcome, finished.Step, want,
			finished.Problems)
	}
	if episodes := realtest.Do(t, dir, "show", "--episodes"); episodes != "" {
		t.Errorf("episodes were played: %s", episodes)
	}
}

// Learns checks that steps of prompts × 8 episodes raise the success rate on held-out tasks by 20 points. what is
// realtest.Learned or realtest.Mastered, which also requires 85 %.
func (a Adapter) Learns(t *testing.T, prompts, steps int, what string) {
	dir := a.Prepare(t)
	finished := a.Start(t, dir, fmt.Sprintf("prompts=%d", prompts), fmt.Sprintf("steps=%d", steps)).Wait()
	before, after := Trained(t, finished, steps)
	if after-before < 0.20 {
		t.Errorf("held-out success: from %g to %g; want a rise of 20 points", before, after)
	}
	if what == realtest.Mastered && after < 0.85 {
		t.Errorf("held-out success: from %g to %g; want 85 %%", before, after)
	}
	runDir := filepath.Join(dir, finished.Dir)
	gap := a.CheckSteps(t, runDir, steps)
	a.CheckGone(t, dir)
	realtest.Do(t, dir, "show", "--audit")
	realtest.CheckClean(t, runDir, a.Record, fmt.Sprint(steps, " steps"))
	result := realtest.Result{What: what, Steps: steps, Before: &before, After: &after, Gap: &gap}
	if what == realtest.Learned {
		result.Curve = realtest.Curve(t, runDir, steps)
	}
	a.Record(t, result)
}

// Trained returns the held-out success rate before and after a run, which must have completed the given number of
// steps.
func Trained(t *testing.T, finished realtest.Finished, steps int) (before, after float64) {
	t.Helper()
	Done(t, finished, "completed", steps)
	if finished.Before == nil || finished.After == nil {
		t.Fatalf("held-out success: from %v to %v", finished.Before, finished.After)
	}
	t.Logf("held-out success: %g → %g", *finished.Before, *finished.After)
	return *finished.Before, *finished.After
}

// Conforms runs the conformance suite, which also kills, stops, and resumes the real trainer.
func (a Adapter) Conforms(t *testing.T) {
	realtest.Slow(t)
	a.ConformsWith(t, realtest.Python(t, a.Python()), realtest.TinyModel(t))
}

// ConformsWith runs the conformance suite with a Python and a model.
func (a Adapter) ConformsWith(t *testing.T, python, model string) {
	dir, fixtures := a.Prepare(t), filepath.Join(t.TempDir(), "conformance.json")
	config := map[string]any{"python": python, "device": "cpu"}
	maps.Copy(config, a.Config)
	text, err := json.Marshal(map[string]any{"components": []any{map[string]any{
		"kind": "adapter", "type": a.Name, "config": config,
		"train": map[string]any{
			"policy": map[string]any{"path": model},
			"knobs":  map[string]any{"checkpoint": map[string]any{"every": 1}}, "seconds": 600,
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fixtures, text, 0o600); err != nil {
		t.Fatal(err)
	}
	plugin := "."
	if a.Bundled {
		plugin = a.Name
	}
	said := realtest.Do(t, dir, "plugin", "test", plugin, "--fixtures", fixtures)
	for _, check := range []string{"ADP-TRAIN", "ADP-RESUME", "ADP-CHAOS"} {
		if strings.Contains(said, check+"-01 skipped") {
			t.Errorf("%s-01 was skipped", check)
		}
	}
	t.Log(said)
	a.CheckGone(t, dir)
}

// EndsAStageBehindACheckpoint checks that a stage can end after a step whose checkpoint has already been saved.
func (a Adapter) EndsAStageBehindACheckpoint(t *testing.T, start Start) {
	dir := a.Prepare(t)
	spec := filepath.Join(dir, "train.hcl")
	realtest.Edit(t, spec, "every        = 15\n", "every        = 1\n")
	realtest.Edit(t, spec, "before_train = true\n", "before_train = false\n")
	stages(t, spec, `stage "one" { advance_when = validation.success_rate >= 0 }`, `stage "two" { carry = "weights" }`)
	Done(t, start(t, dir, "steps=3", "checkpoints=1").Wait(), "completed", 4)
	a.CheckGone(t, dir)
}

// stages adds stages to the train block.
func stages(t *testing.T, spec string, blocks ...string) {
	t.Helper()
	const before = "  concurrency     = 128\n"
	realtest.Edit(t, spec, before, before+"  "+strings.Join(blocks, "\n  ")+"\n")
}

// LeavesOutEpisodesThatFail checks that samples for which the judge fails have no reward and are not used for training.
// It returns the recorded metrics of each step.
func (a Adapter) LeavesOutEpisodesThatFail(t *testing.T) map[int]map[string]float64 {
	realtest.Slow(t)
	dir := a.Prepare(t)
	code := "import random\n\ndef score(solution_str, ground_truth):\n    if random.random() < 0.3:\n        raise RuntimeError('the judge is down')\n    return float(ground_truth in solution_str)\n"
	if err := os.WriteFile(filepath.Join(dir, "rewards.py"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	spec := filepath.Join(dir, "train.hcl")
	realtest.Edit(t, spec, `reward "gaia" "answer" {}`,
		"reward \"python\" \"flaky\" {\n  file = \"rewards.py\"\n  name = \"score\"\n}\n\nreward \"gaia\" \"answer\" {}")
	realtest.Edit(t, spec, "reward     = reward.calculator.shape.score\n", "reward     = reward.python.flaky.score\n")
	realtest.Edit(t, spec, "success    = reward.calculator.shape.score == 1 && reward.gaia.answer.score == 1\n",
		"success    = reward.python.flaky.score == 1\n")
	finished := a.Start(t, dir, "steps=2").Wait()
	Done(t, finished, "completed", 2)
	steps := realtest.Steps(t, filepath.Join(dir, finished.Dir))
	delete(steps, 0)
	for step, values := range steps {
		checkGap(t, step, values)
		if !(values[metric.Failed] > 0) {
			t.Errorf("step %d: no episode has failed, so that nothing is shown", step)
		}
	}
	if log := a.TrainerLog(t, dir); strings.Contains(log, "Traceback") {
		t.Errorf("the trainer's log: %s", log)
	}
	return steps
}
