package py

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// text parses a string whose quotation mark is at a given position.
func (p *parser) text(quote int) (Value, error) {
	inner := p.source[quote+1:]
	isPlain := quote == 0 && len(inner) > 1 && strings.IndexByte(inner, p.source[0]) == len(inner)-1
	if isPlain && !strings.ContainsAny(inner, "\\\n") { // no prefix and no escapes, as in most strings
		return inner[:len(inner)-1], nil
	}
	p.at = quote
	out, err := p.oneText(nil, strings.ContainsAny(p.source[:quote], "rR"))
	return string(out), err
}

func (p *parser) oneText(out []byte, raw bool) ([]byte, error) {
	quote := p.source[p.at : p.at+1]
	if p.nextIs(strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	p.at += len(quote)
	for p.at < len(p.source) {
		switch c := p.source[p.at]; {
		case p.take(quote):
			return out, nil
		case c == '\n' && len(quote) == 1:
			return nil, p.failed("a text is not closed on its line")
		case c == '\\' && raw && p.at+1 < len(p.source):
			out = append(out, p.source[p.at:p.at+2]...)
			p.at += 2
		case c == '\\':
			var err error
			if out, err = p.escape(out); err != nil {
				return nil, err
			}
		default:
			out = append(out, c)
			p.at++
		}
	}
	return nil, p.failed("a text is not closed")
}

// bytes parses bytes whose quotation mark is at a given position. Escapes that specify characters by number or name
// have no meaning in bytes.
func (p *parser) bytes(quote int) (Value, error) {
	p.at = quote
	text, err := p.oneText(nil, true)
	if err != nil {
		return nil, err
	}
	for _, c := range text {
		if c >= utf8.RuneSelf {
			p.at = quote
			return nil, p.failed("bytes can only contain ASCII literal characters")
		}
	}
	if strings.ContainsAny(p.source[:quote], "rR") {
		return Bytes(text), nil
	}
	var out []byte
	inner := parser{source: string(text)}
	for inner.at < len(inner.source) {
		c := inner.source[inner.at]
		escaped := c == '\\' && inner.at+1 < len(inner.source)
		switch {
		case escaped && strings.IndexByte("uUN", inner.source[inner.at+1]) >= 0:
			out = append(out, inner.source[inner.at:inner.at+2]...)
			inner.at += 2
		case escaped:
			before := len(out)
			if out, err = inner.escape(out); err != nil {
				return nil, p.failed("(value error) invalid \\x escape at position %d", inner.at)
			}
			out = append(out[:before], latin(out[before:])...)
		default:
			out = append(out, c)
			inner.at++
		}
	}
	return Bytes(out), nil
}

// latin returns the characters' code points modulo 256 as bytes.
func latin(text []byte) []byte {
	var out []byte
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		out, text = append(out, byte(r)), text[size:]
	}
	return out
}

// simpleEscapes maps the character after a backslash to its replacement.
var simpleEscapes = map[byte]string{
	'\n': "", '\\': "\\", '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

func (p *parser) escape(out []byte) ([]byte, error) {
	if p.at+1 >= len(p.source) {
		return nil, p.failed("a text is not closed")
	}
	c := p.source[p.at+1]
	if text, ok := simpleEscapes[c]; ok {
		p.at += 2
		return append(out, text...), nil
	}
	switch {
	case c == 'x':
		return p.numbered(out, 2, 2, 16)
	case c == 'u':
		return p.numbered(out, 2, 4, 16)
	case c == 'U':
		return p.numbered(out, 2, 8, 16)
	case c == 'N':
		return nil, p.failed(`characters by name (\N{…}) are not read`)
	case c >= '0' && c <= '7':
		digits := 1
		for digits < 3 && p.at+1+digits < len(p.source) && p.source[p.at+1+digits] >= '0' && p.source[p.at+1+digits] <= '7' {
			digits++
		}
		return p.numbered(out, 1, digits, 8)
	}
	p.at++ // keep an unknown escape
	return append(out, '\\'), nil
}

// numbered parses a numeric escape, whose digits start a given number of bytes after the backslash.
func (p *parser) numbered(out []byte, behind, digits, base int) ([]byte, error) {
	start := p.at + behind
	if start+digits > len(p.source) {
		return nil, p.failed("truncated escape in a text")
	}
	code, err := strconv.ParseUint(p.source[start:start+digits], base, 32)
	if err != nil || code > utf8.MaxRune {
		return nil, p.failed("truncated or illegal escape in a text")
	}
	p.at = start + digits
	return appendRune(out, rune(code)), nil
}
