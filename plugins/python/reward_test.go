package pythonplugin

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

func pointer[T any](v T) *T { return &v }

func TestScore_TakesFunctionsAsTheyAre(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code   string
		config map[string]any
		want   sdk.Scored
	}{
		"verl's four arguments": {
			code: "def score(data_source, solution_str, ground_truth, extra_info=None):\n    return float(solution_str == ground_truth and data_source == '' and extra_info['num_turns'] == 0)",
			want: sdk.Scored{Score: 1},
		},
		"messages and task": {code: "def score(messages, task):\n    return len(messages) + (task['ground_truth'] == '42') + (task['id'] == 't')", want: sdk.Scored{Score: 2}},
		"everything by keyword": {
			code: "def score(ground_truth, **kwargs):\n    assert 'ground_truth' not in kwargs\n    return sorted(kwargs) == ['attachments', 'data_source', 'episode_id', 'extra_info', 'final_answer', 'messages', 'metadata', 'num_turns', 'prompt_messages', 'reward_scores', 'solution_str', 'task', 'task_id', 'turn_rewards']",
			want: sdk.Scored{Score: 1},
		},
		"positional only": {code: "def score(final_answer, ground_truth, /, *rest, scale=3):\n    return scale * (final_answer == ground_truth) + len(rest)", want: sdk.Scored{Score: 3}},
		"async":           {code: "import asyncio\nlock = asyncio.Lock()\nasync def score(final_answer):\n    async with lock:\n        await asyncio.sleep(0)\n        return 0.5", want: sdk.Scored{Score: 0.5}},
		"a class":         {code: "class score:\n    def __init__(self, scale=2): self.scale = scale\n    def __call__(self, final_answer): return self.scale", config: map[string]any{"arguments": map[string]any{"scale": 7}}, want: sdk.Scored{Score: 7}},
		"an object": {code: "class Judge:\n    async def __call__(self, final_answer): return 4\nscore = Judge()",
			want: sdk.Scored{Score: 4}},
		"a static method": {code: "class Judge:\n    @staticmethod\n    def score(final_answer): return 5",
			config: map[string]any{"name": "Judge.score"}, want: sdk.Scored{Score: 5}},
		"arguments":        {code: "def score(final_answer, threshold, weights=None):\n    return threshold + sum(weights.values())", config: map[string]any{"arguments": map[string]any{"threshold": 0.5, "weights": map[string]any{"a": 1, "b": 2}}}, want: sdk.Scored{Score: 3.5}},
		"a partial":        {code: "import functools\ndef f(scale, final_answer): return scale\nscore = functools.partial(f, 6)", want: sdk.Scored{Score: 6}},
		"relative files":   {code: "open('weight.txt', 'w').write('2.5')\ndef score(): return float(open('weight.txt').read()) * (open(__file__).readline() != '')", want: sdk.Scored{Score: 2.5}},
		"no arguments":     {code: "def score(): return 1", want: sdk.Scored{Score: 1}},
		"a default counts": {code: "def score(environment_state='none', prompt='p'): return environment_state == 'none' and prompt == 'p'", want: sdk.Scored{Score: 1}},
		"bool":             {code: "def score(final_answer): return final_answer == '42'", want: sdk.Scored{Score: 1}},
		"a dict": {
			code: "def score(final_answer): return {'score': 1, 'acc': True, 'length': 2, 'is_success': True, 'pred': final_answer, 'why': None, 3: 4}",
			want: sdk.Scored{Score: 1, Components: map[string]float64{"acc": 1, "length": 2}, IsSuccess: pointer(true)},
		},
		"declared components": {code: "def score(final_answer): return {'score': 1, 'acc': 0.5}",
			config: map[string]any{"components": []string{"acc"}},
			want:   sdk.Scored{Score: 1, Components: map[string]float64{"acc": 0.5}}},
		"numbers of other libraries": {
			code: "class Scalar:\n    def __init__(self, v): self.v = v\n    def item(self): return self.v\nclass Floaty:\n    def __float__(self): return 0.25\nfrom fractions import Fraction\nfrom decimal import Decimal\ndef score(final_answer): return {'score': Scalar(0.5), 'is_success': Scalar(True), 'a': Floaty(), 'b': Fraction(1, 2), 'c': Decimal('0.75'), 'd': Scalar(3)}",
			want: sdk.Scored{Score: 0.5, IsSuccess: pointer(true),
				Components: map[string]float64{"a": 0.25, "b": 0.5, "c": 0.75, "d": 3}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := scoreOne(t, rewardOf(t, c.code, c.config), item("42", "42"))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("score (-want +got):\n%s", diff)
			}
		})
	}
}

func TestScore_WhatIsNoNumberIsAFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body   string
		config map[string]any
		want   []string
	}{
		"nothing": {body: "pass", want: []string{"rewards.py:score: the score must be a number, not None",
			"ends with a return"}},
		"a text": {body: "return '0.5'", want: []string{"the score is the text '0.5': return a number"}},
		"NaN": {body: "return float('nan')",
			want: []string{"the score is nan: a number that is not finite"}},
		"infinity":        {body: "return float('inf')", want: []string{"the score is inf"}},
		"a huge integer":  {body: "return 10**400", want: []string{"too large for a float"}},
		"a list":          {body: "return [1]", want: []string{"the score is a list: return a number"}},
		"complex":         {body: "return 1j", want: []string{"the score is a complex"}},
		"a generator":     {body: "yield 1", want: []string{"the score is a generator"}},
		"a dict without":  {body: "return {'reward': 1}", want: []string{`a dict without "score"; it has 'reward'`}},
		"a component NaN": {body: "return {'score': 1, 'acc': float('nan')}", want: []string{`"acc" is nan`}},
		"a missing component": {body: "return {'score': 1}", config: map[string]any{"components": []string{"acc"}},
			want: []string{"returned no acc, which `components` declares"}},
		"a number, and components": {body: "return 1", config: map[string]any{"components": []string{"acc"}},
			want: []string{"returned no acc"}},
		"a declared text": {body: "return {'score': 1, 'acc': 'x'}",
			config: map[string]any{"components": []string{"acc"}}, want: []string{`"acc" is the text 'x'`}},
		"too many": {body: "return {'score': 1, **{str(i): i for i in range(101)}}",
			want: []string{"101 numbers in addition to the score"}},
		"rewards of members": {
			body: "return {'score': 1, 'member_rewards': {'planner': 1}}",
			want: []string{`"member_rewards" is not supported`, "reward = agent.python.NAME.reward"},
		},
		"success of a kind": {body: "return {'score': 1, 'is_success': 'yes'}", want: []string{`"is_success" is 'yes'`}},
		"sys.exit":          {body: "import sys; sys.exit(3)", want: []string{"the code called sys.exit(3)"}},
		"recursion":         {body: "return score(final_answer)", want: []string{"RecursionError"}},
		"an exception":      {body: "return 1 / 0", want: []string{"rewards.py:score: ZeroDivisionError: division by zero\nTraceback (most recent call last):\n  File \"", "rewards.py\", line 2, in score\n    return 1 / 0"}},
		"a text that raises": {body: "class E(Exception):\n        def __str__(self): raise ValueError\n    raise E()",
			want: []string{"E: its text cannot be made"}},
		"a huge traceback": {body: "raise ValueError('x' * 1000000)", want: []string{"ValueError: xxx", "[…]"}},
		"an interrupt":     {body: "raise KeyboardInterrupt", want: []string{"KeyboardInterrupt"}},
		"no ground truth":  {body: "return 1", want: nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := scoreOne(t, rewardOf(t, "def score(final_answer):\n    "+c.body, c.config), item("42", "42"))
			if len(c.want) == 0 {
				return
			}
			if got.Failure == nil || got.Failure.Class != sdk.FailureReward || got.Failure.Retryable {
				t.Fatalf("got %+v, want a final failure of class REWARD", got)
			}
			expect(t, "failure", got.Failure.Detail, c.want...)
			if strings.Contains(got.Failure.Detail, "awhost driver") || len(got.Failure.Detail) > 8000 {
				t.Errorf("the failure shows the driver's own frames, or is long:\n%.9000s", got.Failure.Detail)
			}
		})
	}
}

// A failure must affect only one item: the items before and after it must get their scores.
func TestScore_OneItemFails(t *testing.T) {
	t.Parallel()
	r := rewardOf(t, "def score(final_answer): return float(final_answer)", nil)
	out := scoreAll(t, r, items("1", "two", "3"))
	if out.Items[0].Score != 1 || out.Items[1].Failure == nil || out.Items[2].Score != 3 {
		t.Errorf("%+v", out.Items)
	}
	missing := scoreOne(t, rewardOf(t, "def score(ground_truth): return 1", nil), sdk.ScoreItem{Task: sdk.Task{ID: "t"}})
	if missing.Failure == nil {
		t.Fatalf("%+v", missing)
	}
	expect(t, "failure", missing.Failure.Detail, "missing ground_truth: add the column")
}

func TestScore_ExceptionsMayBeWorthARetry(t *testing.T) {
	t.Parallel()
	code := "class Flaky(Exception): pass\nimport socket\ndef score(final_answer):\n    raise {'net': ConnectionResetError(), 'flaky': Flaky(), 'other': KeyError()}[final_answer]"
	r := rewardOf(t, code, map[string]any{"retryable": []string{"ConnectionError", "rewards.Flaky"}})
	for i, want := range []bool{true, true, false} {
		if got := scoreAll(t, r, items("net", "flaky", "other")).Items[i].Failure; got == nil || got.Retryable != want {
			t.Errorf("item %d: %+v, want retryable %v", i, got, want)
		}
	}
}

