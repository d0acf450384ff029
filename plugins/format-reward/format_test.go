package formatreward

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

func answer(text string) sdk.ScoreItem { return sdk.ScoreItem{FinalAnswer: text} }

func scores(t *testing.T, config map[string]any, items ...sdk.ScoreItem) []sdk.Scored {
	t.Helper()
	out, err := sdktest.Reward(t, Plugin(), "format", config).Score(t.Context(), sdk.ScoreRequest{Items: items})
	if err != nil {
		t.Fatal(err)
	}
	return out.Items
}

func TestTags(t *testing.T) {
	strict := map[string]any{"tags": []string{"think", "answer"}}
	loose := map[string]any{"tags": []string{"think", "answer"}, "allow_text_outside": true}
	tests := []struct {
		text          string
		strict, loose float64
	}{
		{"<think>a</think><answer>b</answer>", 1, 1},
		{" <think>a\nb</think>\n\n<answer>\n3\n</answer>\n", 1, 1},
		{"Well. <think>a</think><answer>b</answer>", 0, 1},
		{"<think>a</think> so <answer>b</answer>", 0, 1},
		{"<think>a</think><answer>b</answer> done", 0, 1},
		{"", 0, 0},
		{"b", 0, 0},
		{"<answer>b</answer>", 0, 0},
		{"<answer>b</answer><think>a</think>", 0, 0},
		{"<think>a</think><answer>b", 0, 0},
		{"<think>a<answer>b</answer>", 0, 0},
		{"a</think><answer>b</answer>", 0, 0},
		{"<think></think><answer>b</answer>", 0, 0},
		{"<think>a</think><answer> \n</answer>", 0, 0},
		{"<think>a</think><answer>b</answer><answer>c</answer>", 0, 0},
		{"<think>a</think><think>a</think><answer>b</answer>", 0, 0},
		{"<think>a</think></think><answer>b</answer>", 0, 0},
		{"<think>a<answer>b</answer></think>", 0, 0},
		{"<answer><think>a</think>b</answer>", 0, 0},
		{"<think>a<answer></think>b</answer>", 0, 0},
		{"</think>a<think><answer>b</answer>", 0, 0},
		{"<THINK>a</THINK><answer>b</answer>", 0, 0},
		{"<think>a</think><answer><b>c</b></answer>", 1, 1},
	}
	for _, test := range tests {
		if got := scores(t, strict, answer(test.text))[0].Score; got != test.strict {
			t.Errorf("%q scores %v, want %v", test.text, got, test.strict)
		}
		if got := scores(t, loose, answer(test.text))[0].Score; got != test.loose {
			t.Errorf("%q with text outside allowed scores %v, want %v", test.text, got, test.loose)
		}
	}
}

// TestFormatRewardOfAWorld checks that, as in AWorld, a completion with an answer scores 0.1 and any other 0.0.
func TestFormatRewardOfAWorld(t *testing.T) {
	config := map[string]any{"pattern": `<answer>[\s\S]*?</answer>`, "score_matched": 0.1, "score_unmatched": 0.0}
	for text, want := range map[string]float64{
		"so <answer>3\n4</answer> it is": 0.1,
		"<answer></answer>":              0.1,
		"<answer>3":                      0,
		"3":                              0,
		"":                               0,
	} {
		if got := scores(t, config, answer(text))[0].Score; got != want {
			t.Errorf("%q scores %v, want %v", text, got, want)
		}
	}
}

func TestScopeSaysWhichMessagesCount(t *testing.T) {
	say := func(role sdk.Role, text string) sdk.Message { return sdk.Message{Role: role, Content: text} }
	good, bad := say(sdk.RoleAssistant, "<a>x</a>"), say(sdk.RoleAssistant, "x")
	tests := []struct {
		name       string
		messages   []sdk.Message
		final, all float64
	}{
		{"one good message", []sdk.Message{say(sdk.RoleUser, "hello"), good}, 1, 1},
		{"a bad one first", []sdk.Message{bad, say(sdk.RoleTool, "x"), good}, 1, 0},
		{"a bad one last", []sdk.Message{good, say(sdk.RoleTool, "x"), bad}, 0, 0},
		{"two good ones", []sdk.Message{good, say(sdk.RoleUser, "x"), good}, 1, 1},
		{"only others have the form", []sdk.Message{say(sdk.RoleUser, "<a>x</a>"), bad, say(sdk.RoleTool, "<a>x</a>")}, 0, 0},
		{"the assistant is silent", []sdk.Message{say(sdk.RoleUser, "<a>x</a>")}, 0, 0},
		{"only tool calls", []sdk.Message{{Role: sdk.RoleAssistant,
			ToolCalls: []sdk.ToolCall{{ID: "1", Name: "f", Arguments: `{"x":"<a>x</a>"}`}}}}, 0, 0},
	}
	for _, test := range tests {
		item := sdk.ScoreItem{Messages: test.messages, FinalAnswer: "not read when there are messages"}
		for scope, want := range map[string]float64{"final": test.final, "all": test.all} {
			if got := scores(t, map[string]any{"tags": []string{"a"}, "scope": scope}, item)[0].Score; got != want {
				t.Errorf("%s: scope %s scores %v, want %v", test.name, scope, got, want)
			}
		}
	}
}

