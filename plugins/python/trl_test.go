package pythonplugin

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// Functions from TRL's documentation (docs/source/grpo_trainer.md, "Using a custom reward function") and from
// trl.rewards, 1.16, unchanged.
const (
	trlLength = "def score(completions, **kwargs):\n    return [float(len(completion)) for completion in completions]\n"
	trlFormat = `import re
def score(completions, **kwargs):
    pattern = r"^<think>.*?</think><answer>.*?</answer>$"
    completion_contents = [completion[0]["content"] for completion in completions]
    matches = [re.match(pattern, content) for content in completion_contents]
    return [1.0 if match else 0.0 for match in matches]
`
	trlTruth = `import re
def score(completions, ground_truth, **kwargs):
    # Regular expression to capture content inside \boxed{}
    matches = [re.search(r"\\boxed\{(.*?)\}", completion) for completion in completions]
    contents = [match.group(1) if match else "" for match in matches]
    # Reward 1 if the content is the same as the ground truth, 0 otherwise
    return [1.0 if c == gt else 0.0 for c, gt in zip(contents, ground_truth)]
`
	trlThink = `import re
def score(completions: list[list[dict[str, str]]], **kwargs) -> list[float]:
    pattern = r"^<think>(?!.*<think>)(.*?)</think>.*$"
    completion_contents = [completion[0]["content"] for completion in completions]
    matches = [re.match(pattern, content, re.DOTALL | re.MULTILINE) for content in completion_contents]
    return [1.0 if match else 0.0 for match in matches]
`
	trlTasks = `def score(prompts, completions, task, **kwargs):
    rewards = []
    for prompt, completion, t in zip(prompts, completions, task):
        if t == "math":
            rewards.append(1.0)
        else:
            rewards.append(None)
    return rewards
`
	trlAsync = `import asyncio
async def score(prompts, completions, **kwargs):
    await asyncio.sleep(0.01)
    return [float(c[-1]["content"] == "42") for c in completions]
`
	trlMetric = `def score(completions, log_extra=None, log_metric=None, **kwargs):
    if log_extra:
        log_extra("answer", ["x" for _ in completions])
    log_metric("accuracy", 0.25)
    return [1 for _ in completions]
`
)

// asked returns an item with its messages, as in a run.
func asked(answer string, columns map[string]any) sdk.ScoreItem {
	public, err := json.Marshal(columns)
	if err != nil {
		panic(err)
	}
	out := item(answer, "42")
	out.Task.Public = public
	out.Messages = []sdk.Message{{Role: sdk.RoleSystem, Content: "Answer."}, {Role: sdk.RoleUser, Content: "6*7"},
		{Role: sdk.RoleAssistant, Content: answer}}
	return out
}

