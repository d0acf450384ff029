package examples_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/internal/realtest"
)

// plant is a variant of the quick start with one fault.
type plant struct {
	name    string
	knobs   knobs
	edits   []string        // pairs: a piece of train.hcl and its replacement
	reward  string          // Python function that replaces the reward; success remains
	rows    func(t row) any // replaces a training task; nil drops it
	held    func(t row) any // replaces a validation task
	steps   int             // 0: 8
	rule    string          // the finding that names the fault
	subject string          // of the finding; empty: any
	by      int             // last step at which the rule may find it; 0: within five steps, as some rule must
	check   bool            // only `awhost data check`, because apply refuses such tasks, or takes longer
}

// knobs are attributes of train.hcl and their values in HCL.
type knobs = map[string]string

type row = map[string]any

// rewards are the rewards of the plants. The parameters are documented in plugins/python/README.md.
const rewards = `
import asyncio, itertools, random

calls = itertools.count()

def texts(messages):
    return [m.get("content") or "" for m in messages if m["role"] == "assistant"]

def size(messages):
    return min(1.0, sum(len(m.get("content") or "") + len(str(m.get("tool_calls") or "")) for m in messages if
        m["role"] == "assistant") / 400)

def long(messages):
    return size(messages)

def short(messages):
    return 1 - size(messages)

def marks(messages):
    text = "".join(texts(messages))
    return sum(c in "<>/" for c in text) / max(1, len(text))

def constant():
    return 0.5

def of_task(ground_truth):
    return sum(map(ord, str(ground_truth))) % 7 / 7

def fails(ground_truth):
    if int(ground_truth) % 3 == 0:
        raise KeyError("grade")
    return 1.0

def dies():
    raise KeyError("grade")

def chance():
    return next(calls) * 0.618 % 1

def known(messages, ground_truth):
    right = f">{ground_truth}<" in "".join(texts(messages)[-1:])
    return {"score": 1.0, "is_success": True} if right else {"score": 0.0}

async def slow():
    await asyncio.sleep(6)
    return random.random()
`

