package spec

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/sdk/schema"
)

// JSONSchema returns a JSON Schema (draft 2020-12) for specs in JSON syntax: the host's blocks and the components in
// schemas (may be nil). It is generated from the tables that decode specs. Load may still reject a spec that the schema
// accepts, because the schema does not check values, such as references to missing blocks or expressions with the wrong
// type. Load rejects everything that the schema rejects.
func JSONSchema(schemas SchemaSource) []byte {
	w := &schemaWriter{defs: members{
		"expression": members{"type": "string", "pattern": expressionPattern, "description": "An expression: \"${ … }\"."},
	}}
	root := w.root(schemas)
	root["$defs"] = w.defs
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(root); err != nil {
		panic("spec: write JSON Schema: " + err.Error()) // contains only maps, lists, strings and numbers
	}
	return out.Bytes()
}

// expressionPattern distinguishes an expression from other strings.
const expressionPattern = `[$%]\{`

// members is a JSON object whose members are written in alphabetical order.
type members = map[string]any

type schemaWriter struct{ defs members }

func (w *schemaWriter) root(schemas SchemaSource) members {
	properties := members{
		"//":       commentShape(),
		"awhost":   blocks(0, w.awhost()),
		"variable": blocks(1, w.variable()),
		"locals":   blocks(0, members{"type": "object", "description": "Named values, available as `local.NAME`."}),
		"train":    blocks(1, w.def("train", w.train())),
		blockTelemetry: atMostOnce(w.def(
			blockTelemetry, w.body(blockTelemetry, telemetrySchema, telemetrySchema.Description))),
		"output": blocks(1, closed("A value that is printed after the run.", members{
			"value": members{"description": "May refer to results of train blocks."}, "description": textShape(""),
			"sensitive": booleanShape(""),
		}, "value")),
	}
	for _, kind := range componentKinds {
		types := members{"//": commentShape()}
		for _, t := range typesOf(kind, schemas) {
			types[t.name] = blocks(1, w.def(kind+"."+t.name, w.body(kind+"."+t.name, t.schema, t.description)))
		}
		properties[kind] = oneOrMore(members{"type": "object", "properties": types, "additionalProperties": false})
	}
	return members{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "awhost spec in JSON syntax", "type": "object",
		"properties": properties, "additionalProperties": false,
	}
}

// knownType is a component type with its schema.
type knownType struct {
	name, description string
	schema            schema.Block
}

// typesOf returns the types of a kind: both the host's and the plugins'.
func typesOf(kind string, schemas SchemaSource) []knownType {
	var out []knownType
	own := builtins[kind]
	for _, name := range slices.Sorted(maps.Keys(own)) {
		sch, _ := withHostBlock(kind, own[name].schema)
		out = append(out, knownType{name, own[name].schema.Description, sch})
	}
	if schemas == nil {
		return out
	}
	for _, name := range schemas.Types(kind) {
		component, ok := schemas.Component(kind, name)
		if _, twice := own[name]; ok && !twice {
			description := component.Description
			if description == "" {
				description = component.Schema.Description
			}
			sch, _ := withHostBlock(kind, component.Schema)
			out = append(out, knownType{name, description, sch})
		}
	}
	return out
}

// def adds a named definition and returns a reference to it, so that the schema is written once.
func (w *schemaWriter) def(name string, s members) members {
	w.defs[name] = s
	return members{"$ref": "#/$defs/" + name}
}

func (w *schemaWriter) awhost() members {
	plugin := members{"type": "object", "required": []string{"source"}, "additionalProperties": false}
	plugin["properties"] = members{
		"source": textShape("A directory with a Go or a Python package, a program, an archive (.tar.gz, .zip), or the URL of " +
			"one."),
		"command": members{"type": "array", "items": members{"type": "string"}, "minItems": 1,
			"description": "Starts a plugin in another language in the directory or the archive at source."},
	}
	return closed("Requirements of the spec.", members{
		"required_version": textShape("A version constraint such as \">= 0.1\"."),
		"required_plugins": blocks(0, members{"type": "object", "description": "Plugins that are not bundled, by name.",
			"additionalProperties": plugin}),
	})
}

func (w *schemaWriter) variable() members {
	return closed("A value supplied from outside the spec.", members{
		"type":        textShape("string, number, bool, list(…), map(…), objectShape({…})."),
		"default":     members{"description": "The value if none is supplied."},
		"description": textShape("The variable's purpose."), "sensitive": booleanShape("The value is never stored or shown."),
		"validation": blocks(0, closed("A condition on the value.", members{
			"condition":     members{"description": "Must be true; may refer only to the variable."},
			"error_message": textShape("The error message if the condition is false."),
		}, "condition", "error_message")),
	})
}