func TestTRL_FunctionsRunAsTheyAre(t *testing.T) {
	t.Parallel()
	text := map[string]any{"completions": "text"}
	for name, c := range map[string]struct {
		code   string
		config map[string]any
		item   sdk.ScoreItem
		want   sdk.Scored
	}{
		"the length of a text":     {trlLength, text, asked("12345", nil), sdk.Scored{Score: 5}},
		"messages":                 {trlLength, nil, asked("12345", nil), sdk.Scored{Score: 1}},
		"the form of a message":    {trlFormat, nil, asked("<think>a</think><answer>b</answer>", nil), sdk.Scored{Score: 1}},
		"another form":             {trlFormat, nil, asked("b", nil), sdk.Scored{}},
		"the ground truth":         {trlTruth, text, asked(`it is \boxed{42}`, nil), sdk.Scored{Score: 1}},
		"trl.rewards.think_format": {trlThink, nil, asked("<think>\nhm\n</think>\n42", nil), sdk.Scored{Score: 1}},
		"a column called task":     {trlTasks, nil, asked("42", map[string]any{"task": "math"}), sdk.Scored{Score: 1}},
		"async":                    {trlAsync, nil, asked("42", nil), sdk.Scored{Score: 1}},
		"async, in batches":        {trlAsync, map[string]any{"batch": 4}, asked("42", nil), sdk.Scored{Score: 1}},
		"metrics": {trlMetric, nil, asked("42", nil),
			sdk.Scored{Score: 1, Components: map[string]float64{"accuracy": 0.25}}},
		"recorded without messages": {
			"def score(prompts, completions, **kw):\n    return [float(p[0]['content'] == '6*7' and c == [{'role': 'assistant', 'content': '42'}]) for p, c in zip(prompts, completions)]", nil,
			sdk.ScoreItem{Task: sdk.Task{ID: "t", Public: json.RawMessage(`{"prompt":"6*7"}`)}, FinalAnswer: "42"},
			sdk.Scored{Score: 1},
		},
		"prompts and columns as TRL has them": {
			"def score(prompts, completions, level, **columns):\n    assert sorted(columns) == ['ground_truth', 'id', 'log_extra', 'log_metric'], columns\n" +
				"    assert prompts == [[{'role': 'system', 'content': 'Answer.'}, {'role': 'user', 'content': '6*7'}]], prompts\n    return [float(level[0])]",
			nil, asked("42", map[string]any{"level": 3, "prompt": "6*7"}), sdk.Scored{Score: 3},
		},
		"the prompt as text": {"def score(prompts, completions):\n    return [float(prompts == ['6*7'])]", text,
			asked("42", map[string]any{"prompt": "6*7"}), sdk.Scored{Score: 1}},
		"arguments": {"def score(completions, threshold, **kw):\n    return [threshold]",
			map[string]any{"arguments": map[string]any{"threshold": 0.5}}, asked("", nil), sdk.Scored{Score: 0.5}},
		"a class": {"class score:\n    def __init__(self, n=7): self.n = n\n    def __call__(self, completions, **kw): return [self.n for _ in completions]", nil, asked("", nil), sdk.Scored{Score: 7}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, scoreOne(t, rewardOf(t, c.code, c.config), c.item)); diff != "" {
				t.Errorf("score (-want +got):\n%s", diff)
			}
		})
	}
}

// Only text of the policy must be scored, never the assistant messages in its prompt, by functions written for TRL
// and for verl.
func TestExamplesInThePromptAreNobodysCompletion(t *testing.T) {
	t.Parallel()
	shown := asked("42", nil)
	examples := []sdk.Message{{Role: sdk.RoleUser, Content: "1+1"}, {Role: sdk.RoleAssistant, Content: "an example"}}
	shown.Messages = append(append(examples, shown.Messages...), sdk.Message{Role: sdk.RoleUser, Content: "sure?"})
	shown.Messages = append(shown.Messages, sdk.Message{Role: sdk.RoleAssistant, Content: "yes"})
	shown.Sampled = []int{4, 6}
	silent := shown
	silent.Sampled = []int{}
	offline := shown
	offline.Sampled = nil
	offline.Task.Public = json.RawMessage(`{"messages":[{"role":"assistant","content":"an example"}]}`)
	const trl = `def score(prompts, completions, **kw):
    return [len(p) * 100 + len(c) * 10 + (c[0]['content'] == '42' if c else 0) for p, c in zip(prompts, completions)]`
	const verl = `def score(solution_str): return solution_str == '42\nsure?\nyes\n'`
	const nothing = "def score(solution_str): return solution_str == ''"
	const turns = "def score(extra_info, num_turns): return extra_info['num_turns'] == num_turns == 2"
	text := map[string]any{"completions": "text"}
	for name, c := range map[string]struct {
		code   string
		config map[string]any
		item   sdk.ScoreItem
		want   float64
	}{
		"TRL":                    {trl, nil, shown, 431},
		"TRL, offline":           {trl, nil, offline, 431},
		"TRL, nothing written":   {trl, nil, silent, 700},
		"TRL, as text":           {trlLength, text, shown, float64(len("42\nsure?\nyes"))},
		"verl":                   {verl, nil, shown, 1},
		"verl, offline":          {verl, nil, offline, 1},
		"verl, nothing written":  {nothing, nil, silent, 1},
		"verl's number of turns": {turns, nil, shown, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := scoreOne(t, rewardOf(t, c.code, c.config), c.item); got.Failure != nil || got.Score != c.want {
				t.Errorf("got %+v, want %g", got, c.want)
			}
		})
	}
}

