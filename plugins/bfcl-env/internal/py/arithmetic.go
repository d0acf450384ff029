package py

import (
	"math"
	"math/big"
	"slices"
	"strings"
)

// normal returns an int in canonical form: a *big.Int only beyond 64 bits.
func normal(n *big.Int) Value {
	if n.IsInt64() {
		return int(n.Int64())
	}
	return n
}

// BigInt returns the value of an int or a bool.
func BigInt(v Value) (*big.Int, bool) {
	n, ok := numberOf(v)
	if !ok || n.isFloat {
		return nil, false
	}
	return n.bigInt(), true
}

// Add returns a + b.
func Add(a, b Value) (Value, error) {
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			return x + y, nil
		}
		return nil, TypeError(`can only concatenate str (not "%s") to str`, TypeName(b))
	case *List:
		if y, ok := b.(*List); ok {
			return NewList(append(append([]Value(nil), x.Items...), y.Items...)...), nil
		}
		return nil, TypeError(`can only concatenate list (not "%s") to list`, TypeName(b))
	case Tuple:
		if y, ok := b.(Tuple); ok {
			return append(append(Tuple(nil), x...), y...), nil
		}
		return nil, TypeError(`can only concatenate tuple (not "%s") to tuple`, TypeName(b))
	case Bytes:
		if y, ok := b.(Bytes); ok {
			return x + y, nil
		}
		return nil, TypeError("can't concat %s to bytes", TypeName(b))
	}
	if x, y, ok, err := eitherComplex(a, b); ok {
		return x.plus(y), err
	}
	return arithmetic("+", a, b, func(x, y int) (int, bool) {
		sum := x + y
		return sum, (sum > x) == (y > 0)
	}, (*big.Int).Add, func(x, y float64) float64 { return x + y })
}

// Sub returns a - b.
func Sub(a, b Value) (Value, error) {
	if x, y, ok := bothSets(a, b); ok {
		return chosen(func(v Value) bool { return !y.has(v) }, x), nil
	}
	if x, y, ok, err := eitherComplex(a, b); ok {
		return x.minus(y), err
	}
	return arithmetic("-", a, b, func(x, y int) (int, bool) {
		difference := x - y
		return difference, (difference < x) == (y > 0)
	}, (*big.Int).Sub, func(x, y float64) float64 { return x - y })
}

// Mul returns a * b for numbers, or for a sequence and a count.
func Mul(a, b Value) (Value, error) {
	switch {
	case isSequence(a):
		return repeat(a, b)
	case isSequence(b):
		return repeat(b, a)
	}
	if x, y, ok, err := eitherComplex(a, b); ok {
		return x.times(y), err
	}
	return arithmetic("*", a, b, func(x, y int) (int, bool) {
		const half = 1 << 31
		return x * y, x > -half && x < half && y > -half && y < half
	}, (*big.Int).Mul, func(x, y float64) float64 { return x * y })
}

func isSequence(v Value) bool {
	switch v.(type) {
	case string, *List, Tuple, Bytes:
		return true
	}
	return false
}

// maxRepeated bounds the length of a repetition's result. Python has no such bound.
const maxRepeated = 1 << 22

// repeat returns sequence * count.
func repeat(sequence, count Value) (Value, error) {
	whole, ok := BigInt(count)
	if !ok {
		return nil, TypeError("can't multiply sequence by non-int of type '%s'", TypeName(count))
	}
	length, err := Length(sequence)
	if err != nil {
		return nil, err
	}
	times := 0
	switch {
	case !whole.IsInt64():
		return nil, Raise("OverflowError", "cannot fit 'int' into an index-sized integer")
	case whole.Sign() <= 0 || length == 0:
	case whole.Int64() > int64(maxRepeated/length):
		return nil, Raise("MemoryError", "")
	default:
		times = int(whole.Int64())
	}
	switch s := sequence.(type) {
	case string:
		return strings.Repeat(s, times), nil
	case Bytes:
		return Bytes(strings.Repeat(string(s), times)), nil
	case *List:
		return &List{Items: slices.Repeat(s.Items, times)}, nil
	}
	return Tuple(slices.Repeat(sequence.(Tuple), times)), nil
}

// Mod returns a % b. For numbers, the result has the sign of b. For strings, it is the formatted string.
func Mod(a, b Value) (Value, error) {
	switch x := a.(type) {
	case string:
		return format(x, b)
	case Bytes:
		text, err := format(string(x), b)
		if _, also := b.(Bytes); err == nil && also {
			err = TypeError("")
		}
		if err != nil && strings.HasPrefix(err.Error(), "TypeError") {
			return nil, TypeError("not all arguments converted during bytes formatting")
		}
		if err != nil {
			return nil, err
		}
		return Bytes(text.(string)), nil
	}
	x, ok := numberOf(a)
	y, also := numberOf(b)
	switch {
	case !ok || !also:
		return nil, unsupported("%", a, b)
	case x.isFloat || y.isFloat:
		p, q, err := bothFloats(x, y)
		if err != nil {
			return nil, err
		}
		if q == 0 {
			return nil, Raise("ZeroDivisionError", "float modulo")
		}
		rest := math.Mod(p, q)
		if rest != 0 && (rest < 0) != (q < 0) {
			rest += q
		}
		return rest, nil
	case y.bigInt().Sign() == 0:
		return nil, Raise("ZeroDivisionError", "integer modulo by zero")
	}
	rest := new(big.Int).Rem(x.bigInt(), y.bigInt())
	if rest.Sign() != 0 && rest.Sign() != y.bigInt().Sign() {
		rest.Add(rest, y.bigInt())
	}
	return normal(rest), nil
}

