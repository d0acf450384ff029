package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Sizes in pixels. A cell is the space that one character occupies in a monospaced font of size fontSize.
const (
	fontSize   = 14
	cellWidth  = 8.4
	cellHeight = 18
	margin     = 12
)

const (
	paper = "#1b1e25"
	ink   = "#d8dce4"
)

// draw writes lines as an SVG image. Each span states its width, so that the columns stay aligned in whatever font the
// reader's browser uses.
func draw(w io.Writer, lines [][]span, columns int, title string) {
	width, height := float64(columns)*cellWidth+2*margin, len(lines)*cellHeight+2*margin
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d" role="img" aria-label="%s">`+"\n", width, height, width, height, escape(title))
	fmt.Fprintf(w, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", paper)
	fmt.Fprintf(w, `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="%d" fill="%s" xml:space="preserve">`+"\n", fontSize, ink)
	for row, spans := range lines {
		column := 0
		for _, s := range spans {
			cells := ansi.StringWidth(s.text)
			drawSpan(w, s, margin+float64(column)*cellWidth, margin+row*cellHeight, float64(cells)*cellWidth)
			column += cells
		}
	}
	fmt.Fprintln(w, "</g>\n</svg>")
}

func drawSpan(w io.Writer, s span, x float64, top int, width float64) {
	foreground, background := s.style.foreground, s.style.background
	if s.style.reverse {
		foreground, background = or(background, paper), or(foreground, ink)
	}
	if background != "" {
		fmt.Fprintf(w, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", x, top, width, cellHeight,
			background)
	}
	if strings.TrimSpace(s.text) == "" {
		return
	}
	attributes := ""
	if foreground != "" {
		attributes += fmt.Sprintf(` fill="%s"`, foreground)
	}
	if s.style.bold {
		attributes += ` font-weight="bold"`
	}
	if s.style.faint {
		attributes += ` opacity="0.6"`
	}
	fmt.Fprintf(w, `<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n", x,
		top+fontSize, width, attributes, escape(s.text))
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func escape(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // a strings.Builder returns no error
	return out.String()
}
