package gaiareward

import (
	"slices"
	"strings"
	"unicode"
)

// isSpace reports whether str.strip, str.isspace and the regular expression \s take r for white space: Unicode's
// white space and the four ASCII separators U+001C to U+001F, which Go does not count.
func isSpace(r rune) bool { return unicode.IsSpace(r) || (r >= 0x1c && r <= 0x1f) }

// strip is Python's str.strip().
func strip(s string) string { return strings.TrimFunc(s, isSpace) }

// asciiPunctuation is Python's string.punctuation. Quotes and dashes beyond ASCII are not in it.
const asciiPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// punctuation says what normalise does with ASCII punctuation.
type punctuation bool

const (
	keepPunctuation punctuation = false
	dropPunctuation punctuation = true
)

// normalise removes white space, lowers the case and then, if asked, removes punctuation. The order matters: a sigma
// is final or not by what follows it once spaces are gone and while punctuation is still there.
func normalise(s string, p punctuation) string {
	s = lower(remove(s, isSpace))
	if p == keepPunctuation {
		return s
	}
	return remove(s, func(r rune) bool { return strings.ContainsRune(asciiPunctuation, r) })
}

func remove(s string, unwanted func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if unwanted(r) {
			return -1
		}
		return r
	}, s)
}

// lower is Python's str.lower(): the full mapping of Unicode, which has two rules that go beyond single letters.
// İ (U+0130) becomes two code points, and Σ at the end of a word becomes ς.
func lower(s string) string {
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

// isFinalSigma reports whether the sigma at i ends a word: the nearest code point before it that is not
// case-ignorable is a cased letter, and the nearest after it is none (condition Final_Sigma of SpecialCasing.txt).
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

// isIn reports whether r is in one of the ranges, which are in ascending order.
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
