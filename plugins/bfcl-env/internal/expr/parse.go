package expr

import (
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// maxNesting bounds the nesting depth of expressions. A bracket counts twice, so that 200 brackets are allowed.
const maxNesting = 400

// Parse parses an expression, or several expressions separated by commas, which form a tuple. The error is a
// *py.SyntaxError.
func Parse(source string) (Node, error) {
	return parse(&lexer{source: source})
}

func parse(l *lexer) (n Node, err error) {
	defer py.Catch(&err)
	p := parser{source: l.source, tokens: l.all()}
	n = p.expressions()
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

func (p *parser) nextIs(text string) bool {
	t := p.peek()
	return t.text == text && (t.kind == operator || t.kind == word)
}

func (p *parser) take(text string) bool {
	if !p.nextIs(text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) want(text string) {
	if !p.take(text) {
		panic(p.unexpected())
	}
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

// other returns a node for unsupported syntax, from a token to the one before the current token.
func (p *parser) other(kind string, from int) Node {
	return Other{kind, strings.TrimSpace(p.source[p.tokens[from].at:p.tokens[p.at].at])}
}

// expressions parses expressions up to the token that ends them.
func (p *parser) expressions() Node {
	first := p.item()
	if !p.nextIs(",") {
		return first
	}
	items := []Node{first}
	for p.take(",") {
		if t := p.peek(); t.kind == end || t.kind == operator && slices.Contains([]string{")", "]", "}", "="}, t.text) {
			break
		}
		items = append(items, p.item())
	}
	return Tuple{items}
}

// item parses an expression, which may be starred.
func (p *parser) item() Node {
	if p.take("*") {
		return Starred{p.expression()}
	}
	from := p.at
	n := p.expression()
	if p.take(":=") {
		p.expression()
		return p.other("NamedExpr", from)
	}
	return n
}

// expression parses lambdas, conditionals, and everything that binds tighter.
func (p *parser) expression() Node {
	nesting := p.nesting
	defer func() { p.nesting = nesting }()
	p.checkNesting()
	from := p.at
	if p.take("lambda") {
		for !p.nextIs(":") {
			if p.peek().kind == end {
				panic(p.unexpected())
			}
			p.at++
		}
		p.at++
		p.expression()
		return p.other("Lambda", from)
	}
	n := p.level(0)
	if !p.take("if") {
		return n
	}
	test := p.level(0)
	p.want("else")
	return If{test, n, p.expression()}
}

// The precedence levels of the binary operators, from the loosest to the tightest.
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

// levelOf returns the level of a binary operator, or -1 for another token.
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

// checkNesting counts nested and chained constructs of a source.
func (p *parser) checkNesting() {
	if p.nesting++; p.nesting > maxNesting {
		panic(p.failed(p.peek(), "expressions are nested too deep"))
	}
}

// level parses operands and the operators between them that bind at least as tightly as a given level.
func (p *parser) level(loosest int) Node {
	nesting := p.nesting
	defer func() { p.nesting = nesting }()
	left := p.operand(loosest)
	chained := -1 // the level of the operator that left ends with
	for {
		t := p.peek()
		level := levelOf(t)
		if level < loosest {
			return left
		}
		p.checkNesting()
		p.at++
		operator := t.text
		if level == levelCompare {
			operator = p.comparison(t)
		}
		left = combined(left, operator, level, p.level(level+1), chained)
		chained = level
	}
}

// comparison parses an operator of one or two words.
func (p *parser) comparison(t token) string {
	switch {
	case t.text == "not":
		p.want("in")
		return "not in"
	case t.text == "is" && p.take("not"):
		return "is not"
	}
	return t.text
}

// combined appends an operator and its right operand to left. Chains of comparisons, or of the same logical operator,
// form a single node.
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

// operand parses a factor, or an operand that is preceded by not.
func (p *parser) operand(loosest int) Node {
	if loosest > levelNot || !p.take("not") {
		return p.factor()
	}
	p.checkNesting()
	return Unary{"not", p.level(levelNot)}
}

func (p *parser) factor() Node {
	nesting := p.nesting
	defer func() { p.nesting = nesting }()
	p.checkNesting()
	if t := p.peek(); t.kind == operator && (t.text == "+" || t.text == "-" || t.text == "~") {
		p.at++
		return Unary{t.text, p.factor()}
	}
	base := p.primary()
	if !p.take("**") {
		return base
	}
	return Binary{"**", base, p.factor()}
}

func (p *parser) primary() Node {
	n := p.atom()
	for links := 0; ; links++ {
		if links > maxNesting {
			panic(p.failed(p.peek(), "too many attributes, calls and subscripts follow one another"))
		}
		switch {
		case p.take("."):
			t := p.peek()
			if t.kind != word || py.IsKeyword(t.text) {
				panic(p.unexpected())
			}
			p.at++
			n = Attribute{n, t.text}
		case p.take("("):
			n = p.call(n)
		case p.take("["):
			n = Subscript{n, p.index()}
		default:
			return n
		}
	}
}

// index parses the contents of the brackets of a subscript, including slices.
func (p *parser) index() Node {
	var items []Node
	comma := false
	for !p.take("]") {
		if len(items) > 0 && !comma {
			panic(p.unexpected())
		}
		items = append(items, p.slice())
		comma = p.take(",")
	}
	switch {
	case len(items) == 0:
		p.at--
		panic(p.unexpected())
	case len(items) == 1 && !comma:
		if _, star := items[0].(Starred); !star {
			return items[0]
		}
	}
	return Tuple{items}
}

// slice parses an expression, or up to three expressions separated by colons.
func (p *parser) slice() Node {
	var parts [3]Node
	at, colons := 0, 0
	for {
		switch {
		case p.nextIs("]") || p.nextIs(","):
			if colons == 0 {
				if parts[0] == nil {
					panic(p.unexpected())
				}
				return parts[0]
			}
			return Slice{parts[0], parts[1], parts[2]}
		case colons < 2 && p.take(":"):
			colons++
			at = colons
		case parts[at] != nil:
			panic(p.unexpected())
		default:
			parts[at] = p.item()
		}
	}
}

func (p *parser) atom() Node {
	t := p.peek()
	p.at++
	switch {
	case t.kind == literal:
		return p.constant(t)
	case t.kind == word && t.text == "True", t.kind == word && t.text == "False":
		return Constant{Value: t.text == "True"}
	case t.kind == word && t.text == "None":
		return Constant{}
	case t.kind == word && !py.IsKeyword(t.text):
		return Name{ID: t.text}
	case t.kind == operator && t.text == "...":
		return Constant{Value: py.Ellipsis{}}
	case t.kind == operator && t.text == "(":
		return p.parenthesised()
	case t.kind == operator && t.text == "[":
		return p.bracketed()
	case t.kind == operator && t.text == "{":
		return p.braced()
	}
	p.at--
	panic(p.unexpected())
}

// constant joins adjacent string or bytes literals.
func (p *parser) constant(t token) Node {
	out := Constant{t.value, t.unicode}
	if p.peek().kind != literal {
		return out
	}
	_, isBytes := t.value.(py.Bytes)
	joined := append([]byte(nil), content(t.value)...)
	for p.peek().kind == literal {
		more := p.peek()
		switch more.value.(type) {
		case string, py.Bytes:
		default:
			panic(p.unexpected())
		}
		if _, also := more.value.(py.Bytes); also != isBytes || !textual(t.value) {
			panic(p.unexpected())
		}
		joined = append(joined, content(more.value)...)
		p.at++
	}
	out.Value = string(joined)
	if isBytes {
		out.Value = py.Bytes(joined)
	}
	return out
}

func textual(v py.Value) bool {
	switch v.(type) {
	case string, py.Bytes:
		return true
	}
	return false
}

// content returns the bytes of a string or a bytes value.
func content(v py.Value) string {
	if b, ok := v.(py.Bytes); ok {
		return string(b)
	}
	text, _ := v.(string)
	return text
}

func (p *parser) parenthesised() Node {
	from := p.at - 1
	if p.take(")") {
		return Tuple{}
	}
	n := p.expressions()
	if p.nextIs("for") || p.nextIs("async") {
		return p.comprehension(")", "GeneratorExp", from)
	}
	switch inner := n.(type) {
	case Starred:
		panic(p.unexpected())
	case Name:
		n = Name{inner.ID, true}
	}
	p.want(")")
	return n
}

func (p *parser) bracketed() Node {
	from := p.at - 1
	out := List{}
	for comma := true; ; comma = p.take(",") {
		if p.take("]") {
			return out
		}
		if !comma {
			panic(p.unexpected())
		}
		n := p.item()
		if p.nextIs("for") || p.nextIs("async") {
			return p.comprehension("]", "ListComp", from)
		}
		out.Items = append(out.Items, n)
	}
}

// comprehension skips the rest of a comprehension.
func (p *parser) comprehension(closing, kind string, from int) Node {
	depth := 0
	for {
		t := p.peek()
		switch {
		case t.kind == end:
			panic(p.unexpected())
		case t.kind == operator && depth == 0 && t.text == closing:
			p.at++
			return p.other(kind, from)
		case t.kind == operator && (t.text == "(" || t.text == "[" || t.text == "{"):
			depth++
		case t.kind == operator && (t.text == ")" || t.text == "]" || t.text == "}"):
			depth--
		}
		p.at++
	}
}

func (p *parser) braced() Node {
	from := p.at - 1
	var d Dict
	var s Set
	for comma := true; ; comma = p.take(",") {
		if p.take("}") {
			if s.Items != nil {
				return s
			}
			return d
		}
		if !comma {
			panic(p.unexpected())
		}
		if p.take("**") {
			d.Keys, d.Values = append(d.Keys, nil), append(d.Values, p.expression())
			continue
		}
		key := p.item()
		if p.nextIs("for") {
			return p.comprehension("}", "SetComp", from)
		}
		if _, star := key.(Starred); star || !p.nextIs(":") {
			s.Items = append(s.Items, key)
		} else {
			p.at++
			value := p.expression()
			if p.nextIs("for") {
				return p.comprehension("}", "DictComp", from)
			}
			d.Keys, d.Values = append(d.Keys, key), append(d.Values, value)
		}
		if s.Items != nil && d.Keys != nil {
			panic(p.unexpected())
		}
	}
}

func (p *parser) call(function Node) Node {
	out := Call{Function: function}
	for comma := true; ; comma = p.take(",") {
		if p.take(")") {
			return out
		}
		if !comma {
			panic(p.unexpected())
		}
		p.argument(&out)
	}
}

func (p *parser) argument(c *Call) {
	t := p.peek()
	switch {
	case p.take("**"):
		c.Keywords = append(c.Keywords, Keyword{"", p.expression()})
		return
	case t.kind == word && p.tokens[p.at+1].kind == operator && p.tokens[p.at+1].text == "=":
		if py.IsKeyword(t.text) {
			panic(p.unexpected())
		}
		p.at += 2
		c.Keywords = append(c.Keywords, Keyword{t.text, p.expression()})
		return
	}
	from := p.at
	n := p.item()
	if p.nextIs("for") {
		n = p.comprehension(")", "GeneratorExp", from)
		p.at-- // the parenthesis is the call's
	}
	if _, star := n.(Starred); len(c.Keywords) > 0 && !star {
		panic(p.failed(t, "positional argument follows keyword argument"))
	}
	c.Args = append(c.Args, n)
}
