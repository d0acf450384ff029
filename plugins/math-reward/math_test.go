package mathreward

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
	"github.com/awhost/awhost/sdk/sdktest"
)

// same and different are pairs of ground truth and box. README.md has an example of each kind.
var same = []struct{ kind, truth, box string }{
	{"fraction", "1/2", `\frac{1}{2}`}, {"fraction", `\frac{1}{2}`, "0.5"}, {"fraction", "0.5", `\dfrac12`},
	{"fraction", "1/2", "2/4"}, {"fraction", "-1/2", `-\frac{1}{2}`}, {"fraction", "-1/2", `\frac{-1}{2}`},
	{"mixed", "3/2", `1\frac{1}{2}`}, {"mixed", "-3/2", `-1\frac12`}, {"mixed", "1.5", "1 1/2"},
	{"root", `2\sqrt{3}`, `\sqrt{12}`}, {"root", `2\sqrt3`, `\frac{6}{\sqrt{3}}`},
	{"root", `\frac{1+\sqrt{5}}{2}`, `\frac{\sqrt5+1}{2}`},
	{"π", `2\pi`, "2π"}, {"π", `\frac{\pi}{4}`, `\pi/4`}, {"π", `\frac{\pi}{4}`, `0.25\pi`},
	{"power of ten", "300000", `3\times10^{5}`}, {"power of ten", "300000", "3e5"},
	{"power of ten", "1000", "10^3"}, {"power of ten", `1.2\cdot10^{-3}`, "0.0012"},
	{"thousands", "1000", "1,000"}, {"thousands", "1,000,000", "1000000"}, {"thousands", "1000", `1{,}000`},
	{"thousands", "1234.5", `1\,234.5`}, {"thousands", "10000", "10 000"},
	{"unit", "18", "$18"}, {"unit", "18", `\$18.00`}, {"unit", "$18", "18 dollars"}, {"unit", "5", `5\text{ cm}`},
	{"unit", "5 cm", `5\,\mathrm{cm}`}, {"unit", "12", "12 square meters"}, {"unit", "90", `90^\circ`},
	{"unit", "90", `90^{\circ}`}, {"unit", "3 m", "3 meters"}, {"unit", `6\text{ cm}^2`, "6 cm^2"},
	{"unit", "2 hours", "2 hour"}, {"unit", "-3", "-$3"},
	{"percent", "50%", `50\%`}, {"percent", "50", `50\%`}, {"percent", "50%", "0.5"}, {"percent", "0.5", "50%"},
	{"percent", "-50", `-50\%`}, {"percent", "-0.5", `-50\%`},
	{"magnitude", "1 million", "1000000"}, {"magnitude", "18,000,000", "$18 million"},
	{"magnitude", "2.5 Million", "2500000"},
	{"magnitude", "3 thousand km", `3000\text{ km}`}, {"unit", "3 dozen", "3 Dozen"}, {"unit", "5", "5 men"},
	{"unit", "5", "5 MPa"},
	{"unit", "12", "12 sq ft"}, {"unit", "12", "12 months"}, {"unit", "5 MW", "5 MW"}, {"unit", "5 Miles", "5 miles"},
	{"unit", "5 USD", "$5"}, {"unit", "5 m", "5m"}, {"unit", "5 mL", "5 ml"},
	{"unit", "7", "7 días"}, {"unit", "5千米", "5"}, {"unit", "3", `3\ \Omega`}, {"unit", "3", `3\ \mu\text{m}`},
	{"unit", "3 µm", `3\,\mu\mathrm{m}`}, {"unit", "15", "15米/秒"}, {"unit", "15", "15千米/时"},
	{"percent", "5", `5 \text{ per cent}`}, {"percent", "5%", "5 per cent"},
	{"equation", "3", "x = 3"}, {"equation", "x=3", "3"}, {"equation", "x = 3", "x=3"},
	{"equation", "3", `\theta = 3`},
	{"set", `\{1,2,3\}`, `\{3, 2, 1\}`}, {"set", "1, 2", "2, 1"}, {"set", `\{1,2\}`, "1,2"},
	{"set", `\{1, 1/2\}`, `\left\{0.5, 1\right\}`}, {"set", "2, -2", `\pm 2`},
	{"set", `1+\sqrt2, 1-\sqrt2`, `1\pm\sqrt{2}`}, {"set", "1,2", "x=1,2"}, {"set", "1, 2", "1 and 2"},
	{"set", `\emptyset`, `\varnothing`}, {"set", "5", `\{5\}`},
	{"set", "5", "5, 5"}, {"set", `\{1\},\{2\}`, `\{2\},\{1\}`},
	{"set", "100", "100,100"}, {"set", "5", `x\in\{5\}`}, {"set", "1, 2", "1, 2, 2"},
	{"list or thousands", "100,200", "200, 100"}, {"list or thousands", "100,200", "100200"},
	{"point", "(1,2)", `\left(1, 2\right)`}, {"point", "(0.5, 1)", `(\frac12,1)`},
	{"interval", "[0,1)", `\left[0, 1\right)`}, {"interval", `(-\infty, 2]`, `(-\infty,2]`},
	{"interval", `(-\infty,-1)\cup(1,\infty)`, `(1, +\infty) \cup (-\infty, -1)`},
	{"text", "Yes", "yes"}, {"text", `\text{(A)}`, "A"}, {"text", "B", `\textbf{B}`},
	{"text", "Sea Gull", "sea gull."}, {"text", "No", "no"}, {"text", "no solution", "No solution"}, {"text", "AB", "AB"},
	{"text", "3:30 PM", "3:30 pm"}, {"text", "f(x)+f(y)", "f(x) + f(y)"}, {"text", "Alice and Bob", "Bob, Alice"},
	{"text", `\frac{dy}{dx}=3y`, `\frac{dy}{dx} = 3y`},
	{"formula", "x^2+1", "x^{2} + 1"}, {"formula", "3+4i", "3 + 4i"}, {"formula", "3:30", "3:30"},
	{"calculated by the truth", "2^{10}", "2^{10}"}, {"calculated by the truth", "1+2", "3"},
	{"calculated by the truth", `\sqrt{16}`, "4"},
	{"box", "72", `{72}`}, {"box", "72", `\boxed{72}`}, {"box", "72", "$72$"}, {"box", "72", "(72)"},
	{"digits", "72", "７２"}, {"digits", "-3", "−3"},
	{"beyond ASCII", "18", "18元"}, {"beyond ASCII", "12", "12名"}, {"beyond ASCII", "3", "3 个苹果"},
	{"beyond ASCII", "5", "5명"}, {"beyond ASCII", "5千克", "5"}, {"beyond ASCII", "180000", "18万"},
	{"beyond ASCII", "50%", "50％"}, {"beyond ASCII", "1,2", "1、2"}, {"beyond ASCII", "(1,2)", "（1，2）"},
	{"beyond ASCII", "x=5", "x＝5。"}, {"beyond ASCII", "1,2", "x=1或x=2"}, {"beyond ASCII", "0.5", "½"},
	{"beyond ASCII", "x^2+1", "x²+1"}, {"beyond ASCII", "-3", "－3"},
	{"repeating decimal", "1/3", `0.\overline{3}`}, {"repeating decimal", `\frac16`, `0.1\overline{6}`},
	{"repeating decimal", "1/3", "0.(3)"}, {"repeating decimal", "1/7", `0.\dot{1}4285\dot{7}`},
	{"repeating decimal", "1/3", `0.\dot{3}`}, {"repeating decimal", "-1/3", `-0.\overline{3}`},
	{"matrix", `\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}`, `\begin{bmatrix}1&2\\3&4\\\end{bmatrix}`},
	{"matrix", `\begin{pmatrix} \frac12 \\ 1 \end{pmatrix}`, `\left(\begin{array}{c}0.5\\1\end{array}\right)`},
	{"inequality", `x\ge 2`, `[2,\infty)`}, {"inequality", "[0,1)", `0\le x<1`}, {"inequality", "x>3", "3 < x"},
	{"inequality", "1<x<2", "2>x>1"}, {"inequality", "x<=3", `(-\infty,3]`}, {"inequality", `x\in(1,2)`, "1<x<2"},
	{"inequality", `(-\infty,-1)\cup(1,\infty)`, `x>1 \text{ or } x<-1`},
	{"root as a power", `\sqrt[3]{2}`, "2^{1/3}"}, {"root as a power", `\sqrt[3]{4}`, `2^{\frac23}`},
	{"root as a power", `\frac{1}{\sqrt2}`, "2^{-0.5}"}, {"root as a power", `\sqrt{x}`, "x^{1/2}"},
	{"divisor", `\frac{1}{\sqrt{2}-1}`, `\sqrt{2}+1`}, {"divisor", "(5+3)/2", "4"},
	{"power", "1024", "2^{10}"}, {"power", "1/8", `\left(\frac12\right)^3`}, {"factorial", "120", "5!"},
	{"factorial", `\binom{5}{2}`, "10"}, {"factorial", "n!", "n!"}, {"factorial", "120", `\binom{10}{3}`},
	{"angle", `\frac{\pi}{6}`, `30^\circ`}, {"angle", `90^\circ`, `\pi/2`},
	{"equation", "5", "5 = x"}, {"equation", "y=2x+1", "y=1+2x"}, {"equation", "y=2x+1", "2x - y + 1 = 0"},
	{"equation", `\frac{x^2}{4}+\frac{y^2}{3}=1`, "3x^2+4y^2=12"}, {"equation", "x^2", "f(x) = x^2"},
	{"equation", "1, -2", `a=1 \text{ or } a=-2`}, {"equation", "x=1, x=2", "2, 1"},
	{"equation", "(2,3)", "(x,y)=(2,3)"}, {"equation", "(x,y)=(2,3)", "(x, y) = (2, 3)"}, {"equation", "f(x)=x^2", "x^2"},
	{"calculated by the truth", "y=2x+3-2", "y=2x+1"},
	{"symbolic", "x^2-1", "(x-1)(x+1)"}, {"symbolic", "2x+2", "2(x+1)"}, {"symbolic", "3x", "x*3"},
	{"symbolic", `\frac{x+1}{x-1}`, `1+\frac{2}{x-1}`}, {"symbolic", "n(n+1)/2", `\frac{n^2+n}{2}`},
	{"symbolic", `\frac{1}{x}`, "x^{-1}"}, {"symbolic", "2^{n+1}", `2\cdot 2^n`}, {"symbolic", "4^n", "2^{2n}"},
	{"symbolic", "(-1)^{n+1}", "-(-1)^n"}, {"symbolic", "3ab", "3ba"}, {"symbolic", "x_1+x_2", "x_2+x_{1}"},
	{"symbolic", `e^2`, `\exp(2)`}, {"symbolic", `\ln 2`, `\log_e 2`}, {"symbolic", `\sin(\ln 2)`, `\sin(\log_e 2)`},
	{"symbolic", "n(n+1)", "n^2+n"}, {"symbolic", "x_{n+1}+1", "1+x_{n + 1}"},
	{"symbolic", `\frac{ad}{bc}`, `\frac{da}{cb}`},
	{"symbolic", `\sin^2 x`, `(\sin(x))^2`},
	{"symbolic", `2\sin x\cos 2x`, `2\cos(2x)\sin x`}, {"symbolic", `\frac43\pi r^3`, `\frac{4\pi r^3}{3}`},
	{"symbolic", `\sqrt{x^2+1}`, `\sqrt{1+x^2}`}, {"symbolic", "1+2i", "2i+1"}, {"symbolic", `\alpha+1`, "1+α"},
	{"choice", "C", "C) 12"}, {"choice", "B", "(B) 12"}, {"choice", "B", "B. the second"}, {"choice", "(C) 12", "C"},
	{"choice", "C. 12", "C"}, {"choice", "C) twelve", "C"},
	{"layout", "11111100", `11,\! 111,\! 100`}, {"layout", "5", `5\\`}, {"layout", "5", `\large 5`}, {"layout", "5", "5,"},
}

