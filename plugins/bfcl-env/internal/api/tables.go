package api

import "github.com/awhost/awhost/plugins/bfcl-env/internal/py"

// Tables are the constants of the long_context category, by their names in long_context.py. They are never changed: who
// needs one of his own copies it.
type Tables struct{ Constants map[string]py.Value }

// list is a table that is a list.
func (t *Tables) list(name string) []py.Value {
	if l, ok := t.Constants[name].(*py.List); ok {
		return l.Items
	}
	return nil
}

// dict is a table that is a dictionary.
func (t *Tables) dict(name string) *py.Dict {
	if d, ok := t.Constants[name].(*py.Dict); ok {
		return d
	}
	return py.NewDict()
}
