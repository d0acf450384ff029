package result

import (
	"fmt"

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
	out.Lines(text.CleanLines(p.text))
	if p.saved != "" {
		out.Line(fmt.Sprintf("Saved to %s: awhost apply %s does exactly this, or reports the changes.", p.saved, p.saved))
	}
}
