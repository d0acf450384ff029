package py

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// decode decodes a code point, including a surrogate, which is not valid UTF-8.
func decode(s string) (rune, int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 && len(s) > 2 && s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, size
}

// appendRune encodes a code point, including a surrogate.
func appendRune(b []byte, r rune) []byte {
	if r >= 0xD800 && r <= 0xDFFF {
		return append(b, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0x3F|0x80)
	}
	return utf8.AppendRune(b, r)
}

// runes returns the code points of a string.
func runes(s string) []rune {
	out := make([]rune, 0, len(s))
	for len(s) > 0 {
		r, size := decode(s)
		out, s = append(out, r), s[size:]
	}
	return out
}

// fromRunes returns the string with the given code points.
func fromRunes(runes []rune) string {
	out := make([]byte, 0, len(runes))
	for _, r := range runes {
		out = appendRune(out, r)
	}
	return string(out)
}

// Len returns len(s): the number of code points.
func Len(s string) int {
	n := 0
	for i := 0; i < len(s); n++ {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, size := decode(s[i:])
		i += size
	}
	return n
}

// IsSpace reports whether Python considers a character to be whitespace.
func IsSpace(r rune) bool {
	switch {
	case r < 0x80:
		return r == ' ' || r >= '\t' && r <= '\r' || r >= 0x1C && r <= 0x1F
	case r == 0x85, r == 0xA0, r == 0x1680, r >= 0x2000 &&
		r <= 0x200A, r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x3000:
		return true
	}
	return false
}

// Strip returns s.strip().
func Strip(s string) string { return strings.TrimFunc(s, IsSpace) }

// Split returns s.split().
func Split(s string) []string { return strings.FieldsFunc(s, IsSpace) }

// SplitLines returns s.splitlines().
func SplitLines(s string) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); {
		r, size := decode(s[i:])
		if !endsLine(r) {
			i += size
			continue
		}
		out = append(out, s[start:i])
		i += size
		if r == '\r' && i < len(s) && s[i] == '\n' {
			i++
		}
		start = i
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

func endsLine(r rune) bool {
	switch r {
	case '\n', '\r', 0x0B, 0x0C, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// compareTexts compares strings by code point. UTF-8 preserves the order of code points, including surrogates.
func compareTexts(a, b string) int { return strings.Compare(a, b) }

// Lower returns s.lower().
func Lower(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return lowerUnicode(s)
		}
	}
	return strings.ToLower(s)
}

// The letters whose lowercase form depends on the context, or consists of two characters.
const (
	capitalSigma = 'Σ'
	finalSigma   = 'ς'
	smallSigma   = 'σ'
	capitalIDot  = 'İ'
	combiningDot = 0x307
)

func lowerUnicode(s string) string {
	runes := runes(s)
	out := make([]byte, 0, len(s)+2)
	for i, r := range runes {
		switch {
		case r == capitalSigma && isFinal(runes, i):
			out = appendRune(out, finalSigma)
		case r == capitalSigma:
			out = appendRune(out, smallSigma)
		case r == capitalIDot:
			out = appendRune(appendRune(out, 'i'), combiningDot)
		case newerThanPython(r):
			out = appendRune(out, r)
		default:
			out = appendRune(out, unicode.ToLower(r))
		}
	}
	return string(out)
}

// isFinal reports whether the sigma at i ends a word, that is, if there is a cased letter before it and none after it,
// ignoring marks.
func isFinal(runes []rune, i int) bool {
	before := i - 1
	for before >= 0 && caseIgnorable(runes[before]) {
		before--
	}
	if before < 0 || !cased(runes[before]) {
		return false
	}
	after := i + 1
	for after < len(runes) && caseIgnorable(runes[after]) {
		after++
	}
	return after == len(runes) || !cased(runes[after])
}

func cased(r rune) bool {
	return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) || unicode.Is(unicode.Other_Lowercase, r) ||
		unicode.Is(unicode.Other_Uppercase, r)
}

// caseIgnorable reports whether a character has the Unicode property Case_Ignorable.
func caseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', '^', '`', 0xA8, 0xAD, 0xAF, 0xB4, 0xB7, 0xB8, 0x2018, 0x2019, 0x2024, 0x2027:
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}

// asciiDigits replaces the decimal digits of every script with 0 to 9.
func asciiDigits(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Nd, r) {
					return '0' + digitValue(r)
				}
				return r
			}, s)
		}
	}
	return s
}

// digitValue returns the distance from the zero of the digit's script, because decimal digits come in runs of ten.
func digitValue(r rune) rune {
	zero := r
	for zero > 0 && r-zero < 9 && unicode.Is(unicode.Nd, zero-1) {
		zero--
	}
	return (r - zero) % 10
}
