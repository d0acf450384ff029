package diag

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/awhost/awhost/host/view/text"
)

// Style defines the appearance of diagnostics on a terminal.
type Style struct {
	Color bool
	Width int // columns; 0: lines are not wrapped
}

// styles returns the text styles of the terminal.
func (s Style) styles() text.Styles {
	if s.Color {
		return text.Coloured()
	}
	return text.Plain()
}

// WriteHuman writes diagnostics for human readers: each as a few lines after a rule, separated by blank lines.
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
// Text from files and plugins is escaped, so that it cannot send control sequences to the terminal.
func WriteHuman(w io.Writer, ds Diagnostics, style Style) error {
	p := &page{out: text.NewOutput(w), style: style}
	for i, d := range ds {
		if i > 0 {
			p.say("")
		}
		p.one(d)
	}
	return p.err
}

// page is the output to which diagnostics are written. It stores the first error.
type page struct {
	out   *text.Output
	style Style
	err   error
}

func (p *page) say(line string) {
	if p.err == nil {
		p.err = p.out.Line(line)
	}
}

// quote writes a line unchanged, including any commands in it.
func (p *page) quote(line string) {
	if p.err == nil {
		p.err = p.out.Quote(line)
	}
}

// one renders one diagnostic.
func (p *page) one(d Diagnostic) {
	styles := p.style.styles()
	rule, word := styles.Bad, "Error"
	if d.Severity == Warning {
		rule, word = styles.Warn, "Warning"
	}
	ruled := func(part string) string { return strings.TrimRight(rule("│")+" "+part, " ") }
	p.say(rule("╷") + " " + rule(word+":") + " " + styles.Title(text.Clean(d.Summary)))
	if where := place(d); where != "" {
		p.say(ruled(""))
		p.quote(ruled("  " + styles.Dim(where)))
	}
	for _, part := range code(d, p.style) {
		p.quote(ruled("  " + part))
	}
	if part := detail(d); part != "" {
		p.say(ruled(""))
		for _, wrapped := range wrap(part, p.style.Width-2) {
			p.say(ruled(wrapped))
		}
	}
	p.say(rule("╵"))
}

// place returns the location of a diagnostic, such as `train.hcl:31, in train "quickstart":`.
func place(d Diagnostic) string {
	var parts []string
	if d.Range != nil && d.Range.File != "" {
		parts = append(parts, fmt.Sprintf("%s:%d", text.Clean(d.Range.File), d.Range.Start.Line))
	}
	switch {
	case d.Snippet != nil && d.Snippet.Context != "":
		parts = append(parts, "in "+text.Clean(d.Snippet.Context))
	case d.Address != "":
		parts = append(parts, "in "+text.Clean(d.Address))
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

// code renders the lines of a snippet, with the problem underlined, and the values of the names that occur in it.
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
	for i, part := range lines {
		out = append(out, fmt.Sprintf("%*d %s %s", digits, s.StartLine+i, style.styles().Dim("│"),
			highlight(part, s, offset, style)))
		if mark := marker(part, s, offset); mark != "" && !style.Color {
			out = append(out, fmt.Sprintf("%*s │ %s", digits, "", mark))
		}
		offset += len(part) + 1
	}
	for _, v := range s.Values {
		out = append(out, fmt.Sprintf("%*s %s %s is %s", digits, "", style.styles().Dim("│"), text.Clean(v.Name),
			text.Clean(v.Text)))
	}
	return out
}

// crop shortens a one-line snippet that does not fit, keeping the problem visible.
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

// runeStart moves an offset back to the start of the character that contains it.
func runeStart(part string, at int) int {
	for at > 0 && at < len(part) && !utf8.RuneStart(part[at]) {
		at--
	}
	return at
}

// span returns the highlighted part of a line as byte offsets within the line.
func span(part string, s *Snippet, offset int) (start, end int) {
	start = min(max(s.HighlightStart-offset, 0), len(part))
	end = min(max(s.HighlightEnd-offset, 0), len(part))
	if s.HighlightStart < offset { // a continuation line: skip its indentation
		start = min(end, len(part)-len(strings.TrimLeft(part, " \t")))
	}
	return start, end
}

func highlight(part string, s *Snippet, offset int, style Style) string {
	start, end := span(part, s, offset)
	return printable(part[:start]) + style.styles().Mark(printable(part[start:end])) + printable(part[end:])
}

// marker returns a separate line that underlines the problem, for output without colors.
func marker(part string, s *Snippet, offset int) string {
	start, end := span(part, s, offset)
	if start == end {
		if s.HighlightStart < offset || s.HighlightStart > offset+len(part) || s.HighlightEnd > s.HighlightStart {
			return ""
		}
		return strings.Repeat(" ", columns(printable(part[:start]))) + "─" // something is missing here
	}
	return strings.Repeat(" ", columns(printable(part[:start]))) + strings.Repeat("─", columns(printable(part[start:end])))
}

func printable(part string) string { return text.Clean(strings.ReplaceAll(part, "\t", "  ")) }

// columns returns the width of a string on a terminal. Wide characters count twice.
func columns(part string) int {
	n := 0
	for _, r := range part {
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

// wrap breaks text into lines of at most width columns and preserves its line breaks.
func wrap(part string, width int) []string {
	var out []string
	for paragraph := range strings.SplitSeq(part, "\n") {
		out = append(out, wrapLine(text.Clean(strings.ReplaceAll(paragraph, "\t", "  ")), width)...)
	}
	return out
}

func wrapLine(part string, width int) []string {
	if width <= 0 || columns(part) <= width {
		return []string{strings.TrimRight(part, " ")}
	}
	indent := part[:len(part)-len(strings.TrimLeft(part, " "))]
	var out []string
	current := ""
	for word := range strings.FieldsSeq(part) {
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
