package catalog

import (
	"errors"
	"strings"
	"unicode"
)

// maxMessageBytes bounds what is kept of what a program says to people.
const maxMessageBytes = 1 << 20

// head keeps the beginning of what a program prints.
type head struct {
	text   []byte
	limit  int
	strict bool // a program that prints more is cut off, rather than read on
	full   bool
}

// Write implements io.Writer.
func (h *head) Write(p []byte) (int, error) {
	h.full = h.full || len(h.text)+len(p) > h.limit
	if h.full && h.strict {
		return 0, errors.New("too much output")
	}
	h.text = append(h.text, p[:min(len(p), h.limit-len(h.text))]...)
	return len(p), nil
}

// said is what a program printed last on standard error, as the end of a message.
func said(stderr *head) string {
	lines := printableLines(stderr.text)
	if len(lines) == 0 {
		return ""
	}
	const most = 10
	return "\n" + strings.Join(lines[max(0, len(lines)-most):], "\n")
}

// printableLines cuts what a program printed into lines that do nothing to a terminal. Blank ones at both ends are
// left out.
func printableLines(text []byte) []string {
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

// firstBytes is the beginning of a text that turned out to be something else.
func firstBytes(text []byte) string {
	const most = 80
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
