package countdownreward

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
	"github.com/awhost/awhost/sdk/sdktest"
)

func problemWith(target string, nums ...string) problem {
	all := make([]any, len(nums))
	for i, n := range nums {
		all[i] = json.Number(n)
	}
	return problem{json.Number(target), all}
}

func TestCorrected(t *testing.T) {
	for _, test := range []struct {
		box  string
		want string // the properties that hold, of "readable numbers target"
	}{
		{"(1+2)*3", "readable numbers target"}, {`(1+2)\times 3`, "readable numbers target"},
		{`\left(1+2\right)\cdot3`, "readable numbers target"}, {"3(1+2)", ""}, {"(1+2)*3=9", "readable numbers target"},
		{"(1+2)*3=10", "readable numbers"}, {"(1+2)*3=x", ""}, {"$(1+2)*3$", "readable numbers target"},
		{`\frac{3}{1} + 2`, "readable numbers"}, {"9", "readable target"}, {"(1+2)*3+0", "readable target"},
		{"1+2+3", "readable numbers"}, {"3/(2-1-1)", "readable"}, {"3/(1-1)+2", "readable"}, {"-1+2*3", ""},
		{"3**2*1", ""},
		{"3^2*1", ""}, {"(1+2)*3 is right", ""}, {"12-3", "readable target"}, {"", ""}, {"()", ""}, {"1,2,3", ""},
		{"((1+2)*3", ""}, {"(1+2)*3)", ""}, {"1+", ""}, {"1.0+2", ""},
	} {
		v, failure := judge(answertext.Boxed, `so \boxed{`+test.box+`}`, problemWith("9", "1", "2", "3"))
		want := verdict{
			Extracted: true, Readable: strings.Contains(test.want, "readable"), Numbers: strings.Contains(test.want, "numbers"),
			Target: strings.Contains(test.want, "target"),
		}
		if diff := cmp.Diff(want, v); failure != nil || diff != "" {
			t.Errorf("%q: %v (-want +got):\n%s", test.box, failure, diff)
		}
	}
}

func TestFractionsAreExact(t *testing.T) {
	for box, right := range map[string]bool{`8/(3-8/3)`: true, `\frac{8}{3-\frac{8}{3}}`: true, `8/(3-8/4)`: false} {
		v, failure := judge(answertext.Boxed, `\boxed{`+box+`}`, problemWith("24", "8", "3", "8", "3"))
		if failure != nil || v.correct() != right {
			t.Errorf("%q comes to %+v, %v", box, v, failure)
		}
	}
}

// TestBothModes checks the examples of README.md that no vector contains.
func TestBothModes(t *testing.T) {
	for _, test := range []struct {
		text                 string
		reference, corrected float64
		nums                 []string
	}{
		{`\boxed{(1.0+2)*3}`, 0.1, 0, []string{"1", "2", "3"}},
		{`\boxed{(１+2)*3}`, 0.1, 1, []string{"1", "2", "3"}},
		{`\boxed{\frac{3}{1}*(1+2)}`, 0.1, 1, []string{"3", "1", "1", "2"}},
		{`\boxed{1} no, \boxed{(1+2)*3}`, 0.1, 1, []string{"1", "2", "3"}},
		{`<think>\boxed{(1+2)*3}</think>`, 1, 0, []string{"1", "2", "3"}},
	} {
		p := problemWith("9", test.nums...)
		if v, failure := judgeAsReference(test.text, p); failure != nil || v.score(0.1) != test.reference {
			t.Errorf("reference: %s scores %v, %v", test.text, v.score(0.1), failure)
		}
		if v, failure := judge(answertext.Boxed, test.text, p); failure != nil || v.score(0.1) != test.corrected {
			t.Errorf("corrected: %s scores %v, %v", test.text, v.score(0.1), failure)
		}
	}
}

