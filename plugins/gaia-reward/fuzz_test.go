package gaiareward

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/awhost/awhost/sdk"
)

func FuzzParseFloat(f *testing.F) {
	for _, seed := range []string{"", "1_0.5e-3", " +inf\n", "-nan", "٣٤", "0x1p-2", "1e999", "\x1c3", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		value, ok := parseFloat(s)
		if !ok && value != 0 {
			t.Errorf("parseFloat(%q) refuses and returns %v", s, value)
		}
		if padded, paddedOK := parseFloat("\t" + s + "\u00a0"); ok != paddedOK || math.Float64bits(padded) != math.Float64bits(value) {
			t.Errorf("parseFloat(%q) changes with white space around it", s)
		}
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
			if strings.ContainsFunc(once, isSpace) {
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
		"", "<answer>3</answer>", "<answer><answer>a</answer></answer>", "</answer><answer>", "<think><answer>3</think></answer>",
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
			if found && (strings.Contains(answer, closeAnswer) || answer != strip(answer)) {
				t.Errorf("%q yields %q", s, answer)
			}
		}
		if answer, found := finalAnswer(s); found && strings.Contains(answer, openAnswer) {
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
			r := reward{mode: mode}
			got := r.scoreItem(item)
			if got.Failure != nil {
				continue
			}
			if got.Score != 0 && got.Score != 1 || *got.IsSuccess != (got.Score == 1) {
				t.Errorf("%q against %s scores %v, success %v", text, private, got.Score, *got.IsSuccess)
			}
		}
	})
}
