package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/internal/prose"
	"golang.org/x/mod/modfile"
)

// figures are the measurements of one code base.
type figures struct {
	Functions  int
	Lines      spread // of functions
	Nesting    spread
	Complexity spread
	Files      spread // lines per file
	Comments   float64
	Upwards    int
	Wording    wording
}

// wording holds prose measurements: fractions from 0 to 1, and the number of lines wider than 120 columns per 1,000
// lines.
type wording struct{ Comments, Messages, Functions, Wide float64 }

// spread is a distribution.
type spread struct{ P50, P90, P99, Max int }

func spreadOf(values []int) spread {
	if len(values) == 0 {
		return spread{}
	}
	slices.Sort(values)
	at := func(q float64) int { return values[int(q*float64(len(values)-1)+0.5)] }
	return spread{at(0.5), at(0.9), at(0.99), values[len(values)-1]}
}

// collected holds the individual values that figures summarizes.
type collected struct {
	lines, nesting, complexity, files []int
	comments, text, wide              int
	texts, marked                     [3]int // by prose.Kind
	arrows                            map[arrow]int
}

// arrow is an import from one top-level directory to another.
type arrow struct{ from, to string }

// scan measures the module in a directory.
func scan(dir string) (figures, error) {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return figures{}, err
	}
	module := modfile.ModulePath(text)
	c := &collected{arrows: map[arrow]int{}}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != dir {
			return skipped(path, entry.Name())
		}
		if entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		within, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		return c.file(path, filepath.ToSlash(filepath.Dir(within)), module)
	})
	if err != nil {
		return figures{}, err
	}
	return figures{
		Functions: len(c.lines), Lines: spreadOf(c.lines), Nesting: spreadOf(c.nesting), Complexity: spreadOf(c.complexity),
		Files: spreadOf(c.files), Comments: float64(c.comments) / float64(max(1, c.text)), Upwards: upwards(c.arrows),
		Wording: c.wording(),
	}, nil
}

func (c *collected) wording() wording {
	share := func(kind prose.Kind) float64 { return float64(c.marked[kind]) / float64(max(1, c.texts[kind])) }
	return wording{
		share(prose.Comment), share(prose.Message), share(prose.Function), 1000 * float64(c.wide) / float64(max(1, c.text)),
	}
}

// skipped returns fs.SkipDir for directories that do not belong to the product and for nested modules.
func skipped(path, name string) error {
	others := []string{"vendor", "testdata", "examples", "third_party", "node_modules"}
	if slices.Contains(others, name) || strings.HasPrefix(name, ".") {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

func (c *collected) file(path, folder, module string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("parse %s: %w", path, err)
	}
	if ast.IsGenerated(file) {
		return nil
	}
	c.files = append(c.files, bytes.Count(text, []byte("\n")))
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			c.text++
		}
		if utf8.RuneCount(bytes.TrimRight(line, "\n")) > 120 {
			c.wide++
		}
	}
	name := folder + "/" + filepath.Base(path)
	for _, t := range prose.Of(files, file) {
		c.texts[t.Kind]++
		phrase, _ := prose.Marked(t.Text)
		if prose.Inactive(t) || phrase != "" && !prose.KeepsWording(name, t.Text) {
			c.marked[t.Kind]++
		}
	}
	for _, group := range file.Comments {
		c.comments += files.Position(group.End()).Line - files.Position(group.Pos()).Line + 1
	}
	for _, spec := range file.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if below, ok := strings.CutPrefix(target, module+"/"); ok && top(folder) != top(below) {
			c.arrows[arrow{top(folder), top(below)}]++
		}
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			c.lines = append(c.lines, files.Position(f.End()).Line-files.Position(f.Pos()).Line+1)
			c.nesting = append(c.nesting, nesting(f.Body))
			c.complexity = append(c.complexity, complexity(f.Body))
		}
	}
	return nil
}

// top returns the first directory in a path; below internal and pkg, it returns the first two.
func top(folder string) string {
	parts := strings.Split(folder, "/")
	if len(parts) > 1 && (parts[0] == "internal" || parts[0] == "pkg") {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// upwards counts the imports that go against the more frequent direction between two directories.
func upwards(arrows map[arrow]int) int {
	count := 0
	for a, n := range arrows {
		if back := arrows[arrow{a.to, a.from}]; back > n || back == n && a.from < a.to {
			count += n
		}
	}
	return count
}

func nesting(body *ast.BlockStmt) int {
	deepest, depth := 0, 0
	var open []bool                // by ancestor: whether it nests
	chained := map[ast.Node]bool{} // an else if has the level of the first if
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			if open[len(open)-1] {
				depth--
			}
			open = open[:len(open)-1]
			return true
		}
		if choice, ok := n.(*ast.IfStmt); ok && choice.Else != nil {
			chained[choice.Else] = true
		}
		nests := false
		switch n.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit:
			nests = !chained[n]
		}
		if nests {
			depth++
			deepest = max(deepest, depth)
		}
		open = append(open, nests)
		return true
	})
	return deepest
}

func complexity(body *ast.BlockStmt) int {
	count := 1
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			count++
		case *ast.CaseClause:
			if n.List != nil {
				count++
			}
		case *ast.CommClause:
			if n.Comm != nil {
				count++
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				count++
			}
		}
		return true
	})
	return count
}
