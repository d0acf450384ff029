package py

import "math/big"

// maxHandedOver bounds what one call may hand over to another, in bytes of text and eight for each other value.
const maxHandedOver = 16 << 10

// HandOver copies the answer of a call that is an argument of another. Python passes the object itself, so that a few calls
// put objects into one another until writing them down takes all memory, or never ends.
func HandOver(v Value) (Value, error) {
	left := maxHandedOver
	if !fits(v, &left) {
		return nil, Raise("ValueError", "the answer of a call has more than %d bytes, which is too much for an argument of another", maxHandedOver)
	}
	return DeepCopy(v), nil
}

// maxComputed bounds what arithmetic makes, in the same measure: texts and lists that are repeated share what they hold, and
// could not be written down.
const maxComputed = 1 << 22

// Fits takes the size of a value from what is left, in bytes of text and eight for each value, and reports whether it was enough.
func Fits(v Value, left *int) bool { return fits(v, left) }

// Bounded gives back a value that arithmetic has made, or raises a MemoryError where it is too large.
func Bounded(v Value) (Value, error) {
	if left := maxComputed; !fits(v, &left) {
		return nil, Raise("MemoryError", "")
	}
	return v, nil
}

// fits takes the size of a value from what is left. One that contains itself never fits.
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
