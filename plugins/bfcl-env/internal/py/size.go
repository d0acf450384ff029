package py

import "math/big"

// maxArgumentBytes bounds the size of a value that one call may pass to another, in bytes of text plus eight for each
// other value.
const maxArgumentBytes = 16 << 10

// CopyArgument copies the result of a call that is an argument of another call. Python passes the object itself, so a
// few calls could nest objects until writing them uses up all memory or never ends.
func CopyArgument(v Value) (Value, error) {
	left := maxArgumentBytes
	if !fits(v, &left) {
		return nil, Raise("ValueError", "the answer of a call has more than %d bytes, which is too much for an argument of another", maxArgumentBytes)
	}
	return DeepCopy(v), nil
}

// maxComputed bounds the results of arithmetic, in the same unit. Repeated strings and lists share their contents, and
// could not be written out.
const maxComputed = 1 << 22

// Fits subtracts the size of a value from left, in bytes of text plus eight for each value, and reports whether enough
// was left.
func Fits(v Value, left *int) bool { return fits(v, left) }

// Bounded returns the result of an arithmetic operation, or raises a MemoryError if it is too large.
func Bounded(v Value) (Value, error) {
	if left := maxComputed; !fits(v, &left) {
		return nil, Raise("MemoryError", "")
	}
	return v, nil
}

// fits subtracts the size of a value from left. A value that contains itself never fits.
func fits(v Value, left *int) bool {
	*left -= 8
	switch v := v.(type) {
	case string:
		*left -= len(v)
	case Bytes:
		*left -= len(v)
	case *big.Int:
		*left -= v.BitLen() / 8
	}
	if *left < 0 {
		return false
	}
	switch v := v.(type) {
	case *List:
		return allFit(v.Items, left)
	case Tuple:
		return allFit(v, left)
	case *Set:
		return allFit(v.Items(), left)
	case *Dict:
		return allFit(v.Keys(), left) && allFit(v.Values(), left)
	}
	return true
}

func allFit(values []Value, left *int) bool {
	for _, v := range values {
		if !fits(v, left) {
			return false
		}
	}
	return true
}
