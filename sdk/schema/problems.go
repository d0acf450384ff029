package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Problem describes an error in one value of a configuration.
type Problem struct {
	Path   []string // attribute, or block, then index or label, then attribute
	Detail string   // "it is 1 and must be at least 2"
}

// Problems returns the schema violations in a configuration object: unknown names, and values that have the wrong type,
// are out of range, or are not allowed. Missing values are not reported, because they may not be known yet. A
// configuration that is not a JSON object has one problem, without a path.
func (b Block) Problems(config json.RawMessage) []Problem {
	if isAbsent(config) {
		return nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(config, &given); err != nil {
		return []Problem{{Detail: "it is not a JSON object: " + err.Error()}}
	}
	var out []Problem
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value := given[name]
		switch i := slices.IndexFunc(b.Attributes, func(a Attribute) bool { return a.Name == name }); {
		case !slices.Contains(b.names(), name):
			out = append(out, Problem{[]string{name}, "unknown attribute: want one of " + strings.Join(b.names(), ", ")})
		case isAbsent(value):
		case i >= 0:
			if wrong := b.Attributes[i].problem(value); wrong != "" {
				out = append(out, Problem{[]string{name}, wrong})
			}
		default:
			n := b.Blocks[slices.IndexFunc(b.Blocks, func(n NestedBlock) bool { return n.Name == name })]
			out = append(out, n.problems(value)...)
		}
	}
	return out
}

// problems returns the problems in the blocks with a given name.
func (n NestedBlock) problems(value json.RawMessage) []Problem {
	inside := func(body json.RawMessage, path ...string) []Problem {
		found := n.Block.Problems(body)
		for i := range found {
			found[i].Path = append(slices.Clone(path), found[i].Path...)
		}
		return found
	}
	var out []Problem
	switch n.Nesting {
	case List, Set:
		var bodies []json.RawMessage
		if json.Unmarshal(value, &bodies) != nil {
			return []Problem{{[]string{n.Name}, "it must be a list of objects"}}
		}
		for i, body := range bodies {
			out = append(out, inside(body, n.Name, strconv.Itoa(i))...)
		}
	case Map:
		var bodies map[string]json.RawMessage
		if json.Unmarshal(value, &bodies) != nil {
			return []Problem{{[]string{n.Name}, "it must be an object of objects"}}
		}
		for _, label := range slices.Sorted(maps.Keys(bodies)) {
			out = append(out, inside(bodies[label], n.Name, label)...)
		}
	default:
		out = inside(value, n.Name)
	}
	return out
}

// problem describes the error in a value, or returns an empty string.
func (a Attribute) problem(value json.RawMessage) string {
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return "it is not valid JSON: " + err.Error()
	}
	switch _, ref := a.Type.Kind(); {
	case ref, a.Type == TypeString:
		text, ok := v.(string)
		if !ok {
			return "it must be a string"
		}
		return a.textProblem(text)
	case a.Type == TypeNumber:
		number, ok := v.(json.Number)
		if !ok {
			return "it must be a number"
		}
		return a.numberProblem(number)
	case a.Type == TypeBool:
		if _, ok := v.(bool); !ok {
			return "it must be true or false"
		}
	case a.Type == TypeStrings, a.Type == TypeNumbers:
		list, ok := v.([]any)
		if !ok {
			return "it must be a list"
		}
		return a.elementProblem(slices.Values(list))
	case a.Type == TypeMap:
		object, ok := v.(map[string]any)
		if !ok {
			return "it must be an object"
		}
		return a.elementProblem(maps.Values(object))
	}
	return "" // any type, or a type known only to the host's decoder
}

// quote begins a message with the value unless the attribute is sensitive: "it is 1 and ", or "it ".
func (a Attribute) quote(format string, value any) string {
	if a.Sensitive {
		return "it "
	}
	return "it is " + fmt.Sprintf(format, value)
}

func (a Attribute) textProblem(text string) string {
	if len(a.OneOf) > 0 && !slices.Contains(a.OneOf, text) {
		return a.quote("%q and ", text) + "must be one of " + strings.Join(a.OneOf, ", ")
	}
	if a.Format == FormatDuration {
		if _, err := time.ParseDuration(text); err != nil {
			return a.quote("%q and ", text) + "must be a duration, such as 90s or 5m"
		}
	}
	return ""
}

func (a Attribute) numberProblem(number json.Number) string {
	v, err := number.Float64()
	switch {
	case err != nil:
		return a.quote("%s, which ", number) + "is too large"
	case a.Format == FormatInteger && !isInteger(number.String()):
		return a.quote("%s and ", number) + "must be a 64-bit integer"
	case a.Minimum != nil && v < *a.Minimum:
		return a.quote("%s and ", number) + fmt.Sprintf("must be at least %v", *a.Minimum)
	case a.Maximum != nil && v > *a.Maximum:
		return a.quote("%s and ", number) + fmt.Sprintf("must be at most %v", *a.Maximum)
	}
	return ""
}

// elementProblem checks the elements of a list or map.
func (a Attribute) elementProblem(values func(func(any) bool)) string {
	for v := range values {
		_, text := v.(string)
		_, number := v.(json.Number)
		switch {
		case a.Type == TypeNumbers && !number:
			return "each element must be a number"
		case a.Type != TypeNumbers && !text:
			return "each element must be a string"
		}
	}
	return ""
}