// arithmetic applies an operator to numbers. fast also reports whether the result is correct.
func arithmetic(operator string, a, b Value, fast func(x, y int) (int, bool), whole func(z, x, y *big.Int) *big.Int,
	floats func(x, y float64) float64) (Value, error) {
	x, ok := numberOf(a)
	y, also := numberOf(b)
	if !ok || !also {
		return nil, unsupported(operator, a, b)
	}
	if !x.isFloat && !y.isFloat {
		if x.big == nil && y.big == nil {
			if result, fits := fast(x.whole, y.whole); fits {
				return result, nil
			}
		}
		return normal(whole(new(big.Int), x.bigInt(), y.bigInt())), nil
	}
	p, q, err := bothFloats(x, y)
	if err != nil {
		return nil, err
	}
	return floats(p, q), nil
}

func unsupported(operator string, a, b Value) error {
	return TypeError("unsupported operand type(s) for %s: '%s' and '%s'", operator, TypeName(a), TypeName(b))
}

// toFloat returns float(n).
func (n number) toFloat() (float64, error) {
	switch {
	case n.isFloat:
		return n.float, nil
	case n.big == nil:
		return float64(n.whole), nil
	}
	f, _ := new(big.Float).SetInt(n.big).Float64()
	if math.IsInf(f, 0) {
		return 0, Raise("OverflowError", "int too large to convert to float")
	}
	return f, nil
}

// bothFloats returns float(x) and float(y), or the first error.
func bothFloats(x, y number) (p, q float64, err error) {
	if p, err = x.toFloat(); err != nil {
		return 0, 0, err
	}
	q, err = y.toFloat()
	return p, q, err
}

// TrueDiv returns a / b.
func TrueDiv(a, b Value) (Value, error) {
	if x, y, ok, err := eitherComplex(a, b); ok {
		quotient, defined := x.over(y)
		if err == nil && !defined {
			err = Raise("ZeroDivisionError", "complex division by zero")
		}
		return quotient, err
	}
	x, ok := numberOf(a)
	y, also := numberOf(b)
	switch {
	case !ok || !also:
		return nil, unsupported("/", a, b)
	case x.isFloat || y.isFloat:
		p, q, err := bothFloats(x, y)
		if err != nil {
			return nil, err
		}
		if q == 0 {
			return nil, Raise("ZeroDivisionError", "float division by zero")
		}
		return p / q, nil
	}
	divisor := y.bigInt()
	if divisor.Sign() == 0 {
		return nil, Raise("ZeroDivisionError", "division by zero")
	}
	f, _ := new(big.Rat).SetFrac(x.bigInt(), divisor).Float64()
	if math.IsInf(f, 0) {
		return nil, Raise("OverflowError", "integer division result too large for a float")
	}
	if f == 0 && y.bigInt().Sign() < 0 && x.bigInt().Sign() == 0 {
		f = math.Copysign(0, -1)
	}
	return f, nil
}

// MaxPowBits bounds the size of an int result of Pow. Python has no such limit: it computes until it has finished or
// runs out of memory.
const MaxPowBits = 1 << 20

// Pow returns a ** b.
func Pow(a, b Value) (Value, error) {
	if x, y, ok, err := eitherComplex(a, b); ok {
		if err != nil {
			return nil, err
		}
		return x.power(y)
	}
	x, ok := numberOf(a)
	y, also := numberOf(b)
	switch {
	case !ok || !also:
		return nil, TypeError("unsupported operand type(s) for ** or pow(): '%s' and '%s'", TypeName(a), TypeName(b))
	case !x.isFloat && !y.isFloat && y.bigInt().Sign() >= 0:
		return powInts(x.bigInt(), y.bigInt())
	}
	p, q, err := bothFloats(x, y)
	if err != nil {
		return nil, err
	}
	return powFloats(p, q)
}

func powInts(base, exponent *big.Int) (Value, error) {
	tooLarge := Raise("OverflowError", "the result has more than %d bits", MaxPowBits)
	// A number with b bits raised to the power of e has at least e(b-1)+1 and at most eb bits, so a result that is
	// rejected after it is computed is never large.
	if base.CmpAbs(big.NewInt(1)) > 0 && (!exponent.IsInt64() ||
		exponent.Int64() > (MaxPowBits-1)/int64(base.BitLen()-1)) {
		return nil, tooLarge
	}
	power := new(big.Int).Exp(base, exponent, nil)
	if power.BitLen() > MaxPowBits {
		return nil, tooLarge
	}
	return normal(power), nil
}

