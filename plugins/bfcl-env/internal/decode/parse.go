package decode

import (
	"fmt"
	"slices"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// maxNesting bounds how deep expressions may be nested.
const maxNesting = 200

// parse reads an expression, or several with commas between them, which are a tuple.
func parse(source string) (node, error) {
	l := lexer{source: source}
	tokens, err := l.all()
	if err != nil {
		return nil, err
	}
	p := parser{tokens: tokens}
	n, err := p.expressions()
	if err != nil {
		return nil, err
	}
	if p.peek().kind != end {
		return nil, p.unexpected()
	}
	return n, nil
}

type parser struct {
	tokens  []token
	at      int
	nesting int
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) sees(text string) bool {
	t := p.peek()
	return t.text == text && (t.kind == operator || t.kind == word)
}

func (p *parser) take(text string) bool {
	if !p.sees(text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) want(text string) error {
	if !p.take(text) {
		return p.unexpected()
	}
	return nil
}

func (p *parser) unexpected() error {
	t := p.peek()
	if t.kind == end {
		return fmt.Errorf("the expression is not complete")
	}
	return fmt.Errorf("character %d: invalid syntax", t.at)
}

// expressions reads expressions up to what ends them.
func (p *parser) expressions() (node, error) {
	first, err := p.item()
	if err != nil || !p.sees(",") {
		return first, err
	}
	items := []node{first}
	for p.take(",") {
		if t := p.peek(); t.kind == end || t.kind == operator && slices.Contains([]string{")", "]", "}", "="}, t.text) {
			break
		}
		n, err := p.item()
		if err != nil {
			return nil, err
		}
		items = append(items, n)
	}
	return tuple{items}, nil
}

// item is an expression, perhaps with a star.
func (p *parser) item() (node, error) {
	if p.take("*") {
		n, err := p.expression()
		return starred{n}, err
	}
	n, err := p.expression()
	if err == nil && p.take(":=") {
		_, err = p.expression()
		return other{"NamedExpr"}, err
	}
	return n, err
}

// expression reads lambda and conditionals, and what binds tighter.
func (p *parser) expression() (node, error) {
	nesting := p.nesting
	defer func() { p.nesting = nesting }()
	if err := p.deeper(); err != nil {
		return nil, err
	}
	if p.take("lambda") {
		for !p.sees(":") {
			if p.peek().kind == end {
				return nil, p.unexpected()
			}
			p.at++
		}
		p.at++
		_, err := p.expression()
		return other{"Lambda"}, err
	}
	n, err := p.level(0)
	if err != nil || !p.take("if") {
		return n, err
	}
	if _, err := p.level(0); err != nil {
		return nil, err
	}
	if err := p.want("else"); err != nil {
		return nil, err
	}
	_, err = p.expression()
	return other{"IfExp"}, err
}

// The levels of the operators between two operands, from the loosest to the tightest.
const (
	levelOr = iota
	levelAnd
	levelNot
	levelCompare
	levelBitOr
	levelBitXor
	levelBitAnd
	levelShift
	levelSum
	levelProduct
)

// kinds are the names of what the reference has no use for.
var kinds = [...]string{levelOr: "BoolOp", levelAnd: "BoolOp", levelNot: "", levelCompare: "Compare", levelProduct: ""}

// levelOf is the level of an operator between two operands; -1: the token is none.
func levelOf(t token) int {
	if t.kind != operator && t.kind != word {
		return -1
	}
	switch t.text {
	case ",", ")", "]", "}", ":", "=", "(", "[", ".":
		return -1
	case "or":
		return levelOr
	case "and":
		return levelAnd
	case "<", ">", "<=", ">=", "==", "!=", "in", "is", "not":
		return levelCompare
	case "|":
		return levelBitOr
	case "^":
		return levelBitXor
	case "&":
		return levelBitAnd
	case "<<", ">>":
		return levelShift
	case "+", "-":
		return levelSum
	case "*", "/", "//", "%", "@":
		return levelProduct
	}
	return -1
}

// deeper counts what a source makes us do inside of something else, or one behind the other, on and on.
func (p *parser) deeper() error {
	if p.nesting++; p.nesting > maxNesting {
		return fmt.Errorf("expressions are nested more than %d deep", maxNesting)
	}
	return nil
}

// level reads operands and the operators between them that bind at least as tight as a level.
func (p *parser) level(loosest int) (node, error) {
	nesting := p.nesting
	defer func() { p.nesting = nesting }()
	left, err := p.operand(loosest)
	for err == nil {
		t := p.peek()
		level := levelOf(t)
		if level < loosest {
			return left, nil
		}
		if err := p.deeper(); err != nil {
			return nil, err
		}
		p.at++
		if level == levelCompare {
			p.take("not")
			p.take("in")
		}
		var right node
		if right, err = p.level(level + 1); err != nil {
			break
		}
		if kinds[level] != "" {
			left = other{kinds[level]}
			continue
		}
		left = binary{t.text, left, right}
	}
	return nil, err
}

// operand is a factor, or what not stands before.
func (p *parser) operand(loosest int) (node, error) {
	if loosest > levelNot || !p.take("not") {
		return p.factor()
	}
	if err := p.deeper(); err != nil {
		return nil, err
	}
	n, err := p.level(levelNot)
	return unary{"not", n}, err
}

func (p *parser) factor() (node, error) {
	nesting := p.nesting
	defer func() { p.nesting = nesting }()
	if err := p.deeper(); err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind == operator && (t.text == "+" || t.text == "-" || t.text == "~") {
		p.at++
		n, err := p.factor()
		return unary{t.text, n}, err
	}
	base, err := p.primary()
	if err != nil || !p.take("**") {
		return base, err
	}
	exponent, err := p.factor()
	return binary{"**", base, exponent}, err
}

func (p *parser) primary() (node, error) {
	n, err := p.atom()
	for links := 0; err == nil; links++ {
		if links > maxNesting {
			return nil, fmt.Errorf("more than %d attributes, calls and subscripts follow one another", maxNesting)
		}
		switch {
		case p.take("."):
			t := p.peek()
			if t.kind != word {
				return nil, p.unexpected()
			}
			p.at++
			n = attribute{n, t.text}
		case p.take("("):
			n, err = p.call(n)
		case p.take("["):
			var index node
			if index, err = p.index(); err == nil {
				n = subscript{n, index}
			}
		default:
			return n, nil
		}
	}
	return nil, err
}

// index is what stands between the brackets of a subscript, slices included.
func (p *parser) index() (node, error) {
	if p.sees("]") {
		return nil, p.unexpected()
	}
	var out node = other{":"}
	for !p.take("]") {
		if p.take(":") {
			continue
		}
		n, err := p.expressions()
		if err != nil {
			return nil, err
		}
		out = n
		if !p.sees("]") && !p.sees(":") {
			return nil, p.unexpected()
		}
	}
	return out, nil
}

// keywords of Python are no names.
var keywords = []string{
	"and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
	"if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
}

func (p *parser) atom() (node, error) {
	t := p.peek()
	p.at++
	switch {
	case t.kind == literal:
		return p.constant(t)
	case t.kind == word && t.text == "True", t.kind == word && t.text == "False":
		return constant{t.text == "True"}, nil
	case t.kind == word && t.text == "None":
		return constant{nil}, nil
	case t.kind == word && !slices.Contains(keywords, t.text):
		return name{t.text}, nil
	case t.kind == operator && t.text == "...":
		return constant{py.Ellipsis{}}, nil
	case t.kind == operator && t.text == "(":
		return p.parenthesised()
	case t.kind == operator && t.text == "[":
		return p.bracketed()
	case t.kind == operator && t.text == "{":
		return p.braced()
	}
	p.at--
	return nil, p.unexpected()
}

// constant joins texts that stand one behind the other.
func (p *parser) constant(t token) (node, error) {
	first, ok := t.value.(string)
	if !ok || p.peek().kind != literal {
		return constant{t.value}, nil
	}
	joined := []byte(first)
	for p.peek().kind == literal {
		more, isText := p.peek().value.(string)
		if !isText {
			return nil, p.unexpected()
		}
		joined = append(joined, more...)
		p.at++
	}
	return constant{string(joined)}, nil
}

func (p *parser) parenthesised() (node, error) {
	if p.take(")") {
		return tuple{}, nil
	}
	n, err := p.expressions()
	if err != nil {
		return nil, err
	}
	if p.sees("for") || p.sees("async") {
		return p.comprehension(")", "GeneratorExp")
	}
	return n, p.want(")")
}

func (p *parser) bracketed() (node, error) {
	out := list{}
	for comma := true; ; comma = p.take(",") {
		if p.take("]") {
			return out, nil
		}
		if !comma {
			return nil, p.unexpected()
		}
		n, err := p.item()
		if err != nil {
			return nil, err
		}
		if p.sees("for") || p.sees("async") {
			return p.comprehension("]", "ListComp")
		}
		out.items = append(out.items, n)
	}
}

// comprehension passes over the rest of one.
func (p *parser) comprehension(closing, kind string) (node, error) {
	depth := 0
	for {
		t := p.peek()
		switch {
		case t.kind == end:
			return nil, p.unexpected()
		case t.kind == operator && depth == 0 && t.text == closing:
			p.at++
			return other{kind}, nil
		case t.kind == operator && (t.text == "(" || t.text == "[" || t.text == "{"):
			depth++
		case t.kind == operator && (t.text == ")" || t.text == "]" || t.text == "}"):
			depth--
		}
		p.at++
	}
}

func (p *parser) braced() (node, error) {
	out, kind := dict{}, "Dict"
	for comma := true; ; comma = p.take(",") {
		if p.take("}") {
			if kind == "Set" {
				return other{kind}, nil
			}
			return out, nil
		}
		if !comma {
			return nil, p.unexpected()
		}
		if p.take("**") {
			n, err := p.expression()
			if err != nil {
				return nil, err
			}
			out.keys, out.values = append(out.keys, nil), append(out.values, n)
			continue
		}
		key, err := p.item()
		if err != nil {
			return nil, err
		}
		if p.sees("for") {
			return p.comprehension("}", "SetComp")
		}
		if !p.take(":") {
			kind = "Set"
			continue
		}
		value, err := p.expression()
		if err != nil {
			return nil, err
		}
		if p.sees("for") {
			return p.comprehension("}", "DictComp")
		}
		out.keys, out.values = append(out.keys, key), append(out.values, value)
	}
}

func (p *parser) call(function node) (node, error) {
	out := call{function: function}
	for comma := true; ; comma = p.take(",") {
		if p.take(")") {
			return out, nil
		}
		if !comma {
			return nil, p.unexpected()
		}
		if err := p.argument(&out); err != nil {
			return nil, err
		}
	}
}

func (p *parser) argument(c *call) error {
	t := p.peek()
	switch {
	case p.take("**"):
		n, err := p.expression()
		c.keywords = append(c.keywords, keyword{"", n})
		return err
	case t.kind == word && p.tokens[p.at+1].kind == operator && p.tokens[p.at+1].text == "=":
		if slices.Contains(keywords, t.text) || t.text == "None" || t.text == "True" || t.text == "False" {
			return p.unexpected()
		}
		p.at += 2
		n, err := p.expression()
		c.keywords = append(c.keywords, keyword{t.text, n})
		return err
	}
	n, err := p.item()
	if err != nil {
		return err
	}
	if p.sees("for") {
		if n, err = p.comprehension(")", "GeneratorExp"); err != nil {
			return err
		}
		p.at-- // the parenthesis is the call's
	}
	if _, star := n.(starred); len(c.keywords) > 0 && !star {
		return fmt.Errorf("positional argument follows keyword argument")
	}
	c.args = append(c.args, n)
	return nil
}