func TestThoughtsKeptApartCountAsThinkTag(t *testing.T) {
	item := sdk.ScoreItem{Messages: []sdk.Message{{Role: sdk.RoleAssistant, Reasoning: "1 + 2",
		Content: "\n<answer>3</answer>"}}}
	if got := scores(t, map[string]any{"tags": []string{"think", "answer"}}, item)[0].Score; got != 1 {
		t.Errorf("score %v, want 1", got)
	}
}

func TestScoredNamesWhatHolds(t *testing.T) {
	config := map[string]any{"pattern": "^<a>[0-9]+</a>$", "tags": []string{"a"}, "score_matched": 2,
		"score_unmatched": -1}
	yes, no := true, false
	want := []sdk.Scored{
		{Score: 2, IsSuccess: &yes, Components: map[string]float64{"pattern": 1, "tags": 1}},
		{Score: -1, IsSuccess: &no, Components: map[string]float64{"pattern": 0, "tags": 1}},
		{Score: -1, IsSuccess: &no, Components: map[string]float64{"pattern": 0, "tags": 0}},
	}
	got := scores(t, config, answer("<a>12</a>"), answer("<a>x</a>"), answer("12"))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
	unasked := scores(t, map[string]any{"pattern": "x"}, answer("y"))[0].Components
	if diff := cmp.Diff(map[string]float64{"pattern": 0, "tags": 1}, unasked); diff != "" {
		t.Errorf("a part that is not asked for holds (-want +got):\n%s", diff)
	}
}

func TestValidateExplainsBadConfigurations(t *testing.T) {
	tests := []struct {
		name, config, want string // want: part of the only diagnostic; empty if the configuration is valid
	}{
		{"pattern", `{"pattern": "a+", "tags": []}`, ""},
		{"tags", `{"pattern": "", "tags": ["think", "answer"]}`, ""},
		{"nothing", `{"pattern": "", "tags": []}`, "Set pattern, tags or both"},
		{"a pattern that is not known yet", `{"tags": []}`, ""},
		{"an open group", `{"pattern": "(a"}`, "missing closing )"},
		{"look-ahead", `{"pattern": "(?=a)"}`, "no look-around"},
		{"a tag with brackets", `{"tags": ["<think>"]}`, "without brackets"},
		{"an empty tag", `{"tags": [""]}`, "is not a tag name"},
		{"a repeated tag", `{"tags": ["a", "a"]}`, "listed twice"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := validate(t.Context(), json.RawMessage(test.config))
			if test.want == "" {
				if len(got) > 0 {
					t.Errorf("problems %v, want none", got)
				}
				return
			}
			if len(got) != 1 || got[0].Severity != sdk.SeverityError || !strings.Contains(got[0].Detail, test.want) {
				t.Errorf("problems %+v, want one with %q", got, test.want)
			}
		})
	}
}

// TestNewRefusesWhatValidateMayNotSee checks that a value that becomes known late is checked by newReward.
func TestNewRefusesWhatValidateMayNotSee(t *testing.T) {
	for _, config := range []string{`{}`, `{"pattern": "("}`, `{"tags": ["a b"]}`, `{"unknown": 1}`} {
		if _, err := newReward(t.Context(), sdk.Setup{Config: json.RawMessage(config)}); err == nil {
			t.Errorf("%s is accepted", config)
		}
	}
}

func FuzzFormat(f *testing.F) {
	f.Add("<think>a</think><answer>b</answer>", `<answer>[\s\S]*?</answer>`)
	f.Add("</think><think>", "(")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, text, pattern string) {
		rule, problems := newRule(config{Pattern: pattern, Tags: []string{"think", "answer"}})
		if len(problems) > 0 {
			return
		}
		strict := rule.judge([]string{text})
		rule.allowTextOutside = true
		if loose := rule.judge([]string{text}); strict.tags && !loose.tags {
			t.Errorf("%q has the tags only while text outside them is forbidden", text)
		}
		if twice := rule.judge([]string{text + text}); twice.tags {
			t.Errorf("%q has each tag once, twice over", text)
		}
	})
}
