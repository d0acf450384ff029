package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"

	"golang.org/x/tools/go/packages"
)

// step is a visited function.
type step struct {
	file, function string
	depth          int  // calls from the first function
	returns        bool // its file was left before
}

func returns(steps []step) int {
	n := 0
	for _, s := range steps {
		if s.returns {
			n++
		}
	}
	return n
}

// walk follows a request through a package and returns the visited functions.
func walk(dir, pattern, from string) ([]step, error) {
	mode := packages.NeedName | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedFiles |
		packages.NeedImports
	loaded, err := packages.Load(&packages.Config{Mode: mode, Dir: dir}, pattern)
	if err != nil {
		return nil, err
	}
	if len(loaded) != 1 || len(loaded[0].Errors) > 0 {
		return nil, fmt.Errorf("%s does not match exactly one package that compiles", pattern)
	}
	w := walker{
		pkg: loaded[0], bodies: map[*types.Func]*ast.FuncDecl{}, read: map[*types.Func]bool{}, left: map[string]bool{},
	}
	var start *types.Func
	for _, file := range w.pkg.Syntax {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				fn := w.pkg.TypesInfo.Defs[f.Name].(*types.Func)
				w.bodies[fn] = f
				if name(fn) == from {
					start = fn
				}
			}
		}
	}
	if start == nil {
		return nil, fmt.Errorf("%s has no function %s", pattern, from)
	}
	w.visit(start, 0)
	return w.steps, nil
}

type walker struct {
	pkg    *packages.Package
	bodies map[*types.Func]*ast.FuncDecl
	read   map[*types.Func]bool
	left   map[string]bool // files
	now    string
	steps  []step
}

func (w *walker) visit(fn *types.Func, depth int) {
	body := w.bodies[fn]
	if body == nil || w.read[fn] {
		return
	}
	w.read[fn] = true
	file := filepath.Base(w.pkg.Fset.Position(body.Pos()).Filename)
	w.steps = append(w.steps, step{file: file, function: name(fn), depth: depth, returns: file != w.now && w.left[file]})
	if file != w.now {
		w.left[w.now], w.now = true, file
	}
	ast.Inspect(body.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if callee, ok := w.pkg.TypesInfo.Uses[id].(*types.Func); ok {
				w.visit(callee.Origin(), depth+1)
			}
		}
		return true
	})
}

// name returns the name of a function, preceded by its type for methods.
func name(fn *types.Func) string {
	receiver := fn.Signature().Recv()
	if receiver == nil {
		return fn.Name()
	}
	t := receiver.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.(*types.Named).Obj().Name() + "." + fn.Name()
}
