package mathreward

import "math/big"

// times multiplies. A decimal times a power of ten is a notation for a number. Other products of two numbers, or of two
// roots, count as unevaluated arithmetic.
func (n number) times(factor number) (number, error) {
	value, err := n.value.times(factor.value)
	if err != nil {
		return number{}, err
	}
	out := number{value: value, calculated: n.calculated || factor.calculated}
	k, a, one := n.value.term()
	l, b, other := factor.value.term()
	switch {
	case !one || !other:
		out.calculated = out.calculated || len(n.value) == 0 || len(factor.value) == 0
	case n.literal && isPowerOfTen(factor):
	case !isUnit(a) && !isUnit(b), k.radicand > 1 && l.radicand > 1:
		out.calculated = true
	}
	return out, nil
}

// over divides. A fraction of two literals is a notation for a number, unless the result is an integer.
func (n number) over(divisor number) (number, error) {
	inverse, err := divisor.value.inverse()
	if err != nil {
		return number{}, err
	}
	value, err := n.value.times(inverse)
	if err != nil {
		return number{}, err
	}
	out := number{value: value, calculated: n.calculated || divisor.calculated}
	_, above := n.value.asRational()
	_, below := divisor.value.asRational()
	if above && below {
		quotient, _ := value.asRational()
		out.calculated = out.calculated || !n.literal || !divisor.literal || quotient.IsInt()
	}
	return out, nil
}

// raised raises a number to an integer power. A power of ten is a notation for a number.
func (n number) raised(exponent number) (number, error) {
	e, ok := exponent.value.asRational()
	if !ok || !e.IsInt() || !e.Num().IsInt64() || max(e.Num().Int64(), -e.Num().Int64()) > maxExponent {
		return number{}, errTooLarge
	}
	base, power := n.value, e.Num().Int64()
	if power < 0 {
		inverse, err := base.inverse()
		if err != nil {
			return number{}, err
		}
		base, power = inverse, -power
	}
	value, err := base.power(power)
	if err != nil {
		return number{}, err
	}
	pi := n.value.equals(sum{key{radicand: 1, pi: 1}: big.NewRat(1, 1)})
	calculated := n.calculated || exponent.calculated || !pi && !n.isTen()
	return number{value: value, calculated: calculated}, nil
}

// root returns the square root. A rational result counts as unevaluated arithmetic.
func (n number) root() (number, error) {
	value, err := n.value.root()
	_, whole := value.asRational()
	return number{value: value, calculated: n.calculated || whole}, err
}

func (n number) isTen() bool {
	return n.literal && n.value.equals(sumOf(big.NewRat(10, 1)))
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
	return r.IsInt() && digits[0] == '1' && len(digits) > 1 && trimZeros(digits[1:]) == ""
}

func trimZeros(digits string) string {
	for len(digits) > 0 && digits[0] == '0' {
		digits = digits[1:]
	}
	return digits
}

func isUnit(r *big.Rat) bool {
	return r.IsInt() && r.Num().IsInt64() && max(r.Num().Int64(), -r.Num().Int64()) == 1
}
