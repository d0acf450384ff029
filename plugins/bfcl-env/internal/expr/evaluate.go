package expr

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Evaluate parses an expression and computes its value. Each call in it is passed to call, inner calls first, and is
// replaced with the result. Invalid source results in a *py.SyntaxError, and none of its calls is executed. call may be
// nil.
func Evaluate(source string, call func(*py.Call) (py.Value, error)) (py.Value, error) {
	n, err := Parse(source)
	if err != nil {
		return nil, err
	}
	return Compute(n, call)
}

// Assignment is a top-level name in a module with its value.
type Assignment struct {
	Name  string
	Value py.Value
}

var assignment = regexp.MustCompile(`^([A-Za-z_]\w*) *=[^=]`)

// Assignments parses a module's constants: unindented lines of the form NAME = expression, where the expression may
// span several lines. Everything else is skipped, and nothing is called.
func Assignments(source string) ([]Assignment, error) {
	var out []Assignment
	for source != "" {
		match := assignment.FindStringSubmatch(source)
		if match == nil {
			_, source, _ = strings.Cut(source, "\n")
			continue
		}
		source = source[len(match[0])-1:]
		l := lexer{source: source, inModule: true}
		v, err := l.value()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", match[1], err)
		}
		out, source = append(out, Assignment{match[1], v}), source[l.at:]
	}
	return out, nil
}

func (l *lexer) value() (v py.Value, err error) {
	defer py.Catch(&err)
	n, err := parse(l)
	if err != nil {
		return nil, err
	}
	return Compute(n, nil)
}

// Compute returns the value of a node; see Evaluate.
func Compute(n Node, call func(*py.Call) (py.Value, error)) (v py.Value, err error) {
	defer py.Catch(&err)
	e := evaluator{call: call}
	return e.value(n), nil
}

type evaluator struct {
	call     func(*py.Call) (py.Value, error)
	inside   int  // number of enclosing calls
	computed bool // whether an operation or a call was computed
}

func (e *evaluator) value(n Node) py.Value {
	switch n := n.(type) {
	case Constant:
		return n.Value
	case Name:
		if n.ID == "Ellipsis" {
			return py.Ellipsis{}
		}
		panic(undefined(n.ID))
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
		return py.NewList(e.items(n.Items)...)
	case Tuple:
		return py.Tuple(e.items(n.Items))
	case Set:
		return e.set(n)
	case Dict:
		return e.dict(n)
	case Slice:
		return e.slice(n)
	case Subscript:
		return e.subscript(n)
	case Attribute:
		panic(py.NoAttribute(e.value(n.Of), n.Name))
	case Call:
		return e.answer(n)
	case Starred:
		panic(py.Raise("SyntaxError", "can't use starred expression here (<string>, line 1)"))
	}
	panic(py.Raise("SyntaxError", "invalid syntax (<string>, line 1)"))
}

func undefined(name string) error { return py.Raise("NameError", "name '%s' is not defined", name) }

var unaries = map[string]func(py.Value) (py.Value, error){
	"-": py.Neg, "+": py.Pos, "~": py.Invert, "not": func(v py.Value) (py.Value, error) { return !py.Truth(v), nil },
}

func (e *evaluator) unary(n Unary) py.Value {
	return py.Must(unaries[n.Operator](e.value(n.Operand)))
}

var binaries = map[string]func(a, b py.Value) (py.Value, error){
	"+": py.Add, "-": py.Sub, "*": py.Mul, "/": py.TrueDiv, "//": py.FloorDiv, "%": py.Mod, "**": py.Pow, "@": py.MatMul,
	"&": py.And, "|": py.Or, "^": py.Xor, "<<": py.ShiftLeft, ">>": py.ShiftRight,
}

func (e *evaluator) binary(n Binary) py.Value {
	e.computed = true
	left := e.value(n.Left)
	right := e.value(n.Right)
	return py.Must(py.Bounded(py.Must(binaries[n.Operator](left, right))))
}

func (e *evaluator) logic(n Logic) (v py.Value) {
	for _, part := range n.Values {
		if v = e.value(part); py.Truth(v) == (n.Operator == "or") {
			return v
		}
	}
	return v
}

func (e *evaluator) choice(n If) py.Value {
	if py.Truth(e.value(n.Test)) {
		return e.value(n.Then)
	}
	return e.value(n.Else)
}

func (e *evaluator) compare(n Compare) py.Value {
	left := e.value(n.First)
	for i, operator := range n.Operators {
		right := e.value(n.Others[i])
		if !compared(operator, left, right) {
			return false
		}
		left = right
	}
	return true
}

