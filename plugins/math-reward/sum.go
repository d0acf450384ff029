package mathreward

import (
	"errors"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// sum is an exact value: a sum of terms, each of which is a rational number times powers of primes and symbols. The
// exponent of a prime is between 0 and 1, so that it is a root. A symbol is a variable, π, e, or the text of a function
// with its argument. Each product of powers occurs only once, so two sums are equal if their terms are equal.
type sum map[string]term

// term is a rational number times powers. Its key in a sum is the text of the powers.
type term struct {
	coefficient *big.Rat
	powers      []power // sorted by base
}

// power is a prime or a symbol with an exponent. It is immutable.
type power struct {
	base     string
	exponent *big.Rat
}

func (p power) isPrime() bool { return p.base[0] >= '0' && p.base[0] <= '9' }

// isPositive reports whether a base is a positive number, whatever the values of variables are.
func (p power) isPositive() bool { return p.isPrime() || p.base == "π" || p.base == "e" }

// Limits on a value. A value that exceeds them is not evaluated.
const (
	maxBits      = 4096
	maxTerms     = 32
	maxRadicand  = 1_000_000_000
	maxSymbol    = 1024 // bytes
	maxPowerBits = 32
)

var (
	errTooLarge = errors.New("a number is too large")
	errTerms    = errors.New("too many terms")
	errDivisor  = errors.New("division by zero")
	errRoot     = errors.New("unsupported root")
)

var one = big.NewRat(1, 1)

func sumOf(r *big.Rat, powers ...power) sum {
	if r.Sign() == 0 {
		return sum{}
	}
	return sum{keyOf(powers): {r, powers}}
}

func keyOf(powers []power) string {
	var b strings.Builder
	for _, p := range powers {
		b.WriteString(p.base + "^" + p.exponent.RatString() + " ")
	}
	return b.String()
}

// String returns the same text for equal sums.
func (s sum) String() string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(s)) {
		b.WriteString("+" + s[key].coefficient.RatString() + " " + key)
	}
	return b.String()
}

// asRational returns the sum if it is a rational number.
func (s sum) asRational() (*big.Rat, bool) {
	if t, single := s.term(); single && len(t.powers) == 0 {
		return t.coefficient, true
	}
	return new(big.Rat), len(s) == 0
}

// term returns the only term of a sum.
func (s sum) term() (term, bool) {
	for _, t := range s {
		return t, len(s) == 1
	}
	return term{}, false
}

func (s sum) equals(other sum) bool {
	return maps.EqualFunc(s, other, func(a, b term) bool { return a.coefficient.Cmp(b.coefficient) == 0 })
}

func (s sum) scaled(by *big.Rat) sum {
	out := sum{}
	for key, t := range s {
		out[key] = term{new(big.Rat).Mul(t.coefficient, by), t.powers}
	}
	return out
}

// plus adds. The second result reports whether terms were combined, which counts as arithmetic.
func (s sum) plus(other sum) (sum, bool) {
	out, met := maps.Clone(s), len(s) == 0 || len(other) == 0
	for key, t := range other {
		_, both := out[key]
		met = met || both
		out.add(key, t)
	}
	return out.checked(), met
}

func (s sum) add(key string, t term) {
	if mine, ok := s[key]; ok {
		t.coefficient = new(big.Rat).Add(mine.coefficient, t.coefficient)
	}
	s[key] = t
	if t.coefficient.Sign() == 0 {
		delete(s, key)
	}
}

func (s sum) times(other sum) sum {
	out := sum{}
	for _, t := range s {
		for _, u := range other {
			product := t.times(u)
			out.add(keyOf(product.powers), product)
		}
	}
	return out.checked() // not before: the intermediate number of terms depends on their order
}

// checked returns a sum that is within the limits.
func (s sum) checked() sum {
	if len(s) > maxTerms {
		fail(errTerms)
	}
	for key, t := range s {
		if t.coefficient.Num().BitLen()+t.coefficient.Denom().BitLen() > maxBits || len(key) > maxSymbol {
			fail(errTooLarge)
		}
	}
	return s
}

