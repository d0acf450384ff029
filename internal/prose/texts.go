// Package prose finds human-readable text in Go files, and the phrases in it that the house style rejects. It depends
// on no other package of this module.
package prose

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// Kind is the role of a text within its file.
type Kind int

const (
	Comment  Kind = iota // one line of a comment
	Function             // the first two words of a function's documentation, which is in Comment too
	Message              // a string literal of at least three words: an error, a diagnostic, a description
)

// Text is a piece of prose and its line, counted from 1.
type Text struct {
	Kind Kind
	Line int
	Text string
}

var (
	directive = regexp.MustCompile(`^//(?:[a-z]+:|line |export |nolint)`)
	words     = regexp.MustCompile(`\pL{2,}[,:;]? +\S*\pL+\S*[,:;]? +\S*\pL+`)
)

// Texts returns the prose of a Go file. A generated file has none.
func Texts(path string, source []byte) ([]Text, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(file) {
		return nil, nil
	}
	return Of(files, file), nil
}

// Of returns the prose in a parsed file.
func Of(files *token.FileSet, file *ast.File) []Text {
	var texts []Text
	add := func(kind Kind, pos token.Pos, lines ...string) {
		first := files.Position(pos).Line
		for i, line := range lines {
			if line = strings.Trim(line, "/* \t"); line != "" {
				texts = append(texts, Text{kind, first + i, line})
			}
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if !directive.MatchString(c.Text) {
				add(Comment, c.Pos(), strings.Split(c.Text, "\n")...)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.FuncDecl:
			if start := strings.Fields(n.Doc.Text()); len(start) > 1 {
				add(Function, n.Pos(), start[0]+" "+start[1])
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && words.MatchString(text) {
				add(Message, n.Pos(), strings.Split(text, "\n")...)
			}
		}
		return true
	})
	return texts
}

// Inactive reports whether a function's documentation begins with its name and a verb that does not state an action.
func Inactive(t Text) bool {
	_, verb, _ := strings.Cut(t.Text, " ")
	switch verb {
	case "is", "are", "has", "says", "tells":
		return t.Kind == Function
	}
	return false
}
