// Package gaiareward is the reward plugin of type "gaia": it compares an episode's <answer> with the ground truth of
// its task, as the GAIA benchmark's scorer does.
//
//	reward "gaia" "answer" {
//	  compatibility = "corrected"   # the default; "reference" reproduces AWorld's gaia_reward_func bit by bit
//	}
//
// An item is judged in three steps, one file each:
//
//	text.go               the text of the episode that is read
//	extract.go            the <answer> of that text that is used
//	reference.go          the comparison with the ground truth, as in the original
//	corrected.go          the same without the original's flaws
//
// The steps are based on sdk/pytext, which implements str.strip, str.lower, the regular expression \s and float() of
// CPython 3.11: the original's verdicts depend on their corner cases. README.md lists every difference between the two
// modes, and a test checks each of them in both.
//
// The package contains the rules for GAIA answers. It does not depend on the host, trainers, or the way in which
// episodes run.
package gaiareward

import (
	"fmt"

	"github.com/awhost/awhost/sdk/answertext"
)

// compatibility selects the verdicts that a reward produces.
type compatibility string

const (
	// corrected gives no credit for empty answers, or for answers that the model did not give.
	corrected compatibility = "corrected"
	// reference reproduces the verdicts of AWorld's gaia_reward_func, including its flaws.
	reference compatibility = "reference"
)

// verdict is the result of judging an answer.
type verdict struct {
	Correct   bool // the score: 1 or 0
	Extracted bool // the text has an answer tag
	Exact     bool // answer and ground truth are equal after normalization without punctuation
	Numeric   bool // decided by equal numbers
	List      bool // decided by equal elements
}

// judge compares the answer in solution with truth. Both are JSON values as decoded by encoding/json with UseNumber,
// because the original is written in Python and accepts any value. An exception for a wrong type becomes an
// error here, which names the type. A solution that is not a string always fails.
func judge(mode compatibility, solution, truth any) (verdict, error) {
	text, isString := solution.(string)
	if !isString {
		const wrong = "the scored text must be a string, not %s (a TypeError in Python)"
		return verdict{}, fmt.Errorf(wrong, answertext.TypeName(solution))
	}
	if mode == reference {
		return judgeReference(text, truth)
	}
	return judgeCorrected(text, truth)
}

// judgeReference inspects the ground truth only after it has found a tag, so that a wrong type is not detected
// without one.
func judgeReference(text string, truth any) (verdict, error) {
	answer, found := firstAnswer(text)
	if !found {
		return verdict{}, nil
	}
	want, err := groundTruthOf(truth)
	if err != nil {
		return verdict{}, err
	}
	verdict := compareAsReference(answer, want)
	verdict.Extracted = true
	return verdict, nil
}

func judgeCorrected(text string, truth any) (verdict, error) {
	want, err := groundTruthOf(truth)
	if err != nil {
		return verdict{}, err
	}
	answer, found := finalAnswer(text)
	if !found {
		return verdict{}, nil
	}
	verdict := compareCorrected(answer, want)
	verdict.Extracted = true
	return verdict, nil
}
