package rollout

import (
	"strings"
	"testing"

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
		r.countForeign(addTool, &sdk.Message{Content: text})
		if r.ForeignCalls != want || r.ToolMessages != 1 || (r.ForeignExample != "") != (want == 1) {
			t.Errorf("%q: %d foreign calls, want %d; example %q", text, r.ForeignCalls, want, r.ForeignExample)
		}
	}
}

// A message counts only if tools were offered, and if neither a call nor a malformed call was found in it.
func TestCountForeign_OnlyUnreadCalls(t *testing.T) {
	const text = "<tool_call>"
	r := &AttemptRecord{}
	r.countForeign(nil, &sdk.Message{Content: text})
	r.countForeign(addTool, &sdk.Message{Content: text, ToolCalls: []sdk.ToolCall{{Name: "add"}}})
	r.countForeign(addTool, &sdk.Message{Content: text, Malformed: []sdk.Malformed{{Text: text}}})
	r.countForeign(addTool, &sdk.Message{Content: text + strings.Repeat("é", maxForeignExample)})
	if r.ToolMessages != 3 || r.ForeignCalls != 1 || len(r.ForeignExample) > maxForeignExample {
		t.Errorf("%d of %d messages, example of %d bytes", r.ForeignCalls, r.ToolMessages, len(r.ForeignExample))
	}
}
