package api

import (
	"slices"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// random is the generator for an instance.
func random(config *py.Dict, seed int) *py.Random {
	return py.Must(py.NewRandom(config.Or("random_seed", seed)))
}

// nextDraw returns the generator's next value without advancing it.
func nextDraw(r *py.Random) *py.Dict {
	return py.NewDict("rng_next32", int(r.Clone().Uint32()))
}

// dict returns v, which must be a dict because a dict method is called on it.
func dict(v py.Value, method string) *py.Dict {
	d, ok := v.(*py.Dict)
	if !ok {
		panic(py.NoAttribute(v, method))
	}
	return d
}

// list returns v, which must be a list because a list method is called on it.
func list(v py.Value, method string) *py.List {
	l, ok := v.(*py.List)
	if !ok {
		panic(py.NoAttribute(v, method))
	}
	return l
}

// remove implements l.remove(v), which removes the first item equal to v. v must be present.
func remove(l *py.List, v py.Value) {
	if i := slices.IndexFunc(l.Items, func(item py.Value) bool { return py.Equal(item, v) }); i >= 0 {
		l.Items = slices.Delete(l.Items, i, i+1)
	}
}

// text joins strings and values, like an f-string.
func text(parts ...py.Value) string {
	var out []byte
	for _, part := range parts {
		out = append(out, py.Str(part)...)
	}
	return string(out)
}

// quotedName returns a value as text in single quotes.
func quotedName(v py.Value) string { return "'" + py.Str(v) + "'" }
