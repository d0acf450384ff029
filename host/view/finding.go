package view

import (
	"fmt"
	"slices"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

// found keeps a finding, and logs a new one.
func (m *Model) found(f event.Finding) {
	same := func(other event.Finding) bool {
		return other.ID == f.ID && other.Subject == f.Subject && other.Stage == f.Stage
	}
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

func (m *Model) findingHead(f event.Finding) string { return findingHead(f, m.Styles) }

func findingHead(f event.Finding, styles text.Styles) string {
	if f.Severity == event.FindingError {
		return styles.Bad(text.Clean(f.ID))
	}
	return styles.Warn(text.Clean(f.ID))
}

// Findings returns lines with findings: what happened, since when, the likely cause, and the remedy.
func Findings(list []event.Finding, styles text.Styles, width int) (lines []string) {
	list = slices.Clone(list)
	event.SortFindings(list)
	for _, f := range list {
		when := fmt.Sprintf("since step %s", text.Count(f.First))
		if f.Last != f.First {
			when = fmt.Sprintf("steps %s to %s", text.Count(f.First), text.Count(f.Last))
		}
		lines = append(lines, cut("  "+findingHead(f, styles)+"  "+text.Clean(f.Summary)+styles.Dim(" ("+when+")"), width))
		if len(f.Causes) > 0 {
			lines = append(lines, cut("    "+styles.Dim("likely because ")+text.Clean(f.Causes[0]), width))
		}
		lines = append(lines, cut("    "+styles.Dim("do ")+text.Clean(f.Remedy), width))
		if len(f.Episodes) > 0 {
			lines = append(lines, cut("    "+styles.Dim("for example ")+text.Clean(f.Episodes[0]), width))
		}
	}
	return lines
}