// TestHostileAnswersEnd checks inputs that would not finish within a test without bounds.
func TestHostileAnswersEnd(t *testing.T) {
	nines := problemWith("9", "9", "9", "9")
	for _, box := range []string{
		"9**9**9", "9^9^9", strings.Repeat("(", 10_000) + "9", strings.Repeat("-", 4000) + "9+9+9",
		strings.Repeat("(", 190) + "9**9**9" + strings.Repeat(")", 190), strings.Repeat("9", 1_000_000), "9//9**-9",
		strings.Repeat(`\frac{`, 10_000), strings.Repeat("9*", 2000) + "9", "(9**9)**(9**9)",
		"2" + strings.Repeat("**2", 1000),
	} {
		text := `\boxed{` + box + `}`
		if v, failure := judge(answertext.Boxed, text, nines); failure != nil || v.correct() {
			t.Errorf("corrected: %.30q… comes to %+v, %v", box, v, failure)
		}
		if v, failure := judgeAsReference(text, nines); failure != nil || v.correct() {
			t.Errorf("reference: %.30q… comes to %+v, %v", box, v, failure)
		}
	}
}

// TestReferenceEvaluatesAsPython checks corner cases of Python's grammar and arithmetic against CPython 3.11.7.
func TestReferenceEvaluatesAsPython(t *testing.T) {
	for text, want := range map[string]string{
		"-7//2": "-4", "7//-2": "-4", "-7//2.": "-4", "1//.1": "9", "2**-1": "0.5", "-2**2": "-4", "2**3**2": "512",
		"2**-2**0": "0.5",
		"1/3":      "0.3333333333333333", "0**0": "1", "(-1)**(4)": "1", "\n1": "1", " \t1\n \n": "1", "(1\n+2)": "3",
		"1\f+2": "3", "00": "0",
		"1.": "1", ".5+.5": "1", "0.1+0.2": "0.30000000000000004", "+-+1": "-1", "\f1": "1",
		"1\n+2": "", "\n 1": "", "\f 1": "", "01": "", "1 2": "", "1(2)": "", "()": "", "...": "", "1..": "",
		"1/0": "", "1//0": "", "0**-1": "",
		"1\v+2": "", "1\u00a0+2": "", "٣": "", "1*/2": "", "1+": "", "*1": "", "": "", "(": "", ")": "",
		"9**9**9": "", "1***2": "",
		"(-8)**(1/3)": "", "10.**400": "",
	} {
		got := ""
		v, err := pythonEval(text)
		switch {
		case err != nil:
		case v.integer != nil:
			got = v.integer.String()
		default:
			got = fmt.Sprint(v.float)
		}
		if got != want {
			t.Errorf("%q comes to %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestTasks(t *testing.T) {
	for _, test := range []struct{ public, private, want string }{
		{`{"target": 9, "nums": [1, 2, 3]}`, ``, "1"},
		{`{"nums": [1, 2, 3]}`, `{"ground_truth": 9}`, "1"},
		{`{"nums": ["1", "2", "3"]}`, `{"ground_truth": "9"}`, "1"},
		{`{}`, `{"ground_truth": {"target": 9, "numbers": [1, 2, 3]}}`, "1"},
		{`{"target": 8, "nums": [4]}`, `{"ground_truth": {"target": 9, "nums": [1, 2, 3]}}`, "1"},
		{`{}`, `{"target": 9, "nums": [1, 2, 3]}`, "1"},
		{`{"target": 8, "nums": [1, 2, 3]}`, ``, "0.1"},
		{`{"nums": [1, 2, 3]}`, ``, "target must be a number, not null or missing"},
		{`{"target": "nine", "nums": [1, 2, 3]}`, ``, `target must be a number, not "nine"`},
		{`{"target": 9}`, ``, "nums must be a list of numbers, not null or missing"},
		{`{"target": 9, "nums": []}`, ``, "nums must be a list of numbers, not an empty one"},
		{`{"target": 9, "nums": [1, 2.5]}`, ``, "must be whole numbers"},
		{`{"target": 9, "nums": [1, -2]}`, ``, "must be whole numbers"},
		{`{"target": 9, "nums": [1, 1e999999999]}`, ``, "must be whole numbers"},
		{`[]`, ``, "read task"},
	} {
		item := sdk.ScoreItem{FinalAnswer: `\boxed{(1+2)*3}`, Task: sdk.Task{
			ID: "t", Public: json.RawMessage(test.public), Private: json.RawMessage(test.private),
		}}
		got, err := config{FormatScore: 0.1, Compatibility: corrected}.score(item)
		comes := fmt.Sprint(got.Score)
		if err != nil {
			comes = err.Error()
		}
		if !strings.Contains(comes, test.want) {
			t.Errorf("public %s, private %s: it comes to %s, want %s", test.public, test.private, comes, test.want)
		}
	}
}

func TestScored(t *testing.T) {
	task := sdk.Task{ID: "t", Public: json.RawMessage(`{"target": 9, "nums": [1, 2, 3]}`)}
	r := sdktest.Reward(t, Plugin(), "countdown", map[string]any{"format_score": 0.25})
	out, err := r.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{
		{FinalAnswer: `<think>\boxed{1}</think> \boxed{(1+2)*3}`, Task: task},
		{FinalAnswer: `\boxed{1+2+3}`, Task: task},
		{FinalAnswer: `\boxed{I do not know}`, Task: task}, {FinalAnswer: `(1+2)*3`, Task: task},
	}})
	if err != nil {
		t.Fatal(err)
	}
	yes, no := true, false
	components := func(extracted, readable, numbers, target float64) map[string]float64 {
		return map[string]float64{"extracted": extracted, "readable": readable, "numbers": numbers, "target": target}
	}
	want := []sdk.Scored{
		{Score: 1, IsSuccess: &yes, Components: components(1, 1, 1, 1)},
		{Score: 0.25, IsSuccess: &no, Components: components(1, 1, 1, 0)},
		{Score: 0, IsSuccess: &no, Components: components(1, 0, 0, 0)},
		{Score: 0, IsSuccess: &no, Components: components(0, 0, 0, 0)},
	}
	if diff := cmp.Diff(want, out.Items); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
}

// FuzzEvaluate checks that sums and products of integers have the same value in both modes, if Python can parse them.
func FuzzEvaluate(f *testing.F) {
	for _, seed := range []string{"(1+2)*3", "1/3-2", "3/(1-1)", `\frac{1}{2}x3`, "1+2=3", "((", "9**9", "00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, box string) {
		e, err := evaluate(box)
		if err != nil {
			return
		}
		if len(e.numbers) == 0 {
			t.Errorf("%q has no number and comes to %v", box, e.value)
		}
		if strings.Trim(box, "0123456789+-*() ") != "" {
			return
		}
		got, err := pythonEval(box)
		if err == nil && (got.integer == nil || e.value.Cmp(new(big.Rat).SetInt(got.integer)) != 0) {
			t.Errorf("%q comes to %v, and to %+v in Python", box, e.value, got)
		}
	})
}