var different = []struct{ kind, truth, box string }{
	{"value", "72", "71"}, {"value", "1/3", "0.333"}, {"value", `\pi`, "3.14159"},
	{"value", `\sqrt{2}`, "1.41421356"},
	{"arithmetic left undone", "72", "48/2+48"}, {"arithmetic left undone", "3", "1+2"},
	{"arithmetic left undone", "24", `\frac{48}{2}`}, {"arithmetic left undone", "4", "8^{2/3}"},
	{"arithmetic left undone", "4", `\sqrt{16}`}, {"arithmetic left undone", "6", `2\times3`},
	{"arithmetic left undone", "-3", "0-3"}, {"arithmetic left undone", "6", "2(3)"},
	{"arithmetic left undone", "24", "(x+24)-x"}, {"arithmetic left undone", "6", `2x\cdot\frac{3}{x}`},
	{"arithmetic left undone", "-1", `(1-\sqrt2)(1+\sqrt2)`}, {"arithmetic left undone", "12", "3!*2"},
	{"arithmetic left undone", "4", "(1+1)^2"},
	{"arithmetic left undone", `\sqrt6`, `\sqrt2\sqrt3`}, {"arithmetic left undone", "3/2", `\frac{1}{2}+1`},
	{"unit", "$100", "100%"}, {"unit", "5 cm", "5 m"},
	{"point", "6", `6\ldots`}, {"point", "6", "6..."},
	{"magnitude", "18", "18 million"}, {"magnitude", "$18", `\$18 \text{ billion}`}, {"magnitude", "18 million", "18"},
	{"magnitude", "2", "2 thirds"}, {"magnitude", "18", "18 million million"}, {"magnitude", "5", "5 tens"},
	{"spaces", "72", "7 2"}, {"spaces", "72", `7\ 2`}, {"spaces", "72", `7\,2`}, {"spaces", "x72", "x7 2"},
	{"spaces", "1000", "1 00 0"}, {"spaces", "0.72", "0.7 2"}, {"spaces", "2.5", "2 .5"}, {"spaces", "2.5", "2. 5"},
	{"talk", "72", "72 wrong"}, {"talk", "72", `72\text{ not}`}, {"talk", "72", "72 incorrect"},
	{"talk", "72", "72 squared"}, {"talk", "72", "72 Approximately"},
	{"talk", "5", "5 is right"}, {"talk", "5", "5 apples not pears"},
	{"unit", "5", "5x"}, {"unit", "5", "5 x"}, {"unit", "5%", "5 apples"}, {"unit", "3", "3 dozen"},
	{"unit", "5", "5 quarters"}, {"unit", "5", "5 pi"}, {"unit", "3", "3 xy"}, {"unit", "3", `3\,ab`},
	{"unit", "3", "3 xy^2"}, {"unit", "3", `3\Omega`}, {"unit", "3", `3\mu m`}, {"unit", "15", "15米/倍"},
	{"unit", "5", "5 pairs"}, {"unit", "5", "5 score"}, {"unit", "5", "5 double"}, {"unit", "5", "5 minimum"},
	{"unit", "5", "5 guess"}, {"unit", "5", "5 gross"}, {"unit", "5", "5 couples"}, {"unit", "5", "5 maximum"},
	{"unit", "5", "5 grand"}, {"unit", "5", "5 quadrillion"}, {"unit", "3", "3 twentieths"}, {"unit", "3", "3 elevenths"},
	{"unit", "0.3", "0.3 repeating"}, {"unit", "0.3", "0.3 recurring"}, {"unit", "5", "5 negative"},
	{"unit", "5", "5 less"},
	{"unit", "5", "5 below"}, {"unit", "5", "5 sin"}, {"unit", "5", "5 sqrt"}, {"unit", "5", "5 arctan"},
	{"unit", "5", "5 infinity"}, {"unit", "5", "5割"}, {"unit", "5", "5成"}, {"unit", "5", "5打"}, {"unit", "5", "5百米"},
	{"unit", "5 MW", "5 mW"}, {"unit", "5 Mm", "5 mm"}, {"unit", "5 mm", "5MM"},
	{"percent", "50%", "5"}, {"percent", "50%", `0.5\%`},
	{"equation", "x=3", "y=3"}, {"equation", "3", "1+2=3"}, {"equation", "(x,y)=(2,3)", "(y,x)=(2,3)"},
	{"equation", "f(x)=x^2", "f(y)=x^2"}, {"equation", "0.5", `\sin(x)=0.5`},
	{"equation", `\frac{dy}{dx}=3y`, `\frac yx=3y`},
	{"arithmetic left undone", "y=2x+1", "y=2x+3-2"},
	{"set", `\{1,2\}`, `\{1,2,3\}`}, {"set", `\{1,2\}`, `\{1\}`}, {"set", "1,2", "(1,2)"},
	{"set", "1,2", `\{1\},\{2\}`}, {"set", "1", `1,\{1\}`}, {"set", "(1,2)", `(\{1\},2)`}, {"set", "x=3", `\{y=3\}`},
	{"point", "(1,2)", "(2,1)"}, {"point", "(1,-1,2)", `(\pm1,2)`},
	{"interval", "[0,1)", "[0,1]"}, {"interval", "(0,1)", "[0,1]"},
	{"union", `(0,1)\cup(2,3)`, "(0,1)"},
	{"thousands", "1000", "1,00"}, {"thousands", "1000", "10,00"}, {"thousands", "1234", "12,34"},
	{"text", "x^2+1", "X^2+1"}, {"text", "A", "B"}, {"text", "A", "a"},
	{"text", "yes", "no"}, {"text", "", "x"}, {"text", "AB+1", "ab+1"},
	{"text", "AB=CD", "ab=cd"}, {"text", "2AB", "2ab"}, {"text", "AB", "ab"},
	{"text", "CO", "Co"}, {"text", "CO2", "Co2"},
	{"text", "f(x)+f(AB)", "f(x)+f(ab)"}, {"text", "f(x)+f(y)", "f(x+y)"}, {"text", "2f", "f(2)"},
	{"text", "1+AP", "P(A)+1"}, {"text", `\frac{x}{f}`, "f^{-1}(x)"},
	{"text", "xf(2)", "2fx"}, {"text", "f(x)+1", "f'(x)+1"}, {"text", "Alice and Bob", "Bob or Alice"},
	{"empty", "72", ""}, {"empty", "72", " "},
	{"signs", "72", "+-72"}, {"signs", "18", "$$18"}, {"signs", "100%", "100%%"}, {"signs", "100%", "$100%"},
	{"several", "72", "71, 72"}, {"several", "72", "71 or 72"}, {"several", "3.5", "3.5.0"},
	{"too large", "9", "9^9^9"}, {"too large", "1", "9999^{-999}"}, {"too large", "9", "1e99999"},
	{"division by zero", "0", "1/0"},
	{"beyond ASCII", "72", "72错"}, {"beyond ASCII", "18", "18万"}, {"beyond ASCII", "18", "18以上"},
	{"beyond ASCII", "5", "5千"}, {"beyond ASCII", "5", "5分之一"}, {"beyond ASCII", "25", "5的平方"},
	{"repeating decimal", "1/3", "0.3"}, {"repeating decimal", "1", `0.\overline{8}`},
	{"matrix", `\begin{pmatrix}1&2\\3&4\end{pmatrix}`, `\begin{pmatrix}1&3\\2&4\end{pmatrix}`},
	{"matrix", `\begin{pmatrix}1&2\\3&4\end{pmatrix}`, `\begin{vmatrix}1&2\\3&4\end{vmatrix}`},
	{"matrix", `\begin{pmatrix}1\\2\end{pmatrix}`, `\begin{pmatrix}1&2\end{pmatrix}`},
	{"inequality", "x>3", "x<3"}, {"inequality", `x\ge 2`, `(2,\infty)`}, {"inequality", "1<x<2", "1<y<2"},
	{"inequality", "x>3", "3"}, {"inequality", `(-\infty,-1)\cup(1,\infty)`, "x>1 and x<-1"},
	{"root as a power", `\sqrt{2}`, "2^{1/3}"}, {"root as a power", "x", `\sqrt{x^2}`},
	{"root as a power", "2", `\sqrt[3]{-8}`}, {"power", "1024", "2^{11}"}, {"factorial", "5", "5!"},
	{"angle", `90^\circ`, `90\pi`}, {"angle", `\frac{\pi}{2}`, "90"},
	{"equation", "x=5", "2x=10"}, {"equation", "y=2x+1", "x=2y+1"}, {"equation", "x^2+y^2=25", "x^2+y^2=5"},
	{"equation", "1, -2", "a=1, b=-2, c=3"}, {"equation", "x+y=1", "0=0"},
	{"symbolic", "x^2-1", "(x-1)^2"}, {"symbolic", "3ab", "3"}, {"symbolic", "3ab", "3ac"}, {"symbolic", "no", "on"},
	{"symbolic", `\ln 2`, `\log_{10} 2`}, {"symbolic", `\sin^{-1} x`, `\frac{1}{\sin x}`}, {"symbolic", "1+2i", "2+i"},
	{"symbolic", `\frac{1}{x}`, "x"}, {"symbolic", `\sin x`, `\sin y`}, {"symbolic", "(-1)^n", "1^n"},
	{"symbolic", "x_1y", "x_{1^1 y}"},
	{"choice", "C", "A) 12"}, {"choice", "C", "C or D"}, {"choice", "C", "A) 1 B) 2 C) 3"},
	{"choice", "C", "C) 1 or D) 2"}, {"choice", "C", "C) is wrong"}, {"choice", "C", "C: not that, but D"},
	{"choice", "A", "A. D is the answer"}, {"choice", "A", "A: but B seems better"}, {"choice", "C. elegans", "C"},
	{"percent", "0.5", "0.5%"}, {"percent", "1", `1\%`}, {"percent", "0.5", "0.5 per cent"},
	{"layout", "11111", `11,\! 11`},
}

