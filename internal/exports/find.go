package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// find returns the unused exported names of the packages below dir, sorted, as FILE:LINE: PACKAGE.NAME. Uses in other
// packages' tests and in examples count; uses in the package's own tests do not.
func find(dir string, public []string, patterns ...string) ([]string, error) {
	loaded, err := packages.Load(&packages.Config{
		Dir: dir, Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
			packages.NeedImports | packages.NeedDeps,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	if packages.PrintErrors(loaded) > 0 {
		return nil, fmt.Errorf("%s does not compile", dir)
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	used := uses(loaded, public)
	for grown := true; grown; { // repeated, because one package may expose types of another
		grown = false
		for _, p := range loaded {
			grown = spread(p, used) || grown
		}
	}
	var unused []string
	for at, name := range declarations(loaded) {
		if !used[at] {
			file := strings.TrimPrefix(at.Filename, root+string(filepath.Separator))
			unused = append(unused, fmt.Sprintf("%s:%d: %s", file, at.Line, name))
		}
	}
	slices.Sort(unused)
	return unused, nil
}

// uses returns the positions of declarations that another package or an example uses. Uses in the package's own code
// count if the package is public or its own tests use the name, too. Positions identify declarations because a package
// and its test variant have separate objects.
func uses(loaded []*packages.Package, public []string) map[token.Position]bool {
	used, inCode, inTests := map[token.Position]bool{}, map[token.Position]bool{}, map[token.Position]bool{}
	for _, p := range loaded {
		tested, _ := strings.CutSuffix(p.PkgPath, "_test")
		for name, object := range p.TypesInfo.Uses {
			pkg := object.Pkg()
			if pkg == nil {
				continue
			}
			at, file := position(p.Fset, object.Pos()), filepath.Base(p.Fset.Position(name.Pos()).Filename)
			switch {
			case pkg.Path() != tested || strings.HasPrefix(file, "example"):
				used[at] = true
			case strings.HasSuffix(file, "_test.go"):
				inTests[at] = true
			default:
				inCode[at] = true
				used[at] = used[at] || isBelow(tested, public)
			}
		}
	}
	for at := range inCode {
		used[at] = used[at] || inTests[at]
	}
	return used
}

// declarations returns the exported names by position.
func declarations(loaded []*packages.Package) map[token.Position]string {
	declared := map[token.Position]string{}
	for _, p := range loaded {
		if p.Name == "main" || strings.HasSuffix(p.PkgPath, "_test") {
			continue
		}
		for _, file := range p.Syntax {
			if strings.HasSuffix(p.Fset.Position(file.Pos()).Filename, "_test.go") || ast.IsGenerated(file) {
				continue
			}
			for _, name := range exported(file) {
				if !isError(p.TypesInfo.Defs[name]) {
					declared[position(p.Fset, name.Pos())] = p.PkgPath + "." + name.Name
				}
			}
		}
	}
	return declared
}

// spread marks the declarations that the used ones expose: the types in their signatures or fields, the constants that
// are declared together with them or have their type, and the types that implement them. It reports whether it marked
// any more.
func spread(p *packages.Package, used map[token.Position]bool) (grown bool) {
	scope, together := p.Types.Scope(), constants(p)
	show := func(object types.Object) {
		if at := position(p.Fset, object.Pos()); !used[at] {
			used[at], grown = true, true
		}
	}
	for _, name := range scope.Names() {
		object := scope.Lookup(name)
		if !used[position(p.Fset, object.Pos())] {
			continue
		}
		for _, shown := range shows(object) {
			show(shown)
		}
		for _, name := range scope.Names() {
			other := scope.Lookup(name)
			if isCaseOf(other, object) || together[other] != nil && together[other] == together[object] {
				show(other)
			}
		}
	}
	return grown
}

// isCaseOf reports whether an object is a constant of a type or a type that implements an interface.
func isCaseOf(object, of types.Object) bool {
	name, ok := of.(*types.TypeName)
	if !ok {
		return false
	}
	switch object := object.(type) {
	case *types.Const:
		return types.Identical(object.Type(), name.Type())
	case *types.TypeName:
		i, ok := name.Type().Underlying().(*types.Interface)
		if !ok || object == name || i.NumMethods() == 0 {
			return false
		}
		return types.Implements(object.Type(), i) || types.Implements(types.NewPointer(object.Type()), i)
	}
	return false
}

// constants returns the declaration of each constant.
func constants(p *packages.Package) map[types.Object]*ast.GenDecl {
	together := map[types.Object]*ast.GenDecl{}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			d, ok := d.(*ast.GenDecl)
			if !ok || d.Tok != token.CONST {
				continue
			}
			for _, s := range d.Specs {
				for _, name := range s.(*ast.ValueSpec).Names {
					together[p.TypesInfo.Defs[name]] = d
				}
			}
		}
	}
	return together
}

// shows returns the names of the types that a declaration exposes.
func shows(object types.Object) []*types.TypeName {
	w := walker{seen: map[types.Type]bool{}}
	w.walk(object.Type())
	if of, ok := object.(*types.TypeName); ok {
		w.walk(of.Type().Underlying())
		if named, ok := of.Type().(*types.Named); ok {
			for method := range named.Methods() {
				if method.Exported() {
					w.walk(method.Type())
				}
			}
		}
	}
	return w.names
}

// walker collects the names in types.
type walker struct {
	names []*types.TypeName
	seen  map[types.Type]bool
}

func (w *walker) walk(t types.Type) {
	if t == nil || w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		w.names = append(w.names, t.Obj())
		for arg := range t.TypeArgs().Types() {
			w.walk(arg)
		}
	case *types.Alias:
		w.names = append(w.names, t.Obj())
		w.walk(t.Rhs())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels and maps
		if m, ok := t.(*types.Map); ok {
			w.walk(m.Key())
		}
		w.walk(t.Elem())
	default:
		w.parts(t)
	}
}

// parts walks the types of parameters, results, fields, and methods.
func (w *walker) parts(t types.Type) {
	switch t := t.(type) {
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				w.walk(v.Type())
			}
		}
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() {
				w.walk(field.Type())
			}
		}
	case *types.Interface:
		for method := range t.Methods() {
			w.walk(method.Type())
		}
	}
}

// isError reports whether a declaration is an error or an error type. Callers may need to distinguish errors later.
func isError(object types.Object) bool {
	i := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	if _, ok := object.(*types.Func); ok || object == nil {
		return false
	}
	return types.Implements(object.Type(), i) || types.Implements(types.NewPointer(object.Type()), i)
}

func isBelow(path string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool {
		return path == prefix || strings.HasPrefix(path, prefix+"/")
	})
}

func position(files *token.FileSet, pos token.Pos) token.Position {
	p := files.Position(pos)
	p.Offset = 0
	return p
}

// exported returns the names that a file declares for other packages, except methods.
func exported(file *ast.File) []*ast.Ident {
	var names []*ast.Ident
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				names = append(names, declared(s)...)
			}
		}
	}
	return slices.DeleteFunc(names, func(name *ast.Ident) bool { return !name.IsExported() })
}

// declared returns the names in a declaration.
func declared(s ast.Spec) []*ast.Ident {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return []*ast.Ident{s.Name}
	case *ast.ValueSpec:
		return s.Names
	}
	return nil
}
