package py

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
)

// ParseJSON is json.loads: ints stay ints of any size and floats floats, members of objects stay in order, of two with one
// name the last counts, and NaN, Infinity and lone surrogates are read. An error is what Python says, word for word.
func ParseJSON(text []byte) (Value, error) {
	p := jsonParser{text: string(text)}
	p.space()
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if p.space(); p.at < len(p.text) {
		return nil, p.failed("Extra data", p.at)
	}
	return v, nil
}

type jsonParser struct {
	text string
	at   int
}

// failed names a place in code points.
func (p *jsonParser) failed(problem string, at int) error {
	before := p.text[:min(at, len(p.text))]
	position := Len(before) + max(0, at-len(p.text))
	line := strings.LastIndexByte(before, '\n') + 1
	column := position - Len(before[:line]) + 1
	return Raise("JSONDecodeError", "%s: line %d column %d (char %d)", problem, strings.Count(before, "\n")+1, column, position)
}

func (p *jsonParser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\n\r", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *jsonParser) sees(c byte) bool { return p.at < len(p.text) && p.text[p.at] == c }

// constants are what is written in letters.
var constants = []struct {
	text  string
	value Value
}{{"null", nil}, {"true", true}, {"false", false}, {"NaN", math.NaN()}, {"Infinity", math.Inf(1)}, {"-Infinity", math.Inf(-1)}}

func (p *jsonParser) value(nesting int) (Value, error) {
	if nesting > maxNesting {
		return nil, Raise("RecursionError", "maximum recursion depth exceeded while decoding a JSON array from a unicode string")
	}
	switch {
	case p.sees('"'):
		return p.string()
	case p.sees('{'):
		return p.object(nesting)
	case p.sees('['):
		return p.array(nesting)
	}
	for _, c := range constants {
		if strings.HasPrefix(p.text[p.at:], c.text) {
			p.at += len(c.text)
			return c.value, nil
		}
	}
	return p.number()
}

func (p *jsonParser) number() (Value, error) {
	end := p.at
	digits := func() bool {
		start := end
		for end < len(p.text) && isDigit(p.text[end]) {
			end++
		}
		return end > start
	}
	is := func(chars string) bool { return end < len(p.text) && strings.IndexByte(chars, p.text[end]) >= 0 }
	if is("-") {
		end++
	}
	switch {
	case is("0"):
		end++
	case !digits():
		return nil, p.failed("Expecting value", p.at)
	}
	whole := true
	if is(".") {
		mark := end
		end++
		if digits() {
			whole = false
		} else {
			end = mark
		}
	}
	if is("eE") {
		mark := end
		end++
		if is("+-") {
			end++
		}
		if digits() {
			whole = false
		} else {
			end = mark
		}
	}
	text := p.text[p.at:end]
	p.at = end
	if !whole {
		f, _ := strconv.ParseFloat(text, 64) // out of range is infinite, as in Python
		return f, nil
	}
	if n, err := strconv.Atoi(text); err == nil {
		return n, nil
	}
	if err := digitsExceeded(text); err != nil {
		return nil, err
	}
	n, _ := new(big.Int).SetString(text, 10) // digits
	return normal(n), nil
}

func (p *jsonParser) array(nesting int) (Value, error) {
	p.at++
	out := &List{}
	if p.space(); p.sees(']') {
		p.at++
		return out, nil
	}
	for {
		v, err := p.value(nesting + 1)
		if err != nil {
			return nil, err
		}
		out.Append(v)
		p.space()
		if p.sees(']') {
			p.at++
			return out, nil
		}
		if !p.sees(',') {
			return nil, p.failed("Expecting ',' delimiter", p.at)
		}
		p.at++
		p.space()
	}
}

func (p *jsonParser) object(nesting int) (Value, error) {
	p.at++
	out := NewDict()
	if p.space(); p.sees('}') {
		p.at++
		return out, nil
	}
	for {
		if !p.sees('"') {
			return nil, p.failed("Expecting property name enclosed in double quotes", p.at)
		}
		name, err := p.string()
		if err != nil {
			return nil, err
		}
		if p.space(); !p.sees(':') {
			return nil, p.failed("Expecting ':' delimiter", p.at)
		}
		p.at++
		p.space()
		v, err := p.value(nesting + 1)
		if err != nil {
			return nil, err
		}
		out.Set(name, v)
		p.space()
		if p.sees('}') {
			p.at++
			return out, nil
		}
		if !p.sees(',') {
			return nil, p.failed("Expecting ',' delimiter", p.at)
		}
		p.at++
		p.space()
	}
}

func (p *jsonParser) string() (Value, error) {
	begin := p.at
	p.at++
	start := p.at
	for p.at < len(p.text) && p.text[p.at] != '"' && p.text[p.at] != '\\' && p.text[p.at] >= ' ' {
		p.at++
	}
	if p.sees('"') { // most texts have nothing special
		p.at++
		return p.text[start : p.at-1], nil
	}
	out := []byte(p.text[start:p.at])
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return string(out), nil
		case c < ' ':
			return nil, p.failed("Invalid control character at", p.at)
		case c != '\\':
			out = append(out, c)
			p.at++
		default:
			r, err := p.escape(begin)
			if err != nil {
				return nil, err
			}
			out = appendRune(out, r)
		}
	}
	return nil, p.failed("Unterminated string starting at", begin)
}

var jsonEscapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *jsonParser) escape(begin int) (rune, error) {
	if p.at+1 >= len(p.text) {
		return 0, p.failed("Unterminated string starting at", begin)
	}
	c := p.text[p.at+1]
	if r, ok := jsonEscapes[c]; ok {
		p.at += 2
		return r, nil
	}
	if c != 'u' {
		return 0, p.failed("Invalid \\escape", p.at)
	}
	high, err := p.hex(p.at + 2)
	if err != nil {
		return 0, err
	}
	p.at += 6
	if utf16.IsSurrogate(high) && high < 0xDC00 && strings.HasPrefix(p.text[p.at:], `\u`) && p.at+6 < len(p.text) {
		low, err := p.hex(p.at + 2)
		if err != nil {
			return 0, err
		}
		if low >= 0xDC00 && low <= 0xDFFF {
			p.at += 6
			return utf16.DecodeRune(high, low), nil
		}
	}
	return high, nil
}

// hex reads the four digits of a \u.
func (p *jsonParser) hex(at int) (rune, error) {
	if at+4 >= len(p.text) { // a quote must follow
		return 0, p.failed("Invalid \\uXXXX escape", at-1)
	}
	n, err := strconv.ParseUint(p.text[at:at+4], 16, 16)
	if err != nil {
		return 0, p.failed("Invalid \\uXXXX escape", at-1)
	}
	return rune(n), nil
}
