package gaiareward

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// differences lists all known differences between the modes. README.md has a row for every group.
var differences = []struct {
	group     string
	solution  string
	truth     any
	reference float64
	corrected float64
}{
	{"place", "<tool_response>page says <answer>egalitarian</answer></tool_response> I do not know", "egalitarian", 1, 0},
	{"place", "<tool_response></tool_response><answer>egalitarian</answer></tool_response> I do not know", "egalitarian",
		1, 0},
	{"place", "I look it up. <tool_response>never closed <answer>egalitarian</answer>", "egalitarian", 1, 0},
	{"place", "<think>so <answer>egalitarian</answer></think>done", "egalitarian", 1, 0},
	{"place", "so <answer>egalitarian</answer></think>done", "egalitarian", 1, 0},
	{"place", "<think>never closed <answer>egalitarian</answer>", "egalitarian", 1, 0},
	{"place", "<think><answer>draft</answer></think><answer>egalitarian</answer>", "egalitarian", 0, 1},
	{"place", `<tool_call>{"arguments": "<answer>egalitarian</answer>"}</tool_call>`, "egalitarian", 1, 0},
	{"place", "<|im_start|>user\nsay <answer>3</answer><|im_end|>\n<|im_start|>assistant\nno<|im_end|>\n", "3", 1, 0},
	{"place", "<|im_start|>assistant\nno <answer>4</answer><|im_end|>\n<|im_start|>user\nsay <answer>3</answer><|im_end|>\n", "4", 1, 1},
	{"place", "<|im_start|>user\nsay <answer>3</answer><|im_end|>\n", "3", 1, 0},

	{"several", "<answer>3</answer> or <answer>4</answer>", "3", 1, 0},
	{"several", "<answer>3</answer> or <answer>4</answer>", "4", 0, 1},
	{"several", "reply in <answer>your answer</answer> tags. <answer>egalitarian</answer>", "egalitarian", 0, 1},
	{"several", "<answer><answer>egalitarian</answer></answer>", "egalitarian", 0, 1},

	{"empty", "<answer></answer>", "", 1, 0},
	{"empty", "<answer> \n\x1c </answer>", "?", 1, 0},
	{"empty", "<answer></answer>", "inf", 1, 0},
	{"empty", "<answer></answer>", "!", 1, 0},

	{"placeholder", "<answer>?</answer>", "?", 1, 0},
	{"placeholder", "<answer>!!!</answer>", "", 1, 0},
	{"placeholder", "<answer>,</answer>", ",", 1, 0},
	{"placeholder", "<answer>nan</answer>", "nan", 0, 0},

	{"infinity", "<answer>foo</answer>", "inf", 1, 0},
	{"infinity", "<answer>I refuse</answer>", "Infinity", 1, 0},
	{"infinity", "<answer>Infinity</answer>", "inf", 1, 1},
	{"infinity", "<answer>-inf</answer>", "-inf", 1, 1},
	{"infinity", "<answer>foo</answer>", "1e999", 1, 0},
	{"infinity", "<answer>inf</answer>", "1e999", 1, 0},
	{"infinity", "<answer>1e999</answer>", "1e999", 1, 1},
	{"infinity", "<answer>-1e999</answer>", "1e999", 0, 0},
	{"infinity", "<answer>1e400</answer>", "inf", 1, 0},
	{"infinity", "<answer>foo</answer>", json.Number("1e999"), 1, 0},
	{"infinity", "<answer>foo,a</answer>", "inf,a", 1, 0},
	{"infinity", "<answer>foo,a</answer>", "1e999,a", 1, 0},
	{"infinity", "<answer>foo</answer>", "nan", 0, 0},
	{"infinity", "<answer>nan,a</answer>", "nan,a", 0, 1},
	{"infinity", "<answer>foo,a</answer>", "nan,a", 0, 0},

	{"amounts", "<answer>1000</answer>", "1,000", 0, 1},
	{"amounts", "<answer>1,000.0</answer>", "1,000", 1, 1},
	{"amounts", "<answer>1,0</answer>", "1,000", 1, 0},
	{"amounts", "<answer>1,00,000</answer>", "100000", 1, 1},
	{"amounts", "<answer>100.0</answer>", "$100", 0, 1},
	{"amounts", "<answer>$1,234.50</answer>", "$1234.5", 0, 1},
	{"amounts", "<answer>50</answer>", "50%", 1, 1},
	{"amounts", "<answer>50 %</answer>", "50%", 1, 1},
	{"amounts", "<answer>.50</answer>", "50%", 1, 0},
	{"amounts", "<answer>-$5</answer>", "-5", 1, 1},
	{"amounts", "<answer>- 5</answer>", "-5", 0, 0},
	{"amounts", "<answer>100, 200</answer>", "100,200", 1, 1},
	{"amounts", "<answer>100200</answer>", "100,200", 0, 1},

	{"units", "<answer>100%</answer>", "$100", 1, 0},
	{"units", "<answer>$100</answer>", "100%", 1, 0},
	{"units", "<answer>100$</answer>", "$100", 1, 1},
	{"units", "<answer>100</answer>", "$100", 1, 1},
	{"units", "<answer>$100%</answer>", "100", 1, 0},
	{"units", "<answer>a,$100</answer>", "a,100%", 0, 0},
	{"units", "<answer>a,100%</answer>", "a,100%", 1, 1},

	{"signs", "<answer>3%4$6,89</answer>", "34689", 1, 0},
	{"signs", "<answer>3,0</answer>", "30", 1, 0},
	{"signs", "<answer>34,689</answer>", "34689", 1, 1},

	{"boolean", "<answer>True</answer>", true, 0, 1},
	{"boolean", "<answer>1</answer>", true, 1, 1},
	{"boolean", "<answer>false</answer>", true, 0, 0},
}

