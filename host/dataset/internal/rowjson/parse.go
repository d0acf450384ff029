// Package rowjson reads and writes the JSON of rows: objects whose numbers keep their digits and whose names occur once.
//
// It exists because encoding/json takes most of the time of opening a dataset. It means nothing that encoding/json does
// not: a fuzz test holds both to the same values and the same bytes. It knows neither files nor tasks.
//
//	row, ok := rowjson.Parse(`{"prompt": "1+1=", "level": 2}`) // {"prompt": "1+1=", "level": json.Number("2")}
//	text := rowjson.Append(nil, row)                           // {"level":2,"prompt":"1+1="}
package rowjson

import (
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deep values may be nested here; encoding/json has a limit of its own, far above.
const maxDepth = 200

// Parse reads one JSON value: string, json.Number, bool, nil, []any or map[string]any. It reports false for everything
// unusual: what is no JSON, a name that occurs twice in an object, very deep nesting, bytes that are not UTF-8. The
// caller then finds out what it is in its own, slower way. Strings are parts of text and keep all of it in memory.
func Parse(text string) (any, bool) {
	p := parser{text: text}
	value, ok := p.value(0)
	p.space()
	return value, ok && p.at == len(text)
}

type parser struct {
	text string
	at   int
}

// next is the byte to read, 0 at the end.
func (p *parser) next() byte {
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

// skip reads one byte behind white space if it is b.
func (p *parser) skip(b byte) bool {
	p.space()
	if p.next() != b {
		return false
	}
	p.at++
	return true
}

func (p *parser) value(depth int) (any, bool) {
	p.space()
	switch b := p.next(); {
	case b == '"':
		return p.string()
	case b == '{' && depth < maxDepth:
		return p.object(depth)
	case b == '[' && depth < maxDepth:
		return p.list(depth)
	case b == 't':
		return true, p.literal("true")
	case b == 'f':
		return false, p.literal("false")
	case b == 'n':
		return nil, p.literal("null")
	case b == '-' || '0' <= b && b <= '9':
		return p.number()
	}
	return nil, false
}

func (p *parser) literal(word string) bool {
	if !strings.HasPrefix(p.text[p.at:], word) {
		return false
	}
	p.at += len(word)
	return true
}

func (p *parser) object(depth int) (any, bool) {
	p.at++
	object := map[string]any{}
	if p.skip('}') {
		return object, true
	}
	for {
		p.space()
		if p.next() != '"' {
			return nil, false
		}
		name, ok := p.string()
		if !ok || !p.skip(':') {
			return nil, false
		}
		value, ok := p.value(depth + 1)
		if !ok {
			return nil, false
		}
		members := len(object)
		object[name] = value
		if len(object) == members {
			return nil, false // the name was there already
		}
		if p.skip('}') {
			return object, true
		}
		if !p.skip(',') {
			return nil, false
		}
	}
}

func (p *parser) list(depth int) (any, bool) {
	p.at++
	list := []any{}
	if p.skip(']') {
		return list, true
	}
	for {
		value, ok := p.value(depth + 1)
		if !ok {
			return nil, false
		}
		list = append(list, value)
		if p.skip(']') {
			return list, true
		}
		if !p.skip(',') {
			return nil, false
		}
	}
}

// number follows the grammar of JSON: no leading zeros, no bare dots.
func (p *parser) number() (any, bool) {
	start := p.at
	if p.next() == '-' {
		p.at++
	}
	if p.next() == '0' {
		p.at++
	} else if !p.digits() {
		return nil, false
	}
	if p.next() == '.' {
		p.at++
		if !p.digits() {
			return nil, false
		}
	}
	if b := p.next(); b == 'e' || b == 'E' {
		p.at++
		if b := p.next(); b == '+' || b == '-' {
			p.at++
		}
		if !p.digits() {
			return nil, false
		}
	}
	return json.Number(p.text[start:p.at]), true
}

func (p *parser) digits() bool {
	start := p.at
	for b := p.next(); '0' <= b && b <= '9'; b = p.next() {
		p.at++
	}
	return p.at > start
}

// string reads a string without copying it, as long as nothing is escaped.
func (p *parser) string() (string, bool) {
	p.at++
	start := p.at
	for ; p.at < len(p.text); p.at++ {
		switch b := p.text[p.at]; {
		case b == '"':
			whole := p.text[start:p.at]
			p.at++
			return whole, utf8.ValidString(whole)
		case b == '\\':
			return p.escaped(start)
		case b < ' ':
			return "", false
		}
	}
	return "", false
}

// escaped goes on with a string at its first backslash.
func (p *parser) escaped(start int) (string, bool) {
	out := []byte(p.text[start:p.at])
	for p.at < len(p.text) {
		b := p.text[p.at]
		p.at++
		switch {
		case b == '"':
			return string(out), utf8.Valid(out)
		case b < ' ':
			return "", false
		case b != '\\':
			out = append(out, b)
			continue
		}
		r, ok := p.escape()
		if !ok {
			return "", false
		}
		out = utf8.AppendRune(out, r)
	}
	return "", false
}

// escape reads what follows a backslash.
func (p *parser) escape() (rune, bool) {
	b := p.next()
	p.at++
	switch b {
	case '"', '\\', '/':
		return rune(b), true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'u':
		return p.unicode()
	}
	return 0, false
}

// unicode reads four hexadecimal digits, and the second half of a surrogate pair behind them. Half a pair becomes U+FFFD.
func (p *parser) unicode() (rune, bool) {
	r, ok := p.hex(p.at)
	if !ok {
		return 0, false
	}
	p.at += 4
	if !utf16.IsSurrogate(r) {
		return r, true
	}
	if strings.HasPrefix(p.text[p.at:], `\u`) {
		low, ok := p.hex(p.at + 2)
		if !ok {
			return 0, false
		}
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			p.at += 6
			return pair, true
		}
	}
	return utf8.RuneError, true
}

func (p *parser) hex(at int) (rune, bool) {
	if at+4 > len(p.text) {
		return 0, false
	}
	var r rune
	for _, b := range []byte(p.text[at : at+4]) {
		switch {
		case '0' <= b && b <= '9':
			b -= '0'
		case 'a' <= b && b <= 'f':
			b -= 'a' - 10
		case 'A' <= b && b <= 'F':
			b -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(b)
	}
	return r, true
}
