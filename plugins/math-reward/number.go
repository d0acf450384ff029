package mathreward

import (
	"math/big"
	"slices"
	"strings"
)

// signed returns the number with a sign in front of it.
func (n number) signed(sign rune) number {
	if sign == '-' {
		n.value = n.value.scaled(big.NewRat(-1, 1))
	}
	return n
}

// times multiplies. A decimal times a power of ten is a notation for a number. Other products of two numbers, or of two
// roots, count as unevaluated arithmetic.
func (n number) times(factor number) number {
	out := n.with(factor, n.value.times(factor.value))
	t, single := n.value.term()
	u, other := factor.value.term()
	switch {
	case !single || !other:
		out.calculated = out.calculated || len(n.value.above) == 0 || len(factor.value.above) == 0
	case n.literal && isPowerOfTen(factor):
	case !isUnit(t.coefficient) && !isUnit(u.coefficient), t.hasRoot() && u.hasRoot():
		out.calculated = true
	}
	return out
}

func (t term) hasRoot() bool { return slices.ContainsFunc(t.powers, power.isPrime) }

// with returns the result of an operation. A rational result of other values counts as unevaluated arithmetic.
func (n number) with(other number, value quotient) number {
	_, mine := n.value.asRational()
	_, theirs := other.value.asRational()
	_, result := value.asRational()
	return number{value: value, calculated: n.calculated || other.calculated || result && !(mine && theirs)}
}

// over divides. A fraction of two literals is a notation for a number, unless the result is an integer.
func (n number) over(divisor number) number {
	out := n.with(divisor, n.value.times(divisor.value.inverse()))
	_, above := n.value.asRational()
	_, below := divisor.value.asRational()
	if above && below {
		quotient, _ := out.value.asRational()
		out.calculated = out.calculated || !n.literal || !divisor.literal || quotient.IsInt()
	}
	return out
}

// raised raises a number to a power. A whole power is a notation for a number, such as 2^10.
func (n number) raised(exponent number) number {
	out := n.with(exponent, n.value.raised(exponent.value))
	if e, ok := exponent.value.asRational(); ok && !e.IsInt() {
		_, whole := out.value.asRational()
		out.calculated = out.calculated || whole
	}
	return out
}

// isPowerOfTen reports whether a number was written as 10^k rather than as a literal.
func isPowerOfTen(n number) bool {
	r, ok := n.value.asRational()
	if n.literal || n.calculated || !ok || r.Sign() <= 0 {
		return false
	}
	if !r.IsInt() {
		r = new(big.Rat).Inv(r)
	}
	digits := r.Num().String()
	return r.IsInt() && digits[0] == '1' && len(digits) > 1 && strings.Trim(digits[1:], "0") == ""
}

func isUnit(r *big.Rat) bool { return new(big.Rat).Abs(r).Cmp(one) == 0 }
