package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/conformance"
)

// Check is the result of one check of one component, or of the plugin itself. `plugin test --list` omits the result.
type Check struct {
	Type      string `json:"type"`
	ID        string `json:"id"` // stable across versions
	Level     string `json:"level" jsonschema:"enum=MUST,enum=SHOULD"`
	Title     string `json:"title"`               // behavior of a plugin that passes
	Rule      string `json:"rule"`                // the sentence of the protocol that the check enforces
	Needs     string `json:"needs,omitempty"`     // capability that the check requires
	Component string `json:"component,omitempty"` // kind and type; absent for the plugin itself
	Status    string `json:"status,omitempty" jsonschema:"enum=passed,enum=failed,enum=skipped"`
	Reason    string `json:"reason,omitempty"` // cause of a failure or a skip
	Remedy    string `json:"remedy"`
}

func checkOf(c *conformance.Check) Check {
	return Check{
		Type: "check", ID: c.ID, Level: string(c.Level), Title: c.Title, Rule: c.Rule, Needs: string(c.Needs),
		Remedy: c.Remedy,
	}
}

// Checks holds all checks of the suite.
type Checks []Check

// ChecksOf returns the list of checks that are not run.
func ChecksOf(checks []conformance.Check) Checks {
	var out Checks
	for i := range checks {
		out = append(out, checkOf(&checks[i]))
	}
	return out
}

// Lines implements List.
func (c Checks) Lines() []any { return linesOf(c) }

// Text implements Result.
func (c Checks) Text(out *text.Printer) {
	table := text.Table{Columns: []text.Column{
		{Title: "CHECK"}, {Title: "LEVEL"}, {Title: "A PLUGIN THAT PASSES", Shrink: true},
	}}
	for _, one := range c {
		title := one.Title
		if one.Needs != "" {
			title += " (" + one.Needs + ")"
		}
		table.Rows = append(table.Rows, []string{one.ID, one.Level, title})
	}
	out.Table(table)
}

// conformanceSums holds the totals for a plugin test and is printed last.
type conformanceSums struct {
	Type     string `json:"type"`
	Plugin   string `json:"plugin"`
	Version  string `json:"version"`
	Conforms bool   `json:"conforms" jsonschema_description:"No MUST check failed."`
	Verdict  string `json:"verdict" jsonschema_description:"For people. Without MUST checks nothing is decided."`
	Passed   int    `json:"passed" jsonschema:"minimum=0"`
	Failed   int    `json:"failed" jsonschema:"minimum=0"`
	Skipped  int    `json:"skipped" jsonschema:"minimum=0"`
}

// Conformance is the result of `plugin test`.
type Conformance struct {
	report *conformance.Report
	source *catalog.Prepared
}

// ConformanceOf returns the result for a test of the plugin from a source.
func ConformanceOf(report *conformance.Report, source *catalog.Prepared) Conformance {
	return Conformance{report, source}
}

// Lines implements List.
func (c Conformance) Lines() []any {
	var out []any
	for _, r := range c.report.Results {
		line := checkOf(r.Check)
		line.Component, line.Status, line.Reason = r.Component, string(r.Status), r.Reason
		line.Remedy = cmp.Or(r.Remedy, line.Remedy)
		out = append(out, line)
	}
	return append(out, conformanceSums{
		Type: "conformance", Plugin: c.report.Plugin, Version: c.report.Version, Conforms: c.report.Conforms(),
		Verdict: conformanceVerdict(c.report), Passed: c.report.Count("", conformance.Passed),
		Failed: c.report.Count("", conformance.Failed), Skipped: c.report.Count("", conformance.Skipped),
	})
}

// Text implements Result: it prints failures with their details, then skips, then totals.
func (c Conformance) Text(out *text.Printer) {
	report := c.report
	for _, target := range targetsOf(report) {
		name := target
		if name == "" {
			name = strings.TrimSpace("plugin " + report.Plugin + " " + report.Version)
		}
		out.Heading(text.Clean(name))
		passed := 0
		for _, r := range report.Results {
			switch {
			case r.Component != target:
			case r.Status == conformance.Passed:
				passed++
			default:
				showCheck(out, r)
			}
		}
		out.Line(fmt.Sprintf("  %s %d passed", out.Styles.Good("✓"), passed))
	}
	out.Blank()
	var reasons strings.Builder
	for _, r := range report.Results {
		reasons.WriteString(r.Reason + "\n")
	}
	if note := c.source.CopyNote(reasons.String()); note != "" {
		out.Line(text.Clean(note))
	}
	out.Line(text.Clean(report.Summary() + ": " + conformanceVerdict(report)))
}

// showCheck prints a check that did not pass.
func showCheck(out *text.Printer, r conformance.Result) {
	if r.Status != conformance.Failed {
		out.Line("  " + out.Styles.Dim("– "+r.Check.ID+" skipped: "+text.Clean(r.Reason)))
		return
	}
	mark := out.Styles.Bad("✗")
	if r.Check.Level == conformance.Should {
		mark = out.Styles.Warn("!")
	}
	out.Line(fmt.Sprintf("  %s %s (%s) should hold: %s", mark, r.Check.ID, r.Check.Level, r.Check.Title))
	for line := range strings.Lines(r.Reason) {
		out.Line("      " + text.Clean(strings.TrimRight(line, "\n")))
	}
	out.Line("      " + out.Styles.Dim("rule   ") + r.Check.Rule)
	out.Line("      " + out.Styles.Dim("remedy ") + r.Remedy)
}

// conformanceVerdict summarizes a report.
func conformanceVerdict(report *conformance.Report) string {
	switch {
	case report.AllSkipped():
		return "nothing was checked"
	case report.Interrupted != nil && report.Count(conformance.Must, conformance.Failed) == 0:
		return "not all checks were run, so this decides nothing"
	case !report.Conclusive():
		return "no MUST check was played, so this decides nothing"
	case !report.Conforms():
		return "it does not conform"
	}
	return "it conforms"
}

// targetsOf returns the plugin itself and its components, in report order.
func targetsOf(report *conformance.Report) []string {
	var targets []string
	for _, r := range report.Results {
		if !slices.Contains(targets, r.Component) {
			targets = append(targets, r.Component)
		}
	}
	return targets
}
