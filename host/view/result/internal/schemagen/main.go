// Command schemagen writes docs/commands.schema.json, generated from the Go types of result.Kinds.
//
//	go generate ./host/view/result
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/awhost/awhost/host/doctor"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
)

const (
	module     = "github.com/awhost/awhost"
	schemaFile = "docs/commands.schema.json"
	untyped    = "score" // the only line without the member type
)

func main() {
	root := flag.String("root", ".", "the repository")
	flag.Parse()
	schema, err := Generate(*root)
	if err == nil {
		err = os.WriteFile(filepath.Join(*root, schemaFile), schema, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(1)
	}
}

// enums lists values of types that a Go tag cannot hold.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[doctor.Group](): {
		doctor.Spec, doctor.Machine, doctor.GPUs, doctor.Python, doctor.Directories, doctor.Ports, doctor.Clusters,
	},
	reflect.TypeFor[doctor.Status](): {doctor.OK, doctor.Warn, doctor.Failed, doctor.Skipped},
	reflect.TypeFor[runstore.Status](): {
		runstore.StatusRunning, runstore.StatusFinished, runstore.StatusFailed, runstore.StatusStopped,
		runstore.StatusInterrupted, runstore.StatusUnreadable,
	},
	reflect.TypeFor[event.Mode](): {event.ModeNew, event.ModeResume, event.ModeNoOp},
	reflect.TypeFor[doctor.Tier](): {
		doctor.FirstClass, doctor.BestEffort, doctor.NeedsPlugin, doctor.Untested, doctor.Refused,
	},
}

// events lists the types that are defined in the event schema.
var events = map[reflect.Type]string{
	reflect.TypeFor[event.PlanSummary](): "PlanSummary", reflect.TypeFor[event.PluginRef](): "PluginRef",
}

type ref struct {
	Ref string `json:"$ref"`
}

type document struct {
	Schema string                     `json:"$schema"`
	ID     string                     `json:"$id"`
	Title  string                     `json:"title"`
	OneOf  []ref                      `json:"oneOf"`
	Defs   map[string]json.RawMessage `json:"$defs"`
}

// Generate returns the schema for all lines.
func Generate(root string) ([]byte, error) {
	defs, err := definitions(root)
	if err != nil {
		return nil, err
	}
	all := document{
		Schema: "https://json-schema.org/draft/2020-12/schema",
		ID:     "https://" + module + "/" + schemaFile,
		Title: "One line that a command other than apply and resume prints with --json, or that any command prints " +
			"before a run begins",
		Defs: defs,
	}
	for _, k := range result.Kinds() {
		all.OneOf = append(all.OneOf, ref{"#/$defs/" + k.Type})
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err = encoder.Encode(all)
	return out.Bytes(), err
}

// definitions returns the schemas for the types of all kinds and their fields.
func definitions(root string) (map[string]json.RawMessage, error) {
	names := map[reflect.Type]string{}
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
		if name, ok := events[t]; ok {
			return &jsonschema.Schema{Ref: "events.schema.json#/$defs/" + name}
		}
		if values, ok := enums[t]; ok {
			return &jsonschema.Schema{Type: "string", Enum: values}
		}
		return nil
	}
	comments := comments{root: root, read: map[string]bool{}}
	reflector.LookupComment = comments.of
	out := map[string]json.RawMessage{}
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
			if old, ok := out[name]; ok && !bytes.Equal(old, text) {
				return nil, fmt.Errorf("two types are named %q in the schema: rename one", name)
			}
			out[name] = text
		}
	}
	return out, comments.err
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

// comments holds the comments on the types and fields in this module. Packages are read on demand.
type comments struct {
	root   string
	read   map[string]bool      // packages that were read
	source jsonschema.Reflector // reads and holds the comments
	err    error                // the first error
}

// of returns the comment on a type, or on one of its fields, as one line.
func (c *comments) of(t reflect.Type, field string) string {
	path, ours := strings.CutPrefix(t.PkgPath(), module+"/")
	if ours && !c.read[path] {
		c.read[path] = true
		c.err = errors.Join(c.err, c.add(path))
	}
	name := t.PkgPath() + "." + t.Name()
	if field != "" {
		name += "." + field
	}
	return strings.Join(strings.Fields(c.source.CommentMap[name]), " ")
}

// add reads a package. The library looks up sources by their paths below the working directory.
func (c *comments) add(path string) error {
	before, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := os.Chdir(c.root); err != nil {
		return err
	}
	defer func() { _ = os.Chdir(before) }() // the directory existed before
	return c.source.AddGoComments(module, "./"+path, jsonschema.WithFullComment())
}