func TestEachDifferenceBetweenTheModes(t *testing.T) {
	for _, d := range differences {
		for mode, want := range map[compatibility]float64{reference: d.reference, corrected: d.corrected} {
			got, failure := judge(mode, d.solution, d.truth)
			if failure != nil || sdk.Flag(got.Correct) != want {
				t.Errorf("%s: %q against %v scores %v, %v as %s; want %v", d.group, d.solution, d.truth, sdk.Flag(got.Correct),
					failure, mode, want)
			}
		}
	}
}

// TestModesAgree checks results that the corrections must not change.
func TestModesAgree(t *testing.T) {
	tests := []struct {
		solution string
		truth    any
		want     float64
	}{
		{"egalitarian", "egalitarian", 0},
		{"<answer>egalitarian", "egalitarian", 0},
		{"<ANSWER>egalitarian</ANSWER>", "egalitarian", 0},
		{"<answer>\negalitarian\n</answer>", "egalitarian", 1},
		{"<answer>Sea Gull!</answer>", "seagull", 1},
		{"<answer>34,689</answer>", "34689", 1},
		{"<answer>$34689</answer>", "34689", 1},
		{"<answer>٣٤</answer>", "34", 1},
		{"<answer>0x10</answer>", "16", 0},
		{"<answer>about 3</answer>", "3", 0},
		{"<answer>-0.0</answer>", "0", 1},
		{"<answer>1;2;3</answer>", "1,2,3", 1},
		{"<answer>3,2,1</answer>", "1,2,3", 0},
		{"<answer>a b,c</answer>", "ab,c", 1},
		{"<answer>a,b.</answer>", "a,b", 0},
		{"<answer>041518</answer>", "04/15/18", 1},
		{"<answer>ΟΔΟΣ</answer>", "οδος", 1},
		{"<answer>ΟΔΟΣ</answer>", "οδοσ", 0},
		{"<answer>3</answer>", json.Number("3.0"), 1},
		{"<answer>anything</answer>", "?", 0},
	}
	for _, test := range tests {
		for _, mode := range []compatibility{reference, corrected} {
			got, failure := judge(mode, test.solution, test.truth)
			if failure != nil || sdk.Flag(got.Correct) != test.want {
				t.Errorf("%q against %v scores %v, %v as %s; want %v", test.solution, test.truth, sdk.Flag(got.Correct), failure,
					mode, test.want)
			}
		}
	}
}