func TestNumericTakesWhatIsTheSame(t *testing.T) {
	for _, test := range same {
		got, failure := judge(numeric, answertext.Boxed, `so \boxed{`+test.box+`}`, test.truth)
		if failure != nil || !got.Correct {
			t.Errorf("%s: %q against %q comes to %+v, %v", test.kind, test.box, test.truth, got, failure)
		}
	}
}

func TestNumericRefusesWhatIsNot(t *testing.T) {
	for _, test := range different {
		if test.truth == "" {
			continue // a failure: see TestWrongGroundTruthsAreFailures
		}
		got, failure := judge(numeric, answertext.Boxed, `so \boxed{`+test.box+`}`, test.truth)
		if failure != nil || got.Correct {
			t.Errorf("%s: %q against %q comes to %+v, %v", test.kind, test.box, test.truth, got, failure)
		}
		if undone := test.kind == "arithmetic left undone"; got.calculated != undone {
			t.Errorf("%s: %q against %q is calculated: %v", test.kind, test.box, test.truth, got.calculated)
		}
	}
}

func TestWhichBoxIsJudged(t *testing.T) {
	for text, want := range map[string]bool{
		`\boxed{71} no, \boxed{72}`:                               true,
		`\boxed{72} no, \boxed{71}`:                               false,
		`<think>\boxed{72}</think> I do not know`:                 false,
		`<tool_response>\boxed{72}</tool_response> I do not know`: false,
		`\boxed{72} <tool_call>{"a": "\boxed{71}"}</tool_call>`:   true,
		"<|im_start|>user\nin \\boxed{72}<|im_end|>":              false,
		"Good <|im_start|> \\boxed{72}<|im_end|>":                 true,
		"<|im_start|> a mark, \\boxed{72}":                        true,
		"\\boxed{72}<|im_end|>\n<|im_start|>assistant\nA turn?":   true,
		`\boxed{\frac{144}{2}} = \boxed {72}`:                     true,
		`\boxed{71} and \boxed{72}`:                               false,
		`\boxed{71}, \boxed{72}`:                                  false,
		`\boxed{72} and $\boxed{72}$`:                             true,
		`\boxed{72`:                                               false, `72`: false, `\boxed72`: false, `\boxed{}`: false,
		`\boxed{72} \boxed{}`: false,
	} {
		if got, failure := judge(numeric, answertext.Boxed, text, "72"); failure != nil || got.Correct != want {
			t.Errorf("%q comes to %+v, %v", text, got, failure)
		}
	}
}

