package smoke

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

func tools(n int) []sdk.Tool {
	var out []sdk.Tool
	for i := range n {
		out = append(out, sdk.Tool{Name: fmt.Sprintf("tool%d", i),
			Parameters: json.RawMessage(`{"properties":{"x":{"type":"integer"}}}`)})
	}
	return out
}

// sample returns a sample of a group of four.
func sample(group, i, number int, tools []sdk.Tool) rollout.ScriptCall {
	return rollout.ScriptCall{
		EpisodeID: fmt.Sprintf("e%d/%d", group, i), Number: number, Tools: tools,
		Slot: rollout.Slot{Stage: "main", Index: group, Sample: i},
	}
}

func TestScript_SpeaksInHalfOfTheEpisodes(t *testing.T) {
	s := NewScript()
	for group := range 3 {
		spoken := 0
		for i := range 4 {
			if s.Next(sample(group, i, 1, nil)) != nil {
				spoken++
			}
		}
		if spoken != 2 {
			t.Errorf("group %d: %d of 4 samples are scripted, want 2", group, spoken)
		}
	}
	spoken := 0
	for task := range 4 { // a validation with one sample each
		if s.Next(sample(task, 0, 1, nil)) != nil {
			spoken++
		}
	}
	if spoken != 2 {
		t.Errorf("%d of 4 validation episodes are scripted, want 2", spoken)
	}
}

func TestScript_CallsAllToolsInTurnAndThenAnswers(t *testing.T) {
	s := NewScript()
	offered := tools(5)
	called := map[string]int{}
	for group := range 5 {
		for number := 1; number <= 3; number++ {
			call := sample(group, (group+1)%2, number, offered)
			m := s.Next(call)
			again := s.Next(call) // a retry gets the same message
			if m == nil || again == nil || len(m.ToolCalls) != len(again.ToolCalls) {
				t.Fatalf("group %d, message %d: %v and %v", group, number, m, again)
			}
			if number == 3 {
				if len(m.ToolCalls) > 0 || m.Content == "" {
					t.Errorf("the third message is not an answer: %+v", m)
				}
				continue
			}
			if len(m.ToolCalls) != 1 || m.ToolCalls[0].Arguments != `{"x":1}` || m.ToolCalls[0] != again.ToolCalls[0] {
				t.Fatalf("message %d: %+v and %+v", number, m, again)
			}
			called[m.ToolCalls[0].Name]++
		}
	}
	for _, tool := range offered {
		if called[tool.Name] != 2 {
			t.Errorf("%s was called %d times, want 2: %v", tool.Name, called[tool.Name], called)
		}
	}
	if got := s.of("main").Tools; got != 5 {
		t.Errorf("%d tools were offered, want 5", got)
	}
	if m := s.Next(sample(9, 0, 1, nil)); m == nil || len(m.ToolCalls) > 0 {
		t.Errorf("without tools: %+v", m)
	}
}

// Only spaces, the order of members, and ids may differ in the response.
func TestScript_NoticesWhatIsReadDifferently(t *testing.T) {
	wrote := sdk.ToolCall{ID: "call_1", Name: "add", Arguments: `{"a":1,"b":"x"}`}
	call := func(name, arguments string) sdk.Message {
		return sdk.Message{ToolCalls: []sdk.ToolCall{{ID: "other", Name: name, Arguments: arguments}}}
	}
	for name, c := range map[string]struct {
		answer sdk.GenerateResponse
		want   string // empty: no difference
	}{
		"the same": {sdk.GenerateResponse{Message: call("add", `{ "b": "x", "a": 1.0 }`)}, ""},
		"another tool": {sdk.GenerateResponse{Message: call("sub", `{"a":1,"b":"x"}`)},
			`was parsed as sub{"a":1,"b":"x"}`},
		"other arguments": {sdk.GenerateResponse{Message: call("add", `{"a":"1","b":"x"}`)},
			`was parsed as add{"a":"1","b":"x"}`},
		"text": {sdk.GenerateResponse{Message: sdk.Message{Content: "<tool_call>…"}, Finish: sdk.FinishStop},
			`was parsed as text: "<tool_call>…"`},
		"nothing": {sdk.GenerateResponse{Message: sdk.Message{Content: "\n"}, Finish: sdk.FinishStop},
			`the call add{"a":1,"b":"x"} is missing: the chat template renders no tool calls`},
		"cut": {sdk.GenerateResponse{Message: sdk.Message{Content: "<tool"}, Finish: sdk.FinishLength},
			`was truncated by a token limit: "<tool"`},
		"malformed": {sdk.GenerateResponse{Message: sdk.Message{Malformed: []sdk.Malformed{{Text: "{",
			Reason: "it is not JSON"}}}}, `was not parsed as a call, because it is not JSON`},
		"twice": {sdk.GenerateResponse{Message: sdk.Message{ToolCalls: []sdk.ToolCall{wrote, wrote}}},
			`was parsed as 2 calls`},
	} {
		s := NewScript()
		s.Answered(sample(0, 1, 1, nil), &sdk.Message{ToolCalls: []sdk.ToolCall{wrote}}, &c.answer)
		got := s.of("main")
		if misread := got.Misread == 1; misread != (c.want != "") || !strings.Contains(got.Example, c.want) ||
			got.Calls != 1 {
			t.Errorf("%s: %+v, want %q", name, got, c.want)
		}
	}
}
