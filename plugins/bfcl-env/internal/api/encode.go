package api

import (
	"fmt"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// encodable is an object that can encode its state.
type encodable interface {
	// encode returns the state as a JSON value. inside lists the enclosing objects.
	encode(inside []py.Value) py.Value
}

// Encode returns a value that JSON can express. Dictionaries with keys that are not strings become {"__dict__": [[key,
// value], …]}, sets become {"__set__": […]}, and files and directories become objects with their names.
func Encode(v py.Value) py.Value { return encode(v, nil) }

func encode(v py.Value, inside []py.Value) py.Value {
	switch v := v.(type) {
	case *py.List:
		return encodeItems(v.Items, inside)
	case py.Tuple:
		return py.NewDict("__tuple__", encodeItems(v, inside))
	case *py.Dict:
		return encodeDict(v, inside)
	case float64:
		switch py.FloatRepr(v) {
		case "inf", "-inf", "nan":
			return py.NewDict("__float__", py.FloatRepr(v))
		}
		return v
	case encodable:
		return v.encode(inside)
	case py.Decimal:
		return py.NewDict("__num__", py.Repr(v))
	case py.MPF:
		return py.NewDict("__num__", py.Repr(v))
	case *py.Set:
		return py.NewDict("__set__", encodeItems(v.Items(), inside))
	case py.Ellipsis, py.Complex, py.MPC, py.Bytes, py.Slice:
		return py.NewDict("__obj__", fmt.Sprint(py.TypeName(v)))
	}
	return v
}

func encodeItems(items []py.Value, inside []py.Value) *py.List {
	out := &py.List{Items: make([]py.Value, len(items))}
	for i, item := range items {
		out.Items[i] = encode(item, inside)
	}
	return out
}

func encodeDict(d *py.Dict, inside []py.Value) py.Value {
	texts := true
	for _, key := range d.Keys() {
		if _, ok := key.(string); !ok {
			texts = false
		}
	}
	if texts {
		out := py.NewDict()
		for i := range d.Len() {
			key, v := d.At(i)
			out.Set(key, encode(v, inside))
		}
		return out
	}
	pairs := py.NewList()
	for i := range d.Len() {
		key, v := d.At(i)
		pairs.Append(py.NewList(encode(key, inside), encode(v, inside)))
	}
	return py.NewDict("__dict__", pairs)
}
