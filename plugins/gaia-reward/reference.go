package gaiareward

import (
	"math"
	"strings"

	"github.com/awhost/awhost/sdk/pytext"
)

// compareAsReference decides in the same way as question_scorer in AWorld's gaia_reward_function.py: by number if the
// ground truth is a number, element by element if it contains a comma or a semicolon, and by text otherwise.
func compareAsReference(answer string, want groundTruth) verdict {
	verdict := verdict{Exact: normalise(answer, dropPunctuation) == normalise(want.text, dropPunctuation)}
	number, isNumber := want.asFloat()
	switch {
	case isNumber:
		verdict.Numeric = referenceNumber(answer) == number
		verdict.Correct = verdict.Numeric
	case strings.ContainsAny(want.text, ",;"):
		verdict.List = equalLists(answer, want.text, equalElementsAsReference)
		verdict.Correct = verdict.List
	default:
		verdict.Correct = verdict.Exact
	}
	return verdict
}

// asFloat implements float(ground_truth).
func (g groundTruth) asFloat() (float64, bool) {
	if g.isNumber {
		return g.number, true
	}
	return pytext.ParseFloat(g.text)
}

// referenceNumber parses an answer as a number after deleting every $, % and comma. An unparsable answer becomes
// infinity, so that any such answer equals a ground truth of "inf".
func referenceNumber(answer string) float64 {
	number, ok := pytext.ParseFloat(strings.NewReplacer("$", "", "%", "", ",", "").Replace(answer))
	if !ok {
		return math.Inf(1)
	}
	return number
}

func equalElementsAsReference(answer, want string) bool {
	if number, ok := pytext.ParseFloat(want); ok {
		return referenceNumber(answer) == number
	}
	return normalise(answer, keepPunctuation) == normalise(want, keepPunctuation)
}

// equalLists splits both strings at commas and semicolons and compares the elements in order.
func equalLists(answer, want string, equal func(answer, want string) bool) bool {
	answers, wants := splitList(answer), splitList(want)
	if len(answers) != len(wants) {
		return false
	}
	for i := range wants {
		if !equal(answers[i], wants[i]) {
			return false
		}
	}
	return true
}

// splitList splits at every comma and semicolon; empty elements count.
func splitList(s string) []string {
	return strings.Split(strings.ReplaceAll(s, ";", ","), ",")
}
