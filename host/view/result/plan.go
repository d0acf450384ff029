package result

import (
	"fmt"
	"strings"

	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/view/text"
)

// Plan is the plan for an apply.
type Plan struct {
	plan.Report

	text, saved string
}

// PlanOf returns the result for a plan. all includes settings that have default values in the text. saved is the file
// to which the plan was written, or empty.
func PlanOf(p *plan.Plan, all bool, saved string) Plan { return Plan{p.Report(), p.Text(all), saved} }

// Text implements Result.
func (p Plan) Text(out *text.Printer) {
	for _, line := range text.CleanLines(p.text) {
		showPlanLine(out, line)
	}
	if p.saved != "" {
		out.Line(fmt.Sprintf("Saved to %s: awhost apply %s does exactly this, or reports the changes.", p.saved, p.saved))
	}
}

// showPlanLine writes a line in its color, wrapped with an indent. A command is not wrapped, so that it can be copied.
func showPlanLine(out *text.Printer, line string) {
	body := strings.TrimLeft(line, " ")
	lead, more, style := line[:len(line)-len(body)], "", out.Styles.Title
	switch {
	case strings.HasPrefix(line, "Command: "):
		out.Line(line)
		return
	case strings.HasPrefix(line, "Note: "):
		style = out.Styles.Warn
	case lead != "":
		style, more = text.Plain().Title, strings.Repeat(" ", 12) // the column of the values
	}
	width := out.Width - len(lead) // 0 or less: unlimited
	if width > 0 && text.Width(body) > width {
		width = max(out.Width-len(more), 20)
	}
	for _, part := range text.Wrap(body, width) {
		out.Line(lead + style(part))
		lead = more
	}
}
