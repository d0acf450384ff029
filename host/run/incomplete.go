package run

import (
	"fmt"
	"strings"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
)

// maxIncomplete limits the number of steps explained in a warning. The warning still lists all steps.
const maxIncomplete = 20

// warnIncomplete warns about committed steps with fewer samples than planned, with the reasons. In a smoke run, such
// steps are expected.
func (r *runner) warnIncomplete() {
	if r.Plan.Smoke != nil || r.EndTrainer || r.Writer.Tip() == nil {
		return
	}
	short, err := r.Writer.IncompleteSteps()
	if err != nil {
		r.warn(event.Warning{Code: "fewer_samples", Summary: "cannot check whether every step had the planned " +
			"number of samples", Detail: err.Error()})
		return
	}
	if len(short) > 0 {
		r.warn(incompleteWarning(short, r.Writer.Ref()+runstore.WhereFlag(r.Writer.Dir)))
	}
}

func incompleteWarning(short []runstore.IncompleteStep, run string) event.Warning {
	samples, planned := 0, 0
	var lines []string
	for i, s := range short {
		samples, planned = samples+s.Samples, planned+s.Planned
		if i < maxIncomplete {
			lines = append(lines, s.String())
		}
	}
	if more := len(short) - maxIncomplete; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more: awhost show %s --audit", more, run))
	}
	return event.Warning{
		Code: "fewer_samples", Summary: fmt.Sprintf("%s had fewer samples than planned: %d of %d", stepRanges(short), samples,
			planned),
		Detail: strings.Join(lines, "\n"), Count: len(short),
	}
}

// stepRanges formats step numbers: "steps 3, 7-9".
func stepRanges(short []runstore.IncompleteStep) string {
	var parts []string
	for i := 0; i < len(short); {
		end := i
		for end+1 < len(short) && short[end+1].Step == short[end].Step+1 {
			end++
		}
		part := fmt.Sprint(short[i].Step)
		if end > i {
			part += fmt.Sprintf("-%d", short[end].Step)
		}
		parts, i = append(parts, part), end+1
	}
	if len(short) == 1 {
		return "step " + parts[0]
	}
	return "steps " + strings.Join(parts, ", ")
}
