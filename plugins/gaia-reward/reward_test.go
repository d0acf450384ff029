package gaiareward

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

var truth3 = sdk.Task{ID: "t", Private: json.RawMessage(`{"ground_truth": "3"}`)}

// TestWhichTextIsScored checks whose answers count: in corrected only the model's final message, and the answer that
// the agent names.
func TestWhichTextIsScored(t *testing.T) {
	system := sdk.Message{Role: sdk.RoleSystem, Content: "Reply with <answer>3</answer>."}
	user := sdk.Message{Role: sdk.RoleUser, Content: "What is 1 + 2? <answer>3</answer>"}
	call := sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "1", Name: "add",
		Arguments: `{"a": 1, "b": 2}`}}}
	result := sdk.Message{Role: sdk.RoleTool, ToolCallID: "1", Content: "3"}
	injected := sdk.Message{Role: sdk.RoleTool, ToolCallID: "1", Content: "the page says <answer>3</answer>"}
	right := sdk.Message{Role: sdk.RoleAssistant, Content: "<answer>3</answer>"}
	wrong := sdk.Message{Role: sdk.RoleAssistant, Content: "<answer>4</answer>"}
	none := sdk.Message{Role: sdk.RoleAssistant, Content: "I do not know"}

	tests := []struct {
		name                 string
		messages             []sdk.Message
		reference, corrected float64
	}{
		{"the model answers", []sdk.Message{system, user, call, result, right}, 1, 1},
		{"the prompt holds the answer", []sdk.Message{system, user, none}, 0, 0},
		{"no model spoke", []sdk.Message{system, user}, 0, 0},
		{"a tool result holds the answer", []sdk.Message{user, call, injected, none}, 1, 0},
		{"a tool result contradicts the model", []sdk.Message{user, call, injected, wrong}, 1, 0},
		{"a tool result ends the episode", []sdk.Message{user, call, injected}, 1, 0},
		{"a later user turn holds the answer", []sdk.Message{user, none, user, none}, 1, 0},
		{"a user turn ends the episode", []sdk.Message{user, none, user}, 1, 0},
		{"the model changes its mind", []sdk.Message{user, right, user, wrong}, 1, 0},
		{"the model corrects itself", []sdk.Message{user, wrong, user, right}, 0, 1},
		{"an environment closes politely", []sdk.Message{user, right, {Role: sdk.RoleUser, Content: "Thank you."}}, 1, 1},
		{"the model thinks the answer", []sdk.Message{user,
			{Role: sdk.RoleAssistant, Reasoning: "<answer>3</answer>", Content: "four"}}, 1, 0},
		{"the answer is in the arguments of a call", []sdk.Message{user, {
			Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "1", Name: "note",
				Arguments: `{"text": "<answer>3</answer>"}`}},
		}}, 1, 0},
	}
	for _, test := range tests {
		item := sdk.ScoreItem{Task: truth3, Messages: test.messages}
		if written := item.Written(); len(written) > 0 {
			item.FinalAnswer = written[len(written)-1].Content
		}
		for mode, want := range map[compatibility]float64{reference: test.reference, corrected: test.corrected} {
			got, err := config{mode}.score(item)
			if err != nil || got.Score != want {
				t.Errorf("%s: %v scores %v, %v; want %v", test.name, mode, got.Score, err, want)
			}
		}
	}
}

// TestTheAgentsAnswerIsScored checks that the answer named by a plugin's agent, or a swarm, counts, independent of
// the last message.
func TestTheAgentsAnswerIsScored(t *testing.T) {
	right := sdk.Message{Role: sdk.RoleAssistant, Content: "<answer>3</answer>"}
	thanks := sdk.Message{Role: sdk.RoleAssistant, Content: "I have told the others."}
	item := sdk.ScoreItem{Task: truth3, Messages: []sdk.Message{right, thanks}, FinalAnswer: right.Content}
	if got, err := (config{corrected}).score(item); err != nil || got.Score != 1 {
		t.Errorf("%v, %v", got.Score, err)
	}
}

func TestScoreAnswersEveryItemInOrder(t *testing.T) {
	r := sdktest.Reward(t, Plugin(), "gaia", nil)
	yes, no := true, false
	out, err := r.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{
		{EpisodeID: "a", Task: truth3, FinalAnswer: "<answer>3.0</answer>"},
		{EpisodeID: "b", Task: sdk.Task{ID: "t", Private: json.RawMessage(`{}`)}, FinalAnswer: "<answer>3</answer>"},
		{EpisodeID: "c", Task: truth3, FinalAnswer: "three"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := []sdk.Scored{
		{Score: 1, IsSuccess: &yes, Components: map[string]float64{"extracted": 1, "exact": 0, "numeric": 1, "list": 0}},
		{Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: needGroundTruth("null or missing")}},
		{Score: 0, IsSuccess: &no, Components: map[string]float64{"extracted": 0, "exact": 0, "numeric": 0, "list": 0}},
	}
	if diff := cmp.Diff(want, out.Items); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
}

func TestCompatibilityIsConfigured(t *testing.T) {
	request := sdk.ScoreRequest{Items: []sdk.ScoreItem{{
		Task: sdk.Task{ID: "t", Private: json.RawMessage(`{"ground_truth": "inf"}`)}, FinalAnswer: "<answer>garbage</answer>",
	}}}
	for config, want := range map[string]float64{"": 0, "corrected": 0, "reference": 1} {
		values := map[string]any{}
		if config != "" {
			values["compatibility"] = config
		}
		out, err := sdktest.Reward(t, Plugin(), "gaia", values).Score(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Items[0].Score; got != want {
			t.Errorf("compatibility %q: score %v, want %v", config, got, want)
		}
	}
}

// A list as the ground truth contains accepted answers, also in reference, where the original raises an error.
func TestAListOfAcceptedAnswers(t *testing.T) {
	for truth, want := range map[string]float64{
		`["4","3"]`: 1, `["3","4"]`: 1, `[3]`: 1, `["4"]`: 0, `["3",[]]`: -1, `[]`: -1,
	} {
		for _, mode := range []compatibility{reference, corrected} {
			got, err := config{mode}.score(sdk.ScoreItem{
				Task: sdk.Task{Private: json.RawMessage(`{"ground_truth":` + truth + `}`)}, FinalAnswer: "<answer>3</answer>",
			})
			if failed := want < 0; failed != (err != nil) || !failed && got.Score != want {
				t.Errorf("%s as %s: %v, %v", truth, mode, got.Score, err)
			}
		}
	}
}
