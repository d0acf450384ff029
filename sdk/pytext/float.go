package pytext

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// decimalNumber is the grammar that float() uses once digits are ASCII: underscores only between two digits (PEP 515).
var decimalNumber = regexp.MustCompile(strings.ReplaceAll(
	`^[+-]?(?:D(?:\.(?:D)?)?|\.D)(?:[eE][+-]?D)?$`, "D", `[0-9](?:_?[0-9])*`,
))

// ParseFloat implements Python's float(s) for a string; the second result is false if Python raises ValueError. Beyond
// what strconv.ParseFloat accepts, it accepts the decimal digits of every script, white space around the number, and
// signed NaNs, lets large numbers overflow to infinity, and rejects hexadecimal.
func ParseFloat(s string) (float64, bool) {
	ascii, ok := ASCIINumber(s)
	if !ok {
		return 0, false
	}
	if value, ok := ParseSpecial(ascii); ok {
		return value, true
	}
	if !decimalNumber.MatchString(ascii) {
		return 0, false
	}
	// The only remaining error is that the number is out of range. In that case, value is the infinity that Python
	// returns.
	value, _ := strconv.ParseFloat(strings.ReplaceAll(ascii, "_", ""), 64)
	return value, true
}

// ASCIINumber converts non-ASCII decimal digits and white space to their ASCII counterparts and trims the result. The
// separators U+001C to U+001F are already ASCII, so float() does not trim them, unlike str.strip.
func ASCIINumber(s string) (string, bool) {
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 {
			b.WriteByte(byte(r))
			continue
		}
		if IsSpace(r) {
			b.WriteByte(' ')
			continue
		}
		digit, ok := DecimalDigit(r)
		if !ok {
			return "", false
		}
		b.WriteByte(digit)
	}
	return strings.Trim(b.String(), " \t\n\v\f\r"), true
}

// DecimalDigit returns the ASCII digit for a decimal digit of any script.
func DecimalDigit(r rune) (byte, bool) {
	i, found := slices.BinarySearch(decimalZeros, r)
	if found {
		return '0', true
	}
	if i == 0 || r-decimalZeros[i-1] > 9 {
		return 0, false
	}
	return '0' + byte(r-decimalZeros[i-1]), true
}

// ParseSpecial reads the infinities and NaN, in any case, with at most one sign.
func ParseSpecial(s string) (float64, bool) {
	sign, word := 1, strings.TrimPrefix(s, "+")
	if rest, negative := strings.CutPrefix(s, "-"); negative {
		sign, word = -1, rest
	}
	switch strings.ToLower(word) {
	case "inf", "infinity":
		return math.Inf(sign), true
	case "nan":
		return math.NaN(), true
	}
	return 0, false
}

// FloorDiv implements Python's x // y for floats. It subtracts the remainder before it divides, as CPython does, so
// that rounding cannot add one.
func FloorDiv(x, y float64) float64 {
	remainder := math.Mod(x, y)
	quotient := (x - remainder) / y
	if remainder != 0 && (y < 0) != (remainder < 0) {
		quotient--
	}
	if quotient == 0 {
		return math.Copysign(0, x/y)
	}
	whole := math.Floor(quotient)
	if quotient-whole > 0.5 {
		whole++
	}
	return whole
}
