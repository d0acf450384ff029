package answertext_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/answertext"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		`\frac{1}{2}`: "(1⁄2)", `\dfrac12`: "(1⁄2)", `\frac{a+1}{b}`: "((a+1)⁄b)", `\frac{\frac12}{3}`: "(((1⁄2))⁄3)",
		`\sqrt{2}`: "√(2)", `\sqrt2`: "√(2)", `\sqrt[3]{8}`: "√[3](8)", `x^{2}`: "x^2", `x^{n+1}`: "x^(n+1)",
		`x_1`:         "x_1",
		`5\text{ cm}`: "5 cm", `6\text{ cm}^2`: "6 cm^2", `\mathbf{72}`: "72", `90^\circ`: "90°", `90^{\circ}`: "90°",
		`1{,}000`: "1000", `70\,000`: "70 000", `1\!000`: "1000", `\left[0, 1\right)`: "[0, 1)", `\left.x\right|`: "x|",
		`\{1,2\}`: "{1,2}", `\$18.00`: "$18.00", `50\%`: "50%", `2\times3\cdot4\div5`: "2*3*4/5", `−3`: "-3",
		`７２٣`:      "723",
		`\pm 2\pi`: "± 2π", `(-\infty,1]\cup[2,3)`: "(-∞,1]∪[2,3)", `\alpha+\foo`: `α+\foo`, "  a \n b ": "a b",
		`{{72}}`: "72", `\`: `\`,
		`11,\! 111`: "11,111", `0.\overline{3}`: `0.\overline(3)`, `\binom{5}{k}`: `\binom(5)(k)`, `（1，2）；。`: "(1,2);.",
		`\begin{pmatrix} 1 & \frac12 \\ 3 & 4 \\ \end{pmatrix}`: "[[1 , (1⁄2) ],[ 3 , 4 ]]",
		`\begin{array}{c|c}1&2\end{array}x`:                     "[[1,2]]x",
		`\begin{cases}1\end{cases}`:                             `\begincases1\endcases`,
		`\begin{matrix}1`:                                       `\beginmatrix1`,
		`\frac`:                                                 `(()⁄())`, `\\$18`: "$18", `\[ 7 \]`: "7", `x^`: "x^",
	} {
		if got, err := answertext.Plain(in); err != nil || got != want {
			t.Errorf("Plain(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestPlainRefuses(t *testing.T) {
	for in, want := range map[string]string{
		"{": "unmatched opening brace", "}": "unmatched closing brace",
		`\frac{1`: "unmatched opening brace", "a}b": "unmatched closing brace",
		strings.Repeat("{", 100) + strings.Repeat("}", 100): "nest more than 40 deep",
		strings.Repeat(`\sqrt`, 100):                        "nest more than 40 deep",
		strings.Repeat("a", 5000):                           "5000 bytes, more than 4096",
	} {
		if got, err := answertext.Plain(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Plain(%.20q) = %q, %v; want an error with %q", in, got, err, want)
		}
	}
}

func TestBoxes(t *testing.T) {
	for _, test := range []struct{ text, first, last string }{
		{`\boxed{1}`, "1", "1"}, {`\boxed{1} \boxed{2}`, "1", "2"}, {`\boxed{\frac{1}{2}}`, `\frac{1`, `\frac{1}{2}`},
		{`\boxed {1}`, "-", "1"}, {`\boxed{1`, "-", "-"}, {`\boxed{a\}b}`, `a\`, `a\}b`}, {`\boxed{\{1\}}`, `\{1\`,
			`\{1\}`},
		{`\boxed{a \boxed{1}`, `a \boxed{1`, "1"}, {`\boxed{a \boxed{1} b}`, `a \boxed{1`, `a \boxed{1} b`},
		{`}{ \boxed{1}}`, "1", "1"},
		{`\boxed{}`, "", ""}, {`boxed{1}`, "-", "-"}, {`\boxed1`, "-", "-"}, {`\\boxed{1}`, "1", "1"},
		{"\\boxed{a\nb}", "a\nb", "a\nb"}, {`\boxed{5\\}`, `5\\`, `5\\`}, {`\boxed{5\\} and {`, `5\\`, `5\\`},
	} {
		check := func(name, want string, read func(string) (string, bool)) {
			if got, found := read(test.text); found == (want == "-") || found && got != want {
				t.Errorf("the %s box of %q is %q, %v; want %q", name, test.text, got, found, want)
			}
		}
		check("first", test.first, answertext.FirstBox)
		check("last", test.last, answertext.LastBox)
	}
}

func TestForms(t *testing.T) {
	for _, test := range []struct {
		form       answertext.Form
		text, want string // several boxes are separated by |
	}{
		{"", `\boxed{1} \boxed{2}`, "2"}, {answertext.Boxed, `\boxed{1}, \boxed{2}`, "1|2"},
		{answertext.Boxed, `\fbox{1}`, ""},
		{answertext.Framed, `\boxed{1} \fbox{\frac{1}{2}}`, `\frac{1}{2}`}, {answertext.Framed, `\boxed{1}`, ""},
		{answertext.Hashes, "71\n#### 72\nor\n####73 \r\n", "73"}, {answertext.Hashes, "72", ""},
		{answertext.Hashes, "####", "-"},
		{answertext.Labeled, "The answer is 71.\n**Answer:** $72$\n", "$72$"},
		{answertext.Labeled, "final ANSWER : 7 m", "7 m"},
		{answertext.Labeled, "Answer: 1\nAnswer: 2", "2"}, {answertext.Labeled, "unanswer: 1", ""},
		{answertext.Labeled, "The answer is 72", ""}, {answertext.Labeled, "**Answer: 5**", "5"},
		{answertext.Tagged, "<answer>1</answer> <answer> 2\n</answer>", "2"}, {answertext.Tagged, "<answer>1", ""},
		{answertext.Tagged, "1</answer>", ""}, {answertext.Tagged, "<answer></answer>", "-"},
	} {
		got := test.form.Find(test.text)
		text := strings.Join(got, "|")
		if len(got) == 1 && text == "" {
			text = "-" // an empty answer
		}
		if text != test.want {
			t.Errorf("%q in the form %q is %q, want %q", test.text, test.form, text, test.want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	for _, seed := range []string{`\frac{1}{2}`, `\sqrt[3]{x^{2}}`, `\left\{1,\,2\right\}`, `5\text{ cm}^2`, "{", "}",
		`\`, "\xff^", `^\circ`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain, err := answertext.Plain(text)
		if err != nil {
			return
		}
		if len(plain) > 16*answertext.MaxBytes {
			t.Errorf("%q grows to %d bytes", text, len(plain))
		}
		if plain != strings.TrimSpace(plain) || strings.Contains(plain, "  ") {
			t.Errorf("Plain(%q) = %q has spaces too many", text, plain)
		}
	})
}

func FuzzBox(f *testing.F) {
	for _, seed := range []string{`\boxed{1} \boxed{2}`, `\boxed{\boxed{\frac{1}{2}}`, `\boxed {a\}b}`, `{\boxed{`,
		`}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		box, found := answertext.LastBox(text)
		if found && !strings.Contains(text, "{"+box+"}") || !found && box != "" {
			t.Errorf("the last box of %q is %q, %v", text, box, found)
		}
		if first, ok := answertext.FirstBox(text); ok && !strings.Contains(text, `\boxed{`+first+"}") {
			t.Errorf("the first box of %q is %q", text, first)
		}
		if own := answertext.ModelText(text); len(own) > len(text) {
			t.Errorf("the own words of %q are %q", text, own)
		}
	})
}
