package mathreward

import "math/big"

// quotient is a sum divided by another one. A divisor with a single term is part of the dividend.
type quotient struct {
	above sum
	below sum // nil: 1
}

func rational(r *big.Rat) quotient { return quotient{above: sumOf(r)} }

// symbol returns a symbol to the given power.
func symbol(name string, exponent *big.Rat) (quotient, error) {
	if len(name) > maxSymbol {
		return quotient{}, errTooLarge
	}
	return quotient{above: sumOf(one, power{name, exponent})}, nil
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

// term returns the only term of a quotient.
func (q quotient) term() (term, bool) {
	t, single := q.above.term()
	return t, single && q.below == nil
}

// equals compares exactly. Values that exceed a limit are not equal.
func (q quotient) equals(other quotient) bool {
	mine, err := q.above.times(other.divisor())
	if err != nil {
		return false
	}
	theirs, err := other.above.times(q.divisor())
	return err == nil && mine.equals(theirs)
}

// multipleOf reports whether a quotient is a nonzero rational multiple of the other.
func (q quotient) multipleOf(other quotient) bool {
	inverse, err := other.inverse()
	if err != nil {
		return false
	}
	ratio, err := q.times(inverse)
	if err != nil || len(ratio.above) == 0 {
		return false
	}
	for key, t := range ratio.above {
		factor := new(big.Rat).Quo(t.coefficient, one)
		if u, ok := ratio.divisor()[key]; ok {
			return ratio.equals(rational(factor.Quo(factor, u.coefficient)))
		}
	}
	return false
}

func (q quotient) scaled(by *big.Rat) quotient { return quotient{q.above.scaled(by), q.below} }

// plus adds. The second result reports whether terms were combined, which counts as arithmetic.
func (q quotient) plus(other quotient) (quotient, bool, error) {
	if q.below == nil && other.below == nil {
		above, met, err := q.above.plus(other.above)
		return quotient{above: above}, met, err
	}
	mine, err := q.above.times(other.divisor())
	if err != nil {
		return quotient{}, false, err
	}
	theirs, err := other.above.times(q.divisor())
	if err != nil {
		return quotient{}, false, err
	}
	below, err := q.divisor().times(other.divisor())
	if err != nil {
		return quotient{}, false, err
	}
	above, _, err := mine.plus(theirs)
	return quotient{above, below}, false, err
}

func (q quotient) times(other quotient) (quotient, error) {
	above, err := q.above.times(other.above)
	if err != nil || q.below == nil && other.below == nil {
		return quotient{above: above}, err
	}
	below, err := q.divisor().times(other.divisor())
	return quotient{above, below}, err
}

func (q quotient) inverse() (quotient, error) {
	if len(q.above) == 0 {
		return quotient{}, errDivisor
	}
	t, single := q.above.term()
	if !single {
		return quotient{q.divisor(), q.above}, nil
	}
	above := term{coefficient: new(big.Rat).Inv(t.coefficient)}
	for _, p := range t.powers {
		var err error
		if above, err = above.times(term{one, []power{{p.base, new(big.Rat).Neg(p.exponent)}}}); err != nil {
			return quotient{}, err
		}
	}
	return quotient{above: sum{keyOf(above.powers): above}}.times(quotient{above: q.divisor()})
}

// raised raises a quotient to the power of a sum, which is the product of its powers to the sum's terms.
func (q quotient) raised(exponent quotient) (quotient, error) {
	out := rational(one)
	if exponent.below != nil {
		return quotient{}, errTooLarge
	}
	for _, t := range exponent.above {
		factor, err := q.raisedToTerm(t)
		if err != nil {
			return quotient{}, err
		}
		if out, err = out.times(factor); err != nil {
			return quotient{}, err
		}
	}
	return out, nil
}

func (q quotient) raisedToTerm(exponent term) (quotient, error) {
	e := exponent.coefficient
	if len(exponent.powers) == 0 && e.IsInt() {
		return q.power(e.Num())
	}
	if t, single := q.term(); single {
		raised, err := t.raised(e, keyOf(exponent.powers))
		if err == nil {
			return quotient{above: sum{keyOf(raised.powers): raised}}, nil
		}
	}
	switch {
	case len(q.above) > 0:
		return symbol("("+q.String()+")^"+keyOf(exponent.powers), e)
	case len(exponent.powers) > 0 || e.Sign() < 0:
		return quotient{}, errRoot
	}
	return q, nil
}

// power raises a quotient to a whole power by repeated squaring.
func (q quotient) power(exponent *big.Int) (quotient, error) {
	if !exponent.IsInt64() || max(exponent.Int64(), -exponent.Int64()) > maxExponent {
		return quotient{}, errTooLarge
	}
	n := exponent.Int64()
	if n < 0 {
		var err error
		if q, err = q.inverse(); err != nil {
			return quotient{}, err
		}
		n = -n
	}
	out := rational(one)
	for square := q; n > 0; n /= 2 {
		var err error
		if n%2 == 1 {
			if out, err = out.times(square); err != nil {
				return quotient{}, err
			}
		}
		if n == 1 {
			break
		}
		if square, err = square.times(square); err != nil {
			return quotient{}, err
		}
	}
	return out, nil
}
