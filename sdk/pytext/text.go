// Package pytext processes text exactly as CPython 3.11 with Unicode 14.0 does: str.strip, str.lower, \s, \d and \w in
// regular expressions, and float(). Rewards that reproduce the verdicts of Python programs use it, so that a score does
// not depend on the language or on the Go version that builds a plugin.
//
//	pytext.Strip("\x1c 42\u00a0")   // "42"
//	pytext.ParseFloat("٣_0")        // 30, true
//
// It does not depend on rewards.
package pytext

import (
	"slices"
	"strings"
	"unicode"
)

// IsSpace reports whether str.strip, str.isspace, and the regular expression \s treat r as white space: Unicode white
// space and the four ASCII separators U+001C to U+001F, which Go does not include.
func IsSpace(r rune) bool { return unicode.IsSpace(r) || (r >= 0x1c && r <= 0x1f) }

// IsWord reports whether the regular expression \w matches r: letters and numbers of every script and the underscore,
// but not marks such as combining accents.
func IsWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_') && !isIn(unicode15Words, r)
}

// Strip implements Python's str.strip().
func Strip(s string) string { return strings.TrimFunc(s, IsSpace) }

// Lower implements Python's str.lower(): the full Unicode mapping, which has two rules beyond those for single letters.
// İ (U+0130) becomes two code points, and Σ at the end of a word becomes ς.
func Lower(s string) string {
	runes := []rune(s)
	out := make([]rune, 0, len(runes))
	for i, r := range runes {
		switch {
		case r == 'Σ' && isFinalSigma(runes, i):
			out = append(out, 'ς')
		case r == 'İ':
			out = append(out, 'i', '\u0307')
		case isIn(cased, r):
			out = append(out, unicode.ToLower(r))
		default:
			out = append(out, r)
		}
	}
	return string(out)
}

// isFinalSigma reports whether the sigma at i ends a word: the nearest preceding code point that is not case-ignorable
// is a cased letter, and the nearest following one is not (condition Final_Sigma in SpecialCasing.txt).
func isFinalSigma(runes []rune, i int) bool {
	before := i - 1
	for before >= 0 && isIn(caseIgnorable, runes[before]) {
		before--
	}
	if before < 0 || !isIn(cased, runes[before]) {
		return false
	}
	after := i + 1
	for after < len(runes) && isIn(caseIgnorable, runes[after]) {
		after++
	}
	return after == len(runes) || !isIn(cased, runes[after])
}

// isIn reports whether r is in one of the given ranges, which are in ascending order.
func isIn(ranges []runeRange, r rune) bool {
	_, found := slices.BinarySearchFunc(ranges, r, func(in runeRange, r rune) int {
		switch {
		case r < in.first:
			return 1
		case r > in.last:
			return -1
		}
		return 0
	})
	return found
}
