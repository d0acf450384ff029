package rollout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// Calls of all families are found in text, and other text is not.
func TestCountForeign(t *testing.T) {
	for text, want := range map[string]int{
		"<tool_call>\n{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}\n</tool_call>":            1,
		"I look.\n<tool_call>\n<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>\n":      1,
		"<tool_call>bash<arg_key>command</arg_key><arg_value>ls</arg_value></tool_call>":                   1,
		"<|tool_calls_section_begin|><|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{}":    1,
		"<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{\"command\":\"ls\"}<|call|>": 1,
		"{\"name\": \"bash\", \"parameters\": {\"command\": \"ls -la\"}}":                                  1,
		"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>bash":                                  1,
		"<|tool_call>call:bash{command:<|\"|>ls<|\"|>}<tool_call|>":                                        1,
		"<minimax:tool_call>\n<invoke name=\"bash\">":                                                      1,
		"[TOOL_CALLS][{\"name\": \"bash\", \"arguments\": {}}]":                                            1,
		"The answer is 42.": 0,
		"I would call the tool bash with {\"command\": \"ls\"}.": 0,
		"{\"answer\": 3}": 0,
		"Use <tool> elements, or a function=call, to=anyone at all.": 0,
	} {
		r := &AttemptRecord{}
		r.countForeign("", "", addTool, &sdk.Message{Content: text})
		if r.Foreign.Calls != want || r.Foreign.Messages != 1 || (r.Foreign.Example != "") != (want == 1) {
			t.Errorf("%q: %d foreign calls, want %d; example %q", text, r.Foreign.Calls, want, r.Foreign.Example)
		}
	}
}

// A message counts only if tools were offered, and if neither a call nor a malformed call was found in it.
func TestCountForeign_OnlyUnreadCalls(t *testing.T) {
	const text = "<tool_call>"
	r := &AttemptRecord{}
	r.countForeign("", "", nil, &sdk.Message{Content: text})
	r.countForeign("", "", addTool, &sdk.Message{Content: text, ToolCalls: []sdk.ToolCall{{Name: "add"}}})
	r.countForeign("", "", addTool, &sdk.Message{Content: text, Malformed: []sdk.Malformed{{Text: text}}})
	inner := sdk.Message{Content: "<tool_call>\n<function=add>", Malformed: []sdk.Malformed{{Text: "<tool_call>"}}}
	own := AttemptRecord{}
	own.countForeign("", "renderers/qwen3.5 1", addTool, &inner)
	own.countForeign("", "hermes 1", addTool, &inner)
	if own.Foreign.Calls != 1 || own.Foreign.Example != "<function=add>" {
		t.Errorf("calls that Hermes finds malformed: %+v", own.Foreign)
	}
	r.countForeign("", "", addTool, &sdk.Message{Content: text + strings.Repeat("é", maxForeignExample)})
	if r.Foreign.Messages != 3 || r.Foreign.Calls != 1 || len(r.Foreign.Example) > maxForeignExample {
		t.Errorf("%d of %d messages, example of %d bytes", r.Foreign.Calls, r.Foreign.Messages, len(r.Foreign.Example))
	}
}

// Messages of served models are counted by model, and are not the policy's.
func TestCountForeign_ServedModels(t *testing.T) {
	const judge = "model.openai.judge"
	var episodes []*summary
	for range 2 {
		r := &EpisodeRecord{}
		r.countForeign(judge, "", addTool, &sdk.Message{Content: "<tool_call>"})
		r.countForeign(judge, "", addTool, &sdk.Message{Content: "The answer is 42."})
		r.countForeign("", "", addTool, &sdk.Message{Content: "The answer is 42."})
		episodes = append(episodes, summarise(r))
	}
	a := aggregate("", sdk.SplitTrain, 1, episodes)
	want := map[string]ForeignCalls{judge: {Messages: 4, Calls: 2, Example: "<tool_call>"}}
	if diff := cmp.Diff(want, a.ServedForeign); diff != "" || a.ForeignRate != 0 || a.Foreign != 0 {
		t.Errorf("rate %g, %d episodes; served (-want +got):\n%s", a.ForeignRate, a.Foreign, diff)
	}
}

// The reason names what tripped the breaker, even if there are more episodes of the other kind.
func TestBreaker_NamesWhatTrippedIt(t *testing.T) {
	episodes := []*summary{
		{outcome: sdk.OutcomeFailed, class: sdk.FailureReward}, {outcome: sdk.OutcomeFailed, class: sdk.FailureReward},
		{outcome: sdk.OutcomeScored, foreign: 1}, {outcome: sdk.OutcomeScored, foreign: 0.5},
		{outcome: sdk.OutcomeScored, foreign: 0.5}, {outcome: sdk.OutcomeScored, foreign: 0.4},
	}
	for _, test := range []struct {
		failed, foreign float64
		want            string // in the reason; empty: it does not trip
	}{
		{0.3, 1, "2 of the last 6 episodes failed"},
		{0.5, 0.4, "in 3 of the last 6 episodes, the policy wrote tool calls"},
		{0.5, 0.5, ""},
	} {
		b := &breaker{settings: BreakerSettings{
			FailedFraction: test.failed, ForeignFraction: test.foreign, Window: 6, MinEpisodes: 6,
		}}
		switch trip := b.feed(episodes); {
		case trip == nil && test.want != "":
			t.Errorf("%+v: it does not trip", test)
		case trip != nil && (test.want == "" || !strings.Contains(trip.Reason(), test.want)):
			t.Errorf("%+v: it trips: %s", test, trip.Reason())
		}
	}
}
