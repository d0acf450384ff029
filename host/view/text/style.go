package text

import (
	"io"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"golang.org/x/term"
)

// Style decorates sanitized text.
type Style func(string) string

// Styles holds the decorations that awhost uses, by meaning. They use the sixteen colors of the terminal theme.
type Styles struct {
	Title  Style // headings and names
	Dim    Style // secondary text
	Accent Style // changing values: progress, the current value
	Good   Style
	Warn   Style
	Bad    Style
	Mark   Style // the relevant part of a text
}

// Plain returns styles that leave the text unchanged.
func Plain() Styles {
	same := func(s string) string { return s }
	return Styles{Title: same, Dim: same, Accent: same, Good: same, Warn: same, Bad: same, Mark: same}
}

// Coloured returns styles for a terminal with colors. An Output preserves them. Other writers need Safe.
func Coloured() Styles {
	style := func(s lipgloss.Style) Style {
		before, after, _ := strings.Cut(s.Render("x"), "x")
		before, after = withSeal(before), withSeal(after)
		return func(text string) string {
			if text == "" {
				return ""
			}
			return before + text + after
		}
	}
	none := lipgloss.NewStyle()
	return Styles{
		Title:  style(none.Bold(true)),
		Dim:    style(none.Faint(true)),
		Accent: style(none.Foreground(lipgloss.Cyan)),
		Good:   style(none.Foreground(lipgloss.Green)),
		Warn:   style(none.Foreground(lipgloss.Yellow)),
		Bad:    style(none.Foreground(lipgloss.Red).Bold(true)),
		Mark:   style(none.Bold(true).Underline(true)),
	}
}

// Terminal holds the properties of an output.
type Terminal struct {
	IsTerminal bool
	Colours    bool // Styles uses colors
	Width      int  // 0: unknown, lines may have any length
	Height     int
	Styles     Styles
}

// Detect inspects an output and the environment. It honors NO_COLOR, CLICOLOR_FORCE, and TERM=dumb.
func Detect(out io.Writer, environ []string) Terminal {
	if o, ok := out.(*Output); ok {
		out = o.Data()
	}
	t := Terminal{Styles: Plain()}
	if !refusesColour(environ) && colorprofile.Detect(out, environ) >= colorprofile.ANSI {
		t.Styles, t.Colours = Coloured(), true
	}
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return t
	}
	t.IsTerminal = true
	if width, height, err := term.GetSize(int(file.Fd())); err == nil {
		t.Width, t.Height = width, height
	}
	return t
}

// refusesColour follows no-color.org: any non-empty value disables colors, regardless of other variables.
func refusesColour(environ []string) bool {
	refused := false
	for _, entry := range environ {
		if value, ok := strings.CutPrefix(entry, "NO_COLOR="); ok {
			refused = value != ""
		}
	}
	return refused
}
