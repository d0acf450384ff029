package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// source holds parsed Go files.
type source struct {
	kinds   []kind
	structs map[string]record
	enums   map[string][]string // values by type: "Severity", "sdk.Outcome"
}

type kind struct {
	name string // "run_started"
	goes string // "RunStarted"
}

type record struct {
	doc    string
	fields []field
}

type field struct {
	name     string
	typ      ast.Expr
	doc      string
	optional bool
}

func parse(eventDir, sdkDir string) (*source, error) {
	s := &source{structs: map[string]record{}, enums: map[string][]string{}}
	if err := s.read(eventDir, ""); err != nil {
		return nil, err
	}
	if err := s.read(sdkDir, "sdk."); err != nil {
		return nil, err
	}
	for _, value := range s.enums["Kind"] {
		s.kinds = append(s.kinds, kind{name: value, goes: camel(value)})
	}
	for _, k := range s.kinds {
		if _, ok := s.structs[k.goes]; !ok {
			return nil, fmt.Errorf("describe %s: struct %s not found", k.name, k.goes)
		}
	}
	return s, nil
}

func (s *source) read(dir, prefix string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			s.declare(decl, prefix)
		}
	}
	return nil
}

func (s *source) declare(decl ast.Decl, prefix string) {
	general, ok := decl.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range general.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if body, ok := spec.Type.(*ast.StructType); ok && prefix == "" {
				s.structs[spec.Name.Name] = record{doc: sentence(general.Doc.Text()), fields: fieldsOf(body)}
			}
		case *ast.ValueSpec:
			s.constant(spec, prefix)
		}
	}
}

// constant adds a string constant of a named type to the values of an enumeration.
func (s *source) constant(spec *ast.ValueSpec, prefix string) {
	typ, ok := spec.Type.(*ast.Ident)
	if !ok || len(spec.Values) != 1 {
		return
	}
	literal, ok := spec.Values[0].(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return
	}
	if value, err := strconv.Unquote(literal.Value); err == nil {
		s.enums[prefix+typ.Name] = append(s.enums[prefix+typ.Name], value)
	}
}

func fieldsOf(body *ast.StructType) []field {
	var fields []field
	for _, f := range body.Fields.List {
		if f.Tag == nil {
			continue
		}
		raw, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			continue
		}
		name, options, _ := strings.Cut(reflect.StructTag(raw).Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		doc := f.Doc.Text()
		if doc == "" {
			doc = f.Comment.Text()
		}
		fields = append(fields, field{name: name, typ: f.Type, doc: sentence(doc), optional: options == "omitempty"})
	}
	return fields
}

// sentence returns a comment on one line.
func sentence(comment string) string { return strings.Join(strings.Fields(comment), " ") }

func camel(snake string) string {
	var out strings.Builder
	for _, word := range strings.Split(snake, "_") {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}
