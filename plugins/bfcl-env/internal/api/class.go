package api

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Class describes an API class.
type Class struct {
	Name    string
	New     func(w *World) Instance
	methods [Profiles]map[string]*Method
}

// Profiles is the number of profiles.
const Profiles = EnvTuning + 1

// Classes are the API classes by name.
var Classes = map[string]*Class{}

// Method returns a method of the class, or nil.
func (c *Class) Method(name string, profile Profile) *Method { return c.methods[profile][name] }

// Methods lists the names of a profile's methods.
func (c *Class) Methods(profile Profile) []string {
	return slices.Sorted(maps.Keys(c.methods[profile]))
}

// Method describes a method.
type Method struct {
	class  string
	name   string
	params []param
	call   func(i Instance, a []py.Value) py.Value // raises exceptions, see must
}

// param is a parameter. It must be given unless it is optional.
type param struct {
	name     string
	optional bool
	value    py.Value // the default: one object shared by all calls, as in Python
}

// class is a Class under construction, whose instances are *T.
type class[T any] struct{ *Class }

// newClass starts the definition of a class.
func newClass[T any](name string, construct func(w *World) Instance) class[T] {
	c := &Class{Name: name, New: construct}
	for p := range c.methods {
		c.methods[p] = map[string]*Method{}
	}
	Classes[name] = c
	return class[T]{c}
}

// method defines a method for all profiles, or for some of them. Parameters are written as "a, b=1", with Python
// literals as defaults.
func (c class[T]) method(name, params string, call func(self *T, a []py.Value) py.Value, in ...Profile) {
	m := &Method{class: c.Name, name: name, call: func(i Instance, a []py.Value) py.Value { return call(any(i).(*T), a) }}
	for text := range strings.SplitSeq(params, ", ") {
		if text != "" {
			m.params = append(m.params, newParam(text))
		}
	}
	if len(in) == 0 {
		in = []Profile{V4, V3, EnvTuning}
	}
	for _, p := range in {
		c.methods[p][name] = m
	}
}

func newParam(text string) param {
	name, value, optional := strings.Cut(text, "=")
	p := param{name: name, optional: optional}
	if optional {
		var err error
		if p.value, err = expr.Evaluate(value, nil); err != nil {
			panic(fmt.Sprintf("api: the default of %s: %v", name, err))
		}
	}
	return p
}

// Call calls the method with positional and named arguments.
func (m *Method) Call(i Instance, args []py.Value, names []string, named []py.Value) (answer py.Value, err error) {
	defer py.Catch(&err)
	return m.call(i, py.Must(m.bind(args, names, named))), nil
}

// unset marks a parameter that was not passed.
type unset struct{}

// bind assigns the arguments to the parameters, or raises CPython's TypeError. Like CPython, it checks names first.
func (m *Method) bind(args []py.Value, names []string, named []py.Value) ([]py.Value, error) {
	out := make([]py.Value, len(m.params))
	for i := range out {
		out[i] = unset{}
	}
	copy(out, args)
	for i, name := range names {
		at := slices.IndexFunc(m.params, func(p param) bool { return p.name == name })
		switch {
		case at < 0:
			return nil, m.raise("got an unexpected keyword argument '%s'", name)
		case out[at] != (unset{}):
			return nil, m.raise("got multiple values for argument '%s'", name)
		}
		out[at] = named[i]
	}
	if len(args) > len(m.params) {
		return nil, m.tooMany(len(args))
	}
	var missing []string
	for i, p := range m.params {
		switch {
		case out[i] != (unset{}):
		case p.optional:
			out[i] = p.value
		default:
			missing = append(missing, "'"+p.name+"'")
		}
	}
	if len(missing) > 0 {
		return nil, m.raise("missing %d required positional argument%s: %s", len(missing), plural(len(missing)),
			enumerated(missing))
	}
	return out, nil
}

func (m *Method) raise(format string, args ...any) error {
	return py.TypeError("%s.%s() %s", m.class, m.name, fmt.Sprintf(format, args...))
}

// tooMany returns the TypeError for too many arguments. Like Python, it counts the instance as one argument.
func (m *Method) tooMany(given int) error {
	most, least := len(m.params)+1, 1
	for _, p := range m.params {
		if !p.optional {
			least++
		}
	}
	takes := fmt.Sprintf("%d positional argument%s", most, plural(most))
	if least < most {
		takes = fmt.Sprintf("from %d to %d positional arguments", least, most)
	}
	return m.raise("takes %s but %d were given", takes, given+1)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// enumerated joins items in the form 'a', 'b', and 'c'.
func enumerated(items []string) string {
	switch n := len(items); n {
	case 1:
		return items[0]
	case 2:
		return items[0] + " and " + items[1]
	default:
		return strings.Join(items[:n-1], ", ") + ", and " + items[n-1]
	}
}

// Parameters returns the names of the method's parameters.
func (m *Method) Parameters() []string {
	out := make([]string, len(m.params))
	for i, p := range m.params {
		out[i] = p.name
	}
	return out
}

// Required returns the names of the parameters without defaults.
func (m *Method) Required() []string {
	var out []string
	for _, p := range m.params {
		if !p.optional {
			out = append(out, p.name)
		}
	}
	return out
}
