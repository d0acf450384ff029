package child

import (
	"errors"
	"strings"
	"unicode"
)

// MaxMessageBytes bounds what is kept of what a program says to people.
const MaxMessageBytes = 1 << 20

// Head keeps the beginning of what a program prints.
type Head struct {
	Text   []byte
	Limit  int
	Strict bool // a program that prints more is cut off, rather than read on
	Full   bool
}

// Write implements io.Writer.
func (h *Head) Write(p []byte) (int, error) {
	h.Full = h.Full || len(h.Text)+len(p) > h.Limit
	if h.Full && h.Strict {
		return 0, errors.New("too much output")
	}
	h.Text = append(h.Text, p[:min(len(p), h.Limit-len(h.Text))]...)
	return len(p), nil
}

// Said is what a program printed last on standard error, as the end of a message.
func Said(stderr *Head) string {
	lines := PrintableLines(stderr.Text)
	if len(lines) == 0 {
		return ""
	}
	const most = 10
	return "\n" + strings.Join(lines[max(0, len(lines)-most):], "\n")
}

// PrintableLines cuts what a program printed into lines that do nothing to a terminal. Blank ones at both ends are
// left out.
func PrintableLines(text []byte) []string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || unicode.IsPrint(r):
			return r
		case r == '\r':
			return -1
		}
		return unicode.ReplacementChar
	}, string(text))
	clean = strings.TrimSpace(clean)
	if clean == "" {
		return nil
	}
	return strings.Split(clean, "\n")
}

// FirstBytes is the beginning of a text that turned out to be something else.
func FirstBytes(text []byte) string {
	const most = 80
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
