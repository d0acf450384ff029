package expr

import "github.com/awhost/awhost/plugins/bfcl-env/internal/py"

// Node is a part of an expression. Its kinds are those of Python's ast.
type Node interface {
	// Unparse writes it as Python source.
	Unparse() string
}

// The kinds of nodes.
type (
	Constant struct {
		Value   py.Value
		Unicode bool // it is written with a u before it
	}
	Name struct {
		ID     string
		Inside bool // in parentheses of its own
	}
	Unary struct {
		Operator string // "-", "+", "~", "not"
		Operand  Node
	}
	Binary struct {
		Operator    string
		Left, Right Node
	}
	// Logic is a chain of one of "and" and "or".
	Logic struct {
		Operator string
		Values   []Node
	}
	// Compare is a chain of comparisons: there is an operator before each of the others.
	Compare struct {
		First     Node
		Operators []string
		Others    []Node
	}
	If        struct{ Test, Then, Else Node }
	List      struct{ Items []Node }
	Tuple     struct{ Items []Node }
	Set       struct{ Items []Node }
	Dict      struct{ Keys, Values []Node } // a key is nil where a dictionary is unpacked
	Attribute struct {
		Of   Node
		Name string
	}
	Subscript struct{ Of, Index Node }
	Slice     struct{ Start, Stop, Step Node } // nil where they are left out
	Call      struct {
		Function Node
		Args     []Node
		Keywords []Keyword
	}
	Starred struct{ Of Node }
	// Other is anything else: "Lambda", "ListComp", …
	Other struct{ Kind, Source string }
)

// Keyword is a named argument; the name is empty where a dictionary is unpacked.
type Keyword struct {
	Name  string
	Value Node
}
