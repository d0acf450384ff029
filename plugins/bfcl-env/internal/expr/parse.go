package expr

import (
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// maxNesting bounds how deep expressions may be nested.
const maxNesting = 200

// Parse reads an expression, or several with commas between them, which are a tuple. The error is a *py.SyntaxError.
func Parse(source string) (Node, error) {
	l := lexer{source: source}
	tokens, err := l.all()
	if err != nil {
		return nil, err
	}
	p := parser{source: source, tokens: tokens}
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
	source  string
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
		return p.failed(t, "a value is missing")
	}
	return p.failed(t, "invalid syntax")
}

func (p *parser) failed(t token, problem string) error {
	return py.NewSyntaxError(p.source, t.at, problem)
}

// other is what this package reads and does not understand, from a token on to the one before this.
func (p *parser) other(kind string, from int) Node {
	return Other{kind, strings.TrimSpace(p.source[p.tokens[from].at:p.tokens[p.at].at])}
}

// expressions reads expressions up to what ends them.
func (p *parser) expressions() (Node, error) {
	first, err := p.item()
	if err != nil || !p.sees(",") {
		return first, err
	}
	items := []Node{first}
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
	return Tuple{items}, nil
}

// item is an expression, perhaps with a star.
func (p *parser) item() (Node, error) {
	if p.take("*") {
		n, err := p.expression()
		return Starred{n}, err
	}
	from := p.at
	n, err := p.expression()
	if err == nil && p.take(":=") {
		_, err = p.expression()
		return p.other("NamedExpr", from), err
	}
	return n, err
}

// expression reads lambda and conditionals, and what binds tighter.
func (p *parser) expression() (Node, error) {
	nesting := p.nesting
	defer func() { p.nesting = nesting }()
	if err := p.deeper(); err != nil {
		return nil, err
	}
	from := p.at
	if p.take("lambda") {
		for !p.sees(":") {
			if p.peek().kind == end {
				return nil, p.unexpected()
			}
			p.at++
		}
		p.at++
		_, err := p.expression()
		return p.other("Lambda", from), err
	}
	n, err := p.level(0)
	if err != nil || !p.take("if") {
		return n, err
	}
	test, err := p.level(0)
	if err != nil {
		return nil, err
	}
	if err := p.want("else"); err != nil {
		return nil, err
	}
	otherwise, err := p.expression()
	return If{test, n, otherwise}, err
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
		return p.failed(p.peek(), "expressions are nested too deep")
	}
	return nil
}

// level reads operands and the operators between them that bind at least as tight as a level.
func (p *parser) level(loosest int) (Node, error) {
	nesting := p.nesting
	defer func() { p.nesting = nesting }()
	left, err := p.operand(loosest)
	chained := -1 // the level of the operator that left ends with
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
		operator := t.text
		if level == levelCompare {
			if operator, err = p.comparison(t); err != nil {
				break
			}
		}
		var right Node
		if right, err = p.level(level + 1); err != nil {
			break
		}
		left = combined(left, operator, level, right, chained)
		chained = level
	}
	return nil, err
}

// comparison is an operator of one or two words.
func (p *parser) comparison(t token) (string, error) {
	switch {
	case t.text == "not":
		return "not in", p.want("in")
	case t.text == "is" && p.take("not"):
		return "is not", nil
	}
	return t.text, nil
}

// combined puts an operand behind what stands before its operator. Chains of comparisons and of one logical operator are one
// node.
func combined(left Node, operator string, level int, right Node, chained int) Node {
	switch {
	case level == levelOr || level == levelAnd:
		if l, ok := left.(Logic); ok && chained == level {
			return Logic{operator, append(l.Values, right)}
		}
		return Logic{operator, []Node{left, right}}
	case level == levelCompare:
		if c, ok := left.(Compare); ok && chained == level {
			return Compare{c.First, append(c.Operators, operator), append(c.Others, right)}
		}
		return Compare{left, []string{operator}, []Node{right}}
	}
	return Binary{operator, left, right}
}

