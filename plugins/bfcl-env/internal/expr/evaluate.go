package expr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Evaluate reads an expression and computes its value. Each call in it is handed to call, inner ones first; what that answers is
// the call's value. A source with a mistake is a *py.SyntaxError, and nothing of it is called. call may be nil.
func Evaluate(source string, call func(*py.Call) (py.Value, error)) (py.Value, error) {
	n, err := Parse(source)
	if err != nil {
		return nil, err
	}
	return Compute(n, call)
}

// Compute is the value of a node; see Evaluate.
func Compute(n Node, call func(*py.Call) (py.Value, error)) (py.Value, error) {
	e := evaluator{call: call}
	return e.value(n)
}

type evaluator struct {
	call   func(*py.Call) (py.Value, error)
	inside int // of how many calls
}

func (e *evaluator) value(n Node) (py.Value, error) {
	switch n := n.(type) {
	case Constant:
		return n.Value, nil
	case Name:
		if n.ID == "Ellipsis" {
			return py.Ellipsis{}, nil
		}
		return nil, undefined(n.ID)
	case Unary:
		return e.unary(n)
	case Binary:
		return e.binary(n)
	case Logic:
		return e.logic(n)
	case Compare:
		return e.compare(n)
	case If:
		return e.choice(n)
	case List:
		items, err := e.items(n.Items)
		return py.NewList(items...), err
	case Tuple:
		items, err := e.items(n.Items)
		return py.Tuple(items), err
	case Set:
		return e.set(n)
	case Dict:
		return e.dict(n)
	case Slice:
		return e.slice(n)
	case Subscript:
		return e.subscript(n)
	case Attribute:
		of, err := e.value(n.Of)
		if err != nil {
			return nil, err
		}
		return nil, py.NoAttribute(of, n.Name)
	case Call:
		return e.answer(n)
	case Starred:
		return nil, py.Raise("SyntaxError", "can't use starred expression here (<string>, line 1)")
	}
	return nil, py.Raise("SyntaxError", "invalid syntax (<string>, line 1)")
}

func undefined(name string) error { return py.Raise("NameError", "name '%s' is not defined", name) }

var unaries = map[string]func(py.Value) (py.Value, error){
	"-": py.Neg, "+": py.Pos, "~": py.Invert, "not": func(v py.Value) (py.Value, error) { return !py.Truth(v), nil },
}

func (e *evaluator) unary(n Unary) (py.Value, error) {
	v, err := e.value(n.Operand)
	if err != nil {
		return nil, err
	}
	return unaries[n.Operator](v)
}

var binaries = map[string]func(a, b py.Value) (py.Value, error){
	"+": py.Add, "-": py.Sub, "*": py.Mul, "/": py.TrueDiv, "//": py.FloorDiv, "%": py.Mod, "**": py.Pow, "@": py.MatMul,
	"&": py.And, "|": py.Or, "^": py.Xor, "<<": py.ShiftLeft, ">>": py.ShiftRight,
}

