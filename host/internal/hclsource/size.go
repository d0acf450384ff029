package hclsource

import (
	"fmt"
	"math"
	"reflect"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

const (
	// MaxSize limits the total size in bytes of the values that a file's expressions have while the file is loaded. A
	// value counts again in each list, object, template, call, and loop that it passes through.
	MaxSize = 64 << 20
	// ValueSize is the size of a value without its text: a cty.Value, a number, and their parts in a slice or map.
	ValueSize = 128
)

// Size returns the size of a value, including everything in it. It stops counting above the limit, because values that
// refer to one another can be exponentially larger than the memory that they occupy.
func Size(value cty.Value, limit int) int {
	value, _ = value.Unmark()
	size := ValueSize
	switch {
	case !value.IsKnown() || value.IsNull():
	case value.Type() == cty.String:
		size += len(value.AsString())
	case value.Type() == cty.Number:
		size += int(math.Abs(float64(value.AsBigFloat().MantExp(nil)))) / 3 // the digits of 1e999999
	case value.CanIterateElements():
		for elements := value.ElementIterator(); size <= limit && elements.Next(); {
			key, element := elements.Element()
			if key.Type() == cty.String && !value.Type().IsSetType() {
				size += len(key.AsString())
			}
			size += Size(element, limit-size)
		}
	}
	return size
}

// total is the total size of the values in a file or, after Renew, in one evaluation.
type total struct {
	size    int
	problem *hcl.Diagnostic // set when the size exceeds MaxSize
}

func (t *total) add(size int, where hcl.Range) hcl.Diagnostics {
	if t.size += size; t.size > MaxSize && t.problem == nil {
		t.problem = &hcl.Diagnostic{
			Severity: hcl.DiagError,
			Summary:  "Values too large",
			Detail: fmt.Sprintf("With this expression the values of the file exceed %d MiB; each value in a list or object "+
				"counts %d bytes and its text. Use shorter lists and texts, refer to them less often, or move data into a "+
				"dataset.", MaxSize>>20, ValueSize),
			Subject: &where,
		}
	}
	return t.exceeded()
}

func (t *total) exceeded() hcl.Diagnostics {
	if t.problem == nil {
		return nil
	}
	return hcl.Diagnostics{t.problem}
}

// totalName is not a valid identifier, so that no expression can refer to the variable.
const totalName = "total size"

var totalType = cty.Capsule(totalName, reflect.TypeFor[total]())

// Renew starts a new total for evaluations with the context. An expression that is evaluated for every episode would
// eventually exceed its file's total.
func Renew(ctx *hcl.EvalContext) { ctx.Variables[totalName] = cty.CapsuleVal(totalType, &total{}) }

// of returns the total that Renew has set in the context, or this one.
func (t *total) of(ctx *hcl.EvalContext) *total {
	for ; ctx != nil; ctx = ctx.Parent() {
		if renewed, ok := ctx.Variables[totalName]; ok {
			return renewed.EncapsulatedValue().(*total)
		}
	}
	return t
}

// bounded is an expression whose value is counted. Walkers and static analysis see it as an expression in parentheses.
type bounded struct {
	*hclsyntax.ParenthesesExpr
	total      *total
	collection bool // of a for expression: only its own elements count
}

// UnwrapExpression lets static analysis see the expression.
func (b *bounded) UnwrapExpression() hcl.Expression { return b.Expression }

// Value implements hcl.Expression.
func (b *bounded) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	total := b.total.of(ctx)
	if problems := total.exceeded(); problems.HasErrors() {
		return cty.DynamicVal, problems
	}
	value, problems := b.Expression.Value(ctx)
	if problems.HasErrors() {
		return value, problems
	}
	size := 0
	if plain, _ := value.Unmark(); !b.collection {
		size = Size(value, MaxSize)
	} else if plain.IsKnown() && !plain.IsNull() && plain.CanIterateElements() {
		size = plain.LengthInt() * ValueSize
	}
	if exceeded := total.add(size, b.Range()); exceeded.HasErrors() {
		return cty.DynamicVal, append(problems, exceeded...)
	}
	return value, problems
}

// bound limits the values of an expression that has no syntax errors.
func bound(expression hclsyntax.Expression, problems hcl.Diagnostics) (hclsyntax.Expression, hcl.Diagnostics) {
	if problems.HasErrors() {
		return expression, problems
	}
	b := bounder{&total{}}
	problems = append(problems, hclsyntax.Walk(expression, b)...)
	b.bound(&expression)
	return expression, problems
}

// bounder limits the values of attributes and the values that lists, objects, templates, calls, and loops repeat.
type bounder struct{ total *total }

// Enter implements hclsyntax.Walker.
func (b bounder) Enter(node hclsyntax.Node) hcl.Diagnostics {
	switch node := node.(type) {
	case *hclsyntax.Attribute:
		b.bound(&node.Expr)
	case *hclsyntax.TemplateExpr:
		b.boundAll(node.Parts)
	case *hclsyntax.TupleConsExpr:
		b.boundAll(node.Exprs)
	case *hclsyntax.FunctionCallExpr:
		b.boundAll(node.Args)
	case *hclsyntax.ObjectConsExpr:
		for i := range node.Items {
			b.bound(&node.Items[i].ValueExpr)
		}
	case *hclsyntax.ForExpr:
		b.bound(&node.CollExpr).collection = true
		b.bound(&node.ValExpr)
		if node.KeyExpr != nil {
			b.bound(&node.KeyExpr)
		}
	}
	return nil
}

// Exit implements hclsyntax.Walker.
func (b bounder) Exit(hclsyntax.Node) hcl.Diagnostics { return nil }

func (b bounder) boundAll(expressions []hclsyntax.Expression) {
	for i, expression := range expressions {
		if literal, ok := expression.(*hclsyntax.LiteralValueExpr); !ok || literal.Val.Type() != cty.String {
			b.bound(&expressions[i]) // a template is a literal only if its parts are
		}
	}
}

func (b bounder) bound(expression *hclsyntax.Expression) *bounded {
	parentheses := &hclsyntax.ParenthesesExpr{Expression: *expression, SrcRange: (*expression).Range()}
	out := &bounded{ParenthesesExpr: parentheses, total: b.total}
	*expression = out
	return out
}