func (t term) sum() sum { return sum{keyOf(t.powers): t} }

// times multiplies. Whole powers of primes belong to the coefficient.
func (t term) times(u term) term {
	exponents := map[string]*big.Rat{}
	for _, p := range slices.Concat(t.powers, u.powers) {
		if exponents[p.base] == nil {
			exponents[p.base] = new(big.Rat)
		}
		exponents[p.base].Add(exponents[p.base], p.exponent)
	}
	out := term{coefficient: new(big.Rat).Mul(t.coefficient, u.coefficient)}
	for _, base := range slices.Sorted(maps.Keys(exponents)) {
		p := power{base, exponents[base]}
		if p.exponent.Num().BitLen()+p.exponent.Denom().BitLen() > maxPowerBits {
			fail(errTooLarge)
		}
		if p.isPrime() {
			whole := new(big.Int).Div(p.exponent.Num(), p.exponent.Denom()) // rounded down
			if max(whole.Int64(), -whole.Int64()) > maxExponent {
				fail(errTooLarge)
			}
			prime, _ := new(big.Rat).SetString(base)
			out.coefficient.Mul(out.coefficient, powerOf(prime, whole.Int64()))
			p.exponent.Sub(p.exponent, new(big.Rat).SetInt(whole))
		}
		if p.exponent.Sign() != 0 {
			out.powers = append(out.powers, p)
		}
	}
	return out
}

// powerOf raises a rational that is not 0.
func powerOf(r *big.Rat, exponent int64) *big.Rat {
	e := big.NewInt(max(exponent, -exponent))
	out := new(big.Rat).SetFrac(new(big.Int).Exp(r.Num(), e, nil), new(big.Int).Exp(r.Denom(), e, nil))
	if exponent < 0 {
		out.Inv(out)
	}
	return out
}

// raised raises a term to a rational power, or to a rational multiple of a product of variables, which is the text
// variables. (x²)^½ is not x, and (xy)^½ is √x√y only for positive x: such powers are an error.
func (t term) raised(exponent *big.Rat, variables string) term {
	powers, negative := primePowers(t.coefficient), t.coefficient.Sign() < 0
	sign := new(big.Rat).Set(one)
	even := exponent.Denom().Bit(0) == 0
	switch {
	case negative && variables != "" && exponent.IsInt():
		powers = append(powers, power{"-1", one})
	case negative && (even || variables != ""):
		fail(errRoot)
	case negative && exponent.Num().Bit(0) == 1:
		sign.Neg(sign)
	}
	for _, p := range t.powers {
		odd := p.exponent.IsInt() && p.exponent.Num().Bit(0) == 1 && len(t.powers) == 1
		if !p.isPositive() && (even && !odd || variables != "" && !p.exponent.IsInt()) {
			fail(errRoot)
		}
		powers = append(powers, p)
	}
	out := term{coefficient: sign}
	for _, p := range powers {
		if variables != "" {
			p.base = "^" + variables + p.base
		}
		p.exponent = new(big.Rat).Mul(p.exponent, exponent)
		out = out.times(term{one, []power{p}})
	}
	return out
}

// primePowers returns the prime factors of a rational without its sign.
func primePowers(r *big.Rat) (powers []power) {
	for sign, part := range map[int64]*big.Int{1: new(big.Int).Abs(r.Num()), -1: r.Denom()} {
		if !part.IsInt64() || part.Int64() > maxRadicand {
			fail(errTooLarge)
		}
		n := part.Int64()
		for d := int64(2); n > 1; d++ {
			if d*d > n {
				d = n
			}
			exponent := int64(0)
			for ; n%d == 0; n /= d {
				exponent += sign
			}
			if exponent != 0 {
				powers = append(powers, power{big.NewInt(d).String(), big.NewRat(exponent, 1)})
			}
		}
	}
	return powers
}
