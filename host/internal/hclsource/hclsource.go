// Package hclsource parses HCL that may come from an untrusted source. It limits nesting, operators, lines, and the
// total size of the values, so that a hostile file exhausts neither the stack nor the memory.
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
)

const (
	// maxDepth bounds open brackets. The parser recurses about ten times for each: 100,000 of them overflow Go's 1 GB
	// stack.
	maxDepth = 10_000
	// maxOperators limits operators, which also nest: 200,000 exclamation marks in a row overflow the stack.
	maxOperators = 50_000
	// maxParts limits the parts of a template, such as the lines of a heredoc. The time that hcl/v2 takes to join them
	// grows quadratically: 20,000 take 1 s, and 80,000 take 10 s.
	maxParts = 20_000
	// operators excludes the equals sign and the slash, because large files of values and comments contain many of
	// them.
	operators = "!-?+*%&|<>"
)

// escaped matches escape sequences for ASCII characters that are neither letters nor control characters.
var escaped = regexp.MustCompile(`^\\u00[2357]`)

// Parse parses a file as JSON if its name ends in .json, and as native syntax otherwise.
func Parse(text []byte, name string) (*hcl.File, hcl.Diagnostics) {
	if problems := checkNesting(text, name); problems.HasErrors() {
		return nil, problems
	}
	if strings.HasSuffix(name, ".json") {
		file, problems := hcljson.Parse(text, name)
		file.Body = jsonBody{file.Body, &total{}}
		return file, problems
	}
	file, problems := hclsyntax.ParseConfig(text, name, hcl.InitialPos)
	if body, ok := file.Body.(*hclsyntax.Body); ok && !problems.HasErrors() { // else parts of the tree may be missing
		problems = append(problems, hclsyntax.Walk(body, bounder{&total{}})...)
	}
	return file, problems
}

// ParseExpression parses one expression in native syntax.
func ParseExpression(text []byte, name string) (hclsyntax.Expression, hcl.Diagnostics) {
	if problems := checkNesting(text, name); problems.HasErrors() {
		return nil, problems
	}
	return bound(hclsyntax.ParseExpression(text, name, hcl.InitialPos))
}

// ParseTemplate parses text with ${…} and %{…} sequences.
func ParseTemplate(text []byte, name string) (hclsyntax.Expression, hcl.Diagnostics) {
	if problems := checkNesting(text, name); problems.HasErrors() {
		return nil, problems
	}
	return bound(hclsyntax.ParseTemplate(text, name, hcl.InitialPos))
}

// checkNesting counts brackets, operators, and template parts in the text. It also counts those in strings and
// comments; hand-written files contain far fewer. Characters that are escaped in JSON may be brackets or operators, so
// each counts as five operators.
func checkNesting(text []byte, name string) hcl.Diagnostics {
	depth, count, parts, line := 0, 0, 0, 1
	for offset, c := range text {
		if strings.IndexByte("\n\\$%", c) >= 0 {
			parts++
		}
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
		if depth > maxDepth || count > maxOperators || parts > maxParts {
			at := hcl.Pos{Line: line, Column: 1, Byte: offset}
			return hcl.Diagnostics{{
				Severity: hcl.DiagError,
				Summary:  "Expression too complex",
				Detail: fmt.Sprintf("A file may contain at most %d open brackets, %d operators, and %d lines, "+
					"escapes, and ${…} sequences. Move data into a dataset, and long strings into files that file() "+
					"reads.", maxDepth, maxOperators, maxParts),
				Subject: &hcl.Range{Filename: name, Start: at, End: at},
			}}
		}
	}
	return nil
}
