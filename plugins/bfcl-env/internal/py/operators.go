package py

import (
	"math/big"
	"strings"

	"github.com/awhost/awhost/sdk/pytext"
)

// FloorDiv returns a // b for numbers.
func FloorDiv(a, b Value) (Value, error) {
	x, ok := numberOf(a)
	y, also := numberOf(b)
	switch {
	case !ok || !also:
		return nil, unsupported("//", a, b)
	case x.isFloat || y.isFloat:
		p, q, err := bothFloats(x, y)
		if err != nil {
			return nil, err
		}
		if q == 0 {
			return nil, Raise("ZeroDivisionError", "float floor division by zero")
		}
		return pytext.FloorDiv(p, q), nil
	case y.bigInt().Sign() == 0:
		return nil, Raise("ZeroDivisionError", "integer division or modulo by zero")
	}
	quotient, rest := new(big.Int).QuoRem(x.bigInt(), y.bigInt(), new(big.Int))
	if rest.Sign() != 0 && rest.Sign() != y.bigInt().Sign() {
		quotient.Sub(quotient, big.NewInt(1))
	}
	return normal(quotient), nil
}

// format returns text % values for a string without directives. Unused values are an error.
func format(text string, values Value) (Value, error) {
	if strings.Contains(text, "%") {
		return nil, Raise("NotImplementedError", "texts with directives of %% are not computed")
	}
	switch v := values.(type) {
	case *Dict, *List, Bytes:
		return text, nil
	case Tuple:
		if len(v) == 0 {
			return text, nil
		}
	}
	return nil, TypeError("not all arguments converted during string formatting")
}

// And, Or, and Xor return a & b, a | b, and a ^ b for ints, bools, and sets; Or also supports dictionaries.
func And(a, b Value) (Value, error) {
	if x, y, ok := bothSets(a, b); ok {
		if y.d.Len() > x.d.Len() { // like CPython, which iterates over the smaller one
			x, y = y, x
		}
		return chosen(x.has, y), nil
	}
	return bitwise("&", a, b, (*big.Int).And)
}

// Or returns a | b.
func Or(a, b Value) (Value, error) {
	if x, y, ok := bothSets(a, b); ok {
		return chosen(func(Value) bool { return true }, x, y), nil
	}
	x, isX := a.(*Dict)
	if y, ok := b.(*Dict); ok && isX {
		out := NewDict()
		for _, d := range []*Dict{x, y} {
			for i, key := range d.Keys() {
				out.Set(key, d.Values()[i])
			}
		}
		return out, nil
	}
	return bitwise("|", a, b, (*big.Int).Or)
}

// Xor returns a ^ b.
func Xor(a, b Value) (Value, error) {
	if x, y, ok := bothSets(a, b); ok {
		return chosen(func(v Value) bool { return x.has(v) != y.has(v) }, x, y), nil
	}
	return bitwise("^", a, b, (*big.Int).Xor)
}

func bitwise(operator string, a, b Value, operate func(z, x, y *big.Int) *big.Int) (Value, error) {
	x, ok := BigInt(a)
	y, also := BigInt(b)
	if !ok || !also {
		return nil, unsupported(operator, a, b)
	}
	_, left := a.(bool)
	_, right := b.(bool)
	out := operate(new(big.Int), x, y)
	if left && right {
		return out.Sign() != 0, nil
	}
	return normal(out), nil
}

// ShiftLeft returns a << b, and ShiftRight returns a >> b.
func ShiftLeft(a, b Value) (Value, error) { return shift("<<", a, b) }

// ShiftRight returns a >> b.
func ShiftRight(a, b Value) (Value, error) { return shift(">>", a, b) }

func shift(operator string, a, b Value) (Value, error) {
	x, ok := BigInt(a)
	y, also := BigInt(b)
	switch {
	case !ok || !also:
		return nil, unsupported(operator, a, b)
	case y.Sign() < 0:
		return nil, ValueError("negative shift count")
	case operator == ">>" && (!y.IsInt64() || y.Int64() > MaxPowBits):
		return min(x.Sign(), 0), nil
	case operator == ">>":
		return normal(new(big.Int).Rsh(x, uint(y.Int64()))), nil
	case x.Sign() == 0:
		return 0, nil
	case !y.IsInt64() || y.Int64() > MaxPowBits-int64(x.BitLen()):
		return nil, Raise("OverflowError", "the result has more than %d bits", MaxPowBits)
	}
	return normal(new(big.Int).Lsh(x, uint(y.Int64()))), nil
}

// Pos returns +v, and Invert returns ~v.
func Pos(v Value) (Value, error) {
	switch v := v.(type) {
	case bool, int, *big.Int:
		whole, _ := BigInt(v)
		return normal(whole), nil
	case float64, Complex:
		return v, nil
	}
	return nil, TypeError("bad operand type for unary +: '%s'", TypeName(v))
}

// Invert returns ~v.
func Invert(v Value) (Value, error) {
	whole, ok := BigInt(v)
	if !ok {
		return nil, TypeError("bad operand type for unary ~: '%s'", TypeName(v))
	}
	return normal(new(big.Int).Not(whole)), nil
}

// MatMul returns the TypeError for a @ b, which no value here supports.
func MatMul(a, b Value) (Value, error) { return nil, unsupported("@", a, b) }

// Is reports whether `a is b` for values in a single expression, where equal constants are the same object.
func Is(a, b Value) bool {
	switch a.(type) {
	case *List, *Dict, *Set, Object:
		return identical(a, b)
	}
	return TypeName(a) == TypeName(b) && Equal(a, b)
}
