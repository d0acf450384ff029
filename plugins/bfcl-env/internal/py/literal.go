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

// ParseLiteral parses a value that is written as Python source, as ast.literal_eval does: numbers with signs, strings,
// lists, tuples, dictionaries, True, False, None, Ellipsis, inf, and nan. Nothing is ever executed.
func ParseLiteral(source string) (v Value, err error) {
	defer Catch(&err)
	p := parser{source: source}
	v = p.value(0)
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

// ParseCall parses one call with literal arguments.
func ParseCall(source string) (*Call, error) {
	call := &Call{}
	return call, call.Parse(source)
}

// Parse does the same as ParseCall, but stores the result in a call that may have been used before.
func (c *Call) Parse(source string) (err error) {
	defer Catch(&err)
	*c = Call{Args: c.Args[:0], Names: c.Names[:0], Named: c.Named[:0]}
	p := parser{source: source, inCall: true}
	p.call(c)
	if p.skip(); p.at < len(p.source) {
		return p.failed("there is more behind the call")
	}
	return nil
}

// Assignment is a top-level name in a module with its literal value.
type Assignment struct {
	Name  string
	Value Value
}

// ParseAssignments parses a module's constants: unindented lines of the form NAME = literal, where the literal may span
// several lines. Everything else is skipped.
func ParseAssignments(source string) ([]Assignment, error) {
	var out []Assignment
	p := parser{source: source}
	for p.at < len(p.source) {
		if name, ok := p.assigned(); ok {
			v, err := p.first()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			out = append(out, Assignment{name, v})
		}
		p.line()
	}
	return out, nil
}

// SyntaxError reports the position of an error in the source.
type SyntaxError struct {
	Line, Column int // from 1
	Problem      string
	at           int // in the source
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// Python returns eval's error message for the source, to the extent that it can be determined without Python's own
// parser.
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

// maxNesting bounds the nesting depth of values.
const maxNesting = 200

type parser struct {
	source string
	at     int
	inCall bool // inf and nan are ordinary names
}

// first parses the next value.
func (p *parser) first() (v Value, err error) {
	defer Catch(&err)
	return p.value(0), nil
}

func (p *parser) failed(format string, args ...any) error {
	return NewSyntaxError(p.source, p.at, fmt.Sprintf(format, args...))
}

// NewSyntaxError returns an error at a given byte of a source.
func NewSyntaxError(source string, at int, problem string) *SyntaxError {
	before := source[:min(at, len(source))]
	line := strings.LastIndexByte(before, '\n') + 1
	return &SyntaxError{Line: strings.Count(before, "\n") + 1, Column: utf8.RuneCountInString(before[line:]) + 1,
		Problem: problem, at: at}
}

// skip skips whitespace, line ends, comments, and joined lines.
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

// line skips the rest of a line.
func (p *parser) line() {
	if end := strings.IndexByte(p.source[p.at:], '\n'); end >= 0 {
		p.at += end + 1
		return
	}
	p.at = len(p.source)
}

// assigned parses NAME = at the start of a line.
func (p *parser) assigned() (string, bool) {
	start := p.at
	name := p.name()
	for p.at < len(p.source) && p.source[p.at] == ' ' {
		p.at++
	}
	if name != "" && p.take("=") && !p.nextIs("=") {
		return name, true
	}
	p.at = start
	return "", false
}

func (p *parser) nextIs(text string) bool { return strings.HasPrefix(p.source[p.at:], text) }

func (p *parser) take(text string) bool {
	if !p.nextIs(text) {
		return false
	}
	p.at += len(text)
	return true
}

// name parses an identifier.
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

func (p *parser) value(nesting int) Value {
	if nesting > maxNesting {
		panic(p.failed("values are nested more than %d deep", maxNesting))
	}
	p.skip()
	if p.at >= len(p.source) {
		panic(p.failed("a value is missing"))
	}
	switch c := p.source[p.at]; {
	case c == '[':
		items, _ := p.items("]", nesting)
		return &List{Items: items}
	case c == '(':
		items, comma := p.items(")", nesting)
		if len(items) == 1 && !comma {
			return items[0]
		}
		return Tuple(items)
	case c == '{':
		return p.dict(nesting)
	case c == '-' || c == '+':
		return p.signed(nesting)
	case p.take("..."):
		return Ellipsis{}
	case isDigit(c) || c == '.':
		return p.number()
	case c == '\'' || c == '"':
		return Must(p.text())
	}
	return p.word()
}

// items parses values up to the closing bracket. comma reports whether the last value was followed by a comma.
func (p *parser) items(closing string, nesting int) (items []Value, comma bool) {
	p.at++
	for {
		p.skip()
		if p.take(closing) {
			return items, comma
		}
		if len(items) > 0 && !comma {
			panic(p.failed("want , or %s", closing))
		}
		items = append(items, p.value(nesting+1))
		p.skip()
		comma = p.take(",")
	}
}

func (p *parser) dict(nesting int) Value {
	p.at++
	out, comma := NewDict(), true
	for {
		p.skip()
		if p.take("}") {
			return out
		}
		if !comma {
			panic(p.failed("want , or }"))
		}
		key := p.value(nesting + 1)
		Check(Hashable(key))
		if p.skip(); !p.take(":") {
			panic(p.failed("want : behind the key of a dictionary"))
		}
		v := p.value(nesting + 1)
		out.Set(key, v)
		p.skip()
		comma = p.take(",")
	}
}

func (p *parser) signed(nesting int) Value {
	sign := p.source[p.at]
	p.at++
	v := p.value(nesting + 1)
	if _, ok := numberOf(v); !ok {
		panic(p.failed("a sign stands before no number"))
	}
	if sign == '+' {
		return Must(Pos(v))
	}
	return Must(Neg(v))
}

func (p *parser) number() Value {
	start := p.at
	for p.at < len(p.source) {
		c := p.source[p.at]
		exponent := (c == '+' || c == '-') && (p.source[p.at-1] == 'e' || p.source[p.at-1] == 'E') &&
			!strings.HasPrefix(p.source[start:], "0x")
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
			panic(p.failed("%s", err.Text))
		}
		if whole, ok := wholeNumber(text); ok {
			return whole
		}
	}
	digits, ok := withoutUnderscores(text)
	f, err := strconv.ParseFloat(digits, 64)
	if !ok || !strings.ContainsAny(digits, ".eE") || strings.ContainsAny(digits, "xXpPiIfF") || err != nil &&
		!math.IsInf(f, 0) {
		panic(p.failed("%q is no number", text))
	}
	return f
}

// imaginary reads the digits of an imaginary number, which may begin with zeros.
func (p *parser) imaginary(text string) Value {
	digits, ok := withoutUnderscores(text)
	f, err := strconv.ParseFloat(digits, 64)
	if !ok || strings.ContainsAny(digits, "xpinf") || err != nil && !math.IsInf(f, 0) {
		panic(p.failed("%q is no number", text+"j"))
	}
	return Complex{Imag: f}
}

// smallNumber parses a few decimal digits, which is the form of most numbers.
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

// wholeNumber parses an int in base 10, 16, 8, or 2. Leading zeros are invalid in Python.
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

// words maps names to the values that they represent.
func (p *parser) word() Value {
	start := p.at
	name := p.name()
	switch name {
	case "True":
		return true
	case "False":
		return false
	case "None":
		return nil
	case "Ellipsis":
		return Ellipsis{}
	}
	switch {
	case name == "inf" && !p.inCall:
		return math.Inf(1)
	case name == "nan" && !p.inCall:
		return math.NaN()
	}
	if p.at < len(p.source) && (p.source[p.at] == '\'' || p.source[p.at] == '"') {
		switch strings.ToLower(name) {
		case "r", "u":
			p.at = start
			return Must(p.text())
		case "b", "br", "rb":
			return Must(p.bytes(strings.ContainsAny(name, "rR")))
		}
	}
	if name == "" {
		panic(p.failed("%q begins no value", firstRune(p.source[p.at:])))
	}
	panic(p.failed("%s is no literal", name))
}

func firstRune(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}

func (p *parser) call(call *Call) {
	p.skip()
	start := p.at
	for p.name() != "" && p.take(".") {
	}
	call.Name = p.source[start:p.at]
	for part := range strings.SplitSeq(call.Name, ".") {
		if part == "" || IsKeyword(part) {
			panic(p.failed("the name of a function is missing"))
		}
	}
	behind := p.at
	p.skip()
	lineEnds := strings.ContainsAny(strings.ReplaceAll(p.source[behind:p.at], "\\\n", ""), "\n\r")
	if lineEnds || !p.take("(") {
		panic(p.failed("want ( behind %s", call.Name))
	}
	for comma := true; ; {
		p.skip()
		if p.take(")") {
			return
		}
		if !comma {
			panic(p.failed("want , or )"))
		}
		p.argument(call)
		p.skip()
		comma = p.take(",")
	}
}

func (p *parser) argument(call *Call) {
	if p.nextIs("*") {
		p.unpacked(call)
		return
	}
	start := p.at
	name := p.name()
	p.skip()
	named := name != "" && p.take("=") && !p.nextIs("=")
	if !named {
		p.at = start
	}
	v := p.value(0)
	switch {
	case named && (IsKeyword(name) || slices.Contains(call.Names, name)):
		p.at = start
		panic(p.failed("keyword argument repeated: %s", name))
	case named:
		call.Names, call.Named = append(call.Names, name), append(call.Named, v)
	case len(call.Names) > 0:
		panic(p.failed("positional argument follows keyword argument"))
	default:
		call.Args = append(call.Args, v)
	}
}

// unpacked parses *list and **dict.
func (p *parser) unpacked(call *Call) {
	stars := "*"
	if p.nextIs("**") {
		stars = "**"
	}
	p.at += len(stars)
	v := p.value(0)
	if stars == "*" {
		items, err := Iterate(v)
		if err != nil {
			panic(TypeError("%s() argument after * must be an iterable, not %s", call.Name, TypeName(v)))
		}
		call.Args = append(call.Args, items...)
		return
	}
	d, ok := v.(*Dict)
	if !ok {
		panic(TypeError("%s() argument after ** must be a mapping, not %s", call.Name, TypeName(v)))
	}
	for i, key := range d.keys {
		name, ok := key.(string)
		if !ok {
			panic(TypeError("keywords must be strings"))
		}
		call.Names, call.Named = append(call.Names, name), append(call.Named, d.Values()[i])
	}
}
