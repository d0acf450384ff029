// Package hclsource parses HCL that a stranger may have written. It bounds nesting, operators, and the elements of for
// expressions, so that a hostile file exhausts neither the stack nor the memory.
//
//	file, problems := hclsource.Parse(text, "train.hcl")
package hclsource

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
)

const (
	// maxDepth bounds open brackets. The parser recurses about ten times for each: 100,000 overflow Go's stack of 1 GB.
	maxDepth = 10_000
	// maxOperators bounds operators, which also nest: 200,000 exclamation marks in a row overflow the stack.
	maxOperators = 50_000
	// operators excludes the equals sign and the slash: large files of values and comments have many.
	operators = "!-?+*%&|<>"
)

// escaped matches the escapes of ASCII characters that are neither letters nor control characters.
var escaped = regexp.MustCompile(`^\\u00[2357]`)

// maxElements bounds the collections of one, two, or three nested for expressions, so that the innermost is evaluated
// about 100,000 times at most.
var maxElements = []int{100_000, 300, 50}

// Parse parses a file in JSON if its name ends in .json, and in native syntax otherwise.
func Parse(text []byte, name string) (*hcl.File, hcl.Diagnostics) {
	if problems := checkNesting(text, name); problems.HasErrors() {
		return nil, problems
	}
	if strings.HasSuffix(name, ".json") {
		file, problems := hcljson.Parse(text, name)
		file.Body = jsonBody{file.Body}
		return file, problems
	}
	file, problems := hclsyntax.ParseConfig(text, name, hcl.InitialPos)
	if body, ok := file.Body.(*hclsyntax.Body); ok && !problems.HasErrors() { // else parts of the tree may be missing
		problems = append(problems, boundLoops(body)...)
	}
	return file, problems
}

// ParseExpression parses one expression in native syntax.
func ParseExpression(text []byte, name string) (hclsyntax.Expression, hcl.Diagnostics) {
	if problems := checkNesting(text, name); problems.HasErrors() {
		return nil, problems
	}
	expression, problems := hclsyntax.ParseExpression(text, name, hcl.InitialPos)
	if !problems.HasErrors() {
		problems = append(problems, boundLoops(expression)...)
	}
	return expression, problems
}

// checkNesting counts brackets and operators in the text. It counts those in strings and comments too: a file written
// by hand has far fewer. Characters that JSON escapes may be either, so each counts as five operators.
func checkNesting(text []byte, name string) hcl.Diagnostics {
	depth, count, line := 0, 0, 1
	for offset, c := range text {
		switch {
		case c == '\n':
			line++
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth = max(0, depth-1)
		case strings.IndexByte(operators, c) >= 0:
			count++
		case c == '\\' && escaped.Match(text[offset:]):
			count += 5
		}
		if depth > maxDepth || count > maxOperators {
			at := hcl.Pos{Line: line, Column: 1, Byte: offset}
			return hcl.Diagnostics{{
				Severity: hcl.DiagError,
				Summary:  "Expression too complex",
				Detail: fmt.Sprintf("A file may have %d brackets open and %d operators. Move data into a dataset, and long "+
					"texts into files that file() reads.", maxDepth, maxOperators),
				Subject: &hcl.Range{Filename: name, Start: at, End: at},
			}}
		}
	}
	return nil
}

// boundLoops bounds the collection of each for expression below the node.
func boundLoops(node hclsyntax.Node) hcl.Diagnostics {
	return hclsyntax.Walk(node, &loops{})
}

type loops struct {
	found          bool
	open           int        // for expressions that the walk is in
	depth, deepest int        // the same without those whose collection the walk is in
	nest           []*bounded // the collections of the outermost loop and of the loops in it
}

// Enter implements hclsyntax.Walker.
func (l *loops) Enter(node hclsyntax.Node) hcl.Diagnostics {
	switch node := node.(type) {
	case *bounded:
		l.depth-- // a collection is evaluated once, outside of its loop
	case *hclsyntax.ForExpr:
		if l.depth >= len(maxElements) {
			return hcl.Diagnostics{{
				Severity: hcl.DiagError,
				Summary:  "For expressions nested too deep",
				Detail:   fmt.Sprintf("At most %d for expressions may be nested. Use flatten or setproduct.", len(maxElements)),
				Subject:  node.Range().Ptr(),
			}}
		}
		collection := &bounded{ParenthesesExpr: &hclsyntax.ParenthesesExpr{
			Expression: node.CollExpr, SrcRange: node.CollExpr.Range(),
		}}
		node.CollExpr = collection
		l.nest = append(l.nest, collection)
		l.found = true
		l.open++
		l.depth++
		l.deepest = max(l.deepest, l.depth)
	}
	return nil
}

// Exit implements hclsyntax.Walker.
func (l *loops) Exit(node hclsyntax.Node) hcl.Diagnostics {
	switch node := node.(type) {
	case *bounded:
		l.depth++
	case *hclsyntax.ForExpr:
		if _, entered := node.CollExpr.(*bounded); entered {
			l.leave()
		}
	}
	return nil
}

// leave leaves a for expression. When it is the outermost one, the number of nested ones is known.
func (l *loops) leave() {
	l.open--
	l.depth--
	if l.open > 0 {
		return
	}
	for _, collection := range l.nest {
		collection.elements = maxElements[l.deepest-1]
	}
	l.nest, l.deepest = nil, 0
}

// bounded is a collection with a maximum number of elements. Walkers and static analysis see an expression in
// parentheses.
type bounded struct {
	*hclsyntax.ParenthesesExpr
	elements int
}

// Value implements hcl.Expression.
func (b *bounded) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	value, problems := b.ParenthesesExpr.Value(ctx)
	plain, _ := value.Unmark()
	if problems.HasErrors() || !plain.IsKnown() || plain.IsNull() || !plain.CanIterateElements() ||
		plain.LengthInt() <= b.elements {
		return value, problems
	}
	return cty.DynamicVal, append(problems, &hcl.Diagnostic{
		Severity: hcl.DiagError,
		Summary:  "Too many elements",
		Detail: fmt.Sprintf("This for expression iterates over %d elements; at this nesting it may over %d. Use a shorter "+
			"collection.", plain.LengthInt(), b.elements),
		Subject: b.Range().Ptr(),
	})
}
