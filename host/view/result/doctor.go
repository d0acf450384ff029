package result

import (
	"strings"

	"github.com/awhost/awhost/host/doctor"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// Doctor is a report about a machine. The text in `found` and `remedy` is for people and may change. The other members
// are for programs.
type Doctor struct {
	Type     string `json:"type"`
	Format   int    `json:"format" jsonschema:"enum=1"`
	Awhost   string `json:"awhost"`
	Failed   int    `json:"failed" jsonschema:"minimum=0"`
	Warnings int    `json:"warnings" jsonschema:"minimum=0"`
	*doctor.Report
}

// DoctorOf returns the result for a report.
func DoctorOf(r *doctor.Report) Doctor {
	return Doctor{"doctor", doctor.FormatVersion, sdk.Version, r.Count(doctor.Failed), r.Count(doctor.Warn), r}
}

// doctorTitles lists the headings of groups, in order.
var doctorTitles = []struct {
	group doctor.Group
	title string
}{
	{doctor.Spec, "Spec"}, {doctor.Machine, "Machine"}, {doctor.GPUs, "GPUs"}, {doctor.Python, "Python"},
	{doctor.Directories, "Directories"}, {doctor.Ports, "Ports"}, {doctor.Clusters, "Clusters"},
}

// Text implements Result.
func (d Doctor) Text(out *text.Printer) {
	r := d.Report
	begun := false
	for _, t := range doctorTitles {
		var findings []doctor.Finding
		for _, f := range r.Findings {
			if f.Group == t.group {
				findings = append(findings, f)
			}
		}
		if len(findings) == 0 {
			continue
		}
		if begun {
			out.Blank()
		}
		begun = true
		out.Line(out.Styles.Title(t.title))
		showFindings(out, findings)
	}
	out.Blank()
	out.Line(doctorSummary(out.Styles, r))
}

// showFindings aligns the findings next to their subjects. If a subject has parts, it is printed on a separate line,
// with the parts aligned below it.
func showFindings(out *text.Printer, findings []doctor.Finding) {
	column, nested := 0, false
	for _, f := range findings {
		nested = nested || f.Part != ""
	}
	for _, f := range findings {
		if !nested || f.Part != "" {
			column = max(column, text.Width(text.Clean(label(f))))
		}
	}
	for _, f := range findings {
		mark, style := doctorMark(out.Styles, f.Status)
		name := text.Clean(label(f))
		switch {
		case !nested:
			showFinding(out, f, "  "+style(mark)+" "+text.Fit(name, column)+"  ", column+6)
		case f.Part != "":
			showFinding(out, f, "    "+style(mark)+" "+text.Fit(name, column)+"  ", column+8)
		default:
			out.Line("  " + style(mark) + " " + name)
			showFinding(out, f, "    ", 4)
		}
	}
}

// label returns the part or subject of a finding.
func label(f doctor.Finding) string {
	if f.Part != "" {
		return f.Part
	}
	return f.Subject
}

// showFinding prints a finding after a label of the given width, and its remedy below it.
func showFinding(out *text.Printer, f doctor.Finding, lead string, width int) {
	indent := strings.Repeat(" ", width)
	for _, line := range wrapped(out, f.Found, width) {
		out.Line(strings.TrimRight(lead+line, " "))
		lead = indent
	}
	if f.Remedy == "" {
		return
	}
	arrow := out.Styles.Accent("→") + " "
	for _, line := range wrapped(out, f.Remedy, width+2) {
		out.Line(indent + arrow + line)
		arrow = "  "
	}
}

// wrapped returns text from another source in lines that fit after an indent.
func wrapped(out *text.Printer, s string, indent int) []string {
	if out.Width == 0 {
		return []string{text.Clean(s)}
	}
	return text.Wrap(text.Clean(s), max(20, out.Width-indent))
}

func doctorMark(styles text.Styles, s doctor.Status) (string, text.Style) {
	switch s {
	case doctor.OK:
		return "✓", styles.Good
	case doctor.Warn:
		return "!", styles.Warn
	case doctor.Failed:
		return "✗", styles.Bad
	}
	return "-", styles.Dim
}

func doctorSummary(styles text.Styles, r *doctor.Report) string {
	failed, warnings := r.Count(doctor.Failed), r.Count(doctor.Warn)
	switch {
	case failed > 0 && warnings > 0:
		return styles.Bad(text.Count(failed)+" failed") + ", " + text.Plural(warnings, "warning")
	case failed > 0:
		return styles.Bad(text.Count(failed) + " failed")
	case warnings > 0:
		return "Nothing failed, " + styles.Warn(text.Plural(warnings, "warning"))
	}
	return styles.Good("Nothing failed")
}