// FuzzPython checks that the reference judges any content of a box.
func FuzzPython(f *testing.F) {
	for _, seed := range []string{"(1+2)*3", "9**9**9", "-1//2", "1.5**-2", "((((", "...", "1\n+2", "٣", "1 2",
		"0**0", "(-8)**(1/3)"} {
		f.Add(seed, 9.0)
	}
	f.Fuzz(func(t *testing.T, box string, target float64) {
		var nums []any
		for _, n := range integersOf(box) {
			nums = append(nums, json.Number(n.String()))
		}
		v, failure := judgeAsReference(`\boxed{`+box+`}`, problem{json.Number(fmt.Sprint(target)), nums})
		if failure != nil || v.correct() && !v.AnyBox {
			t.Errorf("%q comes to %+v, %v", box, v, failure)
		}
	})
}

// TestTinyZero scores rows in TinyZero's layouts: the columns of the data set, and the ground truth of its prompts.
func TestTinyZero(t *testing.T) {
	r := sdktest.Reward(t, Plugin(), "countdown", map[string]any{"answer_form": answertext.Tagged})
	columns := sdk.Task{ID: "a", Public: json.RawMessage(`{"target":98,"nums":[44,19,35]}`)}
	truth := sdk.Task{ID: "b", Private: json.RawMessage(`{"ground_truth":{"target":98,"numbers":[44,19,35]}}`)}
	for text, want := range map[string]float64{
		"19 and 44 and 35. </think>\n<answer> (44 + 19) + 35 </answer>": 1,
		"<think>44+19=63</think> <answer>44 + 19 + 35 = 98</answer>":    1,
		"<answer>44 + 19</answer>":                                      0.1,
		"<think><answer>44+19+35</answer></think> I give up":            0,
		`\boxed{44+19+35}`: 0,
	} {
		items := []sdk.ScoreItem{{Task: columns, FinalAnswer: text}, {Task: truth, FinalAnswer: text}}
		out, err := r.Score(t.Context(), sdk.ScoreRequest{Items: items})
		if err != nil || out.Items[0].Score != want || out.Items[1].Score != want {
			t.Errorf("%q comes to %+v, %v; want %v", text, out, err, want)
		}
	}
}