// A function may take lists. A failing item must not affect the others.
func TestScore_Batches(t *testing.T) {
	t.Parallel()
	code := "sizes = []\ndef score(final_answers, ground_truth, **kw):\n    sizes.append(len(final_answers))\n    assert len(ground_truth) == len(final_answers)\n    return [{'score': float(a), 'most': max(sizes)} for a in final_answers]"
	r := rewardOf(t, code, map[string]any{"batch": 8})
	out := scoreAll(t, r, items("0", "1", "2", "x", "4", "5", "6", "7", "8", "9"))
	for i, got := range out.Items {
		switch {
		case i == 3:
			if got.Failure == nil {
				t.Errorf("item 3: %+v", got)
			}
		case got.Failure != nil || got.Score != float64(i):
			t.Errorf("item %d: %+v %v", i, got, got.Failure)
		}
	}
	if most := out.Items[9].Components["most"]; most != 8 {
		t.Errorf("the largest batch had %v items, want 8", most)
	}
	short := rewardOf(t, "def score(final_answer): return [1]", map[string]any{"batch": 4})
	out = scoreAll(t, short, items("0", "1"))
	for _, got := range out.Items { // each is sent alone, so one score per item is returned
		if got.Failure != nil || got.Score != 1 {
			t.Errorf("%+v", got)
		}
	}
}

// Checks the arguments that a function gets for an episode.
func TestScore_ShowsTheEpisode(t *testing.T) {
	t.Parallel()
	code := "import json\ndef score(**everything):\n    raise ValueError(json.dumps(everything, sort_keys=True))"
	r := rewardOf(t, code, nil)
	got := scoreOne(t, r, sdk.ScoreItem{
		EpisodeID: "ep",
		Task: sdk.Task{ID: "t1", Public: json.RawMessage(`{"prompt":"1+2","data_source":"gsm8k","extra_info":{"index":7},"big":12345678901234567890}`),
			Private: json.RawMessage(`{"ground_truth":["3",1.50],"extra_info":{"answer":"3"}}`)},
		Messages: []sdk.Message{
			{Role: sdk.RoleUser, Content: "1+2"},
			{Role: sdk.RoleAssistant, Content: "hm", Reasoning: "think",
				ToolCalls: []sdk.ToolCall{{ID: "c", Name: "add", Arguments: `{"a": 1}`}}},
			{Role: sdk.RoleTool, ToolCallID: "c", Name: "add", Content: "3", Attachments: []sdk.Attachment{
				{Kind: sdk.AttachmentStructured, JSON: json.RawMessage(`{"sum":3}`)},
				{Kind: sdk.AttachmentImage, MIMEType: "image/png", Data: []byte("x"), Marker: "[image]"},
			}},
			{Role: sdk.RoleUser, Content: "look", Images: []sdk.Image{{MIMEType: "image/png", Data: []byte("x")}}},
			{Role: sdk.RoleAssistant, Content: "<answer>3</answer>\u2028"},
		},
		FinalAnswer: "<answer>3</answer>", TurnRewards: []float64{-1, 0.5}, Metadata: json.RawMessage(`{"k": "v"}`),
	})
	line, _, _ := strings.Cut(got.Failure.Detail[strings.Index(got.Failure.Detail,
		"\nValueError: ")+len("\nValueError: "):], "\n")
	want := `{"attachments": [{"json": {"sum": 3}, "kind": "structured", "message": 2}, ` +
		`{"data": "eA==", "kind": "image", "marker": "[image]", "message": 2, "mime_type": "image/png"}], ` +
		`"data_source": "gsm8k", "episode_id": "ep", "extra_info": {"answer": "3", "index": 7, "num_turns": 2, "rollout_reward_scores": {"user_turn_rewards": [-1, 0.5]}}, ` +
		`"final_answer": "<answer>3</answer>", "ground_truth": ["3", 1.5], "messages": [{"content": "1+2", "role": "user"}, ` +
		`{"content": "hm", "reasoning_content": "think", "role": "assistant", "tool_calls": [{"function": {"arguments": "{\"a\": 1}", "name": "add"}, "id": "c", "type": "function"}]}, ` +
		`{"content": "3", "name": "add", "role": "tool", "tool_call_id": "c"}, ` +
		`{"content": [{"text": "look", "type": "text"}, {"image_url": {"url": "data:image/png;base64,eA=="}, "type": "image_url"}], "role": "user"}, ` +
		`{"content": "<answer>3</answer>\u2028", "role": "assistant"}], "metadata": {"k": "v"}, "num_turns": 2, "prompt": "1+2", "prompt_messages": 1, "reward_scores": {"user_turn_rewards": [-1, 0.5]}, ` +
		`"solution_str": "<think>\nthink\n</think>\n\nhm\n<tool_call>\n{\"name\": \"add\", \"arguments\": {\"a\": 1}}\n</tool_call>\n<tool_response>\n3\n</tool_response>\nlook\n<answer>3</answer>\u2028\n", ` +
		`"task": {"big": 12345678901234567890, "data_source": "gsm8k", "extra_info": {"answer": "3"}, "ground_truth": ["3", 1.5], "id": "t1", "prompt": "1+2"}, "task_id": "t1", "turn_rewards": [-1, 0.5]}`
	if diff := cmp.Diff(want, line); diff != "" {
		t.Errorf("what the function gets (-want +got):\n%s", diff)
	}
}
