package hclsource

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// jsonBody limits the values in a JSON body. HCL parses a template in a string only when it evaluates the string.
type jsonBody struct {
	hcl.Body
	total *total
}

// Content implements hcl.Body.
func (b jsonBody) Content(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) {
	content, problems := b.Body.Content(schema)
	return b.bound(content), problems
}

// PartialContent implements hcl.Body.
func (b jsonBody) PartialContent(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Body, hcl.Diagnostics) {
	content, rest, problems := b.Body.PartialContent(schema)
	return b.bound(content), jsonBody{rest, b.total}, problems
}

// JustAttributes implements hcl.Body.
func (b jsonBody) JustAttributes() (hcl.Attributes, hcl.Diagnostics) {
	attributes, problems := b.Body.JustAttributes()
	return b.bound(&hcl.BodyContent{Attributes: attributes}).Attributes, problems
}

func (b jsonBody) bound(content *hcl.BodyContent) *hcl.BodyContent {
	for _, attribute := range content.Attributes {
		attribute.Expr = jsonExpression{attribute.Expr, b.total}
	}
	for _, block := range content.Blocks {
		block.Body = jsonBody{block.Body, b.total}
	}
	return content
}

type jsonExpression struct {
	hcl.Expression
	total *total
}

// UnwrapExpression lets static analysis see the expression in JSON.
func (e jsonExpression) UnwrapExpression() hcl.Expression { return e.Expression }

// Value implements hcl.Expression.
func (e jsonExpression) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	total := e.total.of(ctx)
	e.checkTemplates(e.Expression, ctx)
	if problems := total.exceeded(); problems.HasErrors() {
		return cty.DynamicVal, problems
	}
	value, problems := e.Expression.Value(ctx)
	if exceeded := total.add(Size(value, MaxSize), e.Range()); exceeded.HasErrors() {
		return cty.DynamicVal, exceeded
	}
	return value, problems
}

// checkTemplates evaluates each string with a template to count its values. Without a context, strings are literal.
func (e jsonExpression) checkTemplates(expression hcl.Expression, ctx *hcl.EvalContext) {
	if ctx == nil || e.total.of(ctx).problem != nil {
		return
	}
	elements, _ := hcl.ExprList(expression)
	pairs, _ := hcl.ExprMap(expression)
	for _, pair := range pairs {
		elements = append(elements, pair.Key, pair.Value)
	}
	for _, element := range elements {
		e.checkTemplates(element, ctx)
	}
	text, _ := expression.Value(nil)
	if text.Type() != cty.String || text.IsNull() || !strings.ContainsAny(text.AsString(), "$%") {
		return
	}
	start := expression.StartRange().Start
	start.Column, start.Byte = start.Column+1, start.Byte+1 // the quotation mark
	template, problems := hclsyntax.ParseTemplate([]byte(text.AsString()), expression.StartRange().Filename, start)
	if problems.HasErrors() {
		return // reported by the evaluation
	}
	b := bounder{e.total}
	_ = hclsyntax.Walk(template, b)
	b.bound(&template)
	_, _ = template.Value(ctx) // reported by the evaluation, or counted in the total
}
