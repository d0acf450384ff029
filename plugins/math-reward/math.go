// Package mathreward is the reward plugin of type "math": it compares the content of an episode's \boxed{}, or an
// answer in another form, with the ground truth of its task.
//
//	reward "math" "answer" {
//	  mode = "numeric"   # the default: by value; "exact" reproduces AgentJet's MathAnswerAsJudge byte by byte
//	}
//
// An item is judged in these steps:
//
//	sdk/answertext   the model's own text, its last answer, and the conversion of LaTeX to plain text
//	form.go          the form of the answer: one value, a set, a list, a point, an interval or a union of them
//	scalar.go        a value: a number with its unit, or a text
//	expression.go    a number or a formula, evaluated exactly: number.go, quotient.go and sum.go are its arithmetic
//	compare.go       the comparison of two answers
//	symbolic.go      the comparison of two formulas by sympy, if symbolic = "sympy"
//
// A judge must not calculate for the judged model: an answer with arithmetic left undone, such as 48/2 instead of 24,
// scores 0. Inputs are limited in length, depth and number size, because they are written by models.
//
// README.md lists every difference between the modes. The package does not depend on the host, trainers or
// the way episodes run.
package mathreward

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/awhost/awhost/sdk/answertext"
	"github.com/awhost/awhost/sdk/pytext"
)

// mode selects how an answer is compared.
type mode string

const (
	numeric mode = "numeric"
	exact   mode = "exact"
)

// verdict is the result of judging an answer, with the reasons.
type verdict struct {
	comparison
	Correct   bool // the score: 1 or 0
	Extracted bool // the text has an answer
	Readable  bool // its content is within the bounds, and its braces match
	Exact     bool // it is the ground truth byte by byte
	Symbolic  bool // decided by sympy

	Answer   string // without its form
	Compared string // how it was compared, in words

	truth    string
	formulas bool // both are formulas, and equal only if sympy can show it
}

// judge compares the answer in solution with truth. Both are JSON values as decoded by encoding/json with UseNumber:
// the original is Python and accepts any value. Here, an exception caused by a wrong type is a failure of class REWARD.
func judge(m mode, form answertext.Form, solution, truth any) (verdict, error) {
	want, err := groundTruth(m, truth)
	if err != nil {
		return verdict{}, err
	}
	text, isString := solution.(string)
	if !isString {
		return verdict{}, fmt.Errorf("the scored text must be a string, not %s", answertext.TypeName(solution))
	}
	if m == exact {
		box, found := answertext.FirstBox(text)
		same := found && box == want
		v := verdict{Correct: same, Extracted: found, Readable: found, Exact: same, Answer: box}
		v.Compared = v.description(m, form)
		return v, nil
	}
	v, err := judgeNumeric(form, text, want)
	v.Compared = v.description(m, form)
	return v, err
}

// description describes how an answer was compared. It reveals no more about the ground truth than the score does.
func (v verdict) description(m mode, form answertext.Form) string {
	switch {
	case !v.Extracted:
		return "no answer in the form \"" + string(form) + "\" was found"
	case m == exact:
		return "byte by byte"
	case !v.Readable:
		return "the answer cannot be read: its braces do not match, or it exceeds a bound"
	case v.calculated:
		return "the answer equals the ground truth, but leaves arithmetic unevaluated"
	case v.otherUnit:
		return "the numbers are equal, the units are not"
	case v.numeric:
		return "as numbers"
	case v.list:
		return "element by element"
	case v.Correct:
		return "as text"
	}
	return "by value, and they differ"
}

// groundTruth returns the text after the last ####, as in GSM8K, without surrounding whitespace.
func groundTruth(m mode, truth any) (string, error) {
	text, isString := truth.(string)
	if number, isNumber := truth.(json.Number); isNumber && m == numeric {
		text, isString = number.String(), true
	}
	if !isString {
		const want = "the task's ground_truth must be a string%s, not %s"
		return "", fmt.Errorf(want, map[mode]string{numeric: " or a number"}[m], answertext.TypeName(truth))
	}
	return pytext.Strip(lastPart(text, "####")), nil
}

// lastPart returns the last element of Python's text.split(mark). Marks are matched from left to right, so that the
// last # in ##### belongs to the remaining text.
func lastPart(text, mark string) string {
	for {
		_, after, found := strings.Cut(text, mark)
		if !found {
			return text
		}
		text = after
	}
}

func judgeNumeric(form answertext.Form, text, want string) (verdict, error) {
	truth, err := readLaTeX(want)
	if want == "" {
		return verdict{}, errors.New("the task's ground_truth is empty, so there is nothing to compare an answer with")
	}
	if err != nil {
		return verdict{}, fmt.Errorf("the task's ground_truth cannot be read: %v", err)
	}
	if !strings.ContainsAny(want, ")"+digits[1:]) {
		truth.label = "" // C. elegans is not a choice
	}
	boxes := form.Find(answertext.ModelText(text))
	if len(boxes) == 0 {
		return verdict{}, nil
	}
	box := strings.Join(boxes, ", ")
	v := verdict{Extracted: true, Exact: box == want, Answer: box}
	answer, err := readLaTeX(box)
	if err != nil {
		return v, nil
	}
	v.comparison = truth.compare(answer)
	v.Readable, v.Correct = true, v.equal
	v.truth, v.formulas = want, v.rank() == 0 && truth.isFormula() && answer.isFormula() && !truth.isRational()
	return v, nil
}

// readLaTeX parses an answer in LaTeX or plain text.
func readLaTeX(text string) (form, error) {
	plain, err := answertext.Plain(text)
	if err != nil {
		return form{}, err
	}
	return read(plain)
}
