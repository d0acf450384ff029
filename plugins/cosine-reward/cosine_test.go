package cosinereward

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

func score(t *testing.T, mode compatibility, truth any, item sdk.ScoreItem) sdk.Scored {
	t.Helper()
	private, err := json.Marshal(map[string]any{"ground_truth": truth})
	if err != nil {
		t.Fatal(err)
	}
	item.Task = sdk.Task{ID: "t", Private: private}
	r := sdktest.Reward(t, Plugin(), "cosine", map[string]any{"compatibility": string(mode)})
	out, err := r.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{item}})
	if err != nil {
		t.Fatal(err)
	}
	return out.Items[0]
}

// TestReferenceEqualsTheOriginal compares with the scores that AWorld's function printed under CPython 3.11.7.
func TestReferenceEqualsTheOriginal(t *testing.T) {
	for _, test := range []struct {
		answer, truth string
		want          float64
	}{
		{"The sea gull", "a sea gull", 0.6666666666666667},
		{"3", "3", 1.0},
		{"not 3", "3", 0.7071067811865475},
		{"a a b", "a b b", 0.7999999999999998},
		{"don't", "don t", 0.9999999999999998},
		{"ΟΔΟΣ", "οδος", 1.0},
		{"İstanbul", "istanbul", 0.0},
		{"x_1 y", "x_1", 0.7071067811865475},
		{"½ ² Ⅷ", "½", 0.5773502691896258},
		{"naïve café", "naïve café", 0.9999999999999998},
		{"naïve", "naïve", 0.0},
		{"日本 語", "日本", 0.7071067811865475},
		{"", "", 1.0},
		{"", "x", 0.0},
		{"!", "!", 1.0},
		{"!", "?", 0.0},
		{"!", "x", 0.0},
		{"a b c d e f g", "a b c", 0.6546536707079772},
		{"one two two three three three", "three two one", 0.9258200997725515},
		{"<answer>3</answer>", "3", 0.4472135954999579},
		{strings.Repeat("a ", 1000), "a b", 0.7071067811865475},
		{"\U0001e030", "\U0001e030 x", 0.0},
		{"1.5", "1.5 5", 0.9486832980505138},
	} {
		if got := score(t, reference, test.truth, sdk.ScoreItem{FinalAnswer: test.answer}); got.Score != test.want {
			t.Errorf("%q against %q scores %v, want %v", test.answer, test.truth, got.Score, test.want)
		}
	}
}

func TestWhichTextIsScored(t *testing.T) {
	item := sdk.ScoreItem{
		Messages: []sdk.Message{
			{Role: sdk.RoleUser, Content: "where?"},
			{Role: sdk.RoleAssistant, Reasoning: "Paris", Content: "wait"},
			{Role: sdk.RoleTool, Content: "Paris"},
			{Role: sdk.RoleAssistant, Content: "Rome"},
		},
		FinalAnswer: "Rome",
	}
	if got := score(t, corrected, "Paris", item); got.Score != 0 {
		t.Errorf("corrected gives %v to a word of a tool", got.Score)
	}
	if got := score(t, reference, "Paris", item); got.Score == 0 {
		t.Errorf("reference gives nothing to a word of a tool")
	}
	if got := score(t, corrected, "Rome", item); math.Abs(got.Score-1) > 1e-12 {
		t.Errorf("the answer scores %v", got.Score)
	}
}

func TestDeviations(t *testing.T) {
	for _, test := range []struct {
		answer, truth        string
		reference, corrected float64 // NaN: a failure
	}{
		{"", "", 1, math.NaN()}, {"?", "?", 1, math.NaN()}, {"x", "?", 0, math.NaN()}, {"", "x", 0, 0},
		{"<think>Rome</think>", "Rome", 2 / (math.Sqrt(1+4) * 1) / 2, 0},
	} {
		item := sdk.ScoreItem{FinalAnswer: test.answer}
		if got := score(t, reference, test.truth, item); math.Abs(got.Score-test.reference) > 1e-12 {
			t.Errorf("reference: %q against %q scores %v, want %v", test.answer, test.truth, got.Score, test.reference)
		}
		got := score(t, corrected, test.truth, item)
		if math.IsNaN(test.corrected) != (got.Failure != nil) || got.Failure == nil && got.Score != test.corrected {
			t.Errorf("corrected: %q against %q comes to %+v, want %v", test.answer, test.truth, got, test.corrected)
		}
	}
}

func TestScoredCountsWords(t *testing.T) {
	want := map[string]float64{"answer_words": 4, "truth_words": 3, "shared_words": 2}
	got := score(t, corrected, "the sea gull", sdk.ScoreItem{FinalAnswer: "The gull, the bird!"})
	if diff := cmp.Diff(want, got.Components); diff != "" {
		t.Errorf("components (-want +got):\n%s", diff)
	}
}

func TestWrongGroundTruthsAreFailures(t *testing.T) {
	for _, mode := range []compatibility{corrected, reference} {
		got := score(t, mode, 3, sdk.ScoreItem{FinalAnswer: "3"})
		if got.Failure == nil || !strings.Contains(got.Failure.Detail, "must be a string, not a number") {
			t.Errorf("%s: a number comes to %+v", mode, got)
		}
	}
}

// FuzzCosine checks that a score is from 0 to 1, symmetric, and 1 for a text with itself.
func FuzzCosine(f *testing.F) {
	f.Add("The sea gull", "a gull")
	f.Add("", "x")
	f.Add("İ ΟΔΟΣ ½", "\xff_")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := bagOf(a), bagOf(b)
		got := x.cosine(y)
		if !(got >= 0 && got <= 1) || got != y.cosine(x) {
			t.Errorf("%q and %q: %v and %v", a, b, got, y.cosine(x))
		}
		if itself := x.cosine(x); len(x) > 0 && math.Abs(itself-1) > 1e-9 {
			t.Errorf("%q scores %v with itself", a, itself)
		}
	})
}

// A list as the ground truth contains accepted answers. The most similar one counts.
func TestAListOfAcceptedAnswers(t *testing.T) {
	for _, mode := range []compatibility{reference, corrected} {
		for _, truth := range [][]any{{"not 3", "3"}, {"3", "not 3"}} {
			if got := score(t, mode, truth, sdk.ScoreItem{FinalAnswer: "3"}); got.Failure != nil || got.Score != 1 {
				t.Errorf("%s, %v: %v, %v", mode, truth, got.Score, got.Failure)
			}
		}
		if got := score(t, mode, []any{"3", 3}, sdk.ScoreItem{FinalAnswer: "3"}); got.Failure == nil {
			t.Errorf("%s: a number among the answers scores %v", mode, got.Score)
		}
	}
}