func TestAnswerForms(t *testing.T) {
	for _, test := range []struct {
		form answertext.Form
		text string
		want float64
	}{
		{answertext.Hashes, "48/2 = 24, 24+48 = 72\n#### 72 apples", 1}, {answertext.Hashes, `\boxed{72}`, 0},
		{answertext.Hashes, "#### 72\n#### 71", 0}, {answertext.Labeled, "Answer: $72$.", 1},
		{answertext.Labeled, "Answer: 71", 0},
		{answertext.Tagged, "Answer: 71 </think> <answer>\\boxed{72}</answer>", 1},
		{answertext.Tagged, "<answer>71</answer>", 0},
		{answertext.Tagged, "<think><answer>72</answer></think>", 0}, {answertext.Framed, `\fbox{72}`, 1},
		{answertext.Framed, `\boxed{72}`, 0}, {answertext.Boxed, "#### 72", 0},
	} {
		r := sdktest.Reward(t, Plugin(), "math", map[string]any{"answer_form": test.form})
		out, err := r.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{{
			FinalAnswer: test.text, Task: sdk.Task{ID: "t", Private: json.RawMessage(`{"ground_truth":"72"}`)},
		}}})
		if err != nil || out.Items[0].Failure != nil || out.Items[0].Score != test.want {
			t.Errorf("%q in the form %s comes to %+v, %v; want %v", test.text, test.form, out, err, test.want)
		}
	}
	wrong := validateConfig(t, `{"mode":"exact","answer_form":"tag","symbolic":"none"}`)
	if len(wrong) != 1 || wrong[0].Path[0] != "answer_form" {
		t.Errorf("an exact tag comes to %v", wrong)
	}
	if wrong := validateConfig(t, `{"mode":"exact","answer_form":"boxed"}`); len(wrong) > 0 {
		t.Errorf("an exact box comes to %v", wrong)
	}
}

