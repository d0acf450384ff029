package hclsource

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// jsonBody bounds for expressions in the strings of a body in JSON. HCL parses a string only when it evaluates it.
type jsonBody struct{ hcl.Body }

// Content implements hcl.Body.
func (b jsonBody) Content(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) {
	content, problems := b.Body.Content(schema)
	return boundJSON(content), problems
}

// PartialContent implements hcl.Body.
func (b jsonBody) PartialContent(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Body, hcl.Diagnostics) {
	content, rest, problems := b.Body.PartialContent(schema)
	return boundJSON(content), jsonBody{rest}, problems
}

// JustAttributes implements hcl.Body.
func (b jsonBody) JustAttributes() (hcl.Attributes, hcl.Diagnostics) {
	attributes, problems := b.Body.JustAttributes()
	return boundJSON(&hcl.BodyContent{Attributes: attributes}).Attributes, problems
}

func boundJSON(content *hcl.BodyContent) *hcl.BodyContent {
	for _, attribute := range content.Attributes {
		attribute.Expr = jsonExpression{attribute.Expr}
	}
	for _, block := range content.Blocks {
		block.Body = jsonBody{block.Body}
	}
	return content
}

type jsonExpression struct{ hcl.Expression }

// UnwrapExpression lets static analysis see the expression in JSON.
func (e jsonExpression) UnwrapExpression() hcl.Expression { return e.Expression }

// Value implements hcl.Expression.
func (e jsonExpression) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if problems := checkLoops(e.Expression, ctx); problems.HasErrors() {
		return cty.DynamicVal, problems
	}
	return e.Expression.Value(ctx)
}

// checkLoops evaluates each string that contains for expressions, with bounds. Without a context strings are literal.
func checkLoops(expression hcl.Expression, ctx *hcl.EvalContext) (problems hcl.Diagnostics) {
	if ctx == nil {
		return nil
	}
	elements, _ := hcl.ExprList(expression)
	pairs, _ := hcl.ExprMap(expression)
	for _, pair := range pairs {
		elements = append(elements, pair.Key, pair.Value)
	}
	for _, element := range elements {
		if problems = checkLoops(element, ctx); problems.HasErrors() {
			return problems
		}
	}
	text, _ := expression.Value(nil)
	if text.Type() != cty.String || text.IsNull() {
		return nil
	}
	start := expression.StartRange().Start
	start.Column, start.Byte = start.Column+1, start.Byte+1 // the quotation mark
	template, problems := hclsyntax.ParseTemplate([]byte(text.AsString()), expression.StartRange().Filename, start)
	if problems.HasErrors() {
		return nil // reported by the evaluation
	}
	walk := &loops{}
	if problems = hclsyntax.Walk(template, walk); walk.found && !problems.HasErrors() {
		_, problems = template.Value(ctx)
	}
	return problems
}
