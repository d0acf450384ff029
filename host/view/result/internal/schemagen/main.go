// Command schemagen generates the descriptions of awhost's JSON from Go types: docs/commands.schema.json from
// result.Kinds; docs/events.schema.json and the reference in docs/reference/json-events.md from the payloads of
// host/event. Comments on types and fields become the descriptions.
//
//	go generate ./host/view/result ./host/event
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/awhost/awhost/host/doctor"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
)

const (
	module       = "github.com/awhost/awhost"
	commandsFile = "docs/commands.schema.json"
	eventsFile   = "docs/events.schema.json"
	pageFile     = "docs/reference/json-events.md"
	draft        = "https://json-schema.org/draft/2020-12/schema"
	untyped      = "score" // the only line without the member type
)

func main() {
	root := flag.String("root", ".", "the repository")
	flag.Parse()
	files, err := Generate(*root)
	for name, content := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(*root, name), content, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(1)
	}
}

// Generate returns the contents of the generated files, keyed by their paths relative to root.
func Generate(root string) (map[string][]byte, error) {
	s := newSource(root)
	commands, err := s.commands()
	if err != nil {
		return nil, err
	}
	e, err := readEvents(s)
	if err != nil {
		return nil, err
	}
	events, err := e.schema()
	if err != nil {
		return nil, err
	}
	page, err := e.page(filepath.Join(root, pageFile))
	if err != nil {
		return nil, err
	}
	return map[string][]byte{commandsFile: commands, eventsFile: events, pageFile: page}, s.err
}

// enums lists the types of commands' lines that have no values other than their constants.
var enums = []reflect.Type{
	reflect.TypeFor[doctor.Group](), reflect.TypeFor[doctor.Status](), reflect.TypeFor[doctor.Tier](),
	reflect.TypeFor[runstore.Status](), reflect.TypeFor[event.Mode](), reflect.TypeFor[event.FindingSeverity](),
}

type ref struct {
	Ref string `json:"$ref"`
}

type document struct {
	Schema      string         `json:"$schema"`
	ID          string         `json:"$id"`
	Title       string         `json:"title"`
	Description string         `json:"description,omitempty"`
	OneOf       []ref          `json:"oneOf"`
	Defs        map[string]any `json:"$defs"`
}

func indent(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return out.Bytes(), err
}

// commands returns the schema for the lines of all commands.
func (s *source) commands() ([]byte, error) {
	defs, err := s.definitions()
	if err != nil {
		return nil, err
	}
	all := document{
		Schema: draft, ID: "https://" + module + "/" + commandsFile, Defs: defs,
		Title: "One line that a command other than apply and resume prints with --json, or that any command prints " +
			"before a run begins",
	}
	for _, k := range result.Kinds() {
		all.OneOf = append(all.OneOf, ref{"#/$defs/" + k.Type})
	}
	return indent(all)
}

// definitions returns the schemas for the types of all kinds and their fields.
func (s *source) definitions() (map[string]any, error) {
	names := map[reflect.Type]string{reflect.TypeFor[event.Finding](): "runFinding"} // a doctor's is another type
	for _, k := range result.Kinds() {
		names[reflect.TypeOf(k.Of)] = k.Type
	}
	reflector := jsonschema.Reflector{Namer: func(t reflect.Type) string {
		if name, ok := names[t]; ok {
			return name
		}
		if t.Name() == "" { // slices and maps have no definition
			return ""
		}
		return strings.ToLower(t.Name()[:1]) + t.Name()[1:]
	}}
	reflector.Mapper = func(t reflect.Type) *jsonschema.Schema {
		// The schema of events describes a payload as a line with the members of all lines.
		payload := t.Implements(reflect.TypeFor[event.Payload]())
		if t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[event.Event]().PkgPath() && !payload {
			return &jsonschema.Schema{Ref: filepath.Base(eventsFile) + "#/$defs/" + t.Name()}
		}
		if slices.Contains(enums, t) {
			return enumSchema(s.enum(t))
		}
		return nil
	}
	reflector.LookupComment = s.comment
	out := map[string]any{}
	kinds := map[string]any{} // a line may be part of another one
	for _, k := range result.Kinds() {
		kinds[k.Type] = k.Of
	}
	for _, k := range result.Kinds() {
		for name, schema := range reflector.ReflectFromType(reflect.TypeOf(k.Of)).Definitions {
			if line, is := kinds[name]; is {
				kind, ok := schema.Properties.Get("type")
				switch {
				case ok:
					*kind = jsonschema.Schema{Const: name}
				case name != untyped:
					return nil, fmt.Errorf("%T has no type member, which programs use to distinguish lines", line)
				}
				onlyTrue(reflect.TypeOf(line), schema)
			}
			text, err := json.Marshal(schema)
			if err != nil {
				return nil, fmt.Errorf("describe %s: %w", name, err)
			}
			if old, ok := out[name].(json.RawMessage); ok && !bytes.Equal(old, text) {
				return nil, fmt.Errorf("two types are named %q in the schema: rename one", name)
			}
			out[name] = json.RawMessage(text)
		}
	}
	return out, nil
}

// onlyTrue sets the constant true for members with the tag schema:"true", because the library has no tag for it.
func onlyTrue(t reflect.Type, schema *jsonschema.Schema) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("schema") != "true" {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if property, ok := schema.Properties.Get(name); ok {
			*property = jsonschema.Schema{Const: true, Description: property.Description}
		}
	}
}
