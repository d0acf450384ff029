package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

func TestGenerate_CallsTheToolAndThenAnswers(t *testing.T) {
	a := sdktest.Adapter(t, Plugin(), "instant", map[string]any{"turns": 3}, nil)
	req := sdk.GenerateRequest{EpisodeID: "e1", Attempt: 1,
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "68%18="}}}
	var said []string
	for _, call := range []string{"1", "2", "3"} {
		req.CallID = call
		out, err := a.Generate(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		text := out.Message.Content
		for _, c := range out.Message.ToolCalls {
			text += c.Name + c.Arguments
		}
		said = append(said, text)
		req.Chain, req.Base = out.Chain, out.ChainLength
		req.Messages = []sdk.Message{{Role: sdk.RoleTool, Content: "14"}}
	}
	want := []string{`mod{"a":68,"b":18}`, `mod{"a":68,"b":18}`, "<answer>14</answer>"}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
}

func TestGenerate_RefusesWhatIsNoQuestion(t *testing.T) {
	a := sdktest.Adapter(t, Plugin(), "instant", nil, nil)
	req := sdk.GenerateRequest{EpisodeID: "e1", CallID: "1",
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "why?"}}}
	if out, err := a.Generate(t.Context(), req); err == nil {
		t.Errorf("got %+v, want an error", out)
	}
}

func TestEnvironment_OffersTools(t *testing.T) {
	e := sdktest.Environment(t, Plugin(), "instant", map[string]any{"tools": 6, "text": 100, "max_turns": 3})
	opened, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e1",
		Task: sdk.Task{ID: "t1", Public: []byte(`{"prompt":"1+2="}`)}})
	if err != nil {
		t.Fatal(err)
	}
	if len(opened.Tools) != 6 || opened.Tools[0].Name != "add" || opened.Messages[0].Content != "1+2=" {
		t.Errorf("got %d tools, messages %+v", len(opened.Tools), opened.Messages)
	}
	out, err := e.Step(t.Context(), sdk.StepRequest{EpisodeID: "e1", StepID: "s1", Message: sdk.Message{
		Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "c1", Name: "add", Arguments: `{"a":1,"b":2}`}}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Messages) != 1 || len(out.Messages[0].Content) != 100 || out.Messages[0].ToolCallID != "c1" {
		t.Errorf("got %+v", out.Messages)
	}
}
