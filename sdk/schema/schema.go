// Package schema describes a plugin component's configuration.
//
// One description serves all uses of a configuration: the host uses it to decode HCL, fill in defaults, reject unknown
// keys with a suggestion, write the reference documentation and the JSON Schema, and determine how a change affects a
// run. A plugin author writes it once:
//
//	var config = schema.Block{
//		Description: "Scores the final answer.",
//		Attributes: []schema.Attribute{
//			schema.String("compatibility", "which behaviour to reproduce").Default("corrected").Enum("corrected", "reference"),
//			schema.Duration("timeout", "longest time one item may take").Default("30s"),
//		},
//	}
//
// The package depends neither on HCL nor on the wire protocol: it imports no other awhost package.
package schema

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Type is an attribute's type: a cty type in its JSON form (`"string"`, `["list","number"]`,
// `["object",{"a":"string"}]`, `"dynamic"`), or a reference to another block in the spec (`ref:dataset`).
type Type string

// The types of most attributes.
const (
	TypeString  Type = `"string"`
	TypeNumber  Type = `"number"`
	TypeBool    Type = `"bool"`
	TypeStrings Type = `["list","string"]`
	TypeNumbers Type = `["list","number"]`
	TypeMap     Type = `["map","string"]`
	TypeAny     Type = `"dynamic"`
)

// RefList returns the type for a list of references to blocks of a kind.
func RefList(kind string) Type { return Type(`["list","ref:` + kind + `"]`) }

// Kind returns a reference type's block kind, and whether t is a reference type.
func (t Type) Kind() (string, bool) {
	if len(t) > 4 && t[:4] == "ref:" {
		return string(t[4:]), true
	}
	return "", false
}

// Format refines an attribute's type.
type Format string

const (
	// FormatPath marks a file system path. The host makes it absolute, relative to the spec's directory.
	FormatPath Format = "path"
	// FormatDuration marks a duration in the format used by time.ParseDuration: "90s", "5m".
	FormatDuration Format = "duration"
	// FormatInteger marks a number that has no fraction and fits in 64 bits.
	FormatInteger Format = "integer"
	// FormatMCPServers marks the path of a file that lists MCP servers under `mcpServers` and is located below the
	// spec's directory. The host reads it and adds its servers as defaults to the nested `server` blocks in the same
	// body, which have one label each: their attributes command, env, cwd, url, headers, connect_timeout, call_timeout,
	// and idle_timeout, to the extent that these are declared. The plugin receives the servers as if they were
	// specified in the spec.
	FormatMCPServers Format = "mcp_servers"
)

// OnChange is how a changed value affects an existing run.
type OnChange string

const (
	// NewRun: the value is part of the run's identity, so a different value means a different run. The default.
	NewRun OnChange = "NEW_RUN"
	// Resume: a run may be resumed with a different value.
	Resume OnChange = "RESUME"
)

// Attribute is one `name = value` entry in a configuration block.
type Attribute struct {
	Name        string          // lower_snake_case
	Type        Type            //
	Required    bool            // exclusive with a default
	DefaultJSON json.RawMessage // the value if the attribute is absent; nil means null
	Format      Format          // of a string; FormatInteger: of a number
	MustExist   bool            // of a path: it must exist when the spec is read
	Presets     []Preset        // of a string: values that change the defaults of other attributes of the body
	Sensitive   bool            // never shown, logged or stored
	Deprecated  string          // the replacement; empty if current
	OneOf       []string        // the allowed strings; empty means any
	Minimum     *float64        // smallest allowed number, inclusive
	Maximum     *float64        // largest allowed number, inclusive
	Unit        string          // of a number: "tokens", "bytes"
	Description string          // one sentence
	ExampleJSON json.RawMessage // shown in the documentation
	OnChange    OnChange        // empty means NewRun
}

// Preset is an attribute value that sets defaults for other attributes. Written values take precedence. In a map of
// strings, each name is merged separately, and the rest of the preset is kept.
type Preset struct {
	Value        string
	DefaultsJSON json.RawMessage // an object, by the names of attributes
}

// Nesting is how many blocks of a nested type are allowed, and their JSON form.
type Nesting string

const (
	// Single: at most one block, represented as an object or null.
	Single Nesting = "SINGLE"
	// List: any number of blocks, represented as a list of objects in the order of the spec.
	List Nesting = "LIST"
	// Set: any number of unordered blocks, represented as a list of objects.
	Set Nesting = "SET"
	// Map: blocks with one label each, represented as an object keyed by label.
	Map Nesting = "MAP"
)

