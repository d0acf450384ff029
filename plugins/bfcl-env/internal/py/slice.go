package py

import "slices"

// Slice represents start:stop:step between the brackets of a subscript.
type Slice struct{ Start, Stop, Step Value }

// bound returns one part of a slice as a bounded int. ok is false if the part is omitted.
func bound(v Value) (n int, ok bool, err error) {
	if v == nil {
		return 0, false, nil
	}
	number, is := numberOf(v)
	if !is || number.isFloat {
		return 0, false, TypeError("slice indices must be integers or None or have an __index__ method")
	}
	const far = 1 << 60
	if number.big != nil {
		return number.big.Sign() * far, true, nil
	}
	return max(-far, min(far, number.whole)), true, nil
}

// positions returns the positions that a slice selects from a sequence of length items.
func (s Slice) positions(length int) ([]int, error) {
	step, given, err := bound(s.Step)
	switch {
	case err != nil:
		return nil, err
	case !given:
		step = 1
	case step == 0:
		return nil, ValueError("slice step cannot be zero")
	}
	low, high := 0, length
	if step < 0 {
		low, high = -1, length-1
	}
	clamp := func(v Value, otherwise int) (int, error) {
		n, given, err := bound(v)
		if !given {
			return otherwise, err
		}
		if n < 0 {
			n += length
		}
		return max(low, min(high, n)), nil
	}
	first, last := low, high
	if step < 0 {
		first, last = high, low
	}
	start, err := clamp(s.Start, first)
	if err != nil {
		return nil, err
	}
	stop, err := clamp(s.Stop, last)
	if err != nil {
		return nil, err
	}
	var out []int
	for at := start; step > 0 && at < stop || step < 0 && at > stop; at += step {
		out = append(out, at)
	}
	return out, nil
}

// taken returns the items that a slice selects.
func taken[T any](s Slice, from []T) ([]T, error) {
	at, err := s.positions(len(from))
	if err != nil {
		return nil, err
	}
	out := make([]T, 0, len(at))
	for _, i := range at {
		out = append(out, from[i])
	}
	return slices.Clip(out), nil
}

// sliced returns v[s].
func sliced(v Value, s Slice) (Value, error) {
	switch v := v.(type) {
	case *List:
		items, err := taken(s, v.Items)
		return NewList(items...), err
	case Tuple:
		items, err := taken(s, v)
		return Tuple(items), err
	case string:
		runes, err := taken(s, runes(v))
		return fromRunes(runes), err
	case Bytes:
		bytes, err := taken(s, []byte(v))
		return Bytes(bytes), err
	}
	return nil, TypeError("'%s' object is not subscriptable", TypeName(v))
}
