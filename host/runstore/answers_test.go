package runstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// What was kept before the end of the process is there after it.
func TestAnswers_OutliveTheProcess(t *testing.T) {
	s, w := launched(t)
	answers, err := w.Answers()
	if err != nil {
		t.Fatal(err)
	}
	want := &sdk.GenerateResponse{
		Message: sdk.Message{
			Role: sdk.RoleAssistant, Content: "60", ToolCalls: []sdk.ToolCall{{ID: "1", Name: "add", Arguments: `{"a":1}`}},
		},
		Finish: sdk.FinishToolCalls, PromptTokens: 7, OutputTokens: 3,
	}
	if err := answers.Keep("k", want); err != nil {
		t.Fatal(err)
	}
	w = again(t, s, w)
	if answers, err = w.Answers(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, answers.Answer("k")); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	if got := answers.Answer("another"); got != nil {
		t.Errorf("nobody asked for that, and it is there: %+v", got)
	}
}