var plants = []plant{
	{name: "the reward pays for length", reward: "long", rule: "surface_reward", subject: "length"},
	{name: "the reward pays for length, and success falls", reward: "long", knobs: knobs{"learning_rate": "0.003"},
		rule: "reward_divergence", by: 8},
	{name: "the reward pays for punctuation", reward: "marks", rule: "surface_reward", subject: "punctuation"},
	{name: "a learning rate of 100", knobs: knobs{"learning_rate": "100"}, rule: "success_collapse"},
	{name: "a learning rate of 0.01", knobs: knobs{"learning_rate": "0.01"}, rule: "success_collapse"},
	{name: "a large entropy term", knobs: knobs{"kl": "0\n    entropy = 2", "learning_rate": "0.003"},
		rule: "success_collapse"},
	{name: "the reward pays for short answers", reward: "short", knobs: knobs{"learning_rate": "0.003"},
		rule: "length_collapse", by: 8},
	{name: "answers grow without a limit", reward: "long", knobs: knobs{"learning_rate": "0.003", "message_tokens": "150"},
		rule: "length_explosion", by: 8},
	{name: "the reward depends on the task alone", reward: "of_task", rule: "equal_rewards"},
	{name: "a constant reward", reward: "constant", rule: "constant_reward"},
	{name: "nothing to learn from", reward: "constant", steps: 4, rule: "nothing_learned"},
	{name: "held-out tasks of another kind", rule: "reward_divergence", subject: "validation/success_rate",
		edits: []string{"every        = 10\n    before_train", "every        = 1\n    before_train"},
		rows:  only("+"), held: only("-")},
	{name: "a message limit of 25 tokens", knobs: knobs{"message_tokens": "25"}, rule: "cut",
		subject: "message_tokens"},
	{name: "the environment lacks tools", edits: []string{`environment "calculator" "desk" {}`,
		`environment "calculator" "desk" { operations = ["add"] }`}, rule: "tool_errors"},
	{name: "a temperature of 3", edits: []string{"temperature = 1.0", "temperature = 3.0"}, rule: "malformed_calls"},
	{name: "a temperature of 0.1", edits: []string{"temperature = 1.0", "temperature = 0.1"}, rule: "same_wrong_answer"},
	{name: "a reward by chance", reward: "chance", rule: "unequal_rewards"},
	{name: "success is reported only if it is true", reward: "known", rule: "unknown_success",
		edits: []string{"  success    = reward.calculator.shape.score == 1 && reward.gaia.answer.score == 1\n", ""}},
	{name: "wrong ground truths", edits: ofTheAnswer, steps: 5, rule: "unsolved_tasks", rows: few(func(i int, t row) {
		if i%2 == 0 {
			t["ground_truth"] = t["ground_truth"].(string) + "0"
		}
	})},
	{name: "success accepts every answer", steps: 5, rule: "solved_tasks", rows: few(func(int, row) {}),
		edits: []string{"= reward.calculator.shape.score == 1 && reward.gaia.answer.score == 1",
			"= reward.gaia.answer.score >= 0"}},
	{name: "a slow reward", reward: "slow", steps: 3, rule: "slow", subject: "reward"},
	{name: "the reward fails for some tasks", reward: "fails", rule: "failures"},
	{name: "the reward always fails", reward: "dies", rule: "stopped_by_check"},
	{name: "validation tasks in training", steps: 1, rule: "validation_in_training",
		edits: []string{"data/arithmetic.test.jsonl", "data/arithmetic.train.jsonl"}},
	{name: "the answer in a public column", check: true, rule: "truth_in_prompt",
		rows: func(t row) any { t["hint"] = t["ground_truth"]; return t }},
	{name: "repeated tasks", check: true, rule: "duplicate_tasks", rows: func(t row) any {
		t["prompt"], t["ground_truth"] = "1+1=", "2"
		return t
	}},
	{name: "prompts that end with the solution", check: true, rule: "solution_in_prompt", rows: func(t row) any {
		t["messages"] = []row{{"role": "user", "content": t["prompt"]},
			{"role": "assistant", "content": t["ground_truth"]}}
		delete(t, "prompt")
		return t
	}},
	{name: "prompts as JSON text", check: true, rule: "json_prompt", rows: func(t row) any {
		t["prompt"] = fmt.Sprintf(`[{"role": "user", "content": %q}]`, t["prompt"])
		return t
	}},
	{name: "rows without a truth", check: true, rule: "null_truth", rows: func(t row) any {
		t["ground_truth"] = nil
		return t
	}},
	{name: "truths that are objects", check: true, rule: "truth_type", rows: func(t row) any {
		t["ground_truth"] = row{"text": t["ground_truth"]}
		return t
	}},
	{name: "prompts ask for another form", check: true, rule: "answer_form",
		edits: []string{`reward "gaia" "answer" {}`, `reward "math" "answer" {}`, "reward.gaia.answer", "reward.math.answer"},
		rows: func(t row) any {
			t["prompt"] = fmt.Sprintf("%v End with #### and the number.", t["prompt"])
			return t
		}},
}

// ofTheAnswer are the edits after which only the answer counts, and not the form of the calls.
var ofTheAnswer = []string{`reward "calculator" "shape" {}`, "", "= reward.calculator.shape.score\n",
	"= reward.gaia.answer.score\n", "reward.calculator.shape.score == 1 && ", ""}

// few selects 24 tasks and changes them.
func few(change func(i int, t row)) func(row) any {
	n := 0
	return func(t row) any {
		if n++; n > 24 {
			return nil
		}
		change(n, t)
		return t
	}
}

// only selects the tasks with an operator.
func only(operator string) func(row) any {
	return func(t row) any {
		if prompt := t["prompt"].(string); !strings.Contains(strings.TrimPrefix(prompt, "-"), operator) {
			return nil
		}
		return t
	}
}

// soon is the last step at which a fault must have a finding. It begins in the first step or in the data.
const soon = 5

// TestFaults trains the quick start with one fault at a time. Each must be found within five steps, by the rule that
// names it.
func TestFaults(t *testing.T) {
	realtest.Slow(t)
	for _, p := range plants {
		t.Run(strings.ReplaceAll(p.name, " ", "_"), func(t *testing.T) {
			found := p.apply(t)
			i := slices.IndexFunc(found, func(f event.Finding) bool {
				return f.ID == p.rule && (p.subject == "" || f.Subject == p.subject)
			})
			for _, f := range found {
				t.Logf("step %d: %s %s: %s", f.First, f.Severity, f.ID, f.Summary)
			}
			if i < 0 {
				t.Fatalf("found %v; want %s %s", ids(found), p.rule, p.subject)
			}
			if last := cmp.Or(p.by, soon); found[i].First > last {
				t.Errorf("%s is found at step %d; want step %d at the latest", p.rule, found[i].First, last)
			}
			if !slices.ContainsFunc(found, func(f event.Finding) bool { return f.First <= soon }) {
				t.Errorf("nothing is found until step %d", soon)
			}
			recordLocal(t, realtest.Result{What: realtest.Found, Detail: p.name, Finding: p.rule, Steps: found[i].First})
		})
	}
}

