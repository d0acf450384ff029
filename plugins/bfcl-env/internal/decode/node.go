package decode

import (
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// node is a part of an expression. Its kinds are those that the reference tells apart.
type node interface{ unparse() string }

type (
	constant struct{ value py.Value }
	name     struct{ id string }
	unary    struct {
		operator string
		operand  node
	}
	binary struct {
		operator    string
		left, right node
	}
	list      struct{ items []node }
	tuple     struct{ items []node }
	dict      struct{ keys, values []node } // a key is nil where a dictionary is unpacked
	attribute struct {
		of   node
		name string
	}
	subscript struct{ of, index node }
	call      struct {
		function node
		args     []node
		keywords []keyword
	}
	starred struct{ of node }
	other   struct{ kind string } // anything else: "Compare", "IfExp", …
)

// keyword is a named argument; the name is empty where a dictionary is unpacked.
type keyword struct {
	name  string
	value node
}

func (n constant) unparse() string { return py.Repr(n.value) }
func (n name) unparse() string     { return n.id }
func (n unary) unparse() string {
	return strings.TrimSpace(n.operator) + spaceAfter(n.operator) + n.operand.unparse()
}
func (n binary) unparse() string {
	return n.left.unparse() + " " + n.operator + " " + n.right.unparse()
}
func (n list) unparse() string      { return "[" + joined(n.items) + "]" }
func (n attribute) unparse() string { return n.of.unparse() + "." + n.name }
func (n subscript) unparse() string { return n.of.unparse() + "[" + n.index.unparse() + "]" }
func (n starred) unparse() string   { return "*" + n.of.unparse() }
func (n other) unparse() string     { return n.kind }

func (n tuple) unparse() string {
	if len(n.items) == 1 {
		return "(" + n.items[0].unparse() + ",)"
	}
	return "(" + joined(n.items) + ")"
}

func (n dict) unparse() string {
	parts := make([]string, len(n.values))
	for i, v := range n.values {
		if n.keys[i] == nil {
			parts[i] = "**" + v.unparse()
			continue
		}
		parts[i] = n.keys[i].unparse() + ": " + v.unparse()
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (n call) unparse() string { return n.function.unparse() + "(" + joined(n.args) + ")" }

func joined(nodes []node) string {
	parts := make([]string, len(nodes))
	for i, n := range nodes {
		parts[i] = n.unparse()
	}
	return strings.Join(parts, ", ")
}

func spaceAfter(operator string) string {
	if operator == "not" {
		return " "
	}
	return ""
}
