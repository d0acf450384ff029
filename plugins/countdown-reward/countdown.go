// Package countdownreward is the reward plugin of type "countdown": it judges an arithmetic expression in \boxed{} that
// must reach a target using given numbers, each exactly once.
//
//	reward "countdown" "answer" {
//	  format_score  = 0.1           # the default: of an expression that does not do it
//	  compatibility = "corrected"   # the default; "reference" has the scores of AgentJet's CountdownAnswerAsJudge
//	}
//
// An item is judged in these steps:
//
//	problem.go      the target and the numbers of a task
//	expression.go   the exact value of an expression, and its numbers
//	python.go       the same for the original, which passes a model's output to Python's eval
//
// No text is evaluated as code. The length and depth of expressions and the size of numbers are bounded, because the
// input is written by models.
//
// README.md lists every difference between the modes. The package does not depend on the host, trainers or
// the way episodes run.
package countdownreward

import "github.com/awhost/awhost/sdk/answertext"

// compatibility selects the scores of a reward.
type compatibility string

const (
	// corrected accepts everything that the rules of the game allow, and compares exactly.
	corrected compatibility = "corrected"
	// reference reproduces the scores of AgentJet's judge.
	reference compatibility = "reference"
)

// verdict is the result of judging an answer, with the reasons.
type verdict struct {
	Extracted bool // the text has a box
	Readable  bool // its content is an expression
	Numbers   bool // it uses the given numbers, each once
	Target    bool // its value is the target
	// AnyBox: the box earns the format score with any content.
	AnyBox bool
}

func (v verdict) correct() bool { return v.Readable && v.Numbers && v.Target }

// score returns 1 for a correct expression, and the format score for a wrong one.
func (v verdict) score(formatScore float64) float64 {
	switch {
	case v.correct():
		return 1
	case v.Readable, v.AnyBox:
		return formatScore
	}
	return 0
}

// judge judges the last answer in the model's own text.
func judge(form answertext.Form, text string, p problem) (verdict, error) {
	target, numbers, err := p.exact()
	if err != nil {
		return verdict{}, err
	}
	answers := form.Find(answertext.ModelText(text))
	if len(answers) == 0 {
		return verdict{}, nil
	}
	v := verdict{Extracted: true}
	e, err := evaluate(answers[len(answers)-1])
	if err != nil {
		return v, nil
	}
	v.Readable = true
	v.Numbers = sameNumbers(e.numbers, numbers)
	v.Target = e.value != nil && e.value.Cmp(target) == 0 && (e.claim == nil || e.claim.Cmp(target) == 0)
	return v, nil
}
