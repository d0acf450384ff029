package api

import "github.com/awhost/awhost/plugins/bfcl-env/internal/py"

// attributes are the state of an instance by name, in the order of the reference.
type attributes struct{ values *py.Dict }

// attribute is a name with its default, written as a Python literal.
type attribute struct{ name, value string }

// loadAttributes takes those that a configuration gives, and the defaults of the others.
func loadAttributes(config *py.Dict, all []attribute) attributes {
	out := attributes{py.NewDict()}
	for _, a := range all {
		out.values.Set(a.name, given(config, a.name, a.value))
	}
	return out
}

func (a attributes) get(name string) py.Value    { return a.values.Or(name, nil) }
func (a attributes) set(name string, v py.Value) { a.values.Set(name, v) }
func (a attributes) is(name string, v py.Value) bool {
	return py.Equal(a.get(name), v)
}

// between is low <= v <= high.
func between(low, v, high py.Value) (bool, error) {
	ok, err := py.LessEqual(low, v)
	if err != nil || !ok {
		return false, err
	}
	return py.LessEqual(v, high)
}
