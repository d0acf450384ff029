package py

import (
	"math"
	"math/big"
	"strings"

	"github.com/awhost/awhost/sdk/pytext"
)

// MPF is an mpmath number in its printed form; MPC is a complex mpmath number.
type (
	MPF string
	MPC struct{ Real, Imag MPF }
)

// mpfDigits bounds the number of decimal digits that are computed for logarithms and roots. Python has no such bound:
// it computes until it has finished or runs out of memory.
const mpfDigits = 10_000

// bitsPerDigit is mpmath's factor between decimal digits and bits.
const bitsPerDigit = 3.3219280948873626

// LogRatio returns mpmath's log(value) / log(base) for mp.dps = digits. Both logarithms and the quotient are rounded to
// that precision. The result is an MPF, or an MPC if one of the numbers is negative.
func LogRatio(value, base Value, digits int) (Value, error) {
	if digits > mpfDigits {
		return nil, ValueError("a precision of %d digits is more than the %d that are computed", digits, mpfDigits)
	}
	m := mp{prec: uint(max(1, math.RoundToEven(float64(digits+1)*bitsPerDigit)))}
	numerator, err := m.log(value)
	if err != nil {
		return nil, err
	}
	denominator, err := m.log(base)
	if err != nil {
		return nil, err
	}
	if denominator.isZero() {
		return nil, Raise("ZeroDivisionError", "")
	}
	quotient := m.divide(numerator, denominator)
	if !numerator.isComplex && !denominator.isComplex {
		return m.print(quotient.real), nil
	}
	return MPC{Real: m.print(quotient.real), Imag: m.print(quotient.imag)}, nil
}

// mp computes with a given precision in bits.
type mp struct{ prec uint }

// mpNumber is a complex number whose parts may be infinite; nil represents nan.
type mpNumber struct {
	real, imag *big.Float
	isComplex  bool
}

func (n mpNumber) isZero() bool {
	return n.real != nil && n.real.Sign() == 0 && (!n.isComplex || n.imag.Sign() == 0)
}

// log returns the natural logarithm, correctly rounded.
func (m mp) log(v Value) (mpNumber, error) {
	x, err := m.number(v)
	switch {
	case err != nil:
		return mpNumber{}, err
	case x == nil:
		return mpNumber{}, nil
	case x.Sign() == 0:
		return mpNumber{real: new(big.Float).SetInf(true)}, nil
	case x.IsInf() && x.Sign() > 0:
		return mpNumber{real: x}, nil
	case x.Sign() > 0:
		return mpNumber{real: m.round(ln(x, m.prec+guardBits))}, nil
	case x.IsInf():
		return mpNumber{real: new(big.Float).SetInf(false), imag: m.round(pi(m.prec + guardBits)), isComplex: true}, nil
	}
	return mpNumber{real: m.round(ln(new(big.Float).Neg(x), m.prec+guardBits)), imag: m.round(pi(m.prec + guardBits)),
		isComplex: true}, nil
}

// number returns mpf(v): exact for numbers, rounded for strings, and nil for nan.
func (m mp) number(v Value) (*big.Float, error) {
	if text, ok := v.(string); ok {
		rough, err := parseFloat(text)
		switch {
		case err != nil:
			return nil, ValueError("cannot create mpf from %s", Repr(text))
		case math.IsNaN(rough):
			return nil, nil
		}
		digits, _ := withoutUnderscores(asciiDigits(pytext.Strip(text)))
		x, _, err := big.ParseFloat(digits, 10, m.prec, big.ToNearestEven)
		return x, err
	}
	n, ok := numberOf(v)
	switch {
	case !ok:
		return nil, TypeError("cannot create mpf from %s", Repr(v))
	case n.isFloat && math.IsNaN(n.float):
		return nil, nil
	case n.isFloat:
		return new(big.Float).SetFloat64(n.float), nil
	}
	whole := n.bigInt()
	return new(big.Float).SetPrec(uint(max(64, whole.BitLen()))).SetInt(whole), nil
}

// guardBits is the number of bits computed in addition to the requested ones, so that the rounding is correct.
const guardBits = 96

func (m mp) round(x *big.Float) *big.Float {
	return new(big.Float).SetMode(big.ToNearestEven).SetPrec(m.prec).Set(x)
}

