package framework

import (
	"math"
	"strings"
)

// Types is a set of the kinds of values that a key takes.
type Types uint

// The kinds of values.
const (
	Boolean Types = 1 << iota
	Whole
	Real
	Text
	List
	Mapping
	Null
	Anything = Boolean | Whole | Real | Text | List | Mapping | Null
)

// kinds are the names of the kinds in the probe's answer.
var kinds = map[string]Types{
	"bool": Boolean, "int": Whole, "float": Real, "str": Text, "list": List, "dict": Mapping, "null": Null,
}

// Has reports whether the sets have a kind in common.
func (t Types) Has(other Types) bool { return t&other != 0 }

// String names the kinds for people, nothing for null.
func (t Types) String() string {
	if t|Null == Anything {
		return "anything"
	}
	var names []string
	for _, k := range []struct {
		is   Types
		name string
	}{
		{Boolean, "true or false"}, {Whole, "a whole number"}, {Real, "a number"}, {Text, "a text"}, {List, "a list"},
		{Mapping, "a mapping"},
	} {
		if t.Has(k.is) && (k.is != Whole || !t.Has(Real)) {
			names = append(names, k.name)
		}
	}
	return strings.Join(names, " or ")
}

// Fit reports whether a value has one of the types. Text with an interpolation has any type.
func (t Types) Fit(v any) bool {
	switch v := v.(type) {
	case nil:
		return t.Has(Null)
	case bool:
		return t.Has(Boolean)
	case int64:
		return t.Has(Whole | Real)
	case float64:
		return t.Has(Real) || t.Has(Whole) && v == math.Trunc(v)
	case string:
		return t.Has(Text) || strings.Contains(v, "${")
	case Verbatim:
		return t.Has(Text)
	case []any:
		return t.Has(List)
	case map[string]any:
		return t.Has(Mapping)
	}
	return false
}
