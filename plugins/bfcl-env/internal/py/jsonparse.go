package py

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
)

// ParseJSON implements json.loads: ints remain ints of any size and floats remain floats, object members remain in
// order, the last of two members with the same name counts, and NaN, Infinity, and lone surrogates are accepted. An
// error has the same wording as in Python.
func ParseJSON(text []byte) (v Value, err error) {
	defer Catch(&err)
	p := jsonParser{text: string(text)}
	p.space()
	v = p.value(0)
	if p.space(); p.at < len(p.text) {
		return nil, p.failed("Extra data", p.at)
	}
	return v, nil
}

type jsonParser struct {
	text string
	at   int
}

// failed returns an error with its position in code points.
func (p *jsonParser) failed(problem string, at int) error {
	before := p.text[:min(at, len(p.text))]
	position := Len(before) + max(0, at-len(p.text))
	line := strings.LastIndexByte(before, '\n') + 1
	column := position - Len(before[:line]) + 1
	return Raise("JSONDecodeError", "%s: line %d column %d (char %d)", problem, strings.Count(before, "\n")+1, column,
		position)
}

func (p *jsonParser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\n\r", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *jsonParser) sees(c byte) bool { return p.at < len(p.text) && p.text[p.at] == c }

// constants lists the values that are written as words.
var constants = []struct {
	text  string
	value Value
}{{"null", nil}, {"true", true}, {"false", false}, {"NaN", math.NaN()}, {"Infinity", math.Inf(1)},
	{"-Infinity", math.Inf(-1)}}

// maxNesting bounds the nesting depth of values.
const maxNesting = 200

func (p *jsonParser) value(nesting int) Value {
	if nesting > maxNesting {
		panic(Raise("RecursionError", "maximum recursion depth exceeded while decoding a JSON array from a unicode string"))
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
			return c.value
		}
	}
	return p.number()
}

func (p *jsonParser) number() Value {
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
		panic(p.failed("Expecting value", p.at))
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
		return f
	}
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	if err := digitsExceeded(text); err != nil {
		panic(err)
	}
	n, _ := new(big.Int).SetString(text, 10) // digits
	return normal(n)
}

func (p *jsonParser) array(nesting int) Value {
	p.at++
	out := &List{}
	if p.space(); p.sees(']') {
		p.at++
		return out
	}
	for {
		v := p.value(nesting + 1)
		out.Append(v)
		p.space()
		if p.sees(']') {
			p.at++
			return out
		}
		if !p.sees(',') {
			panic(p.failed("Expecting ',' delimiter", p.at))
		}
		p.at++
		p.space()
	}
}

func (p *jsonParser) object(nesting int) Value {
	p.at++
	out := NewDict()
	if p.space(); p.sees('}') {
		p.at++
		return out
	}
	for {
		if !p.sees('"') {
			panic(p.failed("Expecting property name enclosed in double quotes", p.at))
		}
		name := p.string()
		if p.space(); !p.sees(':') {
			panic(p.failed("Expecting ':' delimiter", p.at))
		}
		p.at++
		p.space()
		v := p.value(nesting + 1)
		out.Set(name, v)
		p.space()
		if p.sees('}') {
			p.at++
			return out
		}
		if !p.sees(',') {
			panic(p.failed("Expecting ',' delimiter", p.at))
		}
		p.at++
		p.space()
	}
}

func (p *jsonParser) string() Value {
	begin := p.at
	p.at++
	start := p.at
	for p.at < len(p.text) && p.text[p.at] != '"' && p.text[p.at] != '\\' && p.text[p.at] >= ' ' {
		p.at++
	}
	if p.sees('"') { // most texts have no escapes
		p.at++
		return p.text[start : p.at-1]
	}
	out := []byte(p.text[start:p.at])
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return string(out)
		case c < ' ':
			panic(p.failed("Invalid control character at", p.at))
		case c != '\\':
			out = append(out, c)
			p.at++
		default:
			r := p.escape(begin)
			out = appendRune(out, r)
		}
	}
	panic(p.failed("Unterminated string starting at", begin))
}

var jsonEscapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *jsonParser) escape(begin int) rune {
	if p.at+1 >= len(p.text) {
		panic(p.failed("Unterminated string starting at", begin))
	}
	c := p.text[p.at+1]
	if r, ok := jsonEscapes[c]; ok {
		p.at += 2
		return r
	}
	if c != 'u' {
		panic(p.failed("Invalid \\escape", p.at))
	}
	high := p.hex(p.at + 2)
	p.at += 6
	if utf16.IsSurrogate(high) && high < 0xDC00 && strings.HasPrefix(p.text[p.at:], `\u`) && p.at+6 < len(p.text) {
		low := p.hex(p.at + 2)
		if low >= 0xDC00 && low <= 0xDFFF {
			p.at += 6
			return utf16.DecodeRune(high, low)
		}
	}
	return high
}

// hex parses the four digits of a \u escape.
func (p *jsonParser) hex(at int) rune {
	if at+4 >= len(p.text) { // a quote must follow
		panic(p.failed("Invalid \\uXXXX escape", at-1))
	}
	n, err := strconv.ParseUint(p.text[at:at+4], 16, 16)
	if err != nil {
		panic(p.failed("Invalid \\uXXXX escape", at-1))
	}
	return rune(n)
}
