package expr

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// token is a token of Python source.
type token struct {
	kind    tokenKind
	text    string   // of names and operators
	value   py.Value // of constants
	unicode bool     // a text with the prefix u
	at      int
}

type tokenKind byte

const (
	end tokenKind = iota
	word
	literal // a number or a text
	operator
)

// operators, longer ones first.
var operators = []string{
	"...", "**=", "//=", ">>=", "<<=", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", ":=", "->", "+=", "-=", "*=", "/=",
	"%=",
	":", ".", "=", "+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<", ">",
}

// lexer splits source into tokens. Line ends count only outside brackets and after the first token.
type lexer struct {
	source   string
	at       int
	depth    int
	hasToken bool // whether a token was read
	inModule bool // whether a line end ends the tokens, instead of being an error
}

func (l *lexer) all() []token {
	out := make([]token, 0, len(l.source)/4+2)
	for {
		t := l.next()
		out = append(out, t)
		if t.kind == end {
			return out
		}
	}
}

func (l *lexer) next() token {
	lineEnd := l.skip()
	switch {
	case l.inModule && lineEnd >= 0:
		l.at = lineEnd
		return token{kind: end, at: l.at}
	case l.at >= len(l.source):
		return token{kind: end, at: l.at}
	case lineEnd >= 0:
		panic(l.failed(lineEnd, "invalid syntax"))
	}
	l.hasToken = true
	start, c := l.at, l.source[l.at]
	switch {
	case c >= '0' && c <= '9', c == '.' && l.at+1 < len(l.source) && l.source[l.at+1] >= '0' && l.source[l.at+1] <= '9':
		return l.number()
	case c == '"' || c == '\'':
		return l.text("")
	}
	if name := l.name(); name != "" {
		if l.at < len(l.source) && (l.source[l.at] == '"' || l.source[l.at] == '\'') && len(name) <= 2 {
			return l.text(strings.ToLower(name))
		}
		return token{kind: word, text: name, at: start}
	}
	if strings.IndexByte("()[]{},", c) >= 0 {
		return l.operator(l.source[start : start+1])
	}
	for _, o := range operators {
		if strings.HasPrefix(l.source[l.at:], o) {
			return l.operator(o)
		}
	}
	panic(l.failed(start, "invalid syntax"))
}

func (l *lexer) operator(text string) token {
	t := token{kind: operator, text: text, at: l.at}
	l.at += len(text)
	switch text {
	case "(", "[", "{":
		l.depth++
	case ")", "]", "}":
		l.depth--
	}
	return t
}

// skip skips spaces, comments, and line ends. It returns the position of the first line end that counts, or -1.
func (l *lexer) skip() (lineEnd int) {
	lineEnd = -1
	for l.at < len(l.source) {
		switch c := l.source[l.at]; {
		case c == ' ' || c == '\t' || c == '\f':
			l.at++
		case c == '\\' && strings.HasPrefix(l.source[l.at:], "\\\n"):
			l.at += 2
		case c == '#':
			for l.at < len(l.source) && l.source[l.at] != '\n' {
				l.at++
			}
		case c == '\n' || c == '\r':
			if lineEnd < 0 && l.hasToken && l.depth <= 0 {
				lineEnd = l.at
			}
			l.at++
		default:
			return lineEnd
		}
	}
	return lineEnd
}

func (l *lexer) name() string {
	start := l.at
	for l.at < len(l.source) {
		if c := l.source[l.at]; c|0x20 >= 'a' && c|0x20 <= 'z' {
			l.at++
			continue
		}
		r, size := utf8.DecodeRuneInString(l.source[l.at:])
		if r != '_' && !unicode.IsLetter(r) && (l.at == start || !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)) {
			break
		}
		l.at += size
	}
	return l.source[start:l.at]
}

func (l *lexer) number() token {
	start := l.at
	for l.at < len(l.source) {
		c := l.source[l.at]
		sign := (c == '+' || c == '-') && strings.IndexByte("eE", l.source[l.at-1]) >= 0 &&
			!strings.HasPrefix(strings.ToLower(l.source[start:]), "0x")
		if !sign && c != '.' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		l.at++
	}
	return l.literal(start)
}

// literal parses the value between start and the current position.
func (l *lexer) literal(start int) token {
	v, err := py.ParseToken(l.source[start:l.at])
	if err != nil {
		problem := err.Error()
		if wrong, ok := errors.AsType[*py.SyntaxError](err); ok {
			problem = wrong.Problem
		}
		panic(l.failed(start, problem))
	}
	return token{kind: literal, value: v, unicode: l.source[start] == 'u', at: start}
}

func (l *lexer) failed(at int, problem string) error { return py.NewSyntaxError(l.source, at, problem) }

// text parses a string or bytes literal with its prefix. Calls do not contain strings with embedded values (f-strings).
func (l *lexer) text(prefix string) token {
	start := l.at - len(prefix)
	if !slices.Contains([]string{"", "r", "u", "b", "br", "rb"}, prefix) {
		panic(l.failed(start, "invalid syntax"))
	}
	quote := l.source[l.at : l.at+1]
	if strings.HasPrefix(l.source[l.at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	l.at += len(quote)
	for l.at < len(l.source) && !strings.HasPrefix(l.source[l.at:], quote) {
		if l.source[l.at] == '\\' {
			l.at++
		}
		l.at++
	}
	if l.at >= len(l.source) {
		panic(l.failed(start, "a text is not closed"))
	}
	l.at += len(quote)
	return l.literal(start)
}