func validateConfig(t *testing.T, config string) []sdk.Diagnostic {
	return Plugin().Rewards[0].Validate(t.Context(), json.RawMessage(config))
}

// The terms of a product are in no particular order.
func TestTheOrderOfTermsDoesNotCount(t *testing.T) {
	box := "(x-1)(1"
	for i := range 31 {
		box += fmt.Sprintf("+x^{%d}", i+1)
	}
	for range 50 {
		got, failure := judge(numeric, answertext.Boxed, `\boxed{`+box+`)}`, "x^{32}-1")
		if failure != nil || !got.Correct {
			t.Fatalf("a product of 64 terms comes to %+v, %v", got, failure)
		}
	}
}

func TestSeveralBoxesAreOneAnswer(t *testing.T) {
	for text, want := range map[string]bool{
		`\boxed{1} and \boxed{2}`: true, `$\boxed{2}$, $\boxed{1}$.`: true, `\boxed{1}，\boxed{2}`: true,
		`\boxed{1}、\boxed{2}`: true, `\boxed{3}. So \boxed{1} or \boxed{2}`: true,
		`\boxed{1}, \boxed{2}, and \boxed{3}`: false, `\boxed{1} not \boxed{2}`: false, `\boxed{1}, \boxed{}`: false,
	} {
		if got, failure := judge(numeric, answertext.Boxed, text, "1, 2"); failure != nil || got.Correct != want {
			t.Errorf("%q comes to %+v, %v", text, got, failure)
		}
	}
}

