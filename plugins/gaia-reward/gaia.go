// Package gaiareward is the reward plugin of type "gaia": it compares the <answer> of an episode with the ground
// truth of its task, as the scorer of the GAIA benchmark does.
//
//	reward "gaia" "answer" {
//	  compatibility = "corrected"   # the default; "reference" reproduces AWorld's gaia_reward_func bit by bit
//	}
//
// An item is judged in three steps, one file each:
//
//	text.go               which text of the episode is read
//	extract.go            which <answer> of that text is taken
//	reference.go          whether it equals the ground truth, as the original decides
//	corrected.go          the same without the original's flaws
//
// The steps stand on sdk/pytext, which does what str.strip, str.lower, the regular expression \s and float() do in
// CPython 3.11: the original's verdicts depend on their corners. README.md lists every difference between the two
// modes; a test holds each of them in both.
//
// The package owns the rules of GAIA answers. It knows nothing of the host, of trainers or of how episodes run.
package gaiareward

import (
	"fmt"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
)

// compatibility says whose verdicts a reward gives.
type compatibility string

const (
	// corrected gives no credit for answers that the model did not give or that hold nothing.
	corrected compatibility = "corrected"
	// reference gives the verdicts of AWorld's gaia_reward_func, flaws included.
	reference compatibility = "reference"
)

// verdict is what a judged answer is worth.
type verdict struct {
	Correct   bool // the score: 1 or 0
	Extracted bool // the text has an answer tag
	Exact     bool // answer and ground truth are equal after normalisation without punctuation
	Numeric   bool // they are equal as numbers, and that decided
	List      bool // they are equal element by element, and that decided
}

// judge compares the answer in solution with truth. Both are JSON values as encoding/json decodes them with
// UseNumber: the original is Python and takes anything, so what it raises for a wrong type is a failure of class
// REWARD here that names the type. A solution other than a string is always one.
func judge(mode compatibility, solution, truth any) (verdict, *sdk.Failure) {
	text, isString := solution.(string)
	if !isString {
		const wrong = "the scored text must be a string, not %s (a TypeError in Python)"
		return verdict{}, failf(wrong, answertext.TypeName(solution))
	}
	if mode == reference {
		return judgeReference(text, truth)
	}
	return judgeCorrected(text, truth)
}

// judgeReference looks at the ground truth only after it has found a tag, so that a wrong type goes unnoticed
// without one.
func judgeReference(text string, truth any) (verdict, *sdk.Failure) {
	answer, found := firstAnswer(text)
	if !found {
		return verdict{}, nil
	}
	want, failure := groundTruthOf(truth)
	if failure != nil {
		return verdict{}, failure
	}
	verdict := compareAsReference(answer, want)
	verdict.Extracted = true
	return verdict, nil
}

func judgeCorrected(text string, truth any) (verdict, *sdk.Failure) {
	want, failure := groundTruthOf(truth)
	if failure != nil {
		return verdict{}, failure
	}
	answer, found := finalAnswer(text)
	if !found {
		return verdict{}, nil
	}
	verdict := compareCorrected(answer, want)
	verdict.Extracted = true
	return verdict, nil
}

func failf(format string, args ...any) *sdk.Failure {
	return &sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf(format, args...)}
}
