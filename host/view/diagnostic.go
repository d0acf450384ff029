package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

// diagnostic formats a problem for a person. A width of 0 means unlimited.
//
//	Error: unknown attribute "stepz"
//
//	  on train.hcl line 12, in train.quickstart
//	  12 │   stepz = 60
//	     │   ^^^^^
//
//	  Did you mean "steps"?
func diagnostic(d event.Diagnostic, width int, styles text.Styles) []string {
	kind := styles.Bad("Error")
	if d.Severity == event.SeverityWarning {
		kind = styles.Warn("Warning")
	}
	lines := []string{kind + ": " + styles.Title(text.Clean(d.Summary))}
	if place := placeOf(d); place != "" {
		lines = append(lines, "", "  "+styles.Dim(place))
		lines = append(lines, snippet(d, width, styles)...)
	}
	if d.Detail != "" {
		lines = append(lines, "")
		lines = append(lines, indented(d.Detail, width)...)
	}
	return lines
}

// diagnostics formats several diagnostics, separated by blank lines.
func diagnostics(list []event.Diagnostic, width int, styles text.Styles) []string {
	var lines []string
	for i, d := range list {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, diagnostic(d, width, styles)...)
	}
	return lines
}

func placeOf(d event.Diagnostic) string {
	address := text.Clean(d.Address)
	switch {
	case d.Range == nil && address == "":
		return ""
	case d.Range == nil:
		return "in " + address
	}
	place := fmt.Sprintf("on %s line %d", text.Clean(d.Range.File), d.Range.Start.Line)
	if address != "" {
		place += ", in " + address
	}
	return place
}

// snippet returns the source with line numbers. If the range is within one line, a mark is drawn below it.
func snippet(d event.Diagnostic, width int, styles text.Styles) []string {
	if d.Range == nil || d.Snippet == "" {
		return nil
	}
	var lines []string
	source := text.CleanLines(d.Snippet)
	gutter := len(strconv.Itoa(d.Range.Start.Line + len(source) - 1))
	for i, line := range source {
		number := fmt.Sprintf("  %*d │ ", gutter, d.Range.Start.Line+i)
		lines = append(lines, cut(styles.Dim(number)+line, width))
	}
	if mark := underline(d); mark != "" {
		lines = append(lines, cut(styles.Dim(fmt.Sprintf("  %*s │ ", gutter, ""))+styles.Bad(mark), width))
	}
	return lines
}

func underline(d event.Diagnostic) string {
	start, end := d.Range.Start, d.Range.End
	if start.Line != end.Line || start.Column < 1 || end.Column <= start.Column || strings.ContainsAny(d.Snippet, "\t\n") {
		return ""
	}
	return strings.Repeat(" ", start.Column-1) + strings.Repeat("^", end.Column-start.Column)
}

func indented(s string, width int) []string {
	inner := 0
	if width > 0 {
		inner = max(20, width-4)
	}
	var lines []string
	for _, line := range text.Wrap(s, inner) {
		lines = append(lines, strings.TrimRight("  "+line, " "))
	}
	return lines
}

// cut truncates a line to the given width. A width of 0 means unlimited.
func cut(line string, width int) string {
	if width <= 0 {
		return line
	}
	return text.Truncate(line, width)
}
