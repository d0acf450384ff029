package py

import "strings"

// NoAttribute returns the AttributeError for v.name.
func NoAttribute(v Value, name string) *Error {
	return Raise("AttributeError", "'%s' object has no attribute '%s'", TypeName(v), name)
}

// In reports whether `item in container`.
func In(item, container Value) (bool, error) {
	switch c := container.(type) {
	case *Dict:
		if err := Hashable(item); err != nil {
			return false, err
		}
		return c.Has(item), nil
	case *List:
		return containsItem(item, c.Items), nil
	case Tuple:
		return containsItem(item, c), nil
	case Bytes:
		return c.holds(item)
	case *Set:
		if _, also := item.(*Set); also {
			return false, nil // Python looks up the frozen set, and a set never contains a set here
		}
		if err := Hashable(item); err != nil {
			return false, err
		}
		return c.has(item), nil
	case string:
		text, ok := item.(string)
		if !ok {
			return false, TypeError("'in <string>' requires string as left operand, not %s", TypeName(item))
		}
		return strings.Contains(c, text), nil
	}
	return false, TypeError("argument of type '%s' is not iterable", TypeName(container))
}

func containsItem(item Value, items []Value) bool {
	for _, other := range items {
		if identical(item, other) || Equal(item, other) {
			return true
		}
	}
	return false
}

// Iterate returns the items that `for x in v` visits. The slice may belong to the container.
func Iterate(v Value) ([]Value, error) {
	switch v := v.(type) {
	case *List:
		return v.Items, nil
	case Tuple:
		return v, nil
	case *Dict:
		return v.keys, nil
	case Bytes:
		return v.items(), nil
	case *Set:
		return v.Items(), nil
	case string:
		out := make([]Value, 0, len(v))
		for rest := v; rest != ""; {
			_, size := decode(rest)
			out, rest = append(out, rest[:size]), rest[size:]
		}
		return out, nil
	}
	return nil, TypeError("'%s' object is not iterable", TypeName(v))
}

// Length returns len(v).
func Length(v Value) (int, error) {
	switch v := v.(type) {
	case string:
		return Len(v), nil
	case *List:
		return len(v.Items), nil
	case Tuple:
		return len(v), nil
	case *Dict:
		return v.Len(), nil
	case Bytes:
		return len(v), nil
	case *Set:
		return v.d.Len(), nil
	}
	return 0, TypeError("object of type '%s' has no len()", TypeName(v))
}

// Index returns v[key].
func Index(v, key Value) (Value, error) {
	if s, ok := key.(Slice); ok {
		if _, isDict := v.(*Dict); !isDict {
			return sliced(v, s)
		}
	}
	switch v := v.(type) {
	case *Dict:
		return v.Item(key)
	case *List:
		i, err := position(key, len(v.Items), "list")
		if err != nil {
			return nil, err
		}
		return v.Items[i], nil
	case Tuple:
		i, err := position(key, len(v), "tuple")
		if err != nil {
			return nil, err
		}
		return v[i], nil
	case string:
		runes := runes(v)
		i, err := position(key, len(runes), "string")
		if err != nil {
			return nil, err
		}
		return fromRunes(runes[i : i+1]), nil
	case Bytes:
		i, err := position(key, len(v), "byte")
		if err != nil {
			if strings.HasPrefix(err.Text, "byte index") {
				return nil, Raise("IndexError", "index out of range")
			}
			return nil, err
		}
		return int(v[i]), nil
	}
	return nil, TypeError("'%s' object is not subscriptable", TypeName(v))
}

// SetIndex sets v[key] = value.
func SetIndex(v, key, value Value) error {
	switch v := v.(type) {
	case *Dict:
		if err := Hashable(key); err != nil {
			return err
		}
		v.Set(key, value)
		return nil
	case *List:
		i, err := position(key, len(v.Items), "list")
		if err != nil {
			if strings.HasPrefix(err.Text, "list index") {
				return Raise("IndexError", "list assignment index out of range")
			}
			return err
		}
		v.Items[i] = value
		return nil
	}
	return TypeError("'%s' object does not support item assignment", TypeName(v))
}

// position returns an index into a sequence; negative indexes count from its end.
func position(key Value, length int, kind string) (int, *Error) {
	n, ok := numberOf(key)
	if !ok || n.isFloat {
		if kind == "string" {
			return 0, TypeError("string indices must be integers, not '%s'", TypeName(key))
		}
		return 0, TypeError("%s indices must be integers or slices, not %s", kind, TypeName(key))
	}
	if n.big != nil {
		return 0, Raise("IndexError", "cannot fit 'int' into an index-sized integer")
	}
	i := n.whole
	if i < 0 {
		i += length
	}
	if i < 0 || i >= length {
		return 0, Raise("IndexError", "%s index out of range", kind)
	}
	return i, nil
}

// Text returns v as a str, or Python's AttributeError for the str method that is called on it, as in v.lower().
func Text(v Value, method string) (string, error) {
	text, ok := v.(string)
	if !ok {
		return "", NoAttribute(v, method)
	}
	return text, nil
}

// Min and Max return the first extreme item of a non-empty sequence.
func Min(items []Value) (Value, error) { return extreme(items, Less) }
func Max(items []Value) (Value, error) { return extreme(items, Greater) }

func extreme(items []Value, better func(a, b Value) (bool, error)) (Value, error) {
	best := items[0]
	for _, item := range items[1:] {
		is, err := better(item, best)
		if err != nil {
			return nil, err
		}
		if is {
			best = item
		}
	}
	return best, nil
}
