package decode

import (
	"errors"
	"fmt"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
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
	n, err := expr.Parse(source)
	if err != nil {
		return nil, err
	}
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
func resolveCall(c expr.Call) (string, *py.Dict, error) {
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
		v, err := resolve(k.Value)
		if err != nil {
			return "", nil, err
		}
		var key py.Value
		if k.Name != "" {
			key = k.Name
		}
		arguments.Set(key, v)
	}
	return strings.Join(parts, "."), arguments, nil
}

func resolve(n expr.Node) (py.Value, error) {
	switch n := n.(type) {
	case expr.Constant:
		if n.Value == (py.Ellipsis{}) {
			return "...", nil
		}
		return n.Value, nil
	case expr.Unary:
		c, ok := n.Operand.(expr.Constant)
		if !ok {
			return nil, fmt.Errorf("%s is no value", n.Unparse())
		}
		return py.Neg(c.Value)
	case expr.Name:
		return n.ID, nil
	case expr.List:
		items, err := resolveAll(n.Items)
		return py.NewList(items...), err
	case expr.Tuple:
		items, err := resolveAll(n.Items)
		return py.Tuple(items), err
	case expr.Dict:
		return resolveDict(n)
	case expr.Binary:
		return expr.Compute(n, nil)
	case expr.Call:
		if len(n.Keywords) == 0 {
			return n.Unparse(), nil
		}
		name, arguments, err := resolveCall(n)
		return py.NewDict(name, arguments), err
	case expr.Subscript:
		return n.Of.Unparse() + "[" + n.Index.Unparse() + "]", nil // the two are written one by one
	}
	return nil, fmt.Errorf("%s (%s) is no value that calls have", n.Unparse(), expr.Kind(n))
}

func resolveAll(nodes []expr.Node) ([]py.Value, error) {
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

func resolveDict(n expr.Dict) (py.Value, error) {
	out := py.NewDict()
	for i, key := range n.Keys {
		if key == nil {
			return nil, errors.New("a dictionary is unpacked in another")
		}
		k, err := resolve(key)
		if err != nil {
			return nil, err
		}
		v, err := resolve(n.Values[i])
		if err != nil {
			return nil, err
		}
		if err := py.Hashable(k); err != nil {
			return nil, err
		}
		out.Set(k, v)
	}
	return out, nil
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
