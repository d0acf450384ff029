package countdownreward

import (
	"errors"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/sdk/answertext"
)

// The limits on an expression, in addition to the length of its text (answertext.MostBytes): the digits of a number,
// the depth of parentheses, and the number of numbers. The result has no more digits than all the numbers together.
const (
	maxDigits  = 40
	maxDepth   = 40
	maxNumbers = 64
)

var (
	errSyntax = errors.New("not an expression")
	errBounds = errors.New("the expression is too long or too deeply nested")
)

var plainNumber = regexp.MustCompile(`^[+-]?\d+(?:\.\d+)?$`)

// expression is the parsed content of a box.
type expression struct {
	value   *big.Rat   // nil: division by zero
	numbers []*big.Rat // as written
	claim   *big.Rat   // after an equals sign; nil: missing
}

// evaluate evaluates a box: integers, + - * /, parentheses, and optionally the result. The game does not allow a sign
// before a number.
//
//	box     = sum [ "=" number ]
//	sum     = product { ( "+" | "-" ) product }
//	product = factor { ( "*" | "/" ) factor }
//	factor  = digits | "(" sum ")"
func evaluate(box string) (expression, error) {
	plain, err := answertext.Plain(box)
	if err != nil {
		return expression{}, err
	}
	plain = strings.Trim(plain, "$")
	left, right, claims := strings.Cut(plain, "=")
	e := expression{}
	if claims {
		if e.claim = exactNumber(strings.TrimSpace(right)); e.claim == nil {
			return expression{}, errSyntax
		}
	}
	p := parser{text: left}
	value, err := p.sum()
	if err != nil {
		return expression{}, err
	}
	if p.next() != 0 {
		return expression{}, errSyntax
	}
	e.value, e.numbers = value.rational, p.numbers
	return e, nil
}

// quantity is a number, or is empty after a division by zero.
type quantity struct{ rational *big.Rat }

// parser evaluates the expression while reading it.
type parser struct {
	text    string
	at      int
	depth   int
	numbers []*big.Rat
}

// next returns the next character that is not a space, without consuming it, or 0 at the end.
func (p *parser) next() rune {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	c, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return c
}

func (p *parser) take() { _, size := utf8.DecodeRuneInString(p.text[p.at:]); p.at += size }

func (p *parser) sum() (quantity, error) {
	return p.chain("+-", p.product)
}

func (p *parser) product() (quantity, error) {
	return p.chain("*x/"+string(answertext.FractionSlash), p.factor)
}

// chain evaluates operands and operators at one precedence level from left to right.
func (p *parser) chain(operators string, operand func() (quantity, error)) (quantity, error) {
	left, err := operand()
	for err == nil {
		operator := p.next()
		if operator == 0 || !strings.ContainsRune(operators, operator) {
			return left, nil
		}
		p.take()
		var right quantity
		if right, err = operand(); err == nil {
			left = left.combine(operator, right)
		}
	}
	return quantity{}, err
}

func (q quantity) combine(operator rune, right quantity) quantity {
	a, b := q.rational, right.rational
	if a == nil || b == nil {
		return quantity{}
	}
	switch operator {
	case '+':
		return quantity{new(big.Rat).Add(a, b)}
	case '-':
		return quantity{new(big.Rat).Sub(a, b)}
	case '*', 'x':
		return quantity{new(big.Rat).Mul(a, b)}
	}
	if b.Sign() == 0 {
		return quantity{}
	}
	return quantity{new(big.Rat).Quo(a, b)}
}

func (p *parser) factor() (quantity, error) {
	switch c := p.next(); {
	case c == '(':
		return p.parenthesis()
	case c >= '0' && c <= '9':
		return p.number()
	}
	return quantity{}, errSyntax
}

func (p *parser) parenthesis() (quantity, error) {
	if p.depth++; p.depth > maxDepth {
		return quantity{}, errBounds
	}
	p.take()
	inside, err := p.sum()
	if err != nil {
		return quantity{}, err
	}
	if p.next() != ')' {
		return quantity{}, errSyntax
	}
	p.take()
	p.depth--
	return inside, nil
}

func (p *parser) number() (quantity, error) {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	n := exactNumber(p.text[start:p.at])
	if n == nil || len(p.numbers) == maxNumbers {
		return quantity{}, errBounds
	}
	p.numbers = append(p.numbers, n)
	return quantity{n}, nil
}
