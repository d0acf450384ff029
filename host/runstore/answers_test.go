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
	if err := answers.Keep(1, "k", want); err != nil {
		t.Fatal(err)
	}
	w = again(t, s, w)
	if answers, err = w.Answers(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, answers.Answer(1, "k")); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	if got := answers.Answer(1, "another"); got != nil {
		t.Errorf("nobody asked for that, and it is there: %+v", got)
	}
}

// However long a run is, only the answers of steps that may be played again are in memory, also after a resume.
func TestAnswers_OfStepsBeforeTheTipAreLetGo(t *testing.T) {
	s, w := launched(t)
	answers, err := w.Answers()
	if err != nil {
		t.Fatal(err)
	}
	for step := range 4 {
		if err := answers.Keep(step, "k", &sdk.GenerateResponse{}); err != nil {
			t.Fatal(err)
		}
	}
	step(t, w, 1, train(t, w, 1))
	commit(t, w, 1)
	step(t, w, 2, train(t, w, 2))
	commit(t, w, 2)
	check := func(when string) {
		t.Helper()
		for step, want := range map[int]bool{0: false, 1: false, 2: true, 3: true} { // validation of step 2 may go on
			if got := answers.Answer(step, "k") != nil; got != want {
				t.Errorf("%s: the answer of step %d is there: %v, want %v", when, step, got, want)
			}
		}
	}
	check("after the commit")
	w = again(t, s, w)
	if answers, err = w.Answers(); err != nil {
		t.Fatal(err)
	}
	check("after the resume")
}