func compared(operator string, a, b py.Value) bool {
	switch operator {
	case "==":
		return py.Must(py.Compare(a, b, 0))
	case "!=":
		return !py.Must(py.Compare(a, b, 0))
	case "<":
		return py.Must(py.Less(a, b))
	case ">":
		return py.Must(py.Greater(a, b))
	case "<=":
		return py.Must(py.LessEqual(a, b))
	case ">=":
		return py.Must(py.GreaterEqual(a, b))
	case "in":
		return py.Must(py.In(a, b))
	case "not in":
		return !py.Must(py.In(a, b))
	case "is":
		return py.Is(a, b)
	}
	return !py.Is(a, b)
}

func (e *evaluator) items(nodes []Node) []py.Value {
	out := make([]py.Value, 0, len(nodes))
	for _, n := range nodes {
		if star, ok := n.(Starred); ok {
			v := e.value(star.Of)
			more, err := py.Iterate(v)
			if err != nil {
				panic(py.TypeError("Value after * must be an iterable, not %s", py.TypeName(v)))
			}
			out = append(out, more...)
			continue
		}
		out = append(out, e.value(n))
	}
	return out
}

func (e *evaluator) set(n Set) py.Value {
	return py.Must(py.NewSet(e.items(n.Items)...))
}

// dict computes all parts before it checks whether the keys are hashable, as CPython does.
func (e *evaluator) dict(n Dict) py.Value {
	var keys, values []py.Value
	for i, key := range n.Keys {
		values = append(values, e.pair(key, n.Values[i], &keys)...)
	}
	out := py.NewDict()
	for i, key := range keys {
		py.Check(py.Hashable(key))
		out.Set(key, values[i])
	}
	return out
}

// pair adds the key of a pair, or the keys of an unpacked dictionary, and returns their values.
func (e *evaluator) pair(key, value Node, keys *[]py.Value) []py.Value {
	if key != nil {
		*keys = append(*keys, e.value(key))
	}
	v := e.value(value)
	if key != nil {
		return []py.Value{v}
	}
	d, ok := v.(*py.Dict)
	if !ok {
		panic(py.TypeError("'%s' object is not a mapping", py.TypeName(v)))
	}
	*keys = append(*keys, d.Keys()...)
	return d.Values()
}

func (e *evaluator) slice(n Slice) py.Value {
	var parts [3]py.Value
	for i, part := range []Node{n.Start, n.Stop, n.Step} {
		if part == nil {
			continue
		}
		parts[i] = e.value(part)
	}
	return py.Slice{Start: parts[0], Stop: parts[1], Step: parts[2]}
}

func (e *evaluator) subscript(n Subscript) py.Value {
	of := e.value(n.Of)
	return py.Must(py.Index(of, e.value(n.Index)))
}

// answer calls the function with the given name. The result of a call that is an argument of another call is copied,
// and its size is bounded.
func (e *evaluator) answer(n Call) py.Value {
	name, ok := dotted(n.Function)
	if !ok {
		panic(py.TypeError("'%s' object is not callable", py.TypeName(e.value(n.Function))))
	}
	if e.call == nil {
		panic(undefined(name))
	}
	e.inside++
	defer func() { e.inside-- }()
	c := &py.Call{Name: name}
	for _, arg := range n.Args {
		e.argument(c, arg)
	}
	for _, k := range n.Keywords {
		if k.Name != "" && slices.Contains(c.Names, k.Name) { // the reader takes it, as CPython's does, and its compiler does not
			panic(py.Raise("SyntaxError", "keyword argument repeated: %s (<string>, line 1)", k.Name))
		}
		e.keyword(c, k)
	}
	c.Computed, e.computed = e.computed, true
	v := py.Must(e.call(c))
	if e.inside == 1 {
		return v
	}
	return py.Must(py.CopyArgument(v))
}

// dotted returns the name of a function: "cd" or "fs.cd". A name in parentheses does not count, because the reference
// inserts objects only before names that precede a parenthesis.
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

func (e *evaluator) argument(c *py.Call, arg Node) {
	star, ok := arg.(Starred)
	if !ok {
		c.Args = append(c.Args, e.value(arg))
		return
	}
	v := e.value(star.Of)
	items, err := py.Iterate(v)
	if err != nil {
		panic(py.TypeError("%s() argument after * must be an iterable, not %s", c.Name, py.TypeName(v)))
	}
	c.Args = append(c.Args, items...)
}

func (e *evaluator) keyword(c *py.Call, k Keyword) {
	v := e.value(k.Value)
	if k.Name != "" {
		c.Names, c.Named = append(c.Names, k.Name), append(c.Named, v)
		return
	}
	d, ok := v.(*py.Dict)
	if !ok {
		panic(py.TypeError("%s() argument after ** must be a mapping, not %s", c.Name, py.TypeName(v)))
	}
	for i, key := range d.Keys() {
		name, ok := key.(string)
		if !ok {
			panic(py.TypeError("keywords must be strings"))
		}
		c.Names, c.Named = append(c.Names, name), append(c.Named, d.Values()[i])
	}
}

// Kind returns the name of a node's type, for use in error messages.
func Kind(n Node) string {
	if o, ok := n.(Other); ok {
		return o.Kind
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", n), "expr.")
}
