package mathreward

import (
	"errors"
	"math/big"
)

// sum is an exact real number: a sum of terms, each of which is a rational number times a square root times a power of
// π. Each key occurs only once in a number, so two numbers are equal if their terms are equal.
type sum map[key]*big.Rat

// key is the irrational factor of a term.
type key struct {
	radicand int64 // square-free; 1: no root
	pi       int   // exponent of π
}

var rational = key{radicand: 1}

// Limits on a number. A number that exceeds them is not evaluated.
const (
	maxBits     = 4096
	maxTerms    = 32
	maxRadicand = 1_000_000_000
)

var (
	errTooLarge = errors.New("a number is too large")
	errTerms    = errors.New("too many terms")
	errDivisor  = errors.New("unsupported divisor")
	errRoot     = errors.New("unsupported root")
)

func sumOf(r *big.Rat) sum {
	if r.Sign() == 0 {
		return sum{}
	}
	return sum{rational: r}
}

// asRational returns the number if it has neither roots nor π.
func (s sum) asRational() (*big.Rat, bool) {
	switch r, ok := s[rational]; {
	case len(s) == 0:
		return new(big.Rat), true
	case ok && len(s) == 1:
		return r, true
	}
	return nil, false
}

// term returns the only term of a one-term number.
func (s sum) term() (key, *big.Rat, bool) {
	for k, r := range s {
		return k, r, len(s) == 1
	}
	return rational, nil, false
}

func (s sum) equals(other sum) bool {
	if len(s) != len(other) {
		return false
	}
	for k, r := range s {
		if o, ok := other[k]; !ok || o.Cmp(r) != 0 {
			return false
		}
	}
	return true
}

func (s sum) scaled(by *big.Rat) sum {
	out := sum{}
	for k, r := range s {
		out[k] = new(big.Rat).Mul(r, by)
	}
	return out
}

// plus adds. The second result reports whether terms were combined, which counts as arithmetic.
func (s sum) plus(other sum) (sum, bool, error) {
	_, mine := s.asRational()
	_, theirs := other.asRational()
	out, met := sum{}, mine && theirs || len(s) == 0 || len(other) == 0
	for k, r := range s {
		out[k] = r
	}
	for k, r := range other {
		if mine, ok := out[k]; ok {
			met = true
			r = new(big.Rat).Add(mine, r)
		}
		out[k] = r
		if r.Sign() == 0 {
			delete(out, k)
		}
	}
	return out, met, out.check()
}

func (s sum) times(other sum) (sum, error) {
	out := sum{}
	for k, r := range s {
		for l, q := range other {
			m, factor, err := k.times(l)
			if err != nil {
				return nil, err
			}
			product := new(big.Rat).Mul(r, q)
			product.Mul(product, new(big.Rat).SetInt64(factor))
			out, _, err = out.plus(sum{m: product})
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// power raises a number to a power by repeated squaring.
func (s sum) power(exponent int64) (sum, error) {
	out := sumOf(big.NewRat(1, 1))
	for square := s; ; exponent /= 2 {
		var err error
		if exponent%2 == 1 {
			if out, err = out.times(square); err != nil {
				return nil, err
			}
		}
		if exponent <= 1 {
			return out, nil
		}
		if square, err = square.times(square); err != nil {
			return nil, err
		}
	}
}

// inverse returns the inverse of a one-term number.
func (s sum) inverse() (sum, error) {
	k, r, ok := s.term()
	if !ok {
		return nil, errDivisor
	}
	inverse := new(big.Rat).Inv(r)
	inverse.Mul(inverse, big.NewRat(1, k.radicand))
	return sum{key{radicand: k.radicand, pi: -k.pi}: inverse}, nil
}

// root returns the square root of a rational: √(a/b) is √(ab)/b.
func (s sum) root() (sum, error) {
	r, ok := s.asRational()
	if !ok || r.Sign() < 0 {
		return nil, errRoot
	}
	if r.Sign() == 0 {
		return sum{}, nil
	}
	under := new(big.Int).Mul(r.Num(), r.Denom())
	if !under.IsInt64() || under.Int64() > maxRadicand {
		return nil, errTooLarge
	}
	outside, inside := squareFree(under.Int64())
	factor := new(big.Rat).SetFrac(big.NewInt(outside), r.Denom())
	return sum{key{radicand: inside}: factor}, nil
}

// check returns an error if a number exceeds the limits.
func (s sum) check() error {
	if len(s) > maxTerms {
		return errTerms
	}
	for _, r := range s {
		if r.Num().BitLen()+r.Denom().BitLen() > maxBits {
			return errTooLarge
		}
	}
	return nil
}

// times multiplies the irrational factors of two terms. The returned factor is the part that can be taken out of the
// roots.
func (k key) times(l key) (key, int64, error) {
	const mostPi = 64
	pi := k.pi + l.pi
	if pi > mostPi || pi < -mostPi {
		return key{}, 0, errTooLarge
	}
	common := gcd(k.radicand, l.radicand)
	inside := (k.radicand / common) * (l.radicand / common)
	if inside > maxRadicand {
		return key{}, 0, errTooLarge
	}
	return key{radicand: inside, pi: pi}, common, nil
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// squareFree writes n as outside² · inside with a square-free inside.
func squareFree(n int64) (outside, inside int64) {
	outside, inside = 1, 1
	for d := int64(2); d*d <= n; d++ {
		for n%(d*d) == 0 {
			n /= d * d
			outside *= d
		}
		if n%d == 0 {
			n /= d
			inside *= d
		}
	}
	return outside, inside * n
}
