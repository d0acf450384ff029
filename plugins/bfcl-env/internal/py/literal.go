package py

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseLiteral reads a value that is written as Python source, as ast.literal_eval does: numbers with signs, texts,
// lists, tuples, dictionaries, True, False, None, Ellipsis, inf and nan. Nothing is ever executed.
func ParseLiteral(source string) (Value, error) {
	p := parser{source: source}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if p.skip(); p.at < len(p.source) {
		return nil, p.failed("there is more behind the value")
	}
	return v, nil
}

// Call is a call with literal arguments: cd(folder='documents').
type Call struct {
	Name  string // "cd", or dotted: "fs.cd"
	Args  []Value
	Names []string // of the keyword arguments, in order
	Named []Value  // their values
}

// ParseCall reads one call whose arguments are literals.
func ParseCall(source string) (*Call, error) {
	call := &Call{}
	return call, call.Parse(source)
}

// Parse is ParseCall into a call that may have been used before.
func (c *Call) Parse(source string) error {
	*c = Call{Args: c.Args[:0], Names: c.Names[:0], Named: c.Named[:0]}
	p := parser{source: source, inCall: true}
	if err := p.call(c); err != nil {
		return err
	}
	if p.skip(); p.at < len(p.source) {
		return p.failed("there is more behind the call")
	}
	return nil
}

// Assignment is a name at the top of a module with the literal that it is bound to.
type Assignment struct {
	Name  string
	Value Value
}

// ParseAssignments reads the constants of a module: lines NAME = literal at its left margin, which may go on over lines.
// Everything else in it is passed over.
func ParseAssignments(source string) ([]Assignment, error) {
	var out []Assignment
	p := parser{source: source}
	for p.at < len(p.source) {
		if name, ok := p.assigned(); ok {
			v, err := p.value(0)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			out = append(out, Assignment{name, v})
		}
		p.line()
	}
	return out, nil
}

