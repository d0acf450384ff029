// Package pytext processes text exactly as CPython 3.11 with Unicode 14.0 does: str.strip, str.lower, \s, \d and \w in
// regular expressions, float(), and // of floats. Plugins that reproduce Python programs use it, so that their results
// do not depend on the language or on the Go version that builds a plugin.
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
	"unicode/utf8"
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
	out := make([]byte, 0, len(s)+2)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == 'Σ' && isFinalSigma(s[:i], s[i+size:]):
			out = append(out, "ς"...)
		case r == 'İ':
			out = append(out, "i\u0307"...)
		case isIn(cased, r):
			out = utf8.AppendRune(out, unicode.ToLower(r))
		default: // including bytes that are not UTF-8
			out = append(out, s[i:i+size]...)
		}
		i += size
	}
	return string(out)
}

// isFinalSigma reports whether a sigma ends a word: the nearest preceding code point that is not case-ignorable is a
// cased letter, and the nearest following one is not (condition Final_Sigma in SpecialCasing.txt).
func isFinalSigma(before, after string) bool {
	ignorable := func(r rune) bool { return isIn(caseIgnorable, r) }
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(before, ignorable))
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, ignorable))
	return isIn(cased, last) && !isIn(cased, next)
}

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
