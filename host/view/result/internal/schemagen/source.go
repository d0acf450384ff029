package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"
)

// source holds the comments and string constants of this module's packages, which are read on demand.
type source struct {
	root   string
	read   map[string]bool     // packages
	docs   map[string]string   // by "PACKAGE.Type" and "PACKAGE.Type.Field", each on one line
	values map[string][]string // of enumerations, by "PACKAGE.Type"
	err    error               // of the packages that could not be read
}

func newSource(root string) *source {
	return &source{root: root, read: map[string]bool{}, docs: map[string]string{}, values: map[string][]string{}}
}

// comment returns the comment on a type, or on one of its fields.
func (s *source) comment(t reflect.Type, field string) string {
	name := s.nameOf(t)
	if field != "" {
		name += "." + field
	}
	return s.docs[name]
}

// enum returns the constants of a string type in this module.
func (s *source) enum(t reflect.Type) []string {
	if t.Kind() != reflect.String {
		return nil
	}
	return s.values[s.nameOf(t)]
}

// nameOf returns the full name of a type whose package is read.
func (s *source) nameOf(t reflect.Type) string {
	path, ours := strings.CutPrefix(t.PkgPath(), module+"/")
	if ours && !s.read[path] {
		s.read[path] = true
		s.err = errors.Join(s.err, s.add(path))
	}
	return t.PkgPath() + "." + t.Name()
}

func (s *source) add(path string) error {
	files, err := filepath.Glob(filepath.Join(s.root, path, "*.go"))
	for _, name := range slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if d, ok := d.(*ast.GenDecl); ok {
				s.declare(module+"/"+path+".", d)
			}
		}
	}
	return err
}

func (s *source) declare(prefix string, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			name := prefix + spec.Name.Name
			s.docs[name] = sentence(spec.Doc, d.Doc)
			if body, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range body.Fields.List {
					for _, field := range f.Names {
						s.docs[name+"."+field.Name] = sentence(f.Doc, f.Comment)
					}
				}
			}
		case *ast.ValueSpec:
			s.constant(prefix, spec)
		}
	}
}

// constant adds a string constant of a named type to the values of an enumeration.
func (s *source) constant(prefix string, spec *ast.ValueSpec) {
	typ, ok := spec.Type.(*ast.Ident)
	if !ok || len(spec.Values) != 1 {
		return
	}
	literal, ok := spec.Values[0].(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return
	}
	if value, err := strconv.Unquote(literal.Value); err == nil {
		s.values[prefix+typ.Name] = append(s.values[prefix+typ.Name], value)
	}
}

// sentence returns the first comment that is not empty, on one line.
func sentence(comments ...*ast.CommentGroup) string {
	for _, c := range comments {
		if text := strings.Join(strings.Fields(c.Text()), " "); text != "" {
			return text
		}
	}
	return ""
}

// enumSchema returns the schema of an enumeration.
func enumSchema(values []string) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "string"}
	for _, value := range values {
		out.Enum = append(out.Enum, value)
	}
	return out
}