// A list as the ground truth contains accepted answers.
func TestAListOfAcceptedAnswers(t *testing.T) {
	for _, test := range []struct {
		mode       mode
		box, truth string
		want       float64
	}{
		{numeric, "72", `[72,"0.5"]`, 1}, {numeric, `\frac{1}{2}`, `[72,"0.5"]`, 1}, {numeric, "71", `[72,"0.5"]`, 0},
		{numeric, "72, 0.5", `[72,"0.5"]`, 0},
		{exact, "72", `["71","72"]`, 1}, {exact, "73", `["71","72"]`, 0},
		{numeric, "72", `["72",null]`, -1}, {exact, "72", `["72",0.5]`, -1}, {exact, "72", `[]`, -1},
	} {
		r := reward{mode: test.mode}
		got, err := r.scoreItem(t.Context(), sdk.ScoreItem{
			Task:        sdk.Task{Private: json.RawMessage(`{"ground_truth":` + test.truth + `}`)},
			FinalAnswer: `\boxed{` + test.box + `}`,
		})
		if failed := test.want < 0; failed != (err != nil) || !failed && got.Score != test.want {
			t.Errorf("%s, %q against %s: %v, %v", test.mode, test.box, test.truth, got.Score, err)
		}
	}
}

func TestWrongGroundTruthsAreFailures(t *testing.T) {
	for _, test := range []struct {
		mode  mode
		truth any
		want  string
	}{
		{exact, nil, "must be a string, not null or missing"}, {exact, json.Number("72"),
			"must be a string, not a number"},
		{numeric, []any{}, "must be a string or a number, not a list"},
		{numeric, true, "not a boolean"},
		{numeric, "#### ", "is empty"}, {numeric, `\frac{1`, "unmatched opening brace"},
		{numeric, strings.Repeat("7", answertext.MaxBytes+1), "more than 4096"},
	} {
		_, failure := judge(test.mode, answertext.Boxed, `\boxed{72}`, test.truth)
		if failure == nil || !strings.Contains(failure.Error(), test.want) {
			t.Errorf("%v in mode %s comes to %v, want a failure with %q", test.truth, test.mode, failure, test.want)
		}
	}
}

