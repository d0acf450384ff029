package expr

import "github.com/awhost/awhost/plugins/bfcl-env/internal/py"

// Node is a part of an expression. The node types correspond to those in Python's ast.
type Node interface {
	// Unparse returns the node as Python source.
	Unparse() string
}

// The kinds of nodes.
type (
	Constant struct {
		Value   py.Value
		Unicode bool // written with the prefix u
	}
	Name struct {
		ID     string
		Inside bool // directly in parentheses
	}
	Unary struct {
		Operator string // "-", "+", "~", "not"
		Operand  Node
	}
	Binary struct {
		Operator    string
		Left, Right Node
	}
	// Logic is a chain of "and" operators or of "or" operators.
	Logic struct {
		Operator string
		Values   []Node
	}
	// Compare is a chain of comparisons. Operators[i] precedes Others[i].
	Compare struct {
		First     Node
		Operators []string
		Others    []Node
	}
	If        struct{ Test, Then, Else Node }
	List      struct{ Items []Node }
	Tuple     struct{ Items []Node }
	Set       struct{ Items []Node }
	Dict      struct{ Keys, Values []Node } // a key is nil for an unpacked dictionary
	Attribute struct {
		Of   Node
		Name string
	}
	Subscript struct{ Of, Index Node }
	Slice     struct{ Start, Stop, Step Node } // nil if omitted
	Call      struct {
		Function Node
		Args     []Node
		Keywords []Keyword
	}
	Starred struct{ Of Node }
	// Other is anything else: "Lambda", "ListComp", …
	Other struct{ Kind, Source string }
)

// Keyword is a named argument. The name is empty for an unpacked dictionary.
type Keyword struct {
	Name  string
	Value Node
}
