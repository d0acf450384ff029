package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"maps"
	"slices"
)

type object = map[string]any

// openEnums lists named types that may have values other than their constants.
var openEnums = map[string]bool{"PhaseName": true}

// headerFields lists the fields that precede the payload in every event except version.
var headerFields = []struct {
	name, doc string
	schema    object
}{
	{"time", "Time of the event: RFC 3339, UTC.", object{"type": "string", "format": "date-time"}},
	{"run", "Id of the run; empty before the run exists.", object{"type": "string"}},
	{"incarnation", "Number of the start, from 1; 0 before the run exists.", object{"type": "integer", "minimum": 0}},
	{"seq", "Number of the event, starting from 1. Skipped `phase` events leave " +
		"gaps.", object{"type": "integer", "minimum": 1}},
}

func (s *source) schema() ([]byte, error) {
	defs := object{"version": versionSchema()}
	variants := []any{object{"$ref": "#/$defs/version"}}
	for _, k := range s.kinds {
		defs[k.name] = s.eventSchema(k)
		variants = append(variants, object{"$ref": "#/$defs/" + k.name})
	}
	for _, name := range s.shared() {
		defs[name] = s.recordSchema(s.structs[name])
	}
	return indent(object{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         "https://github.com/awhost/awhost/docs/events.schema.json",
		"title":       "One line of awhost --json",
		"description": "Generated from the structs of host/event by `go generate ./host/event`.",
		"oneOf":       variants,
		"$defs":       defs,
	})
}

func versionSchema() object {
	return object{
		"type":        "object",
		"description": "The first line: who writes, and in which version of this format.",
		"properties": object{
			"type":   object{"const": "version"},
			"awhost": object{"type": "string", "description": "The version of awhost."},
			"events": object{"type": "string", "description": "The version of the events."},
		},
		"required":             []string{"type", "awhost", "events"},
		"additionalProperties": false,
	}
}

func (s *source) eventSchema(k kind) object {
	schema := s.recordSchema(s.structs[k.goes])
	properties, required := schema["properties"].(object), []string{"type"}
	properties["type"] = object{"const": k.name}
	for _, f := range headerFields {
		described := maps.Clone(f.schema)
		described["description"] = f.doc
		properties[f.name] = described
		required = append(required, f.name)
	}
	schema["required"] = append(required, schema["required"].([]string)...)
	return schema
}

func (s *source) recordSchema(r record) object {
	properties, required := object{}, []string{}
	for _, f := range r.fields {
		property := s.typeSchema(f.typ)
		if f.doc != "" {
			property["description"] = f.doc
		}
		properties[f.name] = property
		if !f.optional {
			required = append(required, f.name)
		}
	}
	return object{
		"type": "object", "description": r.doc, "properties": properties,
		"required": required, "additionalProperties": false,
	}
}

// typeSchema returns the schema of a field's Go type. Integers in this package are counts.
func (s *source) typeSchema(typ ast.Expr) object {
	switch typ := typ.(type) {
	case *ast.StarExpr:
		return s.typeSchema(typ.X) // pointers always have omitempty
	case *ast.ArrayType:
		return object{"type": "array", "items": s.typeSchema(typ.Elt)}
	case *ast.MapType:
		return object{"type": "object", "propertyNames": s.typeSchema(typ.Key),
			"additionalProperties": s.typeSchema(typ.Value)}
	case *ast.SelectorExpr:
		return s.named(fmt.Sprintf("%s.%s", typ.X, typ.Sel.Name))
	case *ast.Ident:
		return s.named(typ.Name)
	}
	panic(fmt.Sprintf("no schema for %T", typ))
}

func (s *source) named(name string) object {
	switch name {
	case "string":
		return object{"type": "string"}
	case "bool":
		return object{"type": "boolean"}
	case "int":
		return object{"type": "integer", "minimum": 0}
	case "int64":
		return object{"type": "integer"}
	case "Value", "Seconds":
		return object{"type": []string{"number", "null"}}
	case "Outputs":
		return object{"type": "object"}
	case "Metrics":
		return object{"type": "object", "additionalProperties": object{"type": []string{"number", "null"}}}
	}
	if _, ok := s.structs[name]; ok {
		return object{"$ref": "#/$defs/" + name}
	}
	values := s.enums[name]
	if len(values) == 0 {
		panic("no schema for the type " + name)
	}
	if openEnums[name] {
		return object{"type": "string", "examples": values}
	}
	return object{"enum": values}
}

// shared returns the names of the structs that fields refer to.
func (s *source) shared() []string {
	found := map[string]bool{}
	for _, k := range s.kinds {
		s.collect(s.structs[k.goes], found)
	}
	return slices.Sorted(maps.Keys(found))
}

func (s *source) collect(r record, found map[string]bool) {
	for _, f := range r.fields {
		name := element(f.typ)
		if inner, ok := s.structs[name]; ok && !found[name] && name != "Value" {
			found[name] = true
			s.collect(inner, found)
		}
	}
}

// element returns the name of the type that a pointer or slice refers to.
func element(typ ast.Expr) string {
	switch typ := typ.(type) {
	case *ast.StarExpr:
		return element(typ.X)
	case *ast.ArrayType:
		return element(typ.Elt)
	case *ast.Ident:
		return typ.Name
	}
	return ""
}

func indent(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return out.Bytes(), err
}