// TestHostileAnswersAreRefused checks answers that could not be evaluated within a test without the bounds.
func TestHostileAnswersAreRefused(t *testing.T) {
	deep, long := strings.Repeat("{", 10_000), strings.Repeat("9", 1_000_000)
	for _, box := range []string{
		"9^9^9", "9^{9^{9^{9}}}", "10^{1000}^{1000}", "1" + strings.Repeat("0^9", 300),
		strings.Repeat(`\sqrt{`, 30) + "2" + strings.Repeat("}", 30),
		deep + "72" + strings.Repeat("}", 10_000), strings.Repeat("(", 10_000) + strings.Repeat(")", 10_000),
		strings.Repeat("(", 2000),
		long, "0." + long, "1e999999999", strings.Repeat("1+", 2000) + "1", strings.Repeat("-", 4000),
		strings.Repeat(`\frac`, 800),
		`(1+\sqrt2+\sqrt3+\sqrt5+\sqrt7+\pi)^{1000}`, strings.Repeat("1,", 2000),
		strings.Repeat("{1,", 39) + strings.Repeat("}", 39),
		strings.Repeat(`(1,2)\cup`, 400), strings.Repeat(`\boxed{`, 600), strings.Repeat(`\sqrt{999999937}`, 250),
		strings.Repeat("±1,", 1300), "9!!!", "9999!", `\sqrt{0}`, `0^{-1/2}`, "0^{x}",
		`\binom{400}{200}^{400}`, "(x+1)^{1000}", "((x+y+z)^9+w)^9",
		strings.Repeat("(x+y)", 500), strings.Repeat(`\sqrt{x+`, 39) + "1" + strings.Repeat("}", 39),
		strings.Repeat("(1+x)^{", 30) + "2" + strings.Repeat("}", 30), strings.Repeat(`\begin{matrix}`, 200),
		strings.Repeat("x^{2^{", 18) + "9" + strings.Repeat("}}", 18), strings.Repeat(`\sin `, 500) + "x",
		strings.Repeat("x=", 2000), strings.Repeat("1<", 2000), "x^{999999999999}", strings.Repeat("+x^{1/7}", 500),
	} {
		got, failure := judge(numeric, answertext.Boxed, `\boxed{`+box+`}`, "72")
		if failure != nil || got.Correct {
			t.Errorf("%.40q… comes to %+v, %v", box, got, failure)
		}
	}
}