func (e *evaluator) binary(n Binary) (py.Value, error) {
	left, err := e.value(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := e.value(n.Right)
	if err != nil {
		return nil, err
	}
	v, err := binaries[n.Operator](left, right)
	if err != nil {
		return nil, err
	}
	return py.Bounded(v)
}

func (e *evaluator) logic(n Logic) (v py.Value, err error) {
	for _, part := range n.Values {
		if v, err = e.value(part); err != nil || py.Truth(v) == (n.Operator == "or") {
			return v, err
		}
	}
	return v, nil
}

func (e *evaluator) choice(n If) (py.Value, error) {
	test, err := e.value(n.Test)
	if err != nil {
		return nil, err
	}
	if py.Truth(test) {
		return e.value(n.Then)
	}
	return e.value(n.Else)
}

func (e *evaluator) compare(n Compare) (py.Value, error) {
	left, err := e.value(n.First)
	if err != nil {
		return nil, err
	}
	for i, operator := range n.Operators {
		right, err := e.value(n.Others[i])
		if err != nil {
			return nil, err
		}
		if holds, err := compared(operator, left, right); err != nil || !holds {
			return false, err
		}
		left = right
	}
	return true, nil
}

func compared(operator string, a, b py.Value) (bool, error) {
	switch operator {
	case "==":
		return py.Compare(a, b, 0)
	case "!=":
		equal, err := py.Compare(a, b, 0)
		return !equal, err
	case "<":
		return py.Less(a, b)
	case ">":
		return py.Greater(a, b)
	case "<=":
		return py.LessEqual(a, b)
	case ">=":
		return py.GreaterEqual(a, b)
	case "in":
		return py.In(a, b)
	case "not in":
		in, err := py.In(a, b)
		return !in, err
	case "is":
		return py.Is(a, b), nil
	}
	return !py.Is(a, b), nil
}

func (e *evaluator) items(nodes []Node) ([]py.Value, error) {
	out := make([]py.Value, 0, len(nodes))
	for _, n := range nodes {
		if star, ok := n.(Starred); ok {
			v, err := e.value(star.Of)
			if err != nil {
				return nil, err
			}
			more, err := py.Iterate(v)
			if err != nil {
				return nil, py.TypeError("Value after * must be an iterable, not %s", py.TypeName(v))
			}
			out = append(out, more...)
			continue
		}
		v, err := e.value(n)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (e *evaluator) set(n Set) (py.Value, error) {
	items, err := e.items(n.Items)
	if err != nil {
		return nil, err
	}
	s, err := py.NewSet(items...)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// dict computes all parts before it looks whether the keys can be some, as CPython does.
func (e *evaluator) dict(n Dict) (py.Value, error) {
	var keys, values []py.Value
	for i, key := range n.Keys {
		v, err := e.pair(key, n.Values[i], &keys)
		if err != nil {
			return nil, err
		}
		values = append(values, v...)
	}
	out := py.NewDict()
	for i, key := range keys {
		if err := py.Hashable(key); err != nil {
			return nil, err
		}
		out.Set(key, values[i])
	}
	return out, nil
}

// pair adds the key of a pair, or the keys of a dictionary that is unpacked, and returns their values.
func (e *evaluator) pair(key, value Node, keys *[]py.Value) ([]py.Value, error) {
	if key != nil {
		k, err := e.value(key)
		if err != nil {
			return nil, err
		}
		*keys = append(*keys, k)
	}
	v, err := e.value(value)
	if err != nil || key != nil {
		return []py.Value{v}, err
	}
	d, ok := v.(*py.Dict)
	if !ok {
		return nil, py.TypeError("'%s' object is not a mapping", py.TypeName(v))
	}
	*keys = append(*keys, d.Keys()...)
	return d.Values(), nil
}

func (e *evaluator) slice(n Slice) (py.Value, error) {
	var parts [3]py.Value
	for i, part := range []Node{n.Start, n.Stop, n.Step} {
		if part == nil {
			continue
		}
		var err error
		if parts[i], err = e.value(part); err != nil {
			return nil, err
		}
	}
	return py.Slice{Start: parts[0], Stop: parts[1], Step: parts[2]}, nil
}

func (e *evaluator) subscript(n Subscript) (py.Value, error) {
	of, err := e.value(n.Of)
	if err != nil {
		return nil, err
	}
	index, err := e.value(n.Index)
	if err != nil {
		return nil, err
	}
	return py.Index(of, index)
}

// answer calls what has a name. The answer of a call that is an argument of another is copied, and bounded.
func (e *evaluator) answer(n Call) (py.Value, error) {
	name, ok := dotted(n.Function)
	if !ok {
		f, err := e.value(n.Function)
		if err != nil {
			return nil, err
		}
		return nil, py.TypeError("'%s' object is not callable", py.TypeName(f))
	}
	if e.call == nil {
		return nil, undefined(name)
	}
	e.inside++
	defer func() { e.inside-- }()
	c := &py.Call{Name: name}
	for _, arg := range n.Args {
		if err := e.argument(c, arg); err != nil {
			return nil, err
		}
	}
	for _, k := range n.Keywords {
		if k.Name != "" && slices.Contains(c.Names, k.Name) { // the reader takes it, as CPython's does, and its compiler does not
			return nil, py.Raise("SyntaxError", "keyword argument repeated: %s (<string>, line 1)", k.Name)
		}
		if err := e.keyword(c, k); err != nil {
			return nil, err
		}
	}
	v, err := e.call(c)
	if err != nil || e.inside == 1 {
		return v, err
	}
	return py.HandOver(v)
}

// dotted is the name of a function: "cd" or "fs.cd". A name in parentheses is none: the reference writes objects only before names
// that a parenthesis follows.
func dotted(n Node) (string, bool) {
	switch n := n.(type) {
	case Name:
		return n.ID, !n.Inside
	case Attribute:
		of, ok := dotted(n.Of)
		return of + "." + n.Name, ok
	}
	return "", false
}

func (e *evaluator) argument(c *py.Call, arg Node) error {
	star, ok := arg.(Starred)
	if !ok {
		v, err := e.value(arg)
		c.Args = append(c.Args, v)
		return err
	}
	v, err := e.value(star.Of)
	if err != nil {
		return err
	}
	items, err := py.Iterate(v)
	if err != nil {
		return py.TypeError("%s() argument after * must be an iterable, not %s", c.Name, py.TypeName(v))
	}
	c.Args = append(c.Args, items...)
	return nil
}

func (e *evaluator) keyword(c *py.Call, k Keyword) error {
	v, err := e.value(k.Value)
	if err != nil {
		return err
	}
	if k.Name != "" {
		c.Names, c.Named = append(c.Names, k.Name), append(c.Named, v)
		return nil
	}
	d, ok := v.(*py.Dict)
	if !ok {
		return py.TypeError("%s() argument after ** must be a mapping, not %s", c.Name, py.TypeName(v))
	}
	for i, key := range d.Keys() {
		name, ok := key.(string)
		if !ok {
			return py.TypeError("keywords must be strings")
		}
		c.Names, c.Named = append(c.Names, name), append(c.Named, d.Values()[i])
	}
	return nil
}

// Kind names what a node is, for errors.
func Kind(n Node) string {
	if o, ok := n.(Other); ok {
		return o.Kind
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", n), "expr.")
}