// SyntaxError says where source is not what is read.
type SyntaxError struct {
	Line, Column int // from 1
	Problem      string
	at           int // in the source
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// Python is what eval says of the source, as far as it can be known without Python's own parser.
func (e *SyntaxError) Python(source string) string {
	switch {
	case strings.TrimSpace(source) == "":
		return "invalid syntax (<string>, line 0)"
	case strings.HasPrefix(e.Problem, "a text is not closed"):
		return fmt.Sprintf("unterminated string literal (detected at line %d) (<string>, line %d)", e.Line, e.Line)
	case strings.HasPrefix(e.Problem, limitExceeded):
		return fmt.Sprintf("%s - Consider hexadecimal for huge integer literals to avoid decimal conversion limits. (<string>, line %d)", e.Problem, e.Line)
	case strings.HasPrefix(e.Problem, "positional argument"):
		return fmt.Sprintf("%s (<string>, line %d)", e.Problem, e.Line)
	case strings.HasPrefix(e.Problem, "want , or") && e.at < len(strings.TrimRight(source, " \t\n")):
		return fmt.Sprintf("invalid syntax. Perhaps you forgot a comma? (<string>, line %d)", e.Line)
	case strings.HasPrefix(e.Problem, "want , or") && strings.HasSuffix(e.Problem, ")"), e.Problem == "a value is missing":
		return fmt.Sprintf("'(' was never closed (<string>, line %d)", e.Line)
	}
	return fmt.Sprintf("invalid syntax (<string>, line %d)", e.Line)
}

// maxNesting bounds how deep values may be nested.
const maxNesting = 200

type parser struct {
	source string
	at     int
	inCall bool // where inf and nan are names like others
}

func (p *parser) failed(format string, args ...any) error {
	return NewSyntaxError(p.source, p.at, fmt.Sprintf(format, args...))
}

// NewSyntaxError says what is wrong at a byte of a source.
func NewSyntaxError(source string, at int, problem string) *SyntaxError {
	before := source[:min(at, len(source))]
	line := strings.LastIndexByte(before, '\n') + 1
	return &SyntaxError{Line: strings.Count(before, "\n") + 1, Column: utf8.RuneCountInString(before[line:]) + 1, Problem: problem, at: at}
}

// skip passes over white space, ends of lines, comments and joined lines.
func (p *parser) skip() {
	for p.at < len(p.source) {
		switch c := p.source[p.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			p.at++
		case c == '\\' && strings.HasPrefix(p.source[p.at:], "\\\n"):
			p.at += 2
		case c == '#':
			for p.at < len(p.source) && p.source[p.at] != '\n' {
				p.at++
			}
		default:
			return
		}
	}
}

// line passes over the rest of a line.
func (p *parser) line() {
	if end := strings.IndexByte(p.source[p.at:], '\n'); end >= 0 {
		p.at += end + 1
		return
	}
	p.at = len(p.source)
}

// assigned reads NAME = at the start of a line.
func (p *parser) assigned() (string, bool) {
	start := p.at
	name := p.name()
	for p.at < len(p.source) && p.source[p.at] == ' ' {
		p.at++
	}
	if name != "" && p.take("=") && !p.sees("=") {
		return name, true
	}
	p.at = start
	return "", false
}

func (p *parser) sees(text string) bool { return strings.HasPrefix(p.source[p.at:], text) }

func (p *parser) take(text string) bool {
	if !p.sees(text) {
		return false
	}
	p.at += len(text)
	return true
}

// name reads an identifier.
func (p *parser) name() string {
	start := p.at
	for p.at < len(p.source) {
		if c := p.source[p.at]; c|0x20 >= 'a' && c|0x20 <= 'z' {
			p.at++
			continue
		}
		r, size := utf8.DecodeRuneInString(p.source[p.at:])
		if r != '_' && !unicode.IsLetter(r) && (p.at == start || !unicode.IsDigit(r)) {
			break
		}
		p.at += size
	}
	return p.source[start:p.at]
}

func (p *parser) value(nesting int) (Value, error) {
	if nesting > maxNesting {
		return nil, p.failed("values are nested more than %d deep", maxNesting)
	}
	p.skip()
	if p.at >= len(p.source) {
		return nil, p.failed("a value is missing")
	}
	switch c := p.source[p.at]; {
	case c == '[':
		items, _, err := p.items("]", nesting)
		return &List{Items: items}, err
	case c == '(':
		items, comma, err := p.items(")", nesting)
		if err == nil && len(items) == 1 && !comma {
			return items[0], nil
		}
		return Tuple(items), err
	case c == '{':
		return p.dict(nesting)
	case c == '-' || c == '+':
		return p.signed(nesting)
	case p.take("..."):
		return Ellipsis{}, nil
	case isDigit(c) || c == '.':
		return p.number()
	case c == '\'' || c == '"':
		return p.text()
	}
	return p.word()
}

// items reads values up to the closing bracket. comma tells whether one stood behind the last.
func (p *parser) items(closing string, nesting int) (items []Value, comma bool, err error) {
	p.at++
	for {
		p.skip()
		if p.take(closing) {
			return items, comma, nil
		}
		if len(items) > 0 && !comma {
			return nil, false, p.failed("want , or %s", closing)
		}
		item, err := p.value(nesting + 1)
		if err != nil {
			return nil, false, err
		}
		items = append(items, item)
		p.skip()
		comma = p.take(",")
	}
}

func (p *parser) dict(nesting int) (Value, error) {
	p.at++
	out, comma := NewDict(), true
	for {
		p.skip()
		if p.take("}") {
			return out, nil
		}
		if !comma {
			return nil, p.failed("want , or }")
		}
		key, err := p.value(nesting + 1)
		if err != nil {
			return nil, err
		}
		if err := Hashable(key); err != nil {
			return nil, err
		}
		if p.skip(); !p.take(":") {
			return nil, p.failed("want : behind the key of a dictionary")
		}
		v, err := p.value(nesting + 1)
		if err != nil {
			return nil, err
		}
		out.Set(key, v)
		p.skip()
		comma = p.take(",")
	}
}

func (p *parser) signed(nesting int) (Value, error) {
	sign := p.source[p.at]
	p.at++
	v, err := p.value(nesting + 1)
	if err != nil {
		return nil, err
	}
	if _, ok := numberOf(v); !ok {
		return nil, p.failed("a sign stands before no number")
	}
	if sign == '+' {
		return Pos(v)
	}
	return Neg(v)
}

func (p *parser) number() (Value, error) {
	start := p.at
	for p.at < len(p.source) {
		c := p.source[p.at]
		exponent := (c == '+' || c == '-') && (p.source[p.at-1] == 'e' || p.source[p.at-1] == 'E') && !strings.HasPrefix(p.source[start:], "0x")
		if !isDigit(c) && c != '.' && c != '_' && !exponent && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		p.at++
	}
	text := p.source[start:p.at]
	if digits, imaginary := strings.CutSuffix(strings.ToLower(text), "j"); imaginary && !strings.HasPrefix(digits, "0x") {
		return p.imaginary(digits)
	}
	if strings.IndexByte(text, '.') < 0 {
		if err := digitsExceeded(text); err != nil {
			return nil, p.failed("%s", err.Text)
		}
		if whole, ok := wholeNumber(text); ok {
			return whole, nil
		}
	}
	digits, ok := withoutUnderscores(text)
	f, err := strconv.ParseFloat(digits, 64)
	if !ok || !strings.ContainsAny(digits, ".eE") || strings.ContainsAny(digits, "xXpPiIfF") || err != nil && !math.IsInf(f, 0) {
		return nil, p.failed("%q is no number", text)
	}
	return f, nil
}

// imaginary reads the digits of an imaginary number, which may begin with zeros.
func (p *parser) imaginary(text string) (Value, error) {
	digits, ok := withoutUnderscores(text)
	f, err := strconv.ParseFloat(digits, 64)
	if !ok || strings.ContainsAny(digits, "xpinf") || err != nil && !math.IsInf(f, 0) {
		return nil, p.failed("%q is no number", text+"j")
	}
	return Complex{Imag: f}, nil
}

// smallNumber reads what most numbers are: a few decimal digits.
func smallNumber(text string) (int, bool) {
	if len(text) > 18 || len(text) > 1 && text[0] == '0' {
		return 0, false
	}
	n := 0
	for i := range len(text) {
		if !isDigit(text[i]) {
			return 0, false
		}
		n = 10*n + int(text[i]-'0')
	}
	return n, text != ""
}

// wholeNumber reads an int in base 10, 16, 8 or 2. Zeros before the digits are no number in Python.
func wholeNumber(text string) (Value, bool) {
	if n, ok := smallNumber(text); ok {
		return n, true
	}
	digits := strings.ToLower(text)
	if len(digits) > 1 && digits[0] == '0' && isDigit(digits[1]) && strings.Trim(digits, "0_") != "" {
		return nil, false
	}
	base := 0
	if strings.Trim(digits, "0_") == "" {
		base = 10
	}
	whole, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return nil, false
	}
	return normal(whole), true
}