// TestWrongTypesAreFailures checks that an item that cannot be judged is not scored 0. Without a tag the original
// never inspects the ground truth. corrected always does, because a task without one is broken for any answer.
func TestWrongTypesAreFailures(t *testing.T) {
	huge := json.Number("1" + strings.Repeat("0", 400))
	tests := []struct {
		solution, truth      any
		reference, corrected string
	}{
		{nil, "3", "the scored text must be a string, not null or missing (a TypeError in Python)",
			"the scored text must be a string, not null or missing (a TypeError in Python)"},
		{json.Number("3"), "3", "the scored text must be a string, not a number (a TypeError in Python)",
			"the scored text must be a string, not a number (a TypeError in Python)"},
		{"<answer>3</answer>", nil, needGroundTruth("null or missing"), needGroundTruth("null or missing")},
		{"<answer>3</answer>", []any{"3"}, needGroundTruth("a list"), needGroundTruth("a list")},
		{"<answer>3</answer>", map[string]any{}, needGroundTruth("an object"), needGroundTruth("an object")},
		{"<answer>3</answer>", huge, tooLarge, tooLarge},
		{"no tag", nil, "", needGroundTruth("null or missing")},
		{"no tag", []any{}, "", needGroundTruth("a list")},
		{"no tag", huge, "", tooLarge},
	}
	for _, test := range tests {
		for mode, want := range map[compatibility]string{reference: test.reference, corrected: test.corrected} {
			got, failure := judge(mode, test.solution, test.truth)
			if want == "" {
				if failure != nil || got.Correct {
					t.Errorf("%v against %v as %s: %v, %v; want a plain 0", test.solution, test.truth, mode, got, failure)
				}
				continue
			}
			if failure == nil || failure.Error() != want {
				t.Errorf("%v against %v as %s:\n got %v\nwant %s", test.solution, test.truth, mode, failure, want)
			}
		}
	}
}

const tooLarge = "the task's ground_truth is an integer of 401 digits, too large for a float (an OverflowError in Python); write it as a string"

func needGroundTruth(got string) string {
	return "the task's ground_truth must be a string, a number or a boolean, not " + got + " (a TypeError in Python)"
}

func TestComponentsSayHowTheAnswerWasJudged(t *testing.T) {
	tests := []struct {
		solution string
		truth    any
		want     verdict
	}{
		{"no tag", "3", verdict{}},
		{"<answer>x</answer>", "3", verdict{Extracted: true}},
		{"<answer>3</answer>", "3", verdict{Correct: true, Extracted: true, Exact: true, Numeric: true}},
		{"<answer>3.0</answer>", "3", verdict{Correct: true, Extracted: true, Numeric: true}},
		{"<answer>0.3</answer>", "3", verdict{Extracted: true}},
		{"<answer>a; b</answer>", "a,b", verdict{Correct: true, Extracted: true, Exact: true, List: true}},
		{"<answer>a-b</answer>", "AB", verdict{Correct: true, Extracted: true, Exact: true}},
		{"<answer>ab</answer>", "a,b", verdict{Extracted: true, Exact: true}},
	}
	for _, test := range tests {
		for _, mode := range []compatibility{reference, corrected} {
			if got, failure := judge(mode, test.solution, test.truth); failure != nil || got != test.want {
				t.Errorf("%q against %v as %s = %+v, %v; want %+v", test.solution, test.truth, mode, got, failure, test.want)
			}
		}
	}
}
