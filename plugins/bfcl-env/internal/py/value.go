package py

import (
	"fmt"
	"math/big"
)

// Value is a Python value; the package comment lists the Go types that it may have.
type Value = any

// Ellipsis is the value written `...`.
type Ellipsis struct{}

// Tuple is an immutable list.
type Tuple []Value

// List is a mutable list. Lists are compared by content and shared by reference.
type List struct {
	Items []Value
	text  string // json.dumps of a list that never changes
}

// NewList returns a list of values.
func NewList(items ...Value) *List { return &List{Items: items} }

// Append adds a value at the end.
func (l *List) Append(v Value) { l.Items = append(l.Items, v) }

// Object is an instance of a class: it is a pointer, which identifies the instance.
type Object interface {
	// PyType returns the name of the class.
	PyType() string
	// PyEqual reports whether the object equals another value.
	PyEqual(other Value, depth Depth) (bool, error)
	// PyRepr returns the printed form.
	PyRepr() string
}

// Error is a raised exception.
type Error struct {
	Type string // "KeyError"
	Text string // str(e): for a KeyError the repr of the key
}

// Error implements error. It returns the last line of Python's traceback.
func (e *Error) Error() string { return e.Type + ": " + e.Text }

// Raise returns an exception.
func Raise(typ, format string, args ...any) *Error {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	return &Error{Type: typ, Text: format}
}

// TypeError, ValueError, and KeyError return the most common exceptions.
func TypeError(format string, args ...any) *Error  { return Raise("TypeError", format, args...) }
func ValueError(format string, args ...any) *Error { return Raise("ValueError", format, args...) }
func keyError(key Value) *Error                    { return &Error{Type: "KeyError", Text: Repr(key)} }

// TypeName returns the name of a value's type as it appears in error messages.
func TypeName(v Value) string {
	switch v := v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case int, *big.Int:
		return "int"
	case float64:
		return "float"
	case string:
		return "str"
	case *List:
		return "list"
	case Tuple:
		return "tuple"
	case *Dict:
		return "dict"
	case Ellipsis:
		return "ellipsis"
	case Complex:
		return "complex"
	case Bytes:
		return "bytes"
	case *Set:
		return "set"
	case Slice:
		return "slice"
	case Decimal:
		return "decimal.Decimal"
	case MPF:
		return "mpf"
	case MPC:
		return "mpc"
	case Object:
		return v.PyType()
	}
	panic(fmt.Sprintf("py: a %T is no Python value", v))
}

// Truth returns bool(v).
func Truth(v Value) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case *List:
		return len(v.Items) > 0
	case Tuple:
		return len(v) > 0
	case *Dict:
		return v.Len() > 0
	case Bytes:
		return v != ""
	case *Set:
		return v.d.Len() > 0
	case Complex:
		return v != Complex{}
	}
	return true
}