// words are the names of values.
func (p *parser) word() (Value, error) {
	start := p.at
	name := p.name()
	switch name {
	case "True":
		return true, nil
	case "False":
		return false, nil
	case "None":
		return nil, nil
	case "Ellipsis":
		return Ellipsis{}, nil
	}
	switch {
	case name == "inf" && !p.inCall:
		return math.Inf(1), nil
	case name == "nan" && !p.inCall:
		return math.NaN(), nil
	}
	if p.at < len(p.source) && (p.source[p.at] == '\'' || p.source[p.at] == '"') {
		switch strings.ToLower(name) {
		case "r", "u":
			p.at = start
			return p.text()
		case "b", "br", "rb":
			return p.bytes(strings.ContainsAny(name, "rR"))
		}
	}
	if name == "" {
		return nil, p.failed("%q begins no value", firstRune(p.source[p.at:]))
	}
	return nil, p.failed("%s is no literal", name)
}

func firstRune(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}

func (p *parser) call(call *Call) error {
	p.skip()
	start := p.at
	for p.name() != "" && p.take(".") {
	}
	call.Name = p.source[start:p.at]
	for part := range strings.SplitSeq(call.Name, ".") {
		if part == "" || IsKeyword(part) {
			return p.failed("the name of a function is missing")
		}
	}
	behind := p.at
	p.skip()
	lineEnds := strings.ContainsAny(strings.ReplaceAll(p.source[behind:p.at], "\\\n", ""), "\n\r")
	if lineEnds || !p.take("(") {
		return p.failed("want ( behind %s", call.Name)
	}
	for comma := true; ; {
		p.skip()
		if p.take(")") {
			return nil
		}
		if !comma {
			return p.failed("want , or )")
		}
		if err := p.argument(call); err != nil {
			return err
		}
		p.skip()
		comma = p.take(",")
	}
}

func (p *parser) argument(call *Call) error {
	if p.sees("*") {
		return p.unpacked(call)
	}
	start := p.at
	name := p.name()
	p.skip()
	named := name != "" && p.take("=") && !p.sees("=")
	if !named {
		p.at = start
	}
	v, err := p.value(0)
	switch {
	case err != nil:
		return err
	case named && (IsKeyword(name) || slices.Contains(call.Names, name)):
		p.at = start
		return p.failed("keyword argument repeated: %s", name)
	case named:
		call.Names, call.Named = append(call.Names, name), append(call.Named, v)
	case len(call.Names) > 0:
		return p.failed("positional argument follows keyword argument")
	default:
		call.Args = append(call.Args, v)
	}
	return nil
}

// unpacked reads *list and **dict.
func (p *parser) unpacked(call *Call) error {
	stars := "*"
	if p.sees("**") {
		stars = "**"
	}
	p.at += len(stars)
	v, err := p.value(0)
	if err != nil {
		return err
	}
	if stars == "*" {
		items, err := Iterate(v)
		if err != nil {
			return TypeError("%s() argument after * must be an iterable, not %s", call.Name, TypeName(v))
		}
		call.Args = append(call.Args, items...)
		return nil
	}
	d, ok := v.(*Dict)
	if !ok {
		return TypeError("%s() argument after ** must be a mapping, not %s", call.Name, TypeName(v))
	}
	for i, key := range d.keys {
		name, ok := key.(string)
		if !ok {
			return TypeError("keywords must be strings")
		}
		call.Names, call.Named = append(call.Names, name), append(call.Named, d.Values()[i])
	}
	return nil
}
