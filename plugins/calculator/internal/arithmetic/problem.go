package arithmetic

import (
	"fmt"
	"regexp"
	"strconv"
)

// Problem is one question.
type Problem struct {
	Operation Operation
	A, B      int64
}

// question limits operands to nine digits, which keeps them below MaxOperand.
var question = regexp.MustCompile(`^\s*([0-9]{1,9})\s*([-+*%])\s*([0-9]{1,9})\s*=\s*$`)

// Parse parses a question such as "17+25=". Spaces are ignored.
func Parse(text string) (Problem, error) {
	parts := question.FindStringSubmatch(text)
	if parts == nil {
		return Problem{}, fmt.Errorf("%s is no question of the form 17+25= (with + - * or %%)", shorten(text))
	}
	a, _ := strconv.ParseInt(parts[1], 10, 64) // the pattern ensures a valid number
	b, _ := strconv.ParseInt(parts[3], 10, 64)
	problem := Problem{Operation: Operation(parts[2][0]), A: a, B: b}
	if _, err := problem.Answer(); err != nil {
		return Problem{}, fmt.Errorf("%s has no answer: %w", shorten(text), err)
	}
	return problem, nil
}

// shorten quotes at most 40 characters of a string.
func shorten(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return strconv.Quote(string(runes[:40])) + "…"
	}
	return strconv.Quote(text)
}

// Question returns the problem as a question: "17+25=".
func (p Problem) Question() string { return fmt.Sprintf("%d%c%d=", p.A, p.Operation, p.B) }

// ID returns the problem's unique ID: "add-17-25".
func (p Problem) ID() string { return fmt.Sprintf("%s-%d-%d", p.Operation.Name(), p.A, p.B) }

// Answer returns the correct result.
func (p Problem) Answer() (int64, error) { return p.Operation.Apply(p.A, p.B) }

// SolvedBy reports whether a call uses the right tool, and whether it has the right arguments. The order of the
// operands matters, even for commutative operations.
func (p Problem) SolvedBy(call Call) (tool, arguments bool) {
	return call.Operation == p.Operation, call.A == p.A && call.B == p.B
}

// HeldOut reports whether the problem is reserved for validation: one in ten pairs of operands, for any operation, so
// that no training problem shares its operands with a validation problem.
func (p Problem) HeldOut() bool { return (p.A+3*p.B)%10 == 7 }
