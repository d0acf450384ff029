package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

// fit checks a value against its attribute: type, allowed strings, range, and format. How to treat null is left to the
// caller. A type that is unknown to this package accepts every value, because hosts may define types.
func (a Attribute) fit(value json.RawMessage) error {
	if _, isRef := a.Type.Kind(); isRef {
		return a.fitString(value)
	}
	switch a.Type {
	case TypeString:
		return a.fitString(value)
	case TypeNumber:
		return a.fitNumber(value)
	}
	var shape any
	if json.Unmarshal([]byte(a.Type), &shape) != nil {
		return nil
	}
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return fmt.Errorf("%s is not valid JSON", value)
	}
	if !matches(shape, v) {
		return fmt.Errorf("%s is not a %s", value, describe(shape))
	}
	return a.fitElements(v)
}

func (a Attribute) fitString(value json.RawMessage) error {
	var s string
	if json.Unmarshal(value, &s) != nil {
		return fmt.Errorf("%s is not a string", value)
	}
	if err := a.allow(s); err != nil {
		return err
	}
	switch a.Format {
	case FormatPath:
		if s == "" {
			return errors.New("the path is empty")
		}
	case FormatDuration:
		if d, err := time.ParseDuration(s); err != nil || d < 0 {
			return fmt.Errorf("%q is not a duration: write a number and a unit, such as 30s or 5m", s)
		}
	}
	return nil
}

func (a Attribute) allow(s string) error {
	if len(a.OneOf) > 0 && !slices.Contains(a.OneOf, s) {
		return fmt.Errorf("%q is not allowed: want one of %s", s, strings.Join(a.OneOf, ", "))
	}
	return nil
}

func (a Attribute) fitNumber(value json.RawMessage) error {
	var n float64
	if json.Unmarshal(value, &n) != nil {
		return fmt.Errorf("%s is not a number", value)
	}
	if a.Format == FormatInteger && !isInteger(string(value)) {
		return fmt.Errorf("%s is not a 64-bit integer", value)
	}
	if a.Minimum != nil && n < *a.Minimum {
		return fmt.Errorf("%v is too small: want at least %v", n, *a.Minimum)
	}
	if a.Maximum != nil && n > *a.Maximum {
		return fmt.Errorf("%v is too large: want at most %v", n, *a.Maximum)
	}
	return nil
}

// isInteger reports whether a JSON number has no fraction and fits in 64 bits: 3, 3.0, and 3e2, but not 3.5 or 1e30.
func isInteger(number string) bool {
	n, ok := new(big.Float).SetPrec(512).SetString(number) // as exact as HCL
	if !ok || !n.IsInt() {
		return false
	}
	_, accuracy := n.Int64()
	return accuracy == big.Exact
}

// fitElements checks the elements of a collection against the allowed strings.
func (a Attribute) fitElements(v any) error {
	switch v := v.(type) {
	case string:
		return a.allow(v)
	case []any:
		for _, element := range v {
			if err := a.fitElements(element); err != nil {
				return err
			}
		}
	}
	return nil
}

// matches compares a decoded value with a decoded cty type.
func matches(shape, v any) bool {
	if name, ok := shape.(string); ok {
		return matchesName(name, v)
	}
	parts, ok := shape.([]any)
	if !ok || len(parts) < 2 {
		return true // a type unknown to this package
	}
	switch parts[0] {
	case "list", "set":
		elements, ok := v.([]any)
		return ok && !slices.ContainsFunc(elements, func(e any) bool { return !matches(parts[1], e) })
	case "map":
		members, ok := v.(map[string]any)
		for _, member := range members {
			ok = ok && matches(parts[1], member)
		}
		return ok
	case "tuple":
		return matchesTuple(parts[1], v)
	case "object":
		return matchesObject(parts[1], v)
	}
	return true
}

// describe returns a readable name for a decoded cty type: "list of numbers".
func describe(shape any) string {
	if name, ok := shape.(string); ok {
		if name == "bool" {
			return "boolean"
		}
		return name
	}
	parts, ok := shape.([]any)
	if !ok || len(parts) < 2 {
		return "value of its type"
	}
	switch parts[0] {
	case "list", "set", "map":
		first, rest, more := strings.Cut(describe(parts[1]), " of ") // "lists of numbers"
		if more {
			return fmt.Sprintf("%s of %ss of %s", parts[0], first, rest)
		}
		return fmt.Sprintf("%s of %ss", parts[0], first)
	}
	text, err := json.Marshal(shape)
	if err != nil {
		return "value of its type"
	}
	return "value of type " + string(text)
}

func matchesName(name string, v any) bool {
	switch v.(type) {
	case nil:
		return true
	case string:
		return name == "string" || name == "dynamic"
	case float64:
		return name == "number" || name == "dynamic"
	case bool:
		return name == "bool" || name == "dynamic"
	}
	return name == "dynamic"
}

func matchesTuple(shapes, v any) bool {
	want, _ := shapes.([]any)
	elements, ok := v.([]any)
	if !ok || len(elements) != len(want) {
		return false
	}
	for i, e := range elements {
		if !matches(want[i], e) {
			return false
		}
	}
	return true
}

// matchesObject treats absent members as null and rejects unknown members.
func matchesObject(shapes, v any) bool {
	want, _ := shapes.(map[string]any)
	members, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for name, member := range members {
		shape, known := want[name]
		if !known || !matches(shape, member) {
			return false
		}
	}
	return true
}
