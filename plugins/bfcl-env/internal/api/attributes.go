package api

import (
	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// attributes holds an instance's state by name, in the same order as the reference.
type attributes struct{ values *py.Dict }

// attribute is a name with its default, written as a Python literal.
type attribute struct{ name, value string }

// defaults returns a dictionary of attributes with their defaults. The caller must not change it.
func defaults(all ...attribute) *py.Dict {
	out := py.NewDict()
	for _, a := range all {
		v, err := expr.Evaluate(a.value, nil)
		if err != nil {
			panic("api: the default of " + a.name + ": " + err.Error())
		}
		out.Set(a.name, v)
	}
	py.Freeze(out)
	return out
}

// loadAttributes returns the configuration's values, and copies of the defaults for missing names.
func loadAttributes(config, defaults *py.Dict) attributes {
	out := defaults.Copy()
	values := out.Values()
	for i, name := range out.Keys() {
		v, ok := config.Get(name)
		if !ok {
			v = py.DeepCopy(values[i])
		}
		values[i] = v
	}
	return attributes{out}
}

// given returns config.get(name, default), with a copy of the default.
func given(config, defaults *py.Dict, name string) py.Value {
	if v, ok := config.Field(name); ok {
		return v
	}
	v, _ := defaults.Field(name)
	return py.DeepCopy(v)
}

func (a attributes) get(name string) py.Value {
	v, _ := a.values.Field(name)
	return v
}

func (a attributes) set(name string, v py.Value) { a.values.SetField(name, v) }

func (a attributes) is(name string, v py.Value) bool {
	return py.Equal(a.get(name), v)
}

// between reports whether low <= v <= high.
func between(low, v, high py.Value) bool {
	return py.Must(py.LessEqual(low, v)) && py.Must(py.LessEqual(v, high))
}
