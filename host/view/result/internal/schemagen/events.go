package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/invopop/jsonschema"

	"github.com/awhost/awhost/host/event"
)

// events describes the JSON events.
type events struct {
	*source
	kinds []kind
	types map[string]reflect.Type // of the objects within events, by name
}

type kind struct {
	name string // "run_started"
	goes reflect.Type
}

// special describes the types whose JSON form their Go type does not show.
var special = map[reflect.Type]struct {
	schema func() *jsonschema.Schema
	name   string // in the reference
}{
	reflect.TypeFor[event.Value]():   {number, "number"},
	reflect.TypeFor[event.Seconds](): {number, "number"},
	reflect.TypeFor[event.Outputs](): {func() *jsonschema.Schema { return &jsonschema.Schema{Type: "object"} },
		"object of any values"},
	reflect.TypeFor[event.Metrics](): {
		func() *jsonschema.Schema { return &jsonschema.Schema{Type: "object", AdditionalProperties: number()} },
		"object, name to number",
	},
	reflect.TypeFor[int](): {func() *jsonschema.Schema { // a count
		return &jsonschema.Schema{Type: "integer", Minimum: "0"}
	}, "integer"},
}

// number returns the schema of a number that may be unknown.
func number() *jsonschema.Schema {
	return &jsonschema.Schema{Extras: map[string]any{"type": []string{"number", "null"}}}
}

// openEnum is a type that may have values other than its constants.
var openEnum = reflect.TypeFor[event.PhaseName]()

// header lists the fields that precede the payload in every event except version.
var header = []struct {
	name   string
	schema jsonschema.Schema
}{
	{"time", jsonschema.Schema{Type: "string", Format: "date-time", Description: "Time of the event: RFC 3339, UTC."}},
	{"run", jsonschema.Schema{Type: "string", Description: "Id of the run; empty before the run exists."}},
	{"incarnation", jsonschema.Schema{Type: "integer", Minimum: "0",
		Description: "Number of the start, from 1; 0 before the run exists."}},
	{"seq", jsonschema.Schema{Type: "integer", Minimum: "1",
		Description: "Number of the event, starting from 1. Skipped `phase` events leave gaps."}},
}

// readEvents finds the payload of each kind by decoding an empty event.
func readEvents(s *source) (*events, error) {
	e := &events{source: s, types: map[string]reflect.Type{}}
	for _, name := range s.enum(reflect.TypeFor[event.Kind]()) {
		var decoded event.Event
		text := fmt.Sprintf(`{"type": %q, "time": "2006-01-02T15:04:05Z"}`, name)
		if err := json.Unmarshal([]byte(text), &decoded); err != nil {
			return nil, fmt.Errorf("describe %s: %w", name, err)
		}
		e.kinds = append(e.kinds, kind{name, reflect.TypeOf(decoded.Payload)})
	}
	return e, s.err
}

// schema returns the schema of all events, and collects the types of the objects within them.
func (e *events) schema() ([]byte, error) {
	reflector := jsonschema.Reflector{LookupComment: e.comment, Mapper: e.mapped, Namer: func(t reflect.Type) string {
		if i := slices.IndexFunc(e.kinds, func(k kind) bool { return k.goes == t }); i >= 0 {
			return e.kinds[i].name
		}
		if _, ok := special[t]; !ok && t.Kind() == reflect.Struct {
			e.types[t.Name()] = t
		}
		return t.Name()
	}}
	defs := map[string]any{"version": versionSchema()}
	variants := []ref{{"#/$defs/version"}}
	for _, k := range e.kinds {
		for name, schema := range reflector.ReflectFromType(k.goes).Definitions {
			if name == k.name {
				required := []string{"type"}
				schema.Properties.Set("type", &jsonschema.Schema{Const: name})
				for _, h := range header {
					schema.Properties.Set(h.name, &h.schema)
					required = append(required, h.name)
				}
				schema.Required = append(required, schema.Required...)
			}
			defs[name] = schema
		}
		variants = append(variants, ref{"#/$defs/" + k.name})
	}
	return indent(document{
		Schema: draft, ID: "https://" + module + "/" + eventsFile, Title: "One line of awhost --json",
		Description: "Generated from the structs of host/event by `go generate ./host/event`.",
		OneOf:       variants, Defs: defs,
	})
}

func (e *events) mapped(t reflect.Type) *jsonschema.Schema {
	if special, ok := special[t]; ok {
		return special.schema()
	}
	values := e.enum(t)
	switch {
	case t == openEnum:
		open := enumSchema(values)
		open.Examples, open.Enum = open.Enum, nil
		return open
	case len(values) > 0:
		return enumSchema(values)
	case t.Kind() == reflect.Map && len(e.enum(t.Key())) > 0: // counts by the values of an enumeration
		return &jsonschema.Schema{Type: "object", PropertyNames: enumSchema(e.enum(t.Key())),
			AdditionalProperties: e.mapped(t.Elem())}
	}
	return nil
}

func versionSchema() *jsonschema.Schema {
	properties := jsonschema.NewProperties()
	properties.Set("type", &jsonschema.Schema{Const: "version"})
	properties.Set("awhost", &jsonschema.Schema{Type: "string", Description: "The version of awhost."})
	properties.Set("events", &jsonschema.Schema{Type: "string", Description: "The version of the events."})
	return &jsonschema.Schema{
		Type: "object", Description: "The first line: who writes, and in which version of this format.",
		Properties: properties, Required: []string{"type", "awhost", "events"}, AdditionalProperties: jsonschema.FalseSchema,
	}
}
