// Package text draws with characters: it makes foreign text harmless, fits text into columns, formats numbers, and
// draws tables, bars, sparklines and charts. Everything that a command shows to a person goes through it.
//
//	out := text.NewPrinter(os.Stdout, text.Detect(os.Stdout, os.Environ()))
//	out.Heading("Runs")
//	out.Table(text.Table{
//		Columns: []text.Column{{Title: "RUN"}, {Title: "SPEC", Shrink: true}, {Title: "SUCCESS", Right: true}},
//		Rows:    [][]string{{"quickstart-1", "train.hcl", text.Percent(0.934)}},
//	})
//	return out.Err()
//
// Widths are in columns of the terminal. The package knows nothing of runs and events.
package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes foreign text fit to be shown within a line: control characters, escape sequences and what changes the
// writing direction are shown as escapes instead of being obeyed, line breaks as ⏎.
func Clean(s string) string {
	s = strings.TrimRight(s, "\r\n")
	if isHarmless(s) {
		return s
	}
	var out strings.Builder
	var c cleaner
	for len(s) > 0 {
		switch {
		case s[0] == '\n':
			out.WriteString(lineBreak)
			s = s[1:]
		case s[0] == '\t':
			out.WriteByte(' ')
			s = s[1:]
		case strings.HasPrefix(s, "\r\n"):
			s = s[1:]
		default:
			s = c.next(&out, s)
			continue
		}
		c = cleaner{}
	}
	return out.String()
}

// lineBreak shows that there is one.
const lineBreak = "⏎"

// cleaner writes text character by character.
type cleaner struct{ marks int } // accents on the last character

// next writes the first character of a text as it can be shown, and returns the rest.
func (c *cleaner) next(out *strings.Builder, s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if unicode.In(r, unicode.Mn, unicode.Me) {
		c.marks++
	} else {
		c.marks = 0
	}
	switch {
	case r == utf8.RuneError && size == 1:
		fmt.Fprintf(out, `\x%02x`, s[0])
	case r == '\r':
		out.WriteString(`\r`)
	case unicode.Is(unicode.Zs, r):
		out.WriteByte(' ')
	case isPresentation(r):
	case !unicode.IsPrint(r) || isInvisible(r) || c.marks > mostMarks:
		out.WriteString(escapeRune(r))
	default:
		out.WriteRune(r)
	}
	return s[size:]
}

// CleanLines is Clean for text that may have several lines.
func CleanLines(s string) []string {
	lines := strings.Split(strings.TrimRight(s, "\r\n"), "\n")
	for i, line := range lines {
		lines[i] = Clean(strings.ReplaceAll(line, "\t", "    "))
	}
	return lines
}

// mostMarks is how many accents may sit on one character; more are used to draw over the neighbouring lines.
const mostMarks = 2

func isHarmless(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// isPresentation names the characters that only choose between two pictures. Terminals disagree about the width of
// the result, so they are left out.
func isPresentation(r rune) bool {
	return r == '\ufe0e' || r == '\ufe0f' || r >= 0x1f3fb && r <= 0x1f3ff
}

// isInvisible names the letters and marks that show nothing: with them two different words look alike.
func isInvisible(r rune) bool {
	return r > '~' && unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func escapeRune(r rune) string {
	switch {
	case r <= 0xff:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}
