package py

import (
	"math"
	"math/big"
)

// Depth counts nested comparisons. As in Python at its recursion limit, comparisons fail above maxDepth.
type Depth int

// maxDepth is larger than the depth of any value that does not contain itself.
const maxDepth Depth = 300

// Next returns the next depth, or a RecursionError above the limit.
func (d Depth) Next() (Depth, error) {
	if d >= maxDepth {
		return d, Raise("RecursionError", "maximum recursion depth exceeded in comparison")
	}
	return d + 1, nil
}

// Equal reports whether a == b. Values that contain themselves count as unequal, whereas Compare raises an error for
// them, as Python does.
func Equal(a, b Value) bool {
	equal, err := Compare(a, b, 0)
	return err == nil && equal
}

// Compare reports whether a == b at a given depth of nested values. An object is equal to itself, even if its parts are
// not (a float nan in a list).
func Compare(a, b Value, depth Depth) (bool, error) {
	switch x := a.(type) {
	case string:
		y, ok := b.(string)
		return ok && x == y, nil
	case *List:
		y, ok := b.(*List)
		if !ok {
			return false, nil
		}
		return compareItems(x.Items, y.Items, depth)
	case Tuple:
		y, ok := b.(Tuple)
		if !ok {
			return false, nil
		}
		return compareItems(x, y, depth)
	case *Dict:
		y, ok := b.(*Dict)
		if !ok {
			return false, nil
		}
		return compareDicts(x, y, depth)
	case Object:
		return x.PyEqual(b, depth)
	case Bytes:
		y, ok := b.(Bytes)
		return ok && x == y, nil
	case *Set:
		y, ok := b.(*Set)
		return ok && x.d.Len() == y.d.Len() && x.subset(y), nil
	}
	if y, ok := b.(Object); ok {
		return y.PyEqual(a, depth)
	}
	return equalScalars(a, b), nil
}

func compareItems(a, b []Value, depth Depth) (bool, error) {
	depth, err := depth.Next()
	if err != nil || len(a) != len(b) {
		return false, err
	}
	for i := range a {
		if identical(a[i], b[i]) {
			continue
		}
		if equal, err := Compare(a[i], b[i], depth); err != nil || !equal {
			return false, err
		}
	}
	return true, nil
}

func compareDicts(a, b *Dict, depth Depth) (bool, error) {
	depth, err := depth.Next()
	if err != nil || a.Len() != b.Len() {
		return false, err
	}
	if len(a.values) == 0 || &a.values[0] == &b.values[0] { // both are copies that have not been read
		return true, nil
	}
	for i := range a.keys {
		at := b.findLike(a, i)
		if at < 0 {
			return false, nil
		}
		other := b.values[at]
		if identical(a.values[i], other) {
			continue
		}
		if equal, err := Compare(a.values[i], other, depth); err != nil || !equal {
			return false, err
		}
	}
	return true, nil
}

// identical reports whether `a is b` for containers and objects.
func identical(a, b Value) bool {
	switch x := a.(type) {
	case Object:
		y, ok := b.(Object)
		return ok && x == y
	case *List:
		y, ok := b.(*List)
		return ok && x == y
	case *Dict:
		y, ok := b.(*Dict)
		return ok && x == y
	}
	return false
}

func equalScalars(a, b Value) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if x, y, ok, err := eitherComplex(a, b); ok {
		return err == nil && x == y
	}
	if x, ok := numberOf(a); ok {
		y, ok := numberOf(b)
		return ok && x.compare(y) == 0
	}
	switch x := a.(type) {
	case Ellipsis:
		_, ok := b.(Ellipsis)
		return ok
	case Decimal:
		y, ok := b.(Decimal)
		return ok && x == y
	case MPF:
		y, ok := b.(MPF)
		return ok && x == y
	}
	return false
}

// number is a bool, an int, or a float. big is nil unless the number is an int beyond 64 bits.
type number struct {
	float   float64
	whole   int
	big     *big.Int
	isFloat bool
}

func numberOf(v Value) (number, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return number{whole: 1}, true
		}
		return number{}, true
	case int:
		return number{whole: v}, true
	case *big.Int:
		return number{big: v}, true
	case float64:
		return number{float: v, isFloat: true}, true
	}
	return number{}, false
}

// unordered is the result of compare if either side is nan.
const unordered = 2

// compare returns -1, 0, 1, or unordered. It is exact for all types.
func (n number) compare(m number) int {
	switch {
	case n.isFloat && m.isFloat:
		return compareFloats(n.float, m.float)
	case n.isFloat:
		return reverse(m.compareFloat(n.float))
	case m.isFloat:
		return n.compareFloat(m.float)
	case n.big == nil && m.big == nil:
		switch {
		case n.whole < m.whole:
			return -1
		case n.whole > m.whole:
			return 1
		}
		return 0
	}
	return n.bigInt().Cmp(m.bigInt())
}

func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	return unordered
}

func reverse(order int) int {
	if order == unordered {
		return order
	}
	return -order
}

// exactInt bounds the ints that a float64 represents exactly.
const exactInt = 1 << 53

// compareFloat compares an int with a float.
func (n number) compareFloat(f float64) int {
	switch {
	case math.IsNaN(f):
		return unordered
	case math.IsInf(f, 1):
		return -1
	case math.IsInf(f, -1):
		return 1
	case n.big == nil && n.whole > -exactInt && n.whole < exactInt:
		return compareFloats(float64(n.whole), f)
	}
	return new(big.Float).SetInt(n.bigInt()).Cmp(big.NewFloat(f))
}

// bigInt returns the value of an int.
func (n number) bigInt() *big.Int {
	if n.big != nil {
		return n.big
	}
	return big.NewInt(int64(n.whole))
}
