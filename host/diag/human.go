package diag

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Style is how diagnostics look on a terminal.
type Style struct {
	Color bool
	Width int // columns; 0 means that lines are not wrapped
}

// The escape sequences of a coloured rendering.
const (
	reset     = "\x1b[0m"
	bold      = "\x1b[1m"
	underline = "\x1b[4m"
	red       = "\x1b[31m"
	yellow    = "\x1b[33m"
	dim       = "\x1b[2m"
)

func (s Style) paint(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return code + text + reset
}

// WriteHuman writes diagnostics for a person: each as a few lines behind a rule, separated by empty lines.
//
//	╷ Error: Unknown reward component
//	│
//	│   train.hcl:31, in train "quickstart":
//	│   31 │   reward = reward.gaia.answer.components.exakt
//	│      │            ─────────────────────────────────────
//	│
//	│ The reward type "gaia" has no component "exakt". Did you mean "exact"?
//	╵
//
// What comes from files and plugins is escaped: nothing of it reaches the terminal as a control sequence.
func WriteHuman(w io.Writer, ds Diagnostics, style Style) error {
	var b strings.Builder
	for i, d := range ds {
		if i > 0 {
			b.WriteByte('\n')
		}
		writeOne(&b, d, style)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeOne renders one diagnostic.
func writeOne(b *strings.Builder, d Diagnostic, style Style) {
	color, word := red, "Error"
	if d.Severity == Warning {
		color, word = yellow, "Warning"
	}
	rule := func(corner string) string { return style.paint(color, corner) }
	line := func(text string) {
		b.WriteString(strings.TrimRight(rule("│")+" "+text, " ") + "\n")
	}
	b.WriteString(rule("╷") + " " + style.paint(bold+color, word+": ") + style.paint(bold, Escape(d.Summary)) + "\n")
	if where := place(d); where != "" {
		line("")
		line("  " + style.paint(dim, where))
	}
	for _, text := range code(d, style) {
		line("  " + text)
	}
	if text := detail(d); text != "" {
		line("")
		for _, wrapped := range wrap(text, style.Width-2) {
			line(wrapped)
		}
	}
	b.WriteString(rule("╵") + "\n")
}

// place says where a diagnostic belongs, for example `train.hcl:31, in train "quickstart":`.
func place(d Diagnostic) string {
	var parts []string
	if d.Range != nil && d.Range.File != "" {
		parts = append(parts, fmt.Sprintf("%s:%d", Escape(d.Range.File), d.Range.Start.Line))
	}
	switch {
	case d.Snippet != nil && d.Snippet.Context != "":
		parts = append(parts, "in "+Escape(d.Snippet.Context))
	case d.Address != "":
		parts = append(parts, "in "+Escape(d.Address))
	}
	if len(parts) == 0 {
		return ""
	}
	end := ""
	if d.Snippet != nil {
		end = ":"
	}
	return strings.Join(parts, ", ") + end
}

func detail(d Diagnostic) string {
	if d.Plugin == "" {
		return d.Detail
	}
	return strings.TrimSpace(d.Detail + "\n(reported by plugin " + d.Plugin + ")")
}

// code renders the lines of a snippet, what is wrong underlined, and the values of the names in it.
func code(d Diagnostic, style Style) []string {
	s := d.Snippet
	if s == nil {
		return nil
	}
	lines := strings.Split(s.Code, "\n")
	digits := len(fmt.Sprint(s.StartLine + len(lines) - 1))
	var out []string
	offset := 0
	s = crop(s, style.Width-digits-6)
	lines = strings.Split(s.Code, "\n")
	for i, text := range lines {
		out = append(out, fmt.Sprintf("%*d %s %s", digits, s.StartLine+i, style.paint(dim, "│"), highlight(text, s, offset, style)))
		if mark := marker(text, s, offset); mark != "" && !style.Color {
			out = append(out, fmt.Sprintf("%*s │ %s", digits, "", mark))
		}
		offset += len(text) + 1
	}
	for _, v := range s.Values {
		out = append(out, fmt.Sprintf("%*s %s %s is %s", digits, "", style.paint(dim, "│"), Escape(v.Name), Escape(v.Text)))
	}
	return out
}

// crop shortens a snippet of one line that does not fit, so that what is wrong stays in sight.
func crop(s *Snippet, width int) *Snippet {
	if width < 20 || strings.Contains(s.Code, "\n") || columns(s.Code) <= width {
		return s
	}
	start, end := min(s.HighlightStart, len(s.Code)), min(s.HighlightEnd, len(s.Code))
	from := runeStart(s.Code, max(0, min(start-width/3, len(s.Code)-width)))
	to := runeStart(s.Code, min(len(s.Code), from+width-2))
	out := *s
	out.Code = s.Code[from:to]
	out.HighlightStart, out.HighlightEnd = min(start-from, len(out.Code)), min(end-from, len(out.Code))
	if from > 0 {
		out.Code = "…" + out.Code
		out.HighlightStart, out.HighlightEnd = out.HighlightStart+len("…"), out.HighlightEnd+len("…")
	}
	if to < len(s.Code) {
		out.Code += "…"
	}
	return &out
}

// runeStart moves an offset back to the beginning of the character that it is in.
func runeStart(text string, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// span is the part of a line that is highlighted, as byte offsets in the line.
func span(text string, s *Snippet, offset int) (start, end int) {
	start = min(max(s.HighlightStart-offset, 0), len(text))
	end = min(max(s.HighlightEnd-offset, 0), len(text))
	if s.HighlightStart < offset { // a line in the middle: not its indentation
		start = min(end, len(text)-len(strings.TrimLeft(text, " \t")))
	}
	return start, end
}

func highlight(text string, s *Snippet, offset int, style Style) string {
	start, end := span(text, s, offset)
	return printable(text[:start]) + style.paint(underline+bold, printable(text[start:end])) + printable(text[end:])
}

// marker underlines without colour: a line of its own.
func marker(text string, s *Snippet, offset int) string {
	start, end := span(text, s, offset)
	if start == end {
		if s.HighlightStart < offset || s.HighlightStart > offset+len(text) || s.HighlightEnd > s.HighlightStart {
			return ""
		}
		return strings.Repeat(" ", columns(printable(text[:start]))) + "─" // something is missing here
	}
	return strings.Repeat(" ", columns(printable(text[:start]))) + strings.Repeat("─", columns(printable(text[start:end])))
}

func printable(text string) string { return Escape(strings.ReplaceAll(text, "\t", "  ")) }

// columns is the width of a text on a terminal, wide characters counting twice.
func columns(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana):
			n += 2
		default:
			n++
		}
	}
	return n
}

// Escape makes text safe for a terminal: control characters, among them those that start escape sequences, and
// characters that change the direction of writing are spelled out.
func Escape(text string) string {
	safe := true
	for _, r := range text {
		safe = safe && isSafe(r)
	}
	if safe && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isSafe(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

func isSafe(r rune) bool {
	return r != utf8.RuneError && !unicode.IsControl(r) && !unicode.In(r, unicode.Bidi_Control, unicode.Cs, unicode.Zl, unicode.Zp)
}

// wrap breaks a text into lines of at most width columns; its own line breaks stay.
func wrap(text string, width int) []string {
	var out []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		out = append(out, wrapLine(Escape(strings.ReplaceAll(paragraph, "\t", "  ")), width)...)
	}
	return out
}

func wrapLine(text string, width int) []string {
	if width <= 0 || columns(text) <= width {
		return []string{strings.TrimRight(text, " ")}
	}
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	var out []string
	current := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case current == "":
			current = indent + word
		case columns(current)+1+columns(word) > width:
			out = append(out, current)
			current = indent + word
		default:
			current += " " + word
		}
	}
	return append(out, current)
}
