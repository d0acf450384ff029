package countdownreward

import (
	"errors"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/awhost/awhost/sdk/answertext"
)

// errPython represents every exception raised by Python's eval, and any violation of the bounds.
var errPython = errors.New("a Python exception or unbounded computation")

// The Python tokens that consist of the characters that the original accepts. A number that starts with 0 is either a
// float or all zeros.
var (
	pythonNumber = regexp.MustCompile(`^(?:\d+\.\d*|\.\d+|\d+)`)
	zeroPrefixed = regexp.MustCompile(`^0+[1-9]`)
)

// pythonEval implements Python's eval for a string that consists of digits, the operators + - * / // **, parentheses,
// decimal points, and whitespace. Calls, tuples, and the Ellipsis raise an exception in any expression of this kind, so
// they return errPython here.
//
//	sum    = term { ( "+" | "-" ) term }
//	term   = factor { ( "*" | "/" | "//" ) factor }
//	factor = ( "+" | "-" ) factor | power
//	power  = atom [ "**" factor ]
//	atom   = number | "(" sum ")"
func pythonEval(text string) (value, error) {
	line, err := logicalLine(text)
	if err != nil {
		return value{}, err
	}
	p := python{text: line}
	v, err := p.sum()
	if err != nil {
		return value{}, err
	}
	if p.skip(); p.at < len(p.text) {
		return value{}, errPython
	}
	return v, nil
}

// logicalLine returns the line that contains the expression. Blank lines may surround it, it may not be indented after
// a blank line, and it may continue across line ends only within parentheses.
func logicalLine(text string) (string, error) {
	if len(text) > answertext.MaxBytes {
		return "", errPython
	}
	text = strings.TrimLeft(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), " \t")
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || strings.Trim(line, " \t\f") != "" {
			break
		}
		text = rest
	}
	if isIndented(text) {
		return "", errPython
	}
	depth := 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '\n' && depth <= 0:
			if strings.Trim(text[i:], " \t\f\n") != "" {
				return "", errPython
			}
			return text[:i], nil
		}
	}
	return text, nil
}

// isIndented reports whether a line begins with spaces or tabs. A form feed resets the indentation.
func isIndented(line string) bool {
	indented := false
	for _, c := range line {
		switch c {
		case ' ', '\t':
			indented = true
		case '\f':
			indented = false
		default:
			return indented
		}
	}
	return indented
}

// python is a parser that evaluates the expression while reading it.
type python struct {
	text  string
	at    int
	depth int
}

// maxPythonDepth is the depth at which CPython's tokenizer rejects another parenthesis. Consecutive signs also count
// here.
const maxPythonDepth = 200

func (p *python) skip() {
	for p.at < len(p.text) && strings.IndexByte(" \t\f\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// operator consumes the next operator if it is one of the wanted ones. The next operator is always the longest possible
// one.
func (p *python) operator(wanted ...string) string {
	p.skip()
	rest := p.text[p.at:]
	for _, there := range []string{"**", "//", "*", "/", "+", "-", "(", ")"} {
		if !strings.HasPrefix(rest, there) {
			continue
		}
		for _, w := range wanted {
			if w == there {
				p.at += len(there)
				return there
			}
		}
		return ""
	}
	return ""
}

func (p *python) sum() (value, error) {
	left, err := p.term()
	for err == nil {
		var right value
		operator := p.operator("+", "-")
		if operator == "" {
			return left, nil
		}
		if right, err = p.term(); err != nil {
			break
		}
		if operator == "+" {
			left, err = left.plus(right)
		} else {
			left, err = left.minus(right)
		}
	}
	return value{}, err
}

func (p *python) term() (value, error) {
	left, err := p.factor()
	for err == nil {
		var right value
		operator := p.operator("*", "/", "//")
		if operator == "" {
			return left, nil
		}
		if right, err = p.factor(); err != nil {
			break
		}
		switch operator {
		case "*":
			left, err = left.times(right)
		case "/":
			left, err = left.over(right)
		default:
			left, err = left.floor(right)
		}
	}
	return value{}, err
}

func (p *python) factor() (value, error) {
	sign := p.operator("+", "-")
	if sign == "" {
		return p.power()
	}
	if p.depth++; p.depth > maxPythonDepth {
		return value{}, errPython
	}
	v, err := p.factor()
	p.depth--
	if sign == "-" && err == nil {
		v = v.negative()
	}
	return v, err
}

func (p *python) power() (value, error) {
	base, err := p.atom()
	if err != nil || p.operator("**") == "" {
		return base, err
	}
	if p.depth++; p.depth > maxPythonDepth {
		return value{}, errPython
	}
	exponent, err := p.factor()
	p.depth--
	if err != nil {
		return value{}, err
	}
	return base.power(exponent)
}

func (p *python) atom() (value, error) {
	if p.operator("(") == "" {
		return p.number()
	}
	if p.depth++; p.depth > maxPythonDepth {
		return value{}, errPython
	}
	v, err := p.sum()
	p.depth--
	if err == nil && p.operator(")") == "" {
		err = errPython
	}
	return v, err
}

func (p *python) number() (value, error) {
	p.skip()
	text := pythonNumber.FindString(p.text[p.at:])
	if text == "" {
		return value{}, errPython
	}
	p.at += len(text)
	if strings.Contains(text, ".") {
		float, _ := strconv.ParseFloat(text, 64) // overflows to infinity, as in Python
		return value{float: float}, nil
	}
	integer, ok := new(big.Int).SetString(text, 10)
	if !ok || len(text) >= maxDigitsOfInt || zeroPrefixed.MatchString(text) {
		return value{}, errPython
	}
	return value{integer: integer}, nil
}