// divide returns a / b as mpmath does: directly for real numbers, and by the square of b's absolute value for complex
// ones.
func (m mp) divide(a, b mpNumber) mpNumber {
	if !b.isComplex {
		out := mpNumber{real: m.quotient(a.real, b.real, m.prec), isComplex: a.isComplex}
		if a.isComplex {
			out.imag = m.quotient(a.imag, b.real, m.prec)
		}
		return out
	}
	if a.imag == nil {
		a.imag = new(big.Float)
	}
	wide := m.prec + 10
	length := m.combine(b.real, b.real, b.imag, b.imag, wide, (*big.Float).Add)
	real := m.combine(a.real, b.real, a.imag, b.imag, wide, (*big.Float).Add)
	imag := m.combine(a.imag, b.real, a.real, b.imag, wide, (*big.Float).Sub)
	return mpNumber{real: m.quotient(real, length, m.prec), imag: m.quotient(imag, length, m.prec), isComplex: true}
}

// combine returns a·b + c·d, or the difference, rounded once; nil represents nan.
func (m mp) combine(a, b, c, d *big.Float, prec uint, join func(z, x, y *big.Float) *big.Float) (out *big.Float) {
	defer func() {
		if recover() != nil { // big.ErrNaN: ∞ − ∞
			out = nil
		}
	}()
	left, right := product(a, b), product(c, d)
	if left == nil || right == nil {
		return nil
	}
	return join(new(big.Float).SetPrec(prec), left, right)
}

// product returns the exact product; nil represents nan.
func product(x, y *big.Float) *big.Float {
	if x == nil || y == nil || x.IsInf() && y.Sign() == 0 || y.IsInf() && x.Sign() == 0 {
		return nil
	}
	return new(big.Float).SetPrec(max(1, x.Prec()+y.Prec())).Mul(x, y)
}

// quotient returns a / b. Infinities result in infinities, zeros, or nan.
func (m mp) quotient(a, b *big.Float, prec uint) *big.Float {
	switch {
	case a == nil || b == nil, a.IsInf() && b.IsInf():
		return nil
	case a.Sign() == 0, b.IsInf():
		return new(big.Float)
	}
	return new(big.Float).SetPrec(prec).Quo(a, b)
}

// print returns the text inside mpf('…'), with enough digits to distinguish numbers with the given precision.
func (m mp) print(x *big.Float) MPF {
	switch {
	case x == nil:
		return "nan"
	case x.IsInf() && x.Sign() > 0:
		return "+inf"
	case x.IsInf():
		return "-inf"
	case x.Sign() == 0:
		return "0.0"
	}
	places := max(1, int(math.RoundToEven(float64(m.prec)/bitsPerDigit))-1)
	if places == 15 {
		places = 17
	} else {
		places += 3
	}
	return MPF(decimalText(x, places))
}

// decimalText formats a number with a given number of significant digits, without trailing zeros. Like mpmath, it
// truncates to three more digits before it rounds half up.
func decimalText(x *big.Float, places int) string {
	digits, exponent := cutDigits(x, places+3)
	digits, carried := roundDigits(digits, places)
	exponent += carried
	lead := 1
	if exponent > min(-(places/3), -5) && exponent < places {
		if exponent < 0 {
			digits = strings.Repeat("0", -exponent) + digits
		} else {
			lead = exponent + 1
		}
		exponent = 0
	}
	if missing := lead - len(digits); missing > 0 {
		digits += strings.Repeat("0", missing)
	}
	text := digits[:lead] + "." + strings.TrimRight(digits[lead:], "0")
	if strings.HasSuffix(text, ".") {
		text += "0"
	}
	if x.Sign() < 0 {
		text = "-" + text
	}
	switch {
	case exponent > 0:
		return text + "e+" + Repr(exponent)
	case exponent < 0:
		return text + "e" + Repr(exponent)
	}
	return text
}

// cutDigits returns the first digits of |x| and the decimal exponent of the first digit.
func cutDigits(x *big.Float, places int) (digits string, exponent int) {
	exact, _ := new(big.Float).Abs(x).Rat(nil)
	exponent = int(math.Floor(float64(x.MantExp(nil)-1) / bitsPerDigit))
	for {
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(abs(places-1-exponent))), nil)
		numerator, denominator := new(big.Int).Set(exact.Num()), new(big.Int).Set(exact.Denom())
		if places-1-exponent >= 0 {
			numerator.Mul(numerator, scale)
		} else {
			denominator.Mul(denominator, scale)
		}
		digits = numerator.Quo(numerator, denominator).String()
		if len(digits) == places {
			return digits, exponent
		}
		exponent += len(digits) - places
	}
}

func abs(n int) int { return max(n, -n) }

// roundDigits rounds half up to a given number of places. carried is 1 if the rounding added a digit.
func roundDigits(digits string, places int) (rounded string, carried int) {
	if digits[places] < '5' {
		return digits[:places], 0
	}
	head := strings.TrimRight(digits[:places], "9")
	if head == "" {
		return "1" + strings.Repeat("0", places-1), 1
	}
	last := len(head) - 1
	return head[:last] + string(head[last]+1) + strings.Repeat("0", places-len(head)), 0
}
