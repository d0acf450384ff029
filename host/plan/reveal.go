package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
)

// checkPrivate warns about an agent that receives private columns, and reports names that do not occur in any task of a
// dataset.
func (p *Plan) checkPrivate(s *spec.Stage, a *spec.Actor) diag.Diagnostics {
	if len(a.Body.Private) == 0 {
		return nil
	}
	about := func(severity diag.Severity, summary, detail string) diag.Diagnostic {
		return p.Spec.Diagnose(a.Block.Places, []string{"private"}, diag.Diagnostic{
			Severity: severity, Summary: summary, Detail: detail,
		})
	}
	out := diag.Diagnostics{about(diag.Warning, "Private columns reach an agent", fmt.Sprintf("%s gets %s of each task. "+
		"The policy can learn to repeat whatever the agent shows it of that, instead of solving the task. Remove private "+
		"if the agent works without it.", a.Block.Address, strings.Join(a.Body.Private, ", ")))}
	for _, address := range slices.Compact([]string{s.Dataset, s.Validation}) {
		d := p.Data[address]
		if d == nil {
			continue
		}
		missing, found := unknownPrivate(d, a.Body.Private)
		if len(missing) > 0 {
			out = append(out, about(diag.Error, "Unknown private column", fmt.Sprintf("The first tasks of %s have no private "+
				"column %s: their private columns are %s. Correct private.", address, strings.Join(missing, ", "), found)))
		}
	}
	return out
}

// unknownPrivate returns the names that are missing from the private parts of the first tasks, and the names that a
// task does have.
func unknownPrivate(d *dataset.Dataset, names []string) (missing []string, found string) {
	missing, found = names, "nothing"
	for i := range min(d.Len(), planned.Compared) {
		task, err := d.Task(i)
		if err != nil {
			return nil, "" // the data have changed since they were opened: their next reader reports it
		}
		_, without := dataset.Reveal(task, names)
		missing = slices.DeleteFunc(slices.Clone(missing), func(n string) bool { return !slices.Contains(without, n) })
		if all := dataset.PrivateColumns(task); len(all) > 0 {
			found = strings.Join(all, ", ")
		}
	}
	return missing, found
}
