package result

import (
	"fmt"

	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/view/text"
)

// Plan is what apply would do.
type Plan struct {
	plan.Report

	text, saved string
}

// PlanOf is the result about a plan; all: people see settings that are defaults, too. saved is the file that it was
// written to, empty where there is none.
func PlanOf(p *plan.Plan, all bool, saved string) Plan { return Plan{p.Report(), p.Text(all), saved} }

// Text implements Result.
func (p Plan) Text(out *text.Printer) {
	out.Lines(text.CleanLines(p.text))
	if p.saved != "" {
		out.Line(fmt.Sprintf("Saved to %s: awhost apply %s does exactly this, or says what has changed.", p.saved, p.saved))
	}
}
