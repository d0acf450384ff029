package decode

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Text reads the calls of a response in Python's words, as a list or without its brackets. It keeps what the reference does:
// arguments without a name are dropped, any sign before a value negates it, a name is a text, and a dictionary of
// dictionaries becomes a call.
func Text(response string, profile api.Profile) ([]string, error) {
	source := strings.Trim(response, "`\n ")
	if !strings.HasPrefix(source, "[") {
		source = "[" + source
	}
	if !strings.HasSuffix(source, "]") {
		source += "]"
	}
	if profile == api.V4 {
		source = strings.Trim(py.Strip(source), "'")
	} else {
		source = strings.Trim(source, "[]'")
	}
	n, err := parse(source)
	if err != nil {
		return nil, err
	}
	var items []node
	switch n := n.(type) {
	case call:
		items = []node{n}
	case list:
		items = n.items
	case tuple:
		items = n.items
	default:
		return nil, errors.New("it is no list of calls")
	}
	out := []string{}
	for _, item := range items {
		c, ok := item.(call)
		if !ok {
			return nil, fmt.Errorf("%s is no call", item.unparse())
		}
		name, arguments, err := resolveCall(c)
		if err != nil {
			return nil, err
		}
		text, err := rendered(name, arguments)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}

// resolveCall is a call as a name and named arguments.
func resolveCall(c call) (string, *py.Dict, error) {
	var parts []string
	function := c.function
	for {
		a, ok := function.(attribute)
		if !ok {
			break
		}
		parts, function = append([]string{a.name}, parts...), a.of
	}
	if n, ok := function.(name); ok {
		parts = append([]string{n.id}, parts...)
	}
	arguments := py.NewDict()
	for _, k := range c.keywords {
		v, err := resolve(k.value)
		if err != nil {
			return "", nil, err
		}
		var key py.Value
		if k.name != "" {
			key = k.name
		}
		arguments.Set(key, v)
	}
	return strings.Join(parts, "."), arguments, nil
}

func resolve(n node) (py.Value, error) {
	switch n := n.(type) {
	case constant:
		if n.value == (py.Ellipsis{}) {
			return "...", nil
		}
		return n.value, nil
	case unary:
		c, ok := n.operand.(constant)
		if !ok {
			return nil, fmt.Errorf("%s is no value", n.unparse())
		}
		return py.Neg(c.value)
	case name:
		return n.id, nil
	case list:
		items, err := resolveAll(n.items)
		return py.NewList(items...), err
	case tuple:
		items, err := resolveAll(n.items)
		return py.Tuple(items), err
	case dict:
		return resolveDict(n)
	case binary:
		return compute(n)
	case call:
		if len(n.keywords) == 0 {
			return n.unparse(), nil
		}
		name, arguments, err := resolveCall(n)
		return py.NewDict(name, arguments), err
	case subscript:
		return n.unparse(), nil
	}
	return nil, fmt.Errorf("%s is no value that calls have", n.unparse())
}

func resolveAll(nodes []node) ([]py.Value, error) {
	var out []py.Value
	for _, n := range nodes {
		v, err := resolve(n)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func resolveDict(n dict) (py.Value, error) {
	out := py.NewDict()
	for i, key := range n.keys {
		if key == nil {
			return nil, errors.New("a dictionary is unpacked in another")
		}
		k, err := resolve(key)
		if err != nil {
			return nil, err
		}
		if err := py.Hashable(k); err != nil {
			return nil, err
		}
		v, err := resolve(n.values[i])
		if err != nil {
			return nil, err
		}
		out.Set(k, v)
	}
	return out, nil
}

// compute is arithmetic between literals.
func compute(n node) (py.Value, error) {
	switch n := n.(type) {
	case constant:
		return n.value, nil
	case list, tuple:
		return resolve(n)
	case unary:
		return computeUnary(n)
	case binary:
		left, err := compute(n.left)
		if err != nil {
			return nil, err
		}
		right, err := compute(n.right)
		if err != nil {
			return nil, err
		}
		operate, ok := arithmetic[n.operator]
		if !ok {
			return nil, fmt.Errorf("%s is not computed", n.unparse())
		}
		return operate(left, right)
	}
	return nil, fmt.Errorf("%s is not computed: it is no literal", n.unparse())
}

func computeUnary(n unary) (py.Value, error) {
	v, err := compute(n.operand)
	if err != nil {
		return nil, err
	}
	switch n.operator {
	case "-":
		return py.Neg(v)
	case "+":
		return py.Sub(v, 0)
	case "~":
		if whole, ok := py.BigInt(v); ok {
			return py.Add(py.Value(-1), negative(whole))
		}
	}
	return nil, fmt.Errorf("%s is not computed", n.unparse())
}

func negative(n *big.Int) py.Value {
	v, _ := py.Neg(py.Normal(n)) // ints can be negated
	return v
}

var arithmetic = map[string]func(a, b py.Value) (py.Value, error){
	"+": py.Add, "-": py.Sub, "*": py.Mul, "/": py.TrueDiv, "%": py.Mod, "**": py.Pow, "//": floorDiv,
}

func floorDiv(a, b py.Value) (py.Value, error) {
	rest, err := py.Mod(a, b)
	if err != nil {
		return nil, err
	}
	exact, err := py.Sub(a, rest)
	if err != nil {
		return nil, err
	}
	quotient, err := py.TrueDiv(exact, b)
	if err != nil {
		return nil, err
	}
	if _, whole := py.BigInt(exact); whole {
		return py.Int(quotient)
	}
	return quotient, nil
}

// rendered writes a call as source.
func rendered(name string, arguments *py.Dict) (string, error) {
	parts := make([]string, arguments.Len())
	for i := range parts {
		key, v := arguments.At(i)
		text, err := nested(v)
		if err != nil {
			return "", err
		}
		parts[i] = py.Str(key) + "=" + text
	}
	return name + "(" + strings.Join(parts, ", ") + ")", nil
}

// nested writes a value. A dictionary whose values are all dictionaries is taken for a call: of its first key.
func nested(v py.Value) (string, error) {
	d, ok := v.(*py.Dict)
	if !ok {
		return py.Repr(v), nil
	}
	calls := true
	for _, value := range d.Values() {
		if _, ok := value.(*py.Dict); !ok {
			calls = false
		}
	}
	if calls {
		if d.Len() == 0 {
			return "", errors.New("an empty dictionary is taken for a call, and has no name")
		}
		key, arguments := d.At(0)
		return rendered(py.Str(key), arguments.(*py.Dict))
	}
	parts := make([]string, d.Len())
	for i := range parts {
		key, value := d.At(i)
		text, err := nested(value)
		if err != nil {
			return "", err
		}
		parts[i] = "'" + py.Str(key) + "': " + text
	}
	return "{" + strings.Join(parts, ", ") + "}", nil
}