// train returns the schema for a train block's body. Settings that each stage requires may be in train or in every
// stage.
func (w *schemaWriter) train() members {
	body := w.body("train", trainSchema, trainSchema.Description)
	var somewhere []any
	for _, name := range []string{"agent", "dataset", "adapter", "reward"} {
		somewhere = append(somewhere, members{"anyOf": []any{
			members{"required": []string{"stage"}}, members{"required": []string{"dynamic"}},
			members{"required": []string{name}, "properties": members{name: members{"not": members{"type": "null"}}}},
		}})
	}
	body["allOf"] = somewhere
	return body
}

// body returns the schema for a block's body. Nested blocks become definitions that are named after their paths.
func (w *schemaWriter) body(name string, sch schema.Block, description string) members {
	if free, ok := freeAttributes(sch); ok {
		return withText(members{"type": "object", "additionalProperties": w.attribute(free)}, description)
	}
	properties := members{}
	var required []string
	for _, a := range sch.Attributes {
		properties[a.Name] = w.attribute(a)
		if a.Required {
			required = append(required, a.Name)
		}
	}
	var missing []any
	expansions := members{}
	for _, n := range sch.Blocks {
		inner := name + "." + n.Name
		body := w.def(inner, w.body(inner, n.Block, n.Block.Description))
		properties[n.Name] = nestedShape(n, body)
		expansions[n.Name] = blocks(0, closed("Blocks generated from an expression.", members{
			"for_each": members{"description": "The elements to generate blocks from."},
			"iterator": textShape("Name of the element in content."),
			"labels":   members{"description": "Labels of the blocks."}, "content": oneOrMore(body),
		}, "for_each", "content"))
		if n.Min > 0 {
			missing = append(missing, members{"anyOf": []any{members{"required": []string{n.Name}},
				members{"required": []string{"dynamic"}}}})
		}
	}
	if len(expansions) > 0 {
		properties["dynamic"] = oneOrMore(members{"type": "object", "properties": expansions, "additionalProperties": false})
	}
	out := closed(description, properties, required...)
	if len(missing) > 0 {
		out["allOf"] = missing
	}
	if sch.Deprecated != "" {
		out["deprecated"] = true
	}
	return out
}

// nestedShape returns the form that blocks with a given name have inside their parent.
func nestedShape(n schema.NestedBlock, body members) members {
	switch n.Nesting {
	case schema.Map:
		labelled := members{"type": "object", "additionalProperties": oneOrMore(body)}
		bound(labelled, "minProperties", "maxProperties", n)
		return oneOrMore(labelled)
	case nestingChoice:
		return members{"type": "object", "additionalProperties": atMostOnce(body), "maxProperties": 1}
	case schema.List, schema.Set:
		many := members{"type": "array", "items": body}
		bound(many, "minItems", "maxItems", n)
		return either(many, body)
	}
	return atMostOnce(body)
}

// atMostOnce returns the schema for an optional block; an array with one block is equivalent.
func atMostOnce(body members) members {
	return either(members{"type": "array", "items": body, "maxItems": 1}, body)
}

func bound(s members, least, most string, n schema.NestedBlock) {
	if n.Min > 0 {
		s[least] = n.Min
	}
	if n.Max > 0 {
		s[most] = n.Max
	}
}

// blocks returns the schema for blocks with a given number of labels. Each level may also be an array.
func blocks(labels int, body members) members {
	out := oneOrMore(body)
	for range labels {
		out = oneOrMore(members{"type": "object", "additionalProperties": out})
	}
	return out
}

// oneOrMore returns the schema for a value or an array of such values.
func oneOrMore(thing members) members {
	return either(members{"type": "array", "items": thing}, thing)
}

// either applies one schema to arrays and another to all other values, so that an editor reports only the errors for
// the intended alternative.
func either(array, other members) members {
	return members{"if": members{"type": "array"}, "then": array, "else": other}
}

