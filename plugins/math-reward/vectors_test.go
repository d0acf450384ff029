package mathreward

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/awhost/awhost/internal/vectors"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
)

type vector struct {
	Response any      `json:"response"`
	Truth    any      `json:"ground_truth"`
	Expected *float64 `json:"expected"`
	Error    string   `json:"error"`
	Note     string   `json:"note"`
}

// TestExactEqualsTheOriginal uses vectors made by running AgentJet's own judge.
func TestExactEqualsTheOriginal(t *testing.T) {
	for i, v := range vectors.Read[vector](t, "math_vectors.jsonl") {
		got, failure := judge(exact, answertext.Boxed, v.Response, v.Truth)
		switch {
		case v.Expected == nil && failure == nil:
			t.Errorf("record %d: %v against %v gives %v, want a failure for %s", i+1, v.Response, v.Truth, failure, v.Error)
		case v.Expected != nil && (failure != nil || sdk.Flag(got.Correct) != *v.Expected):
			t.Errorf("record %d (%s): %q against %q scores %v, %v; want %v", i+1, v.Note, v.Response, v.Truth,
				sdk.Flag(got.Correct), failure, *v.Expected)
		}
	}
}

type deviation struct {
	name  string
	looks *regexp.Regexp
	comes string // "1", "0" or "failure"
}

// deviations are the reasons why numeric differs from the original, as listed in README.md, matched by the
// response and the ground truth: "response\x00truth". The first match must explain a vector.
var deviations = []deviation{
	{"a ground truth that holds nothing", regexp.MustCompile(`\x00\s*$`), "failure"},
	{"a ground truth with braces that do not match", regexp.MustCompile(`\x00\\frac\{1$`), "failure"},
	{"the thoughts of the model", regexp.MustCompile(`^<think>`), "0"},
	{"an earlier box is right", regexp.MustCompile(`^First \\boxed\{72\} then`), "0"},
	{"an escaped brace", regexp.MustCompile(`^\\boxed\{a\\\}b\}`), "0"},
	{"the last box is right", regexp.MustCompile(`(?s)\\boxed.*\\boxed\{72\}`), "1"},
	{"white space before the brace", regexp.MustCompile(`\\boxed\s+\{`), "1"},
	{"white space in the box", regexp.MustCompile(`\\boxed\{([\s\x{3000}][^}]*|[^}]*[\s\x{a0}]|- 3|\(1, 2\))\}`), "1"},
	{"braces in the box", regexp.MustCompile(`\\boxed\{[^}]*\{`), "1"},
	{"an equation", regexp.MustCompile(`\\boxed\{x?=`), "1"},
	{"a unit", regexp.MustCompile(`\\boxed\{[^}]*(\$|%|°| dollars)`), "1"},
	{"a plus sign", regexp.MustCompile(`\\boxed\{\+`), "1"},
	{"leading zeros", regexp.MustCompile(`\\boxed\{0\d`), "1"},
	{"a point or zeros at the end", regexp.MustCompile(`\\boxed\{[^}]*\.0*\}`), "1"},
	{"thousands", regexp.MustCompile(`\\boxed\{\d+(,| |\\,)\d{3}\}|\x002,125$`), "1"},
	{"digits and signs beyond ASCII", regexp.MustCompile(`\\boxed\{[−７٧]`), "1"},
	{"the case of words", regexp.MustCompile(`\\boxed\{Yes\}`), "1"},
}

func TestNumericDeviatesAsListed(t *testing.T) {
	hits := map[string]int{}
	agree := 0
	for i, v := range vectors.Read[vector](t, "math_vectors.jsonl") {
		got, failure := judge(numeric, answertext.Boxed, v.Response, v.Truth)
		if v.Expected == nil {
			checkOtherTypes(t, i+1, v, got, failure)
			continue
		}
		comes := fmt.Sprint(sdk.Flag(got.Correct))
		if failure != nil {
			comes = "failure"
		}
		if comes == fmt.Sprint(*v.Expected) {
			agree++
			continue
		}
		truth, _ := groundTruth(exact, v.Truth)
		look := fmt.Sprintf("%s\x00%s", v.Response, truth)
		reason := slices.IndexFunc(deviations, func(d deviation) bool { return d.looks.MatchString(look) })
		if reason < 0 || deviations[reason].comes != comes {
			t.Errorf("record %d (%s): %q against %q comes to %s, %v; want %v",
				i+1, v.Note, v.Response, truth, comes, failure, *v.Expected)
			continue
		}
		hits[deviations[reason].name]++
	}
	for _, d := range deviations {
		if hits[d.name] == 0 {
			t.Errorf("no vector deviates for %s", d.name)
		}
		t.Logf("%3d deviate for %s", hits[d.name], d.name)
	}
	t.Logf("%3d agree with the original", agree)
}

// checkOtherTypes checks that numeric accepts a number as ground truth, and otherwise no more than the original.
func checkOtherTypes(t *testing.T, record int, v vector, got verdict, failure error) {
	t.Helper()
	if _, isNumber := v.Truth.(json.Number); isNumber {
		if failure != nil || !got.Correct {
			t.Errorf("record %d: %v against %v comes to %v, %v", record, v.Response, v.Truth, got, failure)
		}
		return
	}
	if failure == nil {
		t.Errorf("record %d: %v against %v does not fail, want a failure for %s", record, v.Response, v.Truth, v.Error)
	}
}
