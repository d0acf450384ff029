package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
)

const (
	beginMark = "<!-- begin of what `go generate ./host/event` writes -->\n"
	endMark   = "<!-- end -->\n"
)

// page replaces the reference between the page's markers and preserves the rest.
func (e *events) page(path string) ([]byte, error) {
	old, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	head, rest, ok := bytes.Cut(old, []byte(beginMark))
	_, tail, ended := bytes.Cut(rest, []byte(endMark))
	if !ok || !ended {
		return nil, fmt.Errorf("write the reference to %s: its markers are missing", path)
	}
	var out bytes.Buffer
	out.Write(head)
	out.WriteString(beginMark)
	e.reference(&out)
	out.WriteString(endMark)
	out.Write(tail)
	return out.Bytes(), nil
}

func (e *events) reference(out *bytes.Buffer) {
	fmt.Fprint(out, "\n### Every event\n\n")
	fmt.Fprint(out, "* `type` (string): Kind of the event; see the sections below\n")
	for _, h := range header {
		fmt.Fprintf(out, "* `%s` (%s): %s\n", h.name, h.schema.Type, strings.TrimSuffix(h.schema.Description, "."))
	}
	for _, k := range e.kinds {
		fmt.Fprintf(out, "\n### `%s`\n", k.name)
		e.table(out, k.goes)
	}
	fmt.Fprint(out, "\n## Objects within events\n")
	for _, name := range slices.Sorted(maps.Keys(e.types)) {
		fmt.Fprintf(out, "\n### %s\n", name)
		e.table(out, e.types[name])
	}
	fmt.Fprint(out, "\n## Values\n")
	for _, t := range sharedEnums {
		fmt.Fprintf(out, "\n### %s\n\n%s\n", t.Name(), e.valuesOf(t))
	}
	fmt.Fprintln(out)
}

// sharedEnums lists the enumerations that several fields use. Their values are listed once.
var sharedEnums = []reflect.Type{reflect.TypeFor[sdk.Outcome](), reflect.TypeFor[sdk.FailureClass]()}

// table writes the description of an event or object, without the leading name, and its fields.
func (e *events) table(out *bytes.Buffer, t reflect.Type) {
	doc := strings.TrimPrefix(strings.TrimPrefix(e.comment(t, ""), t.Name()+" "), "is ")
	fmt.Fprintf(out, "\n%s\n\n", strings.ToUpper(doc[:1])+doc[1:])
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		typ := e.typeName(f.Type)
		if options == "omitempty" {
			typ += "?"
		}
		fmt.Fprintf(out, "* `%s` (%s)", name, typ)
		if doc := e.comment(t, f.Name); doc != "" {
			fmt.Fprintf(out, ": %s", doc)
		}
		fmt.Fprintln(out)
	}
}

func (e *events) typeName(t reflect.Type) string {
	if special, ok := special[t]; ok {
		return special.name
	}
	if slices.Contains(sharedEnums, t) || t.Kind() == reflect.Struct {
		return fmt.Sprintf("[%s](#%s)", t.Name(), strings.ToLower(t.Name()))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return e.typeName(t.Elem())
	case reflect.Slice:
		return e.typeName(t.Elem()) + "[]"
	case reflect.Map:
		return fmt.Sprintf("object, %s to %s", e.typeName(t.Key()), e.typeName(t.Elem()))
	case reflect.Bool:
		return "boolean"
	case reflect.Int64:
		return "integer"
	}
	if len(e.enum(t)) > 0 {
		return e.valuesOf(t)
	}
	return t.Kind().String()
}

// valuesOf returns the values of an enumeration.
func (e *events) valuesOf(t reflect.Type) string {
	values := "`" + strings.Join(e.enum(t), "`, `") + "`"
	if t == openEnum {
		values += ", …"
	}
	return values
}
