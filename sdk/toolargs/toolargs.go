// Package toolargs generates arguments for a tool from the JSON Schema of its parameters, for smoke runs, in which a
// script rather than a policy calls the tools, and for the conformance suite.
package toolargs

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
)

// Generate returns arguments that match a tool's JSON Schema, as the text of a JSON object. Equal schemas produce equal
// text. Values whose validity a schema cannot express, such as an existing path or the name of a city, are made up, and
// the tool may return an error for them.
func Generate(parameters json.RawMessage) string {
	var root map[string]any
	if json.Unmarshal(parameters, &root) != nil {
		root = nil
	}
	m := &generator{root: root, left: maxValues}
	object, ok := m.value(root, 0).(map[string]any)
	if !ok {
		object = map[string]any{} // arguments are always an object, regardless of the schema
	}
	text, err := json.Marshal(object)
	if err != nil {
		return "{}" // values decoded from JSON can be encoded again
	}
	return string(text)
}

// generator generates values for the schemas in one document.
type generator struct {
	root map[string]any
	left int // the number of values that may still be generated
}

// maxDepth limits recursive schemas, and maxValues limits schemas with several references to themselves: ten references
// at each of eight levels would produce a hundred million values.
const (
	maxDepth  = 8
	maxValues = 1000
)

func (m *generator) value(schema map[string]any, depth int) any {
	if m.left == 0 {
		return nil
	}
	if m.left--; depth > maxDepth { // null values count too: a thousand of them are a large object
		return nil
	}
	if given, ok := givenValue(schema); ok {
		return given
	}
	if other := m.subschema(schema); other != nil {
		return m.value(other, depth+1)
	}
	switch kindOf(schema) {
	case "object":
		return m.object(schema, depth)
	case "array":
		return m.array(schema, depth)
	case "integer":
		return math.Floor(number(schema))
	case "number":
		return number(schema)
	case "boolean":
		return true
	case "null":
		return nil
	}
	return text(schema)
}

// givenValue returns a value that the schema contains: const, default, an example, or a member of enum.
func givenValue(schema map[string]any) (any, bool) {
	for _, key := range []string{"const", "default"} {
		if v, ok := schema[key]; ok && v != nil {
			return v, true
		}
	}
	for _, key := range []string{"examples", "enum"} {
		if list, _ := schema[key].([]any); len(list) > 0 {
			return list[0], true
		}
	}
	return nil, false
}

// subschema returns the schema that another schema refers to, or nil if it does not refer to one.
func (m *generator) subschema(schema map[string]any) map[string]any {
	if ref, ok := schema["$ref"].(string); ok {
		return m.resolve(ref)
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		options, _ := schema[key].([]any)
		for _, o := range options {
			if option, ok := o.(map[string]any); ok && kindOf(option) != "null" {
				return option
			}
		}
	}
	return nil
}

// resolve returns the schema for a reference such as "#/$defs/point", or the whole document for "#".
func (m *generator) resolve(ref string) map[string]any {
	at := m.root
	if ref == "#" {
		return at
	}
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	for _, name := range strings.Split(path, "/") {
		at, _ = at[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)].(map[string]any)
	}
	return at
}

// kinds maps type names used in tool datasets to the names used in JSON Schema.
var kinds = map[string]string{
	"dict": "object", "list": "array", "tuple": "array", "int": "integer", "float": "number", "double": "number",
	"bool": "boolean", "str": "string", "any": "string",
}

func kindOf(schema map[string]any) string {
	kind, _ := schema["type"].(string)
	if several, _ := schema["type"].([]any); kind == "" && len(several) > 0 {
		i := max(0, slices.IndexFunc(several, func(v any) bool { return v != "null" }))
		kind, _ = several[i].(string)
	}
	if kind == "" && schema["properties"] != nil {
		return "object"
	}
	if known, ok := kinds[strings.ToLower(kind)]; ok {
		return known
	}
	return strings.ToLower(kind)
}

// object returns an object with the required members, or with all members if the schema does not list required members.
func (m *generator) object(schema map[string]any, depth int) map[string]any {
	properties, _ := schema["properties"].(map[string]any)
	required, listed := schema["required"].([]any)
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if m.left == 0 {
			break
		}
		if listed && !slices.Contains(required, any(name)) {
			continue
		}
		property, _ := properties[name].(map[string]any)
		out[name] = m.value(property, depth+1)
	}
	return out
}

// maxArray bounds minItems.
const maxArray = 16

func (m *generator) array(schema map[string]any, depth int) []any {
	items, ok := schema["items"].(map[string]any)
	if !ok {
		return []any{}
	}
	fewest, _ := schema["minItems"].(float64)
	out := make([]any, int(min(max(fewest, 1), maxArray)))
	for i := range out {
		out[i] = m.value(items, depth+1)
	}
	return out
}

// number returns 1, or the nearest number within the bounds.
func number(schema map[string]any) float64 {
	n := 1.0
	if low, ok := schema["minimum"].(float64); ok {
		n = max(n, math.Ceil(low))
	}
	if low, ok := schema["exclusiveMinimum"].(float64); ok {
		n = max(n, math.Floor(low)+1)
	}
	if high, ok := schema["maximum"].(float64); ok {
		n = min(n, high)
	}
	if high, ok := schema["exclusiveMaximum"].(float64); ok && n >= high {
		n = math.Ceil(high) - 1
		if low, ok := schema["exclusiveMinimum"].(float64); ok && n <= low { // no whole number is between the bounds
			n = low + (high-low)/2
		}
	}
	return n
}

// formats contains strings in the formats that schema libraries check.
var formats = map[string]string{
	"date": "2026-01-01", "date-time": "2026-01-01T00:00:00Z", "time": "00:00:00Z", "email": "smoke@example.com",
	"uri": "https://example.com", "url": "https://example.com", "uuid": "00000000-0000-4000-8000-000000000000",
	"ipv4": "127.0.0.1",
}

// maxText limits minLength, in characters.
const maxText = 1000

func text(schema map[string]any) string {
	format, _ := schema["format"].(string)
	if known, ok := formats[format]; ok {
		return known
	}
	out := "smoke"
	fewest, _ := schema["minLength"].(float64)
	most, ok := schema["maxLength"].(float64)
	if !ok {
		most = maxText
	}
	// The limits are applied before the conversion to integers, because 1e300 is a JSON number.
	atLeast, atMost := int(max(0, min(fewest, maxText))), int(max(0, min(most, maxText)))
	out += strings.Repeat("x", max(0, atLeast-len(out)))
	return out[:min(len(out), atMost)]
}