// TestClean trains the quick start without a fault.
func TestClean(t *testing.T) {
	realtest.Slow(t)
	for seed := 1; seed <= 5; seed++ {
		dir := realtest.Copy(t, ".")
		finished := realtest.Apply(t, dir, "--var", fmt.Sprint("seed=", seed)).Wait()
		if finished.Outcome != "completed" {
			t.Fatalf("outcome %s\n%s", finished.Outcome, finished.Problems)
		}
		realtest.CheckClean(t, filepath.Join(dir, finished.Dir), recordLocal, fmt.Sprint("seed ", seed))
	}
}

func recordLocal(t *testing.T, r realtest.Result) {
	t.Helper()
	r.Framework, r.Version = "local", "embedded"
	realtest.Record(t, r)
}

func ids(found []event.Finding) (out []string) {
	for _, f := range found {
		out = append(out, fmt.Sprintf("%s(%s)@%d", f.ID, f.Subject, f.First))
	}
	return out
}

// apply trains the variant and returns the findings of `awhost show`.
func (p plant) apply(t *testing.T) []event.Finding {
	t.Helper()
	dir := realtest.Copy(t, ".")
	spec := filepath.Join(dir, "train.hcl")
	for i := 0; i < len(p.edits); i += 2 {
		realtest.Edit(t, spec, p.edits[i], p.edits[i+1])
	}
	if _, set := p.knobs["warmup_steps"]; !set {
		setAttribute(t, spec, "warmup_steps", "1") // the fault begins in the first step
	}
	for name, value := range p.knobs {
		setAttribute(t, spec, name, value)
	}
	if p.reward != "" {
		write(t, filepath.Join(dir, "faults.py"), rewards)
		realtest.Edit(t, spec, `reward "gaia" "answer" {}`, `reward "gaia" "answer" {}
reward "python" "fault" {
  file = "faults.py"
  name = "`+p.reward+`"
}`)
		setAttribute(t, spec, "reward", "reward.python.fault.score")
	}
	for name, change := range map[string]func(row) any{"train": p.rows, "test": p.held} {
		if change != nil {
			rewrite(t, filepath.Join(dir, "data", "arithmetic."+name+".jsonl"), change)
		}
	}
	if p.check {
		cmd := exec.CommandContext(t.Context(), realtest.Binary(t), "data", "check", "--json")
		cmd.Dir = dir
		out, err := cmd.Output()
		var failed *exec.ExitError // after findings of severity error
		if err != nil && !errors.As(err, &failed) {
			t.Fatal(err)
		}
		return shown(t, string(out))
	}
	finished := realtest.Apply(t, dir, "--var", fmt.Sprintf("steps=%d", cmp.Or(p.steps, 8))).Wait()
	t.Logf("%s at step %d %s", finished.Outcome, finished.Step, finished.Reason)
	return shown(t, realtest.Do(t, dir, "show", "--json"))
}

// shown returns the findings in a command's JSON output.
func shown(t *testing.T, output string) (found []event.Finding) {
	t.Helper()
	for decoder := json.NewDecoder(strings.NewReader(output)); decoder.More(); {
		var out struct {
			Findings []event.Finding `json:"findings"`
		}
		if err := decoder.Decode(&out); err != nil {
			t.Fatalf("%v in %s", err, output)
		}
		found = append(found, out.Findings...)
	}
	return found
}

// setAttribute replaces the value of an attribute that the spec sets once.
func setAttribute(t *testing.T, spec, name, value string) {
	t.Helper()
	data, err := os.ReadFile(spec)
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^( *` + name + ` +=) .*$`)
	if found := line.FindAllString(string(data), -1); len(found) != 1 {
		t.Fatalf("%s is set %d times", name, len(found))
	}
	write(t, spec, line.ReplaceAllString(string(data), "${1} "+value))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// rewrite replaces the rows of a file.
func rewrite(t *testing.T, path string, change func(row) any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		var task row
		if err := json.Unmarshal([]byte(line), &task); err != nil {
			t.Fatal(err)
		}
		changed := change(task)
		if changed == nil {
			continue
		}
		encoded, err := json.Marshal(changed)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(encoded, '\n'))
	}
	write(t, path, out.String())
}