// operand is a factor, or what not stands before.
func (p *parser) operand(loosest int) (Node, error) {
	if loosest > levelNot || !p.take("not") {
		return p.factor()
	}
	if err := p.deeper(); err != nil {
		return nil, err
	}
	n, err := p.level(levelNot)
	return Unary{"not", n}, err
}

func (p *parser) factor() (Node, error) {
	nesting := p.nesting
	defer func() { p.nesting = nesting }()
	if err := p.deeper(); err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind == operator && (t.text == "+" || t.text == "-" || t.text == "~") {
		p.at++
		n, err := p.factor()
		return Unary{t.text, n}, err
	}
	base, err := p.primary()
	if err != nil || !p.take("**") {
		return base, err
	}
	exponent, err := p.factor()
	return Binary{"**", base, exponent}, err
}

func (p *parser) primary() (Node, error) {
	n, err := p.atom()
	for links := 0; err == nil; links++ {
		if links > maxNesting {
			return nil, p.failed(p.peek(), "too many attributes, calls and subscripts follow one another")
		}
		switch {
		case p.take("."):
			t := p.peek()
			if t.kind != word || py.IsKeyword(t.text) {
				return nil, p.unexpected()
			}
			p.at++
			n = Attribute{n, t.text}
		case p.take("("):
			n, err = p.call(n)
		case p.take("["):
			var index Node
			if index, err = p.index(); err == nil {
				n = Subscript{n, index}
			}
		default:
			return n, nil
		}
	}
	return nil, err
}

// index is what stands between the brackets of a subscript, slices included.
func (p *parser) index() (Node, error) {
	var items []Node
	comma := false
	for !p.take("]") {
		if len(items) > 0 && !comma {
			return nil, p.unexpected()
		}
		n, err := p.slice()
		if err != nil {
			return nil, err
		}
		items = append(items, n)
		comma = p.take(",")
	}
	switch {
	case len(items) == 0:
		p.at--
		return nil, p.unexpected()
	case len(items) == 1 && !comma:
		if _, star := items[0].(Starred); !star {
			return items[0], nil
		}
	}
	return Tuple{items}, nil
}

// slice is an expression, or up to three of them with colons between.
func (p *parser) slice() (Node, error) {
	var parts [3]Node
	at, colons := 0, 0
	for {
		switch {
		case p.sees("]") || p.sees(","):
			if colons == 0 {
				if parts[0] == nil {
					return nil, p.unexpected()
				}
				return parts[0], nil
			}
			return Slice{parts[0], parts[1], parts[2]}, nil
		case colons < 2 && p.take(":"):
			colons++
			at = colons
		case parts[at] != nil:
			return nil, p.unexpected()
		default:
			n, err := p.item()
			if err != nil {
				return nil, err
			}
			parts[at] = n
		}
	}
}

func (p *parser) atom() (Node, error) {
	t := p.peek()
	p.at++
	switch {
	case t.kind == literal:
		return p.constant(t)
	case t.kind == word && t.text == "True", t.kind == word && t.text == "False":
		return Constant{Value: t.text == "True"}, nil
	case t.kind == word && t.text == "None":
		return Constant{}, nil
	case t.kind == word && !py.IsKeyword(t.text):
		return Name{ID: t.text}, nil
	case t.kind == operator && t.text == "...":
		return Constant{Value: py.Ellipsis{}}, nil
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

// constant joins texts, or bytes, that stand one behind the other.
func (p *parser) constant(t token) (Node, error) {
	out := Constant{t.value, t.unicode}
	if p.peek().kind != literal {
		return out, nil
	}
	_, isBytes := t.value.(py.Bytes)
	joined := append([]byte(nil), content(t.value)...)
	for p.peek().kind == literal {
		more := p.peek()
		switch more.value.(type) {
		case string, py.Bytes:
		default:
			return nil, p.unexpected()
		}
		if _, also := more.value.(py.Bytes); also != isBytes || !textual(t.value) {
			return nil, p.unexpected()
		}
		joined = append(joined, content(more.value)...)
		p.at++
	}
	out.Value = string(joined)
	if isBytes {
		out.Value = py.Bytes(joined)
	}
	return out, nil
}

func textual(v py.Value) bool {
	switch v.(type) {
	case string, py.Bytes:
		return true
	}
	return false
}

// content are the bytes of a text, or of bytes.
func content(v py.Value) string {
	if b, ok := v.(py.Bytes); ok {
		return string(b)
	}
	text, _ := v.(string)
	return text
}

func (p *parser) parenthesised() (Node, error) {
	from := p.at - 1
	if p.take(")") {
		return Tuple{}, nil
	}
	n, err := p.expressions()
	if err != nil {
		return nil, err
	}
	if p.sees("for") || p.sees("async") {
		return p.comprehension(")", "GeneratorExp", from)
	}
	switch inner := n.(type) {
	case Starred:
		return nil, p.unexpected()
	case Name:
		n = Name{inner.ID, true}
	}
	return n, p.want(")")
}

func (p *parser) bracketed() (Node, error) {
	from := p.at - 1
	out := List{}
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
			return p.comprehension("]", "ListComp", from)
		}
		out.Items = append(out.Items, n)
	}
}

