// Package arithmetic implements the calculator's operations and problems.
//
// A problem is one operation on two small numbers, asked as "17+25=" and solved by one tool call:
//
//	problem, err := arithmetic.Parse("17+25=")
//	problem.Operation.Name() // "add"
//	call, err := arithmetic.Run("add", `{"a":17,"b":25}`)
//	problem.SolvedBy(call)   // true, true: the right tool, the right arguments
//
// It owns the questions, the computations of the tools and the set of held-out problems. It must not depend on
// episodes, rewards, or the SDK, so that the quick-start data generator can share it with the plugin.
package arithmetic

import (
	"errors"
	"fmt"
)

// MaxOperand is the largest absolute value of an operand. The product of two operands fits in an int64.
const MaxOperand = 1_000_000_000

// Operation is a tool's operation, represented by its character in a question.
type Operation byte

// The operations.
const (
	Add Operation = '+'
	Sub Operation = '-'
	Mul Operation = '*'
	Mod Operation = '%'
)

// Operations returns all operations, in the order in which they are offered.
func Operations() []Operation { return []Operation{Add, Sub, Mul, Mod} }

// ErrNoTool reports that no tool has the name.
var ErrNoTool = errors.New("no such tool")

// ErrZero reports a division by zero.
var ErrZero = errors.New("b must not be 0")

// Named returns the operation whose tool has the name, or ErrNoTool.
func Named(name string) (Operation, error) {
	for _, o := range Operations() {
		if o.Name() == name {
			return o, nil
		}
	}
	return 0, ErrNoTool
}

// Name returns the name of the operation's tool.
func (o Operation) Name() string {
	switch o {
	case Add:
		return "add"
	case Sub:
		return "sub"
	case Mul:
		return "mul"
	case Mod:
		return "mod"
	}
	return fmt.Sprintf("operation %q", byte(o))
}

// Description returns a description of the operation's tool for the model.
func (o Operation) Description() string {
	switch o {
	case Add:
		return "a plus b"
	case Sub:
		return "a minus b"
	case Mul:
		return "a times b"
	case Mod:
		return "the remainder of a divided by b, with the sign of a"
	}
	return ""
}

// Apply computes the operation on operands of at most MaxOperand. It fails with ErrZero.
func (o Operation) Apply(a, b int64) (int64, error) {
	switch o {
	case Add:
		return a + b, nil
	case Sub:
		return a - b, nil
	case Mul:
		return a * b, nil
	case Mod:
		if b == 0 {
			return 0, ErrZero
		}
		return a % b, nil
	}
	return 0, ErrNoTool
}
