package py

import (
	"math"
	"math/big"
	"sync/atomic"
)

// ln returns the natural logarithm of a positive finite number, to about prec bits.
//
// x = m·2^e with m in [3/4, 3/2), so that nothing cancels near 1. Square roots then bring m closer to 1, and ln m =
// 2·atanh((m-1)/(m+1)) is a short series.
func ln(x *big.Float, prec uint) *big.Float {
	const roots = 8
	wide := prec + 2*roots + 32
	m := new(big.Float).SetPrec(max(wide, x.Prec()))
	e := x.MantExp(m) // [1/2, 1)
	if m.Cmp(big.NewFloat(0.75)) < 0 {
		m.SetMantExp(m, 1)
		e--
	}
	one := big.NewFloat(1)
	if m.Cmp(one) == 0 {
		return times(ln2(wide), e, prec)
	}
	// The difference from 1 is exact and keeps its precision through the roots: s-1 = (m-1)/(s+1) where s² = m.
	above := new(big.Float).SetPrec(max(wide, x.Prec())).Sub(m, one)
	above.SetPrec(wide)
	for range roots {
		root := new(big.Float).SetPrec(wide).Sqrt(new(big.Float).SetPrec(wide).Add(above, one))
		above.Quo(above, root.Add(root, one))
	}
	sum := atanh(above.Quo(above, new(big.Float).SetPrec(wide).Add(above, big.NewFloat(2))), wide)
	sum.SetMantExp(sum, roots+1)
	if e != 0 {
		sum.Add(sum, times(ln2(wide), e, wide))
	}
	return sum
}

func times(x *big.Float, n int, prec uint) *big.Float {
	return new(big.Float).SetPrec(prec).Mul(x, new(big.Float).SetInt64(int64(n)))
}

// atanh returns the sum of t^k/k over odd k.
func atanh(t *big.Float, prec uint) *big.Float {
	square := new(big.Float).SetPrec(prec).Mul(t, t)
	sum, power := new(big.Float).SetPrec(prec).Set(t), new(big.Float).SetPrec(prec).Set(t)
	for k := int64(3); ; k += 2 {
		power.Mul(power, square)
		term := new(big.Float).SetPrec(prec).Quo(power, new(big.Float).SetInt64(k))
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-int(prec) {
			return sum
		}
		sum.Add(sum, term)
	}
}

// ln2 returns ln 2 = 18·atanh(1/26) − 2·atanh(1/4801) + 8·atanh(1/8749) (Gourdon and Sebah, The logarithmic constant).
func ln2(prec uint) *big.Float {
	if prec >= cachedPrecisions {
		return newLn2(prec)
	}
	if kept := cachedLn2[prec].Load(); kept != nil {
		return kept
	}
	made := newLn2(prec)
	cachedLn2[prec].Store(made)
	return made
}

// cachedLn2 caches the values of ln2 for the most common precisions. They must not be changed.
var cachedLn2 [cachedPrecisions]atomic.Pointer[big.Float]

const cachedPrecisions = 256

func newLn2(prec uint) *big.Float {
	return inverses(prec, atanhInverse, [][2]int64{{18, 26}, {-2, 4801}, {8, 8749}})
}

// pi returns π = 16·atan(1/5) − 4·atan(1/239) (Machin 1706).
func pi(prec uint) *big.Float {
	return inverses(prec, atanInverse, [][2]int64{{16, 5}, {-4, 239}})
}

// inverses sums factor·series(1/n) using fixed-point arithmetic.
func inverses(prec uint, series func(one *big.Int, n int64) *big.Int, terms [][2]int64) *big.Float {
	bits := prec + 32
	one := new(big.Int).Lsh(big.NewInt(1), bits)
	sum := new(big.Int)
	for _, t := range terms {
		sum.Add(sum, new(big.Int).Mul(series(one, t[1]), big.NewInt(t[0])))
	}
	out := new(big.Float).SetPrec(prec).SetInt(sum)
	return out.SetMantExp(out, -int(bits))
}

func atanhInverse(one *big.Int, n int64) *big.Int { return inverseSeries(one, n, 1) }
func atanInverse(one *big.Int, n int64) *big.Int  { return inverseSeries(one, n, -1) }

// inverseSeries returns the sum of sign^i/((2i+1)·n^(2i+1)).
func inverseSeries(one *big.Int, n, sign int64) *big.Int {
	power := new(big.Int).Quo(one, big.NewInt(n))
	square := big.NewInt(n * n * sign)
	sum := new(big.Int).Set(power)
	for k := int64(3); power.Sign() != 0; k += 2 {
		power.Quo(power, square)
		sum.Add(sum, new(big.Int).Quo(power, big.NewInt(k)))
	}
	return sum
}

// floatPow returns base ** exponent, correctly rounded, as the C library's pow almost always is. Go's math.Pow is off
// by a bit or two.
func floatPow(base, exponent float64) float64 {
	rough := math.Pow(base, exponent)
	switch {
	case exponent == 2:
		return base * base
	case rough == 0, math.IsInf(rough, 0), math.IsNaN(rough), math.Abs(base) == 1, exponent == 0, exponent == 1:
		return rough
	}
	const prec = 256
	power := ln(new(big.Float).SetFloat64(math.Abs(base)), prec)
	exact, _ := exp(power.Mul(power, new(big.Float).SetFloat64(exponent)), prec).Float64()
	return math.Copysign(exact, rough)
}

// exp returns e^x to about prec bits: x = k·ln 2 + r, and the series for e^(r/2^halvings) is squared halvings times.
func exp(x *big.Float, prec uint) *big.Float {
	const halvings = 12
	wide := prec + 2*halvings + 32
	rough, _ := x.Float64()
	k := int(math.Round(rough / math.Ln2))
	r := new(big.Float).SetPrec(wide).Sub(x, times(ln2(wide), k, wide))
	if r.Sign() != 0 {
		r.SetMantExp(r, -halvings)
	}
	sum, term := new(big.Float).SetPrec(wide).SetInt64(1), new(big.Float).SetPrec(wide).SetInt64(1)
	for n := int64(1); ; n++ {
		term.Mul(term, r).Quo(term, new(big.Float).SetInt64(n))
		if term.Sign() == 0 || term.MantExp(nil) < -int(wide) {
			break
		}
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum.SetMantExp(sum, k)
}

// cosSin returns the cosine and the sine of an angle, correctly rounded. Go's math functions are inaccurate near 0.
func cosSin(angle float64) (cos, sin float64) {
	if math.IsInf(angle, 0) || math.IsNaN(angle) {
		return math.NaN(), math.NaN()
	}
	prec := uint(256 + max(0, math.Ilogb(angle))) // a large angle needs more digits of π
	turn := pi(prec)
	turn.SetMantExp(turn, 1)
	x := new(big.Float).SetPrec(prec).SetFloat64(angle)
	turns, _ := new(big.Float).SetPrec(prec).Quo(x, turn).Int(nil)
	x.Sub(x, new(big.Float).SetPrec(prec).Mul(turn, new(big.Float).SetInt(turns)))
	cosine, sine := new(big.Float).SetPrec(prec), new(big.Float).SetPrec(prec)
	term := new(big.Float).SetPrec(prec).SetInt64(1)
	for n := int64(0); term.Sign() != 0 && term.MantExp(nil) > -int(prec); n++ {
		sum := cosine
		if n%2 == 1 {
			sum = sine
		}
		if n%4 < 2 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		term.Mul(term, x).Quo(term, new(big.Float).SetInt64(n+1))
	}
	cos, _ = cosine.Float64()
	sin, _ = sine.Float64()
	return cos, sin
}
