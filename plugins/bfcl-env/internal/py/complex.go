package py

import "math"

// Complex is a complex number: a literal, or a power of a negative number.
type Complex struct{ Real, Imag float64 }

// complexOf converts a number to a complex one.
func complexOf(v Value) (Complex, bool, error) {
	if c, ok := v.(Complex); ok {
		return c, true, nil
	}
	n, ok := numberOf(v)
	if !ok {
		return Complex{}, false, nil
	}
	f, err := n.toFloat()
	return Complex{Real: f}, true, err
}

// eitherComplex converts two numbers, at least one of which is complex.
func eitherComplex(a, b Value) (x, y Complex, ok bool, err error) {
	_, left := a.(Complex)
	_, right := b.(Complex)
	if !left && !right {
		return x, y, false, nil
	}
	x, isX, err := complexOf(a)
	if err != nil {
		return x, y, true, err
	}
	y, isY, err := complexOf(b)
	return x, y, isX && isY, err
}

func (c Complex) plus(d Complex) Complex  { return Complex{c.Real + d.Real, c.Imag + d.Imag} }
func (c Complex) minus(d Complex) Complex { return Complex{c.Real - d.Real, c.Imag - d.Imag} }
func (c Complex) times(d Complex) Complex {
	return Complex{c.Real*d.Real - c.Imag*d.Imag, c.Real*d.Imag + c.Imag*d.Real}
}

// over divides as CPython does, by the larger part of the divisor first, so that no intermediate result overflows.
func (c Complex) over(d Complex) (Complex, bool) {
	real, imag := math.Abs(d.Real), math.Abs(d.Imag)
	switch {
	case real >= imag && real == 0:
		return Complex{}, false
	case real >= imag:
		ratio := d.Imag / d.Real
		denominator := d.Real + d.Imag*ratio
		return Complex{(c.Real + c.Imag*ratio) / denominator, (c.Imag - c.Real*ratio) / denominator}, true
	case imag >= real:
		ratio := d.Real / d.Imag
		denominator := d.Real*ratio + d.Imag
		return Complex{(c.Real*ratio + c.Imag) / denominator, (c.Imag*ratio - c.Real) / denominator}, true
	}
	return Complex{math.NaN(), math.NaN()}, true
}

// smallPower bounds the integer exponents that are computed by multiplication, as in CPython.
const smallPower = 100

// power returns c ** d.
func (c Complex) power(d Complex) (Value, error) {
	var out Complex
	switch whole := math.Floor(d.Real); {
	case d.Imag == 0 && d.Real == whole && math.Abs(whole) <= smallPower:
		var ok bool
		if out, ok = c.integerPower(int(whole)); !ok {
			return nil, Raise("ZeroDivisionError", "0.0 to a negative or complex power")
		}
	case c == (Complex{}):
		if d.Imag != 0 || d.Real < 0 {
			return nil, Raise("ZeroDivisionError", "0.0 to a negative or complex power")
		}
	default:
		length, angle := math.Hypot(c.Real, c.Imag), math.Atan2(c.Imag, c.Real)
		size, turn := floatPow(length, d.Real), angle*d.Real
		if d.Imag != 0 {
			size *= math.Exp(-angle * d.Imag)
			turn += d.Imag * math.Log(length)
		}
		cos, sin := cosSin(turn)
		out = Complex{size * cos, size * sin}
	}
	if math.IsInf(out.Real, 0) || math.IsInf(out.Imag, 0) {
		return nil, Raise("OverflowError", "complex exponentiation")
	}
	return out, nil
}

func (c Complex) integerPower(n int) (Complex, bool) {
	if n < 0 {
		out, _ := c.integerPower(-n)
		return Complex{Real: 1}.over(out)
	}
	out, square := Complex{Real: 1}, c
	for mask := 1; mask <= n; mask <<= 1 {
		if n&mask != 0 {
			out = out.times(square)
		}
		square = square.times(square)
	}
	return out, true
}

// text returns repr(c). It omits the real part if it is positive zero.
func (c Complex) text() string {
	imag := complexPart(c.Imag) + "j"
	if c.Real == 0 && !math.Signbit(c.Real) {
		return imag
	}
	if imag[0] != '-' {
		imag = "+" + imag
	}
	return "(" + complexPart(c.Real) + imag + ")"
}

func complexPart(f float64) string {
	text := FloatRepr(f)
	if n := len(text); n > 2 && text[n-2:] == ".0" {
		return text[:n-2]
	}
	return text
}
