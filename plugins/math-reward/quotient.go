package mathreward

import "math/big"

// quotient is a sum divided by another one. A divisor with a single term is part of the dividend. Operations whose
// result is undefined, unknown, or too large call fail.
type quotient struct {
	above sum
	below sum // nil: 1
}

func rational(r *big.Rat) quotient { return quotient{above: sumOf(r)} }

// symbol returns a symbol to the given power.
func symbol(name string, exponent *big.Rat) quotient {
	return quotient{above: sumOf(one, power{name, exponent}).checked()}
}

func (q quotient) divisor() sum {
	if q.below == nil {
		return sumOf(one)
	}
	return q.below
}

// String returns a text that only equal quotients share. Equal quotients may have different texts.
func (q quotient) String() string { return "(" + q.above.String() + ")/(" + q.divisor().String() + ")" }

func (q quotient) asRational() (*big.Rat, bool) {
	if q.below != nil {
		return nil, false
	}
	return q.above.asRational()
}

func (q quotient) terms() int { return len(q.above) + len(q.divisor()) }

// term returns the only term of a quotient.
func (q quotient) term() (term, bool) {
	t, single := q.above.term()
	return t, single && q.below == nil
}

// equals compares exactly. Values that exceed a limit are not equal.
func (q quotient) equals(other quotient) (equal bool) {
	if q.below == nil && other.below == nil {
		return q.above.equals(other.above)
	}
	err := attempt(func() { equal = q.above.times(other.divisor()).equals(other.above.times(q.divisor())) })
	return equal && err == nil
}

// multipleOf reports whether a quotient is a nonzero rational multiple of the other.
func (q quotient) multipleOf(other quotient) (multiple bool) {
	err := attempt(func() {
		ratio := q.times(other.inverse())
		for key, t := range ratio.above {
			if u, ok := ratio.divisor()[key]; ok {
				multiple = ratio.equals(rational(new(big.Rat).Quo(t.coefficient, u.coefficient)))
			}
			break // the terms of all multiples are the same
		}
	})
	return multiple && err == nil
}

func (q quotient) scaled(by *big.Rat) quotient { return quotient{q.above.scaled(by), q.below} }

// plus adds. The second result reports whether terms were combined, which counts as arithmetic.
func (q quotient) plus(other quotient) (quotient, bool) {
	if q.below == nil && other.below == nil {
		above, met := q.above.plus(other.above)
		return quotient{above: above}, met
	}
	above, _ := q.above.times(other.divisor()).plus(other.above.times(q.divisor()))
	return quotient{above, q.divisor().times(other.divisor())}, false
}

func (q quotient) times(other quotient) quotient {
	out := quotient{above: q.above.times(other.above)}
	if q.below != nil || other.below != nil {
		out.below = q.divisor().times(other.divisor())
	}
	return out
}

func (q quotient) inverse() quotient {
	t, single := q.above.term()
	switch {
	case len(q.above) == 0:
		fail(errDivisor)
	case !single:
		return quotient{q.divisor(), q.above}
	}
	above := term{coefficient: new(big.Rat).Inv(t.coefficient)}
	for _, p := range t.powers {
		above = above.times(term{one, []power{{p.base, new(big.Rat).Neg(p.exponent)}}})
	}
	return quotient{above: above.sum().times(q.divisor())}
}

// raised raises a quotient to the power of a sum, which is the product of its powers to the sum's terms.
func (q quotient) raised(exponent quotient) quotient {
	if exponent.below != nil {
		fail(errTooLarge)
	}
	out := rational(one)
	for _, t := range exponent.above {
		out = out.times(q.raisedToTerm(t))
	}
	return out
}

func (q quotient) raisedToTerm(exponent term) (out quotient) {
	e := exponent.coefficient
	if len(exponent.powers) == 0 && e.IsInt() {
		return q.power(e.Num())
	}
	if t, single := q.term(); single {
		if attempt(func() { out.above = t.raised(e, keyOf(exponent.powers)).sum() }) == nil {
			return out
		}
	}
	switch {
	case len(q.above) > 0:
		return symbol("("+q.String()+")^"+keyOf(exponent.powers), e)
	case len(exponent.powers) > 0 || e.Sign() < 0:
		fail(errRoot)
	}
	return q
}

// power raises a quotient to a whole power by repeated squaring.
func (q quotient) power(exponent *big.Int) quotient {
	if !exponent.IsInt64() || max(exponent.Int64(), -exponent.Int64()) > maxExponent {
		fail(errTooLarge)
	}
	n := exponent.Int64()
	if n < 0 {
		q, n = q.inverse(), -n
	}
	out := rational(one)
	for square := q; n > 0; n /= 2 {
		if n%2 == 1 {
			out = out.times(square)
		}
		if n > 1 {
			square = square.times(square)
		}
	}
	return out
}