// A user's own function may have an optional parameter of the same name: it must be called as written.
func TestTRL_WhatHasADefaultMakesNoFunctionOfTRLs(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{
		"optional":             "def score(final_answer, completions=None): return completions is None",
		"optional, and tokens": "def score(final_answer, *, completion_ids=(), completions=3): return completions == 3",
		"all the rest":         "def score(final_answer, **completions): return 'task' in completions",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if planned := validated(t, write(t, map[string]string{"rewards.py": code}), nil); len(planned) > 0 {
				t.Errorf("plan: %+v", planned)
			}
			if got := scoreOne(t, rewardOf(t, code, nil), item("42", "42")); got.Failure != nil || got.Score != 1 {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestTRL_WhatIsNoListOfNumbersIsAFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ code, want string }{
		"None": {trlTasks, "the function returned None, which makes TRL skip it"},
		"a number": {"def score(completions): return 1.0",
			"the function returned a float for 1 item: a reward function of TRL's returns a list"},
		"too many": {"def score(completions): return [1, 2]", "a list of 2 for 1 item"},
		"a column that is not": {"def score(completions, solution): return [1]",
			"the tasks have no column solution, which the function requires"},
		"trainer_state by name": {"def score(completions, **kw): return [kw['trainer_state'].global_step]",
			"KeyError: 'trainer_state'"},
		"an exception":            {"def score(completions, **kw): return [1 / 0]", "ZeroDivisionError"},
		"a number that is no one": {"def score(completions, **kw): return [float('nan')]", "the score is nan"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := scoreOne(t, rewardOf(t, c.code, nil), asked("42", map[string]any{"task": "code"}))
			if got.Failure == nil {
				t.Fatalf("got %+v", got)
			}
			expect(t, "failure", got.Failure.Detail, c.want)
		})
	}
}

// Items of a batch must be distinguished, and a task without a column must get None.
func TestTRL_Batches(t *testing.T) {
	t.Parallel()
	r := rewardOf(t, "def score(completions, level, **kw):\n    return [len(completions) if n is None else n for n in level]", map[string]any{"batch": 8})
	req := sdk.ScoreRequest{Items: []sdk.ScoreItem{asked("a", map[string]any{"level": 5}), asked("b", nil),
		asked("c", map[string]any{"level": 6})}}
	out := scoreAll(t, r, req)
	if out.Items[0].Score != 5 || out.Items[2].Score != 6 || out.Items[1].Failure != nil {
		t.Errorf("%+v", out.Items)
	}
}

func TestTRL_WhatOnlyATrainerHasIsRefused(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"completion_ids": "tokens stay with the trainer", "completions, trainer_state": "how far its trainer is",
		"completions, environments": "the environment is another plugin",
	} {
		files := map[string]string{"rewards.py": "def score(" + name + ", **kwargs):\n    return []\n"}
		got := refused(t, files, nil)
		if got.Path[0] != "name" || got.Summary != "Parameter of TRL's trainer" {
			t.Errorf("%s: %+v", name, got)
		}
		expect(t, name, got.Detail, want)
		if planned := validated(t, write(t, files), nil); len(planned) != 1 || planned[0].Summary != got.Summary {
			t.Errorf("%s: plan says %+v", name, planned)
		}
	}
	if planned := validated(t, write(t, map[string]string{"rewards.py": trlTruth}), nil); len(planned) > 0 {
		t.Errorf("plan doubts a function of TRL's: %+v", planned)
	}
}
