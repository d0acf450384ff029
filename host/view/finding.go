package view

import (
	"fmt"
	"math"
	"slices"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

// found keeps a finding, and logs a new one.
func (m *Model) found(f event.Finding) {
	same := func(other event.Finding) bool { return other.Key() == f.Key() }
	if i := slices.IndexFunc(m.findings, same); i >= 0 {
		m.findings[i] = f
		return
	}
	m.findings = append(m.findings, f)
	level := event.LevelWarn
	if f.Severity == event.FindingError {
		level = event.LevelError
	}
	m.log(level, "host", f.ID+": "+f.Summary)
}

func findingHead(f event.Finding, styles text.Styles) string {
	if f.Severity == event.FindingError {
		return styles.Bad(text.Clean(f.ID))
	}
	return styles.Warn(text.Clean(f.ID))
}

// indent precedes the details of a finding.
const indent = "    "

// Findings returns lines with findings: what happened, since when, the likely cause, and the remedy. A width of 0 is
// unlimited.
func Findings(list []event.Finding, styles text.Styles, width int) (lines []string) {
	if width <= 0 {
		width = math.MaxInt
	}
	list = slices.Clone(list)
	event.SortFindings(list)
	for _, f := range list {
		when := fmt.Sprintf("since step %s", text.Count(f.First))
		if f.Last != f.First {
			when = fmt.Sprintf("steps %s to %s", text.Count(f.First), text.Count(f.Last))
		}
		add := func(first, rest string) {
			for i, line := range text.Wrap(first, max(20, width-len(rest))) {
				if i > 0 || rest == indent {
					line = rest + line
				}
				lines = append(lines, line)
			}
		}
		add("  "+findingHead(f, styles)+"  "+text.Clean(f.Summary)+styles.Dim(" ("+when+")"), indent+"  ")
		if len(f.Causes) > 0 {
			add(styles.Dim("likely cause: ")+text.Clean(f.Causes[0]), indent)
		}
		add(styles.Dim("remedy: ")+text.Clean(f.Remedy), indent)
		if len(f.Episodes) > 0 {
			example := text.Clean(f.Episodes[0])
			if len(f.Messages) > 0 {
				example += fmt.Sprintf(", message %d", f.Messages[0])
			}
			lines = append(lines, indent+styles.Dim("for example ")+example)
		}
	}
	return lines
}
