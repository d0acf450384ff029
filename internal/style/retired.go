package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

const (
	retiredRule = "retired"
	retiredPath = "internal/style/retired.txt"
)

// keepsNames matches the files whose declarations may have retired names.
var keepsNames = regexp.MustCompile(`^(plugins/(verl|areal)|sdk/outliving)/`)

// parseRetired parses the lines of retired.txt: a name and the name that replaces it. The name applies to all packages
// ("nobody"), to a package ("host/plan.doubts"), to a type's fields and methods ("host/eval.Summary.Over"), or is a
// package's directory ("host/zoo").
func parseRetired(text []byte) (map[string]string, error) {
	retired := map[string]string{}
	for number, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 2 {
			return nil, fmt.Errorf("line %d: want OLD NEW, got %q", number+1, line)
		}
		if _, has := retired[fields[0]]; has {
			return nil, fmt.Errorf("line %d: %s is already listed", number+1, fields[0])
		}
		retired[fields[0]] = fields[1]
	}
	return retired, nil
}

// retiredNames returns the declarations in Go files whose names are retired.
func retiredNames(root string, files []string) ([]finding, error) {
	text, err := os.ReadFile(filepath.Join(root, retiredPath))
	if err != nil {
		return nil, err
	}
	retired, err := parseRetired(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", retiredPath, err)
	}
	var found []finding
	for _, file := range files {
		if filepath.Ext(file) != ".go" || keepsNames.MatchString(file) {
			continue
		}
		source, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		names, err := retiredIn(file, source, retired)
		if err != nil {
			return nil, err
		}
		found = append(found, names...)
	}
	return found, nil
}

func retiredIn(file string, source []byte, retired map[string]string) ([]finding, error) {
	positions := token.NewFileSet()
	tree, err := parser.ParseFile(positions, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []finding
	folder := path.Dir(file)
	report := func(name *ast.Ident, old string) {
		line := positions.Position(name.Pos()).Line
		found = append(found, finding{retiredRule, file, line, fmt.Sprintf("%s is retired: use %s", old, retired[old])})
	}
	if _, is := retired[folder]; is {
		report(tree.Name, folder)
	}
	eachDeclared(tree, func(owner string, name *ast.Ident) {
		spellings := []string{name.Name, folder + "." + name.Name}
		if owner != "" {
			spellings = append(spellings, folder+"."+owner+"."+name.Name)
		}
		for _, old := range spellings {
			if _, is := retired[old]; is {
				report(name, old)
			}
		}
	})
	return found, nil
}

// eachDeclared calls declared for every name that a file declares: its package, types, functions, methods, fields,
// constants, variables, parameters, and labels. The owner is the type of a method, or the type whose declaration
// contains the name.
func eachDeclared(tree *ast.File, declared func(owner string, name *ast.Ident)) {
	declared("", tree.Name)
	for _, d := range tree.Decls {
		owner := ""
		if f, is := d.(*ast.FuncDecl); is && f.Recv != nil {
			declared(receiver(f), f.Name)
		} else if is {
			declared("", f.Name)
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				declared("", n.Name)
				owner = n.Name.Name
			case *ast.Field:
				for _, name := range n.Names {
					declared(owner, name)
				}
			case *ast.ValueSpec:
				for _, name := range n.Names {
					declared("", name)
				}
			case *ast.AssignStmt:
				if n.Tok == token.DEFINE {
					eachIdentifier(declared, n.Lhs...)
				}
			case *ast.RangeStmt:
				if n.Tok == token.DEFINE {
					eachIdentifier(declared, n.Key, n.Value)
				}
			case *ast.LabeledStmt:
				declared("", n.Label)
			}
			return true
		})
	}
}

func eachIdentifier(declared func(owner string, name *ast.Ident), expressions ...ast.Expr) {
	for _, e := range expressions {
		if name, is := e.(*ast.Ident); is {
			declared("", name)
		}
	}
}

// receiver returns the name of the type that a method belongs to.
func receiver(f *ast.FuncDecl) string {
	name := ""
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if ident, is := n.(*ast.Ident); is && name == "" {
			name = ident.Name
		}
		return true
	})
	return name
}