// closed returns the schema for an object without unknown members.
func closed(description string, properties members, required ...string) members {
	properties["//"] = commentShape()
	out := members{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return withText(out, description)
}

func withText(s members, description string) members {
	if description != "" {
		s["description"] = description
	}
	return s
}

func commentShape() members { return members{"description": "A comment."} }

func textShape(description string) members { return withText(members{"type": "string"}, description) }

func booleanShape(description string) members {
	return withText(members{"type": "boolean"}, description)
}

// attribute returns the schema for a JSON value or an expression that produces it. Null means that the attribute is not
// set.
func (w *schemaWriter) attribute(a schema.Attribute) members {
	alternatives := append(w.values(a), members{"$ref": "#/$defs/expression"})
	if !a.Required {
		alternatives = append(alternatives, members{"type": "null"})
	}
	out := withText(members{"anyOf": alternatives}, attributeText(a))
	if a.DefaultJSON != nil {
		out["default"] = a.DefaultJSON
	}
	if a.ExampleJSON != nil {
		out["examples"] = []json.RawMessage{a.ExampleJSON}
	}
	if a.Deprecated != "" {
		out["deprecated"] = true
	}
	return out
}

// attributeText returns the description, including the unit, for which JSON Schema has no keyword.
func attributeText(a schema.Attribute) string {
	out := a.Description
	if a.Unit != "" {
		out = strings.TrimSuffix(out, ".") + ", in " + a.Unit + "."
	}
	return out
}

// values returns the accepted forms of an attribute's value.
func (w *schemaWriter) values(a schema.Attribute) []any {
	if a.Type == typeExpression {
		return []any{members{"type": []string{"number", "boolean"}}, members{"type": "string", "pattern": numberPattern},
			members{"enum": []any{"true", "false"}}}
	}
	s, err := shapeOf(a.Type)
	switch {
	case err != nil:
		return []any{members{}} // an error of the plugin, reported by Load
	case s.kind != "":
		return []any{referenceShape(s.kind)}
	case s.elem != nil:
		element := members{"anyOf": []any{referenceShape(s.elem.kind), members{"$ref": "#/$defs/expression"}}}
		list := members{"type": "array", "items": element}
		if s.nested {
			list = members{"type": "array", "items": members{"anyOf": []any{element, list}}}
		}
		return []any{list}
	}
	return valueShapes(s.ty, a)
}

func referenceShape(kind string) members {
	pattern, shown := regexp.QuoteMeta(kind), kind+".TYPE.NAME"
	if kind == kindAgent { // a swarm may replace an agent
		pattern, shown = "("+kindAgent+"|"+kindSwarm+")", shown+" or "+kindSwarm+".TYPE.NAME"
	}
	return members{
		"type": "string", "pattern": `^` + pattern + `\.[^.]+\.[^.]+$`, "description": "Address of a block: " + shown + ".",
	}
}

// These patterns match strings that represent other types.
const (
	numberPattern   = `^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`
	durationPattern = `^\+?(0|([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$`
)

// valueShapes follows the language's conversions: numbers are accepted as strings, and strings as numbers.
func valueShapes(ty cty.Type, a schema.Attribute) []any {
	switch {
	case ty == cty.String && len(a.OneOf) > 0:
		return []any{members{"enum": a.OneOf}}
	case ty == cty.String && a.Format == schema.FormatDuration:
		return []any{members{"type": "string", "pattern": durationPattern}}
	case ty == cty.String:
		return []any{members{"type": []string{"string", "number", "boolean"}}}
	case ty == cty.Number:
		return []any{numberShape(a), members{"type": "string", "pattern": numberPattern}}
	case ty == cty.Bool:
		return []any{members{"type": "boolean"}, members{"enum": []any{"true", "false"}}}
	case ty.IsListType() || ty.IsSetType():
		return []any{members{"type": "array", "items": elementShape(ty.ElementType(), a)}}
	case ty.IsMapType():
		return []any{members{"type": "object", "additionalProperties": elementShape(ty.ElementType(), a)}}
	case ty.IsTupleType():
		return []any{members{"type": "array", "minItems": ty.Length(), "maxItems": ty.Length()}}
	case ty.IsObjectType():
		return []any{objectShape(ty, a)}
	}
	return []any{members{}}
}

func numberShape(a schema.Attribute) members {
	out := members{"type": "number"}
	if a.Format == schema.FormatInteger {
		out["type"] = "integer"
	}
	if a.Minimum != nil {
		out["minimum"] = *a.Minimum
	}
	if a.Maximum != nil {
		out["maximum"] = *a.Maximum
	}
	return out
}

// elementShape returns the schema for a nested value, which may be an expression.
func elementShape(ty cty.Type, a schema.Attribute) members {
	inner := schema.Attribute{OneOf: a.OneOf}
	return members{"anyOf": append(valueShapes(ty, inner), members{"$ref": "#/$defs/expression"}, members{"type": "null"})}
}

func objectShape(ty cty.Type, a schema.Attribute) members {
	properties := members{}
	var required []string
	for _, name := range slices.Sorted(maps.Keys(ty.AttributeTypes())) {
		properties[name] = elementShape(ty.AttributeType(name), a)
		if !ty.AttributeOptional(name) {
			required = append(required, name)
		}
	}
	out := members{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}
