package py

import (
	"math"
	"math/big"
	"strings"
)

// Decimal is a number from Python's decimal library in its printed form.
type Decimal string

// DecimalSqrt returns Decimal(v).sqrt() with a given precision in significant digits, rounded half to even (IEEE 754,
// as in Cowlishaw's General Decimal Arithmetic Specification, square-root).
func DecimalSqrt(v Value, digits int) (Decimal, error) {
	switch {
	case digits < 1:
		return "", ValueError("valid range for prec is [1, MAX_PREC]")
	case digits > mpfDigits:
		return "", ValueError("a precision of %d digits is more than the %d that are computed", digits, mpfDigits)
	}
	coefficient, exponent, special, err := decimalOf(v)
	switch {
	case err != nil:
		return "", err
	case special == "-Infinity", coefficient != nil && coefficient.Sign() < 0:
		return "", Raise("InvalidOperation", "[<class 'decimal.InvalidOperation'>]")
	case special != "":
		return Decimal(special), nil
	case coefficient.Sign() == 0:
		return decimalString("0", floorHalf(exponent)), nil
	}
	return sqrtOf(coefficient, exponent, digits), nil
}

// decimalOf returns a number's exact decimal value, or the name of a special value.
func decimalOf(v Value) (coefficient *big.Int, exponent int, special string, err error) {
	n, ok := numberOf(v)
	switch {
	case !ok:
		return nil, 0, "", TypeError("conversion from %s to Decimal is not supported", TypeName(v))
	case !n.isFloat:
		return n.bigInt(), 0, "", nil
	case math.IsNaN(n.float):
		return nil, 0, "NaN", nil
	case math.IsInf(n.float, 1):
		return nil, 0, "Infinity", nil
	case math.IsInf(n.float, -1):
		return nil, 0, "-Infinity", nil
	}
	exact := new(big.Rat).SetFloat64(n.float) // with denominator 2^k: scaling by 5^k gives a power of ten
	places := exact.Denom().BitLen() - 1
	scale := new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(places)), nil)
	return scale.Mul(scale, exact.Num()), -places, "", nil
}

func floorHalf(n int) int { return n >> 1 }

// sqrtOf computes one digit more than requested and records whether the root is exact.
func sqrtOf(coefficient *big.Int, exponent, digits int) Decimal {
	ideal := floorHalf(exponent)
	c := new(big.Int).Set(coefficient)
	if exponent&1 != 0 {
		c.Mul(c, big.NewInt(10))
	}
	shift := digits + 1 - (len(c.String())+1)/2 // additional digits of the root
	exact := true
	hundred := new(big.Int).Exp(big.NewInt(100), big.NewInt(int64(abs(shift))), nil)
	if shift >= 0 {
		c.Mul(c, hundred)
	} else {
		rest := new(big.Int)
		c.QuoRem(c, hundred, rest)
		exact = rest.Sign() == 0
	}
	root := new(big.Int).Sqrt(c)
	exact = exact && new(big.Int).Mul(root, root).Cmp(c) == 0
	power := ideal - shift
	if exact {
		return exactRoot(root, power, ideal, digits)
	}
	return roundedRoot(root, power, digits)
}

// exactRoot returns the root with the exponent that is nearest to the ideal one.
func exactRoot(root *big.Int, power, ideal, digits int) Decimal {
	text := root.String()
	for power < ideal && strings.HasSuffix(text, "0") {
		text, power = text[:len(text)-1], power+1
	}
	for power > ideal && len(text) < digits {
		text, power = text+"0", power-1
	}
	if len(text) > digits {
		return roundedRoot(root, power-(len(root.String())-len(text)), digits)
	}
	return decimalString(text, power)
}

// roundedRoot rounds the root half to even. An inexact root is never exactly halfway between two values.
func roundedRoot(root *big.Int, power, digits int) Decimal {
	text := root.String()
	excess := len(text) - digits
	if excess <= 0 {
		return decimalString(text, power)
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(excess)), nil)
	quotient, rest := new(big.Int).QuoRem(root, unit, new(big.Int))
	if rest.Lsh(rest, 1).Cmp(unit) >= 0 {
		quotient.Add(quotient, big.NewInt(1))
	}
	text, power = quotient.String(), power+excess
	if len(text) > digits {
		text, power = text[:digits], power+1
	}
	return decimalString(text, power)
}

// decimalString implements the specification's to-scientific-string.
func decimalString(digits string, exponent int) Decimal {
	adjusted := exponent + len(digits) - 1
	if exponent <= 0 && adjusted >= -6 {
		point := len(digits) + exponent
		switch {
		case exponent == 0:
			return Decimal(digits)
		case point > 0:
			return Decimal(digits[:point] + "." + digits[point:])
		}
		return Decimal("0." + strings.Repeat("0", -point) + digits)
	}
	text := digits[:1]
	if len(digits) > 1 {
		text += "." + digits[1:]
	}
	sign := "+"
	if adjusted < 0 {
		sign = ""
	}
	return Decimal(text + "E" + sign + Repr(adjusted))
}
