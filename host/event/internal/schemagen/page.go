package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strings"
)

const (
	beginMark = "<!-- begin of what `go generate ./host/event` writes -->\n"
	endMark   = "<!-- end -->\n"
)

// page replaces the reference between the page's markers and preserves the rest.
func (s *source) page(path string) ([]byte, error) {
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
	s.reference(&out)
	out.WriteString(endMark)
	out.Write(tail)
	return out.Bytes(), nil
}

func (s *source) reference(out *bytes.Buffer) {
	fmt.Fprint(out, "\n### Every event\n\n")
	fmt.Fprint(out, "* `type` (string): Kind of the event; see the sections below\n")
	for _, f := range headerFields {
		fmt.Fprintf(out, "* `%s` (%s): %s\n", f.name, f.schema["type"], strings.TrimSuffix(f.doc, "."))
	}
	for _, k := range s.kinds {
		fmt.Fprintf(out, "\n### `%s`\n", k.name)
		s.table(out, k.goes, k.name)
	}
	fmt.Fprint(out, "\n## Objects within events\n")
	for _, name := range s.shared() {
		fmt.Fprintf(out, "\n### %s\n", name)
		s.table(out, name, name)
	}
	fmt.Fprint(out, "\n## Values\n")
	for _, name := range sharedEnums {
		fmt.Fprintf(out, "\n### %s\n\n%s\n", strings.TrimPrefix(name, "sdk."), s.values(name))
	}
	fmt.Fprintln(out)
}

// sharedEnums lists the enumerations that several fields use. Their values are listed once.
var sharedEnums = []string{"sdk.Outcome", "sdk.FailureClass"}

// table writes the description of an event or object, without the leading name, and its fields.
func (s *source) table(out *bytes.Buffer, name, title string) {
	r := s.structs[name]
	doc := strings.TrimPrefix(strings.TrimPrefix(r.doc, name+" "), title+" ")
	fmt.Fprintf(out, "\n%s\n\n", capital(strings.TrimPrefix(doc, "is ")))
	for _, f := range r.fields {
		typ := s.typeName(f.typ)
		if f.optional {
			typ += "?"
		}
		fmt.Fprintf(out, "* `%s` (%s)", f.name, typ)
		if f.doc != "" {
			fmt.Fprintf(out, ": %s", f.doc)
		}
		fmt.Fprintln(out)
	}
}

func (s *source) typeName(typ ast.Expr) string {
	switch typ := typ.(type) {
	case *ast.StarExpr:
		return s.typeName(typ.X)
	case *ast.ArrayType:
		return s.typeName(typ.Elt) + "[]"
	case *ast.MapType:
		return fmt.Sprintf("object, %s to %s", s.typeName(typ.Key), s.typeName(typ.Value))
	case *ast.SelectorExpr:
		return s.nameOf(fmt.Sprintf("%s.%s", typ.X, typ.Sel.Name))
	case *ast.Ident:
		return s.nameOf(typ.Name)
	}
	return ""
}

func (s *source) nameOf(name string) string {
	switch name {
	case "string":
		return "string"
	case "bool":
		return "boolean"
	case "int", "int64":
		return "integer"
	case "Value", "Seconds":
		return "number"
	case "Outputs":
		return "object of any values"
	case "Metrics":
		return "object, name to number"
	}
	if _, ok := s.structs[name]; ok {
		return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name))
	}
	if slices.Contains(sharedEnums, name) {
		name = strings.TrimPrefix(name, "sdk.")
		return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name))
	}
	return s.values(name)
}

// values returns the values of an enumeration.
func (s *source) values(name string) string {
	values := "`" + strings.Join(s.enums[name], "`, `") + "`"
	if openEnums[name] {
		values += ", …"
	}
	return values
}

func capital(s string) string {
	if s == "" {
		return ""
	}
	if s[0] >= 'a' && s[0] <= 'z' {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}
