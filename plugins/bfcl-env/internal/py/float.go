package py

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/awhost/awhost/sdk/pytext"
)

// FloatRepr returns repr(f): the shortest string that parses to f.
func FloatRepr(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return string(appendFloat(nil, f))
}

// appendFloat appends a finite float.
func appendFloat(out []byte, f float64) []byte {
	if size := math.Abs(f); size != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.AppendFloat(out, f, 'e', -1, 64) // at least two digits of exponent, as in Python
	}
	start := len(out)
	if out = strconv.AppendFloat(out, f, 'f', -1, 64); bytes.IndexByte(out[start:], '.') < 0 {
		out = append(out, '.', '0')
	}
	return out
}

// Fixed returns f"{f:.2f}", with a given number of decimals.
func Fixed(f float64, decimals int) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return strconv.FormatFloat(f, 'f', decimals, 64)
}

// The numbers of digits beyond which rounding a float has no effect, or leaves nothing.
const (
	maxRoundDigits = 323
	leastDigits    = -308
)

// RoundFloat returns round(f, digits), rounding half to even based on the exact value.
func RoundFloat(f float64, digits int) (float64, error) {
	switch {
	case math.IsNaN(f), math.IsInf(f, 0), f == 0, digits > maxRoundDigits:
		return f, nil
	case digits < leastDigits:
		return 0 * f, nil
	}
	var rounded float64
	if digits >= 0 {
		rounded, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'f', digits, 64), 64)
	} else {
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-digits)), nil)
		exact, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'f', -1, 64))
		exact.SetFloat64(f)
		whole := roundRat(new(big.Rat).Quo(exact, new(big.Rat).SetInt(unit)))
		rounded, _ = new(big.Float).SetInt(whole.Mul(whole, unit)).Float64()
		rounded = math.Copysign(rounded, f)
	}
	if math.IsInf(rounded, 0) {
		return 0, Raise("OverflowError", "rounded value too large to represent")
	}
	return rounded, nil
}

// roundRat rounds half to even.
func roundRat(r *big.Rat) *big.Int {
	two := big.NewInt(2)
	quotient, rest := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int)) // towards zero
	switch rest.Abs(rest).Mul(rest, two).Cmp(r.Denom()) {
	case 1:
		quotient.Add(quotient, big.NewInt(int64(r.Sign())))
	case 0:
		if quotient.Bit(0) == 1 {
			quotient.Add(quotient, big.NewInt(int64(r.Sign())))
		}
	}
	return quotient
}

// Round returns round(v), an int.
func Round(v Value) (Value, error) {
	n, ok := numberOf(v)
	switch {
	case !ok:
		return nil, TypeError("type %s doesn't define __round__ method", TypeName(v))
	case !n.isFloat:
		return normal(n.bigInt()), nil
	}
	return intOfFloat(math.RoundToEven(n.float))
}

// RoundTo returns round(v, digits), which has v's type.
func RoundTo(v, digits Value) (Value, error) {
	if digits == nil {
		return Round(v)
	}
	n, ok := numberOf(v)
	if !ok {
		return nil, TypeError("type %s doesn't define __round__ method", TypeName(v))
	}
	places, isInt := numberOf(digits)
	if !isInt || places.isFloat {
		return nil, TypeError("'%s' object cannot be interpreted as an integer", TypeName(digits))
	}
	if n.isFloat {
		if places.big != nil { // far beyond any relevant digit
			places.whole = 2 * maxRoundDigits * places.big.Sign()
		}
		return RoundFloat(n.float, places.whole)
	}
	if places.big != nil && places.big.Sign() > 0 || places.big == nil && places.whole >= 0 {
		return normal(n.bigInt()), nil
	}
	if places.big != nil || -places.whole > n.bigInt().BitLen() {
		return 0, nil // the unit is larger than twice the number
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-places.whole)), nil)
	whole := roundRat(new(big.Rat).SetFrac(n.bigInt(), unit))
	return normal(whole.Mul(whole, unit)), nil
}

// intOfFloat returns int(f).
func intOfFloat(f float64) (Value, error) {
	switch {
	case math.IsNaN(f):
		return nil, ValueError("cannot convert float NaN to integer")
	case math.IsInf(f, 0):
		return nil, Raise("OverflowError", "cannot convert float infinity to integer")
	case math.Abs(f) < 1<<62:
		return int(f), nil
	}
	whole, _ := big.NewFloat(f).Int(nil)
	return normal(whole), nil
}

// Float returns float(v).
func Float(v Value) (float64, error) {
	if text, ok := v.(string); ok {
		return parseFloat(text)
	}
	n, ok := numberOf(v)
	if !ok {
		return 0, TypeError("float() argument must be a string or a real number, not '%s'", TypeName(v))
	}
	return n.toFloat()
}

func parseFloat(text string) (float64, error) {
	if f, ok := pytext.ParseFloat(text); ok {
		return f, nil
	}
	return 0, ValueError("could not convert string to float: %s", Repr(text))
}

// withoutUnderscores removes underscores between digits. It returns false if there are any other underscores, which are
// invalid.
func withoutUnderscores(text string) (string, bool) {
	if !strings.Contains(text, "_") {
		return text, true
	}
	for i := range len(text) {
		if text[i] == '_' && (i == 0 || i == len(text)-1 || !isDigit(text[i-1]) || !isDigit(text[i+1])) {
			return "", false
		}
	}
	return strings.ReplaceAll(text, "_", ""), true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// maxDigits is the maximum number of digits for conversions between ints and strings, in Python since 3.11.
const maxDigits = 4300

const limitExceeded = "Exceeds the limit (4300 digits) for integer string conversion"

// digitsExceeded returns the ValueError for a string with more digits, and nil otherwise.
func digitsExceeded(text string) *Error {
	if len(text) <= maxDigits {
		return nil
	}
	digits := 0
	for i := range len(text) {
		if isDigit(text[i]) {
			digits++
		}
	}
	if digits <= maxDigits {
		return nil
	}
	return ValueError(limitExceeded+": value has %d digits; use sys.set_int_max_str_digits() to increase the limit",
		digits)
}

// tooLong reports whether an int has more digits than Python converts to a string.
func tooLong(n *big.Int) bool {
	const bitsOfLimit = 14284 // 10^4300 has one more
	return n.BitLen() > bitsOfLimit && n.CmpAbs(tooLongFrom) >= 0
}

// tooLongFrom is the smallest int with too many digits.
var tooLongFrom = new(big.Int).Exp(big.NewInt(10), big.NewInt(maxDigits), nil)

// Int returns int(v).
func Int(v Value) (Value, error) {
	if text, ok := v.(string); ok {
		if n, ok := smallNumber(text); ok {
			return n, nil
		}
		digits, ok := withoutUnderscores(asciiDigits(pytext.Strip(text)))
		if ok && !strings.ContainsAny(digits, "xXbBoO") {
			if err := digitsExceeded(digits); err != nil {
				return nil, err
			}
			if whole, ok := new(big.Int).SetString(digits, 10); ok {
				return normal(whole), nil
			}
		}
		return nil, ValueError("invalid literal for int() with base 10: %s", Repr(text))
	}
	n, ok := numberOf(v)
	switch {
	case !ok:
		return nil, TypeError("int() argument must be a string, a bytes-like object or a real number, not '%s'", TypeName(v))
	case n.isFloat:
		return intOfFloat(math.Trunc(n.float))
	}
	return normal(n.bigInt()), nil
}
