package py

import (
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/sdk/pytext"
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

// Split returns s.split().
func Split(s string) []string { return strings.FieldsFunc(s, pytext.IsSpace) }

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

// asciiDigits replaces the decimal digits of every script with 0 to 9.
func asciiDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if digit, ok := pytext.DecimalDigit(r); ok {
			return rune(digit)
		}
		return r
	}, s)
}