// comprehension passes over the rest of one.
func (p *parser) comprehension(closing, kind string, from int) (Node, error) {
	depth := 0
	for {
		t := p.peek()
		switch {
		case t.kind == end:
			return nil, p.unexpected()
		case t.kind == operator && depth == 0 && t.text == closing:
			p.at++
			return p.other(kind, from), nil
		case t.kind == operator && (t.text == "(" || t.text == "[" || t.text == "{"):
			depth++
		case t.kind == operator && (t.text == ")" || t.text == "]" || t.text == "}"):
			depth--
		}
		p.at++
	}
}

func (p *parser) braced() (Node, error) {
	from := p.at - 1
	var d Dict
	var s Set
	for comma := true; ; comma = p.take(",") {
		if p.take("}") {
			if s.Items != nil {
				return s, nil
			}
			return d, nil
		}
		if !comma {
			return nil, p.unexpected()
		}
		if p.take("**") {
			n, err := p.expression()
			if err != nil {
				return nil, err
			}
			d.Keys, d.Values = append(d.Keys, nil), append(d.Values, n)
			continue
		}
		key, err := p.item()
		if err != nil {
			return nil, err
		}
		if p.sees("for") {
			return p.comprehension("}", "SetComp", from)
		}
		if _, star := key.(Starred); star || !p.sees(":") {
			s.Items = append(s.Items, key)
		} else {
			p.at++
			value, err := p.expression()
			if err != nil {
				return nil, err
			}
			if p.sees("for") {
				return p.comprehension("}", "DictComp", from)
			}
			d.Keys, d.Values = append(d.Keys, key), append(d.Values, value)
		}
		if s.Items != nil && d.Keys != nil {
			return nil, p.unexpected()
		}
	}
}

func (p *parser) call(function Node) (Node, error) {
	out := Call{Function: function}
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

func (p *parser) argument(c *Call) error {
	t := p.peek()
	switch {
	case p.take("**"):
		n, err := p.expression()
		c.Keywords = append(c.Keywords, Keyword{"", n})
		return err
	case t.kind == word && p.tokens[p.at+1].kind == operator && p.tokens[p.at+1].text == "=":
		if py.IsKeyword(t.text) {
			return p.unexpected()
		}
		p.at += 2
		n, err := p.expression()
		c.Keywords = append(c.Keywords, Keyword{t.text, n})
		return err
	}
	from := p.at
	n, err := p.item()
	if err != nil {
		return err
	}
	if p.sees("for") {
		if n, err = p.comprehension(")", "GeneratorExp", from); err != nil {
			return err
		}
		p.at-- // the parenthesis is the call's
	}
	if _, star := n.(Starred); len(c.Keywords) > 0 && !star {
		return p.failed(t, "positional argument follows keyword argument")
	}
	c.Args = append(c.Args, n)
	return nil
}
