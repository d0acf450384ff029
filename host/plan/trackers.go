package plan

import (
	"context"
	"fmt"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/tracking"
)

// checkTrackers reports a Python interpreter that cannot be run and tracker packages that are missing.
func (p *Plan) checkTrackers(ctx context.Context, in Inputs) diag.Diagnostics {
	t := p.Train.Tracking
	if len(t.Trackers) == 0 {
		return nil
	}
	fault := func(path, summary, detail string) diag.Diagnostic {
		d := diag.Diagnostic{Severity: diag.Error, Summary: summary, Detail: detail}
		return in.Spec.Diagnose(p.Train.Places, []string{"tracking", path}, d)
	}
	lacking, err := tracking.Lacking(ctx, t.Python, in.PassEnv, t.Trackers)
	if err != nil {
		return diag.Diagnostics{fault("python", "Unusable Python", fmt.Sprintf(
			"Cannot check whether it has the packages of the trackers: %v. Name a Python that has them, as in "+
				"python = \"venv/bin/python\".", err))}
	}
	var problems diag.Diagnostics
	for _, name := range lacking {
		problems = append(problems, fault(name, "Tracker without its package", fmt.Sprintf(
			"%s has no package %s, with which awhost writes to %s. Install it with %s -m pip install %s, "+
				"or write %s = false.",
			t.Python, name, tracking.Trackers[name], t.Python, name, name)))
	}
	return problems
}
