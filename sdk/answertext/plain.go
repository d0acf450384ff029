package answertext

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/sdk/pytext"
)

// Limits on Plain's input: human answers stay far below them.
const (
	MaxBytes = 4096
	MaxDepth = 40
)

// FractionSlash separates the parts of a fraction that was written as \frac; it binds more tightly than /.
const FractionSlash = '⁄'

// Plain converts LaTeX mathematics to plain text: \frac{1}{2} to (1⁄2), \sqrt{2} to √(2), x^{2} to x^(2), \{1,2\} to
// {1,2}, 5\text{ cm} to 5 cm, × and \cdot to *, and the digits of all scripts to 0 to 9. Layout such as \left is
// dropped; \, becomes a space. Unknown commands stay. It rejects text longer than MaxBytes, groups nested more deeply
// than MaxDepth, and unbalanced braces.
func Plain(text string) (string, error) {
	if len(text) > MaxBytes {
		return "", fmt.Errorf("it has %d bytes, more than %d", len(text), MaxBytes)
	}
	r := reader{text: text}
	if err := r.sequence(0); err != nil {
		return "", err
	}
	if r.at < len(text) {
		return "", errUnopened
	}
	return degreeReplacer.Replace(strings.Join(strings.Fields(r.out.String()), " ")), nil
}

var (
	errUnopened = errors.New("unmatched closing brace")
	errUnclosed = errors.New("unmatched opening brace")
	errDepth    = fmt.Errorf("its braces nest more than %d deep", MaxDepth)
)

// degreeReplacer handles degree signs, which are written as exponents, and exponents that follow separated text.
var degreeReplacer = strings.NewReplacer(" ^°", "°", "^°", "°", " ^", "^")

// reader parses a string and writes its plain form.
type reader struct {
	text string
	at   int
	out  strings.Builder
}

// sequence reads up to the end of the text or a closing brace, which it does not consume.
func (r *reader) sequence(depth int) error {
	if depth > MaxDepth {
		return errDepth
	}
	for r.at < len(r.text) && r.text[r.at] != '}' {
		if err := r.item(depth); err != nil {
			return err
		}
	}
	return nil
}

// item reads a group, a command or a character.
func (r *reader) item(depth int) error {
	switch r.text[r.at] {
	case '{':
		return r.group(depth)
	case '\\':
		return r.command(depth)
	case '^', '_':
		return r.script(depth)
	}
	c, size := utf8.DecodeRuneInString(r.text[r.at:])
	r.at += size
	r.out.WriteString(plainRune(c))
	return nil
}

// group reads a group and removes its braces. {,} is a thousands separator and is dropped.
func (r *reader) group(depth int) error {
	const thousands = "{,}"
	if strings.HasPrefix(r.text[r.at:], thousands) {
		r.at += len(thousands)
		return nil
	}
	r.at++
	if err := r.sequence(depth + 1); err != nil {
		return err
	}
	if r.at == len(r.text) {
		return errUnclosed
	}
	r.at++
	return nil
}

// script reads ^ or _ and its argument.
func (r *reader) script(depth int) error {
	r.out.WriteByte(r.text[r.at])
	r.at++
	if at := skipSpace(r.text, r.at); at == len(r.text) || strings.IndexByte("{\\", r.text[at]) < 0 {
		return nil
	}
	return r.part(depth)
}

// argument reads a command's argument: a group, a command or a single character.
func (r *reader) argument(depth int) error {
	r.at = skipSpace(r.text, r.at)
	if r.at == len(r.text) || r.text[r.at] == '}' {
		return nil // the command has no argument
	}
	if depth++; depth > MaxDepth {
		return errDepth
	}
	return r.item(depth)
}

func (r *reader) between(opening, closing string, read func() error) error {
	r.out.WriteString(opening)
	if err := read(); err != nil {
		return err
	}
	r.out.WriteString(closing)
	return nil
}

// plainRune returns the plain form of a character.
func plainRune(c rune) string {
	if digit, ok := pytext.DecimalDigit(c); ok {
		return string(rune(digit))
	}
	if c >= '！' && c <= '～' { // the ASCII characters in full width
		c -= '！' - '!'
	}
	switch c {
	case '−', '–', '﹣':
		return "-"
	case '×', '·', '⋅', '∙', '∗':
		return "*"
	case '÷', '∕', FractionSlash:
		return "/"
	case '、':
		return ","
	case '。', '｡':
		return "."
	case '½':
		return "(1⁄2)"
	case '¼':
		return "(1⁄4)"
	case '¾':
		return "(3⁄4)"
	case '⅓':
		return "(1⁄3)"
	case '⅔':
		return "(2⁄3)"
	case '˚', 'º', '∘':
		return "°"
	case '~':
		return " "
	}
	if pytext.IsSpace(c) {
		return " "
	}
	return string(c)
}
