package framework

import (
	"math"
	"regexp"
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

var (
	listType = regexp.MustCompile(`^(list|List|tuple|Tuple|Sequence)\b`)
	mapType  = regexp.MustCompile(`^([dD]ict|DictConfig|Mapping)\b`)
)

// TypeOf reads the annotation of a dataclass's field.
func TypeOf(annotation string) Types {
	parts := alternatives(annotation)
	if len(parts) > 1 {
		var out Types
		for _, part := range parts {
			out |= TypeOf(part)
		}
		return out
	}
	switch part := parts[0]; {
	case part == "bool":
		return Boolean
	case part == "int":
		return Whole
	case part == "float":
		return Real | Whole
	case part == "str":
		return Text
	case part == "None":
		return Null
	case listType.MatchString(part):
		return List
	case mapType.MatchString(part):
		return Mapping
	}
	return Anything // Any, a class, an enumeration, or a type that awhost does not know
}

// alternatives splits a union.
func alternatives(annotation string) []string {
	annotation = unquote(annotation)
	if inner, ok := strings.CutPrefix(annotation, "Optional["); ok {
		return append(alternatives(strings.TrimSuffix(inner, "]")), "None")
	}
	separator := '|'
	if inner, ok := strings.CutPrefix(annotation, "Union["); ok {
		annotation, separator = strings.TrimSuffix(inner, "]"), ','
	}
	var out []string
	depth, begin := 0, 0
	for i, r := range annotation {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		case separator:
			if depth == 0 {
				out = append(out, unquote(annotation[begin:i]))
				begin = i + 1
			}
		}
	}
	return append(out, unquote(annotation[begin:]))
}

// typeOfDefault returns the types of a key of which only the default is known.
func typeOfDefault(v any) Types {
	switch v := v.(type) {
	case bool:
		return Boolean
	case int64:
		return Whole | Null
	case float64:
		return Real | Whole | Null
	case string:
		if strings.Contains(v, "${") || v == Mandatory {
			return Anything
		}
		return Text | Null
	case []any:
		return List | Null
	case map[string]any:
		return Mapping | Null
	}
	return Anything
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
