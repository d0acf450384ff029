package gaiareward

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/pytext"
)

func FuzzParseAmount(f *testing.F) {
	for _, seed := range []string{"", "$1,000", "-50%", "nan", "1e999", "$3%"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		amount, ok := parseAmount(s)
		if math.IsNaN(amount.number) && ok {
			t.Errorf("parseAmount(%q) is NaN", s)
		}
	})
}

func FuzzNormalise(f *testing.F) {
	for _, seed := range []string{"", " Sea Gull!", "ΟΔΟΣ", "İ", "A\u0301Σ\u0301", "\x1c\u2028", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range []punctuation{keepPunctuation, dropPunctuation} {
			once := normalise(s, p)
			if strings.ContainsFunc(once, pytext.IsSpace) {
				t.Errorf("normalise(%q) = %q holds white space", s, once)
			}
			if p == dropPunctuation && strings.ContainsAny(once, asciiPunctuation) {
				t.Errorf("normalise(%q) = %q holds punctuation", s, once)
			}
			if !utf8.ValidString(once) {
				t.Errorf("normalise(%q) = %q is not UTF-8", s, once)
			}
			if spaced := normalise("\n"+s+" ", p); spaced != once {
				t.Errorf("normalise(%q) changes with white space around it: %q, %q", s, once, spaced)
			}
		}
	})
}

func FuzzExtract(f *testing.F) {
	for _, seed := range []string{
		"", "<answer>3</answer>", "<answer><answer>a</answer></answer>", "</answer><answer>",
		"<think><answer>3</think></answer>",
		"<tool_response></tool_response><answer>3</answer>", "<|im_start|>assistant\n<answer>3</answer><|im_end|>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, extract := range []func(string) (string, bool){firstAnswer, finalAnswer} {
			answer, found := extract(s)
			if !found && answer != "" {
				t.Errorf("%q has no answer and yields %q", s, answer)
			}
			if found && (strings.Contains(answer, "</answer>") || answer != pytext.Strip(answer)) {
				t.Errorf("%q yields %q", s, answer)
			}
		}
		if answer, found := finalAnswer(s); found && strings.Contains(answer, "<answer>") {
			t.Errorf("the final answer of %q opens another: %q", s, answer)
		}
	})
}

func FuzzScore(f *testing.F) {
	f.Add("<answer>3</answer>", `{"ground_truth": "3"}`)
	f.Add("<answer>a;b</answer>", `{"ground_truth": "a,b"}`)
	f.Add("<answer>1</answer>", `{"ground_truth": true}`)
	f.Add("<answer>inf</answer>", `{"ground_truth": 1e999}`)
	f.Add("<answer></answer>", `{"ground_truth": [null]}`)
	f.Add("x", `[`)
	f.Fuzz(func(t *testing.T, text, private string) {
		item := sdk.ScoreItem{FinalAnswer: text, Task: sdk.Task{Private: []byte(private)}}
		for _, mode := range []compatibility{reference, corrected} {
			got, err := config{mode}.score(item)
			if err != nil {
				continue
			}
			if got.Score != 0 && got.Score != 1 || *got.IsSuccess != (got.Score == 1) {
				t.Errorf("%q against %s scores %v, success %v", text, private, got.Score, *got.IsSuccess)
			}
		}
	})
}