func powFloats(base, exponent float64) (Value, error) {
	switch {
	case base == 0 && exponent < 0:
		return nil, Raise("ZeroDivisionError", "0.0 cannot be raised to a negative power")
	case base < 0 && !math.IsInf(base, 0) && exponent != math.Trunc(exponent) && !math.IsInf(exponent, 0) &&
		!math.IsNaN(exponent):
		return powComplex(base, exponent), nil
	}
	result := floatPow(base, exponent)
	if math.IsInf(result, 0) && !math.IsInf(base, 0) && !math.IsInf(exponent, 0) {
		return nil, Raise("OverflowError", "(34, 'Numerical result out of range')")
	}
	return result, nil
}

func powComplex(base, exponent float64) Complex {
	length := floatPow(-base, exponent)
	cos, sin := cosSin(exponent * math.Pi)
	return Complex{Real: length * cos, Imag: length * sin}
}

// Less reports whether a < b, and Greater reports whether a > b.
func Less(a, b Value) (bool, error)    { return ordered("<", a, b) }
func Greater(a, b Value) (bool, error) { return ordered(">", a, b) }

// LessEqual reports whether a <= b, and GreaterEqual reports whether a >= b.
func LessEqual(a, b Value) (bool, error)    { return ordered("<=", a, b) }
func GreaterEqual(a, b Value) (bool, error) { return ordered(">=", a, b) }

func ordered(operator string, a, b Value) (bool, error) {
	order, ok, err := orderOf(a, b, operator)
	if err != nil {
		return false, err
	}
	if !ok {
		return false, TypeError("'%s' not supported between instances of '%s' and '%s'", operator, TypeName(a), TypeName(b))
	}
	if order == unordered {
		return false, nil
	}
	switch operator {
	case "<":
		return order < 0, nil
	case ">":
		return order > 0, nil
	case "<=":
		return order <= 0, nil
	}
	return order >= 0, nil
}

// orderOf compares two values. ok is false if the values cannot be ordered.
func orderOf(a, b Value, operator string) (order int, ok bool, err error) {
	if x, is := numberOf(a); is {
		y, is := numberOf(b)
		if !is {
			return 0, false, nil
		}
		return x.compare(y), true, nil
	}
	switch x := a.(type) {
	case string:
		if y, is := b.(string); is {
			return compareTexts(x, y), true, nil
		}
	case Bytes:
		if y, is := b.(Bytes); is {
			return strings.Compare(string(x), string(y)), true, nil
		}
	case *Set:
		if y, is := b.(*Set); is {
			return orderOfSets(x, y), true, nil
		}
	case *List:
		if y, is := b.(*List); is {
			return orderOfItems(x.Items, y.Items, operator)
		}
	case Tuple:
		if y, is := b.(Tuple); is {
			return orderOfItems(x, y, operator)
		}
	}
	return 0, false, nil
}

func orderOfItems(a, b []Value, operator string) (int, bool, error) {
	for i := range min(len(a), len(b)) {
		if Equal(a[i], b[i]) {
			continue
		}
		order, ok, err := orderOf(a[i], b[i], operator)
		if err == nil && !ok {
			err = TypeError("'%s' not supported between instances of '%s' and '%s'", operator, TypeName(a[i]), TypeName(b[i]))
		}
		return order, true, err
	}
	return compareFloats(float64(len(a)), float64(len(b))), true, nil
}

// AddInPlace returns a += b for immutable values, and SubInPlace returns a -= b. Their errors name the operator.
func AddInPlace(a, b Value) (Value, error) { return inPlace(Add, "+", a, b) }
func SubInPlace(a, b Value) (Value, error) { return inPlace(Sub, "-", a, b) }

func inPlace(operate func(a, b Value) (Value, error), operator string, a, b Value) (Value, error) {
	v, err := operate(a, b)
	if err != nil && err.Error() == unsupported(operator, a, b).Error() {
		return nil, unsupported(operator+"=", a, b)
	}
	return v, err
}

// Sum returns sum(items), starting at 0.
func Sum(items []Value) (total Value, err error) {
	total = 0
	for _, item := range items {
		if total, err = Add(total, item); err != nil {
			return nil, err
		}
	}
	return total, nil
}

// Neg returns -v, and Abs returns abs(v).
func Neg(v Value) (Value, error) {
	if c, ok := v.(Complex); ok {
		return Complex{-c.Real, -c.Imag}, nil
	}
	n, ok := numberOf(v)
	switch {
	case !ok:
		return nil, TypeError("bad operand type for unary -: '%s'", TypeName(v))
	case n.isFloat:
		return -n.float, nil
	}
	return normal(new(big.Int).Neg(n.bigInt())), nil
}

func Abs(v Value) (Value, error) {
	n, ok := numberOf(v)
	switch {
	case !ok:
		return nil, TypeError("bad operand type for abs(): '%s'", TypeName(v))
	case n.isFloat:
		return math.Abs(n.float), nil
	}
	return normal(new(big.Int).Abs(n.bigInt())), nil
}
