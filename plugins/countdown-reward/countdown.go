// Package countdownreward is the reward plugin of type "countdown": it judges an arithmetic expression in \boxed{} that
// has to reach a target with given numbers, each used once.
//
//	reward "countdown" "answer" {
//	  format_score  = 0.1           # the default: of an expression that does not do it
//	  compatibility = "corrected"   # the default; "reference" has the scores of AgentJet's CountdownAnswerAsJudge
//	}
//
// An item is judged in these steps:
//
//	problem.go      the target and the numbers of a task
//	expression.go   what an expression comes to, exactly, and which numbers it uses
//	python.go       the same as the original decides, which hands what a model wrote to Python's eval
//
// Nothing is evaluated as code. Length, depth and size of numbers are bounded, since models write what is read.
//
// docs/judges.md lists every difference between the modes. The package knows nothing of the host, of trainers or of how
// episodes run.
package countdownreward

import (
	"fmt"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
)

// compatibility says whose scores a reward gives.
type compatibility string

const (
	// corrected takes what the rules of the game allow, and compares exactly.
	corrected compatibility = "corrected"
	// reference gives the scores of AgentJet's judge.
	reference compatibility = "reference"
)

// verdict is what a judged answer is worth, and why.
type verdict struct {
	Extracted bool // the text has a box
	Readable  bool // what stands in it is an expression
	Numbers   bool // it uses the given numbers, each once
	Target    bool // it comes to the target
	// AnyBox: the box earns the format score, whatever stands in it.
	AnyBox bool
}

func (v verdict) correct() bool { return v.Readable && v.Numbers && v.Target }

// score is 1 for what is right, and the format score for an expression that is not.
func (v verdict) score(formatScore float64) float64 {
	switch {
	case v.correct():
		return 1
	case v.Readable, v.AnyBox:
		return formatScore
	}
	return 0
}

// judge reads the last box of the model's own words.
func judge(text string, p problem) (verdict, *sdk.Failure) {
	target, numbers, err := p.exact()
	if err != nil {
		return verdict{}, failf("%v", err)
	}
	box, found := answertext.LastBox(answertext.Own(text))
	if !found {
		return verdict{}, nil
	}
	v := verdict{Extracted: true}
	e, err := evaluate(box)
	if err != nil {
		return v, nil
	}
	v.Readable = true
	v.Numbers = sameNumbers(e.numbers, numbers)
	v.Target = e.value != nil && e.value.Cmp(target) == 0 && (e.claim == nil || e.claim.Cmp(target) == 0)
	return v, nil
}

func failf(format string, args ...any) *sdk.Failure {
	return &sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf(format, args...)}
}