// TestALargeSetIsRefused checks the limit on the work of comparing each element of a set with each other.
func TestALargeSetIsRefused(t *testing.T) {
	for elements, readable := range map[int]bool{10: true, 60: false} {
		for _, separator := range []string{",", `\cup`} {
			box := strings.Repeat("(x+1)^{15}/(x+%d)^{15}"+separator, elements-1) + "0"
			numbers := []any{}
			for i := range elements - 1 {
				numbers = append(numbers, i+2)
			}
			got, failure := judge(numeric, answertext.Boxed, `\boxed{`+fmt.Sprintf(box, numbers...)+`}`, "72")
			if failure != nil || got.Correct || got.Readable != readable {
				t.Errorf("%d elements come to %+v, %v", elements, got, failure)
			}
		}
	}
}

func TestScoredSaysWhy(t *testing.T) {
	r := sdktest.Reward(t, Plugin(), "math", map[string]any{})
	item := func(truth, text string) sdk.ScoreItem {
		private, _ := json.Marshal(map[string]any{"ground_truth": truth})
		return sdk.ScoreItem{FinalAnswer: text, Task: sdk.Task{ID: "t", Private: private}}
	}
	out, err := r.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{
		item("#### 1,000", `\boxed{1000}`), item("1, 2", `\boxed{2, 1}`), item("72", "72"), item("72", `\boxed{9^9^9}`),
		item("72", `\boxed{`+strings.Repeat("{", 50)+strings.Repeat("}", 51)), item("24",
			`\boxed{48/2}`), item("5 cm", `\boxed{5 m}`),
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"1 extracted readable numeric", "1 extracted readable list", "0", "0 extracted readable", "0 extracted",
		"0 extracted readable calculated", "0 extracted readable other_unit",
	}
	var got []string
	for _, s := range out.Items {
		text := map[bool]string{true: "1", false: "0"}[s.Score == 1 && *s.IsSuccess]
		for _, name := range Plugin().Rewards[0].Components {
			if s.Components[name] == 1 {
				text += " " + name
			}
		}
		got = append(got, text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
}

// TestNotesSayWhatWasReadAndCompared checks that the notes contain the box and the comparison, but not the ground
// truth.
func TestNotesSayWhatWasReadAndCompared(t *testing.T) {
	for _, test := range []struct {
		mode                         mode
		text, truth, box, comparison string
	}{
		{numeric, `\boxed{71} no, \boxed{0.5}`, "1/2", "0.5", "as numbers"},
		{numeric, `\boxed{2, 1}`, `\{1, 2\}`, "2, 1", "element by element"},
		{numeric, `\boxed{yes}`, "Yes", "yes", "as text"},
		{numeric, `\boxed{48/2}`, "24", "48/2",
			"the answer equals the ground truth, but leaves arithmetic unevaluated"},
		{numeric, `\boxed{5 m}`, "5 cm", "5 m", "the numbers are equal, the units are not"},
		{numeric, `\boxed{7}`, "24", "7", "by value, and they differ"},
		{exact, `\boxed{7}`, "24", "7", "byte by byte"},
	} {
		v, failure := judge(test.mode, answertext.Boxed, test.text, test.truth)
		if failure != nil {
			t.Fatal(failure)
		}
		want := map[string]string{"answer": test.box, "compared": test.comparison}
		if diff := cmp.Diff(want, v.scored().Notes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.text, diff)
		}
	}
	none, _ := judge(numeric, answertext.Boxed, "24", "24")
	want := map[string]string{"compared": `no answer in the form "boxed" was found`}
	if diff := cmp.Diff(want, none.scored().Notes); diff != "" {
		t.Errorf("without a box (-want +got):\n%s", diff)
	}
}
