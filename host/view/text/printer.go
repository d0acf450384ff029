package text

import (
	"io"
	"strings"
)

// Printer writes a page of human-readable text. It stores the first write error, so that a page can be written without
// an error check on every line. Call Err at the end.
type Printer struct {
	Styles Styles
	Width  int // 0: unlimited

	out *Output
	err error
}

// NewPrinter returns a printer that writes to out in the terminal's style.
func NewPrinter(out io.Writer, terminal Terminal) *Printer {
	return &Printer{Styles: terminal.Styles, Width: terminal.Width, out: NewOutput(out)}
}

// Err returns the first write error.
func (p *Printer) Err() error { return p.err }

// Line writes a line, which may be styled.
func (p *Printer) Line(line string) {
	if p.err != nil {
		return
	}
	p.err = p.out.Line(line)
}

// Quote writes a line of untrusted text, which may be styled. Commands in it are left unchanged.
func (p *Printer) Quote(line string) {
	if p.err == nil {
		p.err = p.out.Quote(line)
	}
}

// Lines writes several lines.
func (p *Printer) Lines(lines []string) {
	for _, line := range lines {
		p.Line(line)
	}
}

// Blank writes an empty line.
func (p *Printer) Blank() { p.Line("") }

// Heading writes a title, preceded by an empty line.
func (p *Printer) Heading(title string) {
	p.Blank()
	p.Line(p.Styles.Title(Clean(title)))
}

// Paragraph writes wrapped text. Line breaks within it are shown as in Clean.
func (p *Printer) Paragraph(s string) {
	p.Lines(Wrap(p.out.named(oneLine(s)), p.Width))
}

// Bullet writes wrapped text after a bullet.
func (p *Printer) Bullet(s string) {
	width := 0
	if p.Width > 0 {
		width = max(leastColumn, p.Width-4)
	}
	for i, line := range Wrap(p.out.named(s), width) {
		lead := "    "
		if i == 0 {
			lead = "  • "
		}
		p.Line(strings.TrimRight(lead+line, " "))
	}
}

// Pair is a name with its value.
type Pair struct{ Key, Value string }

// Pairs writes names and values in two columns. Pairs without a value are omitted. Values may be styled.
func (p *Printer) Pairs(pairs ...Pair) {
	keys := 0
	for _, pair := range pairs {
		if pair.Value != "" {
			keys = max(keys, Width(pair.Key))
		}
	}
	for _, pair := range pairs {
		if pair.Value != "" {
			p.Line("  " + p.Styles.Dim(Fit(pair.Key, keys)) + "  " + pair.Value)
		}
	}
}

// Table writes a table.
func (p *Printer) Table(t Table) { p.Lines(t.Lines(p.Width, p.Styles)) }
