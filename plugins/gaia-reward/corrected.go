package gaiareward

import (
	"math"
	"regexp"
	"strings"

	"github.com/awhost/awhost/sdk/pytext"
)

// compareCorrected follows the original, with these differences: an empty answer or an empty ground truth matches
// nothing; only numbers equal numbers; amounts are read in common notation ($100, 50%, 1,000), and dollars do not equal
// percentages.
func compareCorrected(answer string, want groundTruth) verdict {
	if answer == "" || want.isPlaceholder() {
		return verdict{}
	}
	verdict := verdict{Exact: normalise(answer, dropPunctuation) == normalise(want.text, dropPunctuation)}
	number, isNumber := want.asAmount()
	verdict.Numeric = isNumber && number.equals(answer)
	verdict.List = want.isList() && equalLists(answer, want.text, equalElements)
	verdict.Correct = verdict.Numeric || verdict.List || (want.isText() && equalTexts(answer, want.text))
	return verdict
}

// isPlaceholder reports whether a ground truth is unusable because it is empty or all punctuation, such as the "?" in
// GAIA's test split, or is the NaN that a data frame uses for a missing value.
func (g groundTruth) isPlaceholder() bool {
	number, isNumber := g.asFloat()
	return normalise(g.text, dropPunctuation) == "" || (isNumber && math.IsNaN(number))
}

// asAmount returns the ground truth as a number, unless it is a literal that exceeds the largest float.
func (g groundTruth) asAmount() (amount, bool) {
	if g.isNumber {
		return amount{number: g.number}, !math.IsInf(g.number, 0)
	}
	return parseAmount(g.text)
}

// isList reports whether the ground truth can be read as a list. "100,200" is both a list and a number. "1,000" is
// only a number, because lists do not contain the element 000.
func (g groundTruth) isList() bool {
	if g.isNumber || !strings.ContainsAny(g.text, ",;") {
		return false
	}
	_, isNumber := parseAmount(g.text)
	return !isNumber || !strings.Contains(g.text, ",0")
}

// isText reports whether the ground truth is compared as text, because it is neither a number nor a list. In addition
// to the number, a boolean counts as the word true or false.
func (g groundTruth) isText() bool {
	if g.isNumber && (g.text == "true" || g.text == "false") {
		return true
	}
	_, isAmount := g.asAmount()
	return !isAmount && !strings.ContainsAny(g.text, ",;")
}

// equalTexts compares normalized strings without their punctuation, unless the ground truth is a number too large for a
// float, because its sign and decimal point are also punctuation.
func equalTexts(answer, want string) bool {
	p := dropPunctuation
	if _, isNumber := pytext.ParseFloat(want); isNumber {
		p = keepPunctuation
	}
	return normalise(answer, p) == normalise(want, p)
}

func equalElements(answer, want string) bool {
	if number, ok := parseAmount(want); ok {
		return number.equals(answer)
	}
	return normalise(answer, keepPunctuation) == normalise(want, keepPunctuation)
}

// amount is a number with its unit.
type amount struct {
	number float64
	unit   string // "$", "%" or empty
}

// equals reports whether an answer equals the amount. One of the two may omit the unit.
func (a amount) equals(answer string) bool {
	given, ok := parseAmount(answer)
	return ok && given.number == a.number && (given.unit == a.unit || given.unit == "" || a.unit == "")
}

// decoration matches the signs around a number: a dollar sign before it, or a percent or dollar sign after it.
var decoration = regexp.MustCompile(`^([+-]?)(?:(\$)\s*)?(.*?)(?:\s*([$%]))?$`)

// grouped matches an integer part with thousands separators, including the Indian style (1,00,000).
var grouped = regexp.MustCompile(`^[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}(?:\.[0-9]*)?$`)

// parseAmount parses a number as Python does, with at most one dollar or percent sign on either side, but not one of
// each, and with commas as thousands separators. It rejects NaN and literals that exceed the largest float, because two
// such values need not be equal. It accepts a spelled-out infinity.
func parseAmount(s string) (amount, bool) {
	ascii, ok := pytext.ASCIINumber(s)
	if !ok {
		return amount{}, false
	}
	parts := decoration.FindStringSubmatch(ascii)
	if parts == nil || parts[2] != "" && parts[4] == "%" {
		return amount{}, false
	}
	sign, digits, unit := parts[1], parts[3], parts[4]
	if unit == "" {
		unit = parts[2]
	}
	if grouped.MatchString(digits) {
		digits = strings.ReplaceAll(digits, ",", "")
	}
	if infinity, ok := pytext.ParseSpecial(sign + digits); ok {
		return amount{infinity, unit}, !math.IsNaN(infinity)
	}
	number, ok := pytext.ParseFloat(sign + digits)
	return amount{number, unit}, ok && !math.IsInf(number, 0)
}
