package decode

import (
	"errors"
	"fmt"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/sdk/pytext"
)

// Text reads the calls in a response in Python syntax, as a list or without its brackets. It reproduces the behavior of
// the reference: arguments without a name are dropped, any sign before a value negates it, a name is a string, and a
// dictionary of dictionaries becomes a call.
func Text(response string, profile api.Profile) (calls []string, err error) {
	defer py.Catch(&err)
	source := strings.Trim(response, "`\n ")
	if !strings.HasPrefix(source, "[") {
		source = "[" + source
	}
	if !strings.HasSuffix(source, "]") {
		source += "]"
	}
	if profile == api.V4 {
		source = strings.Trim(pytext.Strip(source), "'")
	} else {
		source = strings.Trim(source, "[]'")
	}
	n := py.Must(expr.Parse(source))
	var items []expr.Node
	switch n := n.(type) {
	case expr.Call:
		items = []expr.Node{n}
	case expr.List:
		items = n.Items
	case expr.Tuple:
		items = n.Items
	case expr.Set:
		items = n.Items
	default:
		return nil, errors.New("it is no list of calls")
	}
	out := []string{}
	for _, item := range items {
		c, ok := item.(expr.Call)
		if !ok {
			return nil, fmt.Errorf("%s is no call", item.Unparse())
		}
		out = append(out, rendered(resolveCall(c)))
	}
	return out, nil
}

// resolveCall returns a call as a name and named arguments.
func resolveCall(c expr.Call) (string, *py.Dict) {
	var parts []string
	function := c.Function
	for {
		a, ok := function.(expr.Attribute)
		if !ok {
			break
		}
		parts, function = append([]string{a.Name}, parts...), a.Of
	}
	if n, ok := function.(expr.Name); ok {
		parts = append([]string{n.ID}, parts...)
	}
	arguments := py.NewDict()
	for _, k := range c.Keywords {
		v := resolve(k.Value)
		var key py.Value
		if k.Name != "" {
			key = k.Name
		}
		arguments.Set(key, v)
	}
	return strings.Join(parts, "."), arguments
}

func resolve(n expr.Node) py.Value {
	switch n := n.(type) {
	case expr.Constant:
		if n.Value == (py.Ellipsis{}) {
			return "..."
		}
		return n.Value
	case expr.Unary:
		c, ok := n.Operand.(expr.Constant)
		if !ok {
			panic(fmt.Errorf("%s is not a value", n.Unparse()))
		}
		return py.Must(py.Neg(c.Value))
	case expr.Name:
		return n.ID
	case expr.List:
		return py.NewList(resolveAll(n.Items)...)
	case expr.Tuple:
		return py.Tuple(resolveAll(n.Items))
	case expr.Dict:
		return resolveDict(n)
	case expr.Binary:
		return py.Must(expr.Compute(n, nil))
	case expr.Call:
		if len(n.Keywords) == 0 {
			return n.Unparse()
		}
		name, arguments := resolveCall(n)
		return py.NewDict(name, arguments)
	case expr.Subscript:
		return n.Of.Unparse() + "[" + n.Index.Unparse() + "]" // the two are written one by one
	}
	panic(fmt.Errorf("%s (%s) is not a value that calls have", n.Unparse(), expr.Kind(n)))
}

func resolveAll(nodes []expr.Node) []py.Value {
	var out []py.Value
	for _, n := range nodes {
		out = append(out, resolve(n))
	}
	return out
}

func resolveDict(n expr.Dict) py.Value {
	out := py.NewDict()
	for i, key := range n.Keys {
		if key == nil {
			panic(errors.New("a dictionary is unpacked in another"))
		}
		k := resolve(key)
		v := resolve(n.Values[i])
		py.Check(py.Hashable(k))
		out.Set(k, v)
	}
	return out
}

// rendered writes a call as source.
func rendered(name string, arguments *py.Dict) string {
	parts := make([]string, arguments.Len())
	for i := range parts {
		key, v := arguments.At(i)
		parts[i] = py.Str(key) + "=" + nested(v)
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

// nested writes a value. A dictionary whose values are all dictionaries is interpreted as a call to the function named
// by its first key.
func nested(v py.Value) string {
	d, ok := v.(*py.Dict)
	if !ok {
		return py.Repr(v)
	}
	calls := true
	for _, value := range d.Values() {
		if _, ok := value.(*py.Dict); !ok {
			calls = false
		}
	}
	if calls {
		if d.Len() == 0 {
			panic(errors.New("an empty dictionary is taken for a call, and has no name"))
		}
		key, arguments := d.At(0)
		return rendered(py.Str(key), arguments.(*py.Dict))
	}
	parts := make([]string, d.Len())
	for i := range parts {
		key, value := d.At(i)
		parts[i] = "'" + py.Str(key) + "': " + nested(value)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