// NestedBlock is a block inside a block.
type NestedBlock struct {
	Name    string
	Block   Block
	Nesting Nesting
	Min     int // fewest blocks
	Max     int // most blocks; 0 means any number
}

// Block is the body of a configuration: its attributes and nested blocks.
type Block struct {
	Description string
	Deprecated  string
	Attributes  []Attribute
	Blocks      []NestedBlock
}

// String, Number, Integer, Bool, Path, Duration, Strings, StringMap, and Reference start an attribute; the methods of
// Attribute refine it.
func String(name, description string) Attribute {
	return Attribute{Name: name, Type: TypeString, Description: description}
}

// Number starts a float64 attribute.
func Number(name, description string) Attribute {
	return Attribute{Name: name, Type: TypeNumber, Description: description}
}

// Integer starts an attribute whose value is a whole number, an int64. A host that predates FormatInteger accepts any
// number.
func Integer(name, description string) Attribute {
	return Attribute{Name: name, Type: TypeNumber, Format: FormatInteger, Description: description}
}

// Bool starts an attribute whose value is true or false.
func Bool(name, description string) Attribute {
	return Attribute{Name: name, Type: TypeBool, Description: description}
}

// Path starts an attribute whose value is a file system path, which is absolute when the plugin receives it.
func Path(name, description string) Attribute {
	return Attribute{Name: name, Type: TypeString, Format: FormatPath, Description: description}
}

// MCPServers starts an attribute that names a file of MCP servers, which become nested `server` blocks; see
// FormatMCPServers.
func MCPServers(name, description string) Attribute {
	return Attribute{Name: name, Type: TypeString, Format: FormatMCPServers, Description: description}
}

// Duration starts an attribute whose value is a string such as "90s".
func Duration(name, description string) Attribute {
	return Attribute{Name: name, Type: TypeString, Format: FormatDuration, Description: description}
}

// Strings starts an attribute whose value is a list of strings.
func Strings(name, description string) Attribute {
	return Attribute{Name: name, Type: TypeStrings, Description: description}
}

// StringMap starts an attribute whose value is a map from strings to strings.
func StringMap(name, description string) Attribute {
	return Attribute{Name: name, Type: TypeMap, Description: description}
}

// Reference starts an attribute that names a block of the given kind.
func Reference(name, kind, description string) Attribute {
	return Attribute{Name: name, Type: Type("ref:" + kind), Description: description}
}

// Require makes the attribute required.
func (a Attribute) Require() Attribute { a.Required = true; return a }

// Exist requires that the path in the spec exists.
func (a Attribute) Exist() Attribute { a.MustExist = true; return a }

// Default sets the value used if the attribute is absent. It panics if v has no JSON form, which is a programming
// error.
func (a Attribute) Default(v any) Attribute { a.DefaultJSON = mustJSON(v); return a }

// Example sets the example shown in the documentation.
func (a Attribute) Example(v any) Attribute { a.ExampleJSON = mustJSON(v); return a }

// Enum lists the allowed strings.
func (a Attribute) Enum(values ...string) Attribute { a.OneOf = values; return a }

// Range limits a number to an inclusive range.
func (a Attribute) Range(lowest, highest float64) Attribute {
	a.Minimum, a.Maximum = &lowest, &highest
	return a
}

// AtLeast sets an inclusive lower bound for a number.
func (a Attribute) AtLeast(lowest float64) Attribute { a.Minimum = &lowest; return a }

// In sets a number's unit.
func (a Attribute) In(unit string) Attribute { a.Unit = unit; return a }

// Secret marks the attribute as sensitive.
func (a Attribute) Secret() Attribute { a.Sensitive = true; return a }

// Preset lets a value of the attribute change the defaults of other attributes in the body, which are specified by
// name. It panics if they have no JSON form, which is a programming error.
func (a Attribute) Preset(value string, defaults map[string]any) Attribute {
	a.Presets = append(slices.Clip(a.Presets), Preset{Value: value, DefaultsJSON: mustJSON(defaults)})
	return a
}

// CanResume allows a run to be resumed with a different value for this attribute.
func (a Attribute) CanResume() Attribute { a.OnChange = Resume; return a }

func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("schema: value has no JSON form: %v", err))
	}
	return b
}
