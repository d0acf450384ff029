package py

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Call is a call with its arguments' values: cd(folder='documents').
type Call struct {
	Name  string // "cd", or dotted: "fs.cd"
	Args  []Value
	Names []string // of the keyword arguments, in order
	Named []Value  // their values
	// Computed reports that an argument is the result of arithmetic or of another call. It may be larger than its source.
	Computed bool
}

// SyntaxError reports the position of an error in the source.
type SyntaxError struct {
	Line, Column int // from 1
	Problem      string
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
	case e.Problem == "a value is missing":
		return fmt.Sprintf("'(' was never closed (<string>, line %d)", e.Line)
	}
	return fmt.Sprintf("invalid syntax (<string>, line %d)", e.Line)
}

// NewSyntaxError returns an error at a given byte of a source.
func NewSyntaxError(source string, at int, problem string) *SyntaxError {
	before := source[:min(at, len(source))]
	line := strings.LastIndexByte(before, '\n') + 1
	return &SyntaxError{Line: strings.Count(before, "\n") + 1, Column: utf8.RuneCountInString(before[line:]) + 1,
		Problem: problem}
}

// ParseToken parses a number, a string, or bytes: one token of Python source, without its sign.
func ParseToken(source string) (v Value, err error) {
	defer Catch(&err)
	p := parser{source: source}
	quote := strings.IndexAny(source, `'"`)
	switch {
	case quote < 0:
		return p.number(), nil
	case strings.ContainsAny(source[:quote], "bB"):
		return p.bytes(quote)
	}
	return p.text(quote)
}

// parser parses one token.
type parser struct {
	source string
	at     int
}

func (p *parser) failed(format string, args ...any) error {
	return NewSyntaxError(p.source, p.at, fmt.Sprintf(format, args...))
}

func (p *parser) nextIs(text string) bool { return strings.HasPrefix(p.source[p.at:], text) }

func (p *parser) take(text string) bool {
	if !p.nextIs(text) {
		return false
	}
	p.at += len(text)
	return true
}

func (p *parser) number() Value {
	text := p.source
	p.at = len(text) // of an error
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
