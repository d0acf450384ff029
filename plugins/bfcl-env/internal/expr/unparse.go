package expr

import (
	"math"
	"math/big"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// The precedences of ast.unparse, from the loosest to the tightest.
const (
	precedenceTest = iota
	precedenceOr
	precedenceAnd
	precedenceNot
	precedenceCompare
	precedenceBitOr
	precedenceBitXor
	precedenceBitAnd
	precedenceShift
	precedenceSum
	precedenceProduct
	precedenceFactor
	precedencePower
	precedenceAwait
	precedenceAtom
)

var binaryPrecedence = map[string]int{
	"|": precedenceBitOr, "^": precedenceBitXor, "&": precedenceBitAnd, "<<": precedenceShift, ">>": precedenceShift,
	"+": precedenceSum, "-": precedenceSum,
	"*": precedenceProduct, "/": precedenceProduct, "//": precedenceProduct, "%": precedenceProduct,
	"@": precedenceProduct, "**": precedencePower,
}

// within writes a node, in parentheses if it binds more loosely than a given precedence.
func within(n Node, precedence int) string {
	text, own := written(n, precedence)
	if own < precedence {
		return "(" + text + ")"
	}
	return text
}

// written writes a node without parentheses, and returns its precedence.
func written(n Node, precedence int) (text string, own int) {
	switch n := n.(type) {
	case Unary:
		if n.Operator == "not" {
			return "not " + within(n.Operand, precedenceNot), precedenceNot
		}
		return n.Operator + within(n.Operand, precedenceFactor), precedenceFactor
	case Binary:
		own = binaryPrecedence[n.Operator]
		left, right := own, own+1
		if n.Operator == "**" {
			left, right = right, left
		}
		return within(n.Left, left) + " " + n.Operator + " " + within(n.Right, right), own
	case Logic:
		own = map[string]int{"and": precedenceAnd, "or": precedenceOr}[n.Operator]
		parts := make([]string, len(n.Values))
		for i, v := range n.Values {
			parts[i] = within(v, min(own+1+i, precedenceAtom)) // ast.unparse increments it with each value
		}
		return strings.Join(parts, " "+n.Operator+" "), own
	case Compare:
		text = within(n.First, precedenceBitOr)
		for i, operator := range n.Operators {
			text += " " + operator + " " + within(n.Others[i], precedenceBitOr)
		}
		return text, precedenceCompare
	case If:
		return within(n.Then, precedenceOr) + " if " + within(n.Test, precedenceOr) + " else " +
			within(n.Else, precedenceTest), precedenceTest
	case Other:
		return n.Source, precedenceTest
	}
	return n.Unparse(), precedenceAtom
}

// Unparse implements Node.
func (n Constant) Unparse() string {
	text := constantText(n.Value)
	if n.Unicode {
		return "u" + text
	}
	return text
}

// infinite is ast.unparse's literal for infinity.
const infinite = "1e309"

func constantText(v py.Value) string {
	switch v := v.(type) {
	case py.Ellipsis:
		return "..."
	case float64:
		if math.IsInf(v, 0) {
			return infinite
		}
	case py.Complex:
		return strings.ReplaceAll(py.Repr(v), "inf", infinite)
	}
	return py.Repr(v)
}

// Unparse implements Node.
func (n Name) Unparse() string      { return n.ID }
func (n Unary) Unparse() string     { return within(n, precedenceTest) }
func (n Binary) Unparse() string    { return within(n, precedenceTest) }
func (n Logic) Unparse() string     { return within(n, precedenceTest) }
func (n Compare) Unparse() string   { return within(n, precedenceTest) }
func (n If) Unparse() string        { return within(n, precedenceTest) }
func (n List) Unparse() string      { return "[" + joined(n.Items) + "]" }
func (n Starred) Unparse() string   { return "*" + within(n.Of, precedenceBitOr) }
func (n Other) Unparse() string     { return n.Source }
func (n Subscript) Unparse() string { return within(n.Of, precedenceAtom) + "[" + n.index() + "]" }

// index writes a tuple without parentheses.
func (n Subscript) index() string {
	t, ok := n.Index.(Tuple)
	if !ok || len(t.Items) == 0 {
		return n.Index.Unparse()
	}
	for _, item := range t.Items {
		if _, starred := item.(Starred); starred {
			return t.Unparse()
		}
	}
	return t.items()
}

// Unparse implements Node.
func (n Slice) Unparse() string {
	part := func(n Node) string {
		if n == nil {
			return ""
		}
		return n.Unparse()
	}
	text := part(n.Start) + ":" + part(n.Stop)
	if n.Step != nil {
		text += ":" + n.Step.Unparse()
	}
	return text
}

// Unparse implements Node. A space separates an int from the dot, which would otherwise be parsed as a decimal point.
func (n Attribute) Unparse() string {
	space := ""
	if c, ok := n.Of.(Constant); ok {
		switch c.Value.(type) {
		case int, bool, *big.Int:
			space = " "
		}
	}
	return within(n.Of, precedenceAtom) + space + "." + n.Name
}

// Unparse implements Node.
func (n Tuple) Unparse() string { return "(" + n.items() + ")" }

func (n Tuple) items() string {
	if len(n.Items) == 1 {
		return n.Items[0].Unparse() + ","
	}
	return joined(n.Items)
}

// Unparse implements Node.
func (n Set) Unparse() string { return "{" + joined(n.Items) + "}" }

// Unparse implements Node.
func (n Dict) Unparse() string {
	parts := make([]string, len(n.Values))
	for i, v := range n.Values {
		if n.Keys[i] == nil {
			parts[i] = "**" + within(v, precedenceBitOr)
			continue
		}
		parts[i] = n.Keys[i].Unparse() + ": " + v.Unparse()
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// Unparse implements Node.
func (n Call) Unparse() string {
	var parts []string
	for _, arg := range n.Args {
		parts = append(parts, arg.Unparse())
	}
	for _, k := range n.Keywords {
		if k.Name == "" {
			parts = append(parts, "**"+k.Value.Unparse())
			continue
		}
		parts = append(parts, k.Name+"="+k.Value.Unparse())
	}
	return within(n.Function, precedenceAtom) + "(" + strings.Join(parts, ", ") + ")"
}

func joined(nodes []Node) string {
	parts := make([]string, len(nodes))
	for i, n := range nodes {
		parts[i] = n.Unparse()
	}
	return strings.Join(parts, ", ")
}
