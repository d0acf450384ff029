package child

import (
	"errors"
	"strings"
	"unicode"
)

// MaxMessageBytes limits the captured output of a program.
const MaxMessageBytes = 1 << 20

// Head captures the beginning of a program's output.
type Head struct {
	Text   []byte
	Limit  int
	Strict bool // fail the write beyond Limit instead of discarding the rest
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

// Said returns the last lines of a program's standard error as the end of a message.
func Said(stderr *Head) string {
	lines := PrintableLines(stderr.Text)
	if len(lines) == 0 {
		return ""
	}
	const most = 10
	return "\n" + strings.Join(lines[max(0, len(lines)-most):], "\n")
}

// PrintableLines splits a program's output into lines without control characters. Leading and trailing blank lines
// are removed.
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

// FirstBytes returns the beginning of text that has an unexpected format.
func FirstBytes(text []byte) string {
	const most = 80
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
