package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/text"
)

// savePlan writes a plan to a file for apply.
func savePlan(
	p *plan.Plan, path string, flags specFlags, overrides map[string]string, given plan.Given,
) (err error) {
	if given.Vars, err = flags.values(); err != nil {
		return err
	}
	given.VarFiles, given.Overrides, given.PassEnv = flags.varFiles, overrides, flags.passEnv
	saved, err := p.Save(given, time.Now())
	if err != nil {
		return err
	}
	return saved.Write(path)
}

// applySaved executes a saved plan if nothing has changed since it was saved.
func (a *app) applySaved(ctx context.Context, saved *plan.File, path string, flags specFlags,
	overrides map[string]string, o applyOptions) error {
	if o.smoke {
		return exit(run.ExitUsage, fmt.Errorf("%s is a saved plan, but a smoke run needs a separate plan: use --smoke with "+
			"the spec, %s", path, text.Path(saved.Spec)))
	}
	if o.fresh || o.steps > 0 || o.policy != "" || flags.train != "" || len(flags.varFiles) > 0 ||
		len(overrides) > 0 || len(flags.passEnv) > 0 {
		return exit(run.ExitUsage, fmt.Errorf("%s is a saved plan, which already contains --new, --steps, --policy, "+
			"--train, --var-file, --pass-env, and --: pass them to awhost plan --out instead", path))
	}
	secrets, err := flags.values()
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	for name, value := range saved.Vars {
		if _, given := secrets[name]; given {
			return exit(run.ExitUsage, fmt.Errorf("the saved plan was created with --var %s=%s: to change it, "+
				"create another plan", name, value))
		}
		flags.vars = append(flags.vars, name+"="+value)
	}
	flags.varFiles, flags.train, flags.passEnv = saved.VarFiles, saved.Train, saved.PassEnv
	l, err := a.load(ctx, text.Path(saved.Spec), flags, saved.Overrides) // nothing is built: the plan names its programs
	if err != nil {
		return err
	}
	for _, v := range l.spec.Variables {
		if _, given := secrets[v.Name]; given && !v.Sensitive {
			return exit(run.ExitUsage, fmt.Errorf("--var %s: a saved plan accepts only values of sensitive variables; to "+
				"change others, create another plan", v.Name))
		}
	}
	store := a.store(l.spec.Dir)
	in := plan.Inputs{Spec: l.spec, Train: flags.train, Catalog: l.catalog, Prepared: l.prepared,
		Store: store, New: saved.New, Steps: saved.Steps, PassEnv: flags.passEnv, Guard: guardCommand(),
		Build: identityHere()}
	if in.Start, err = a.startOf(ctx, in, saved.Policy); err != nil {
		return err
	}
	p, problems := plan.Make(ctx, in)
	defer p.Close()
	if err := a.report(problems); err != nil {
		return err
	}
	if changes := saved.Changes(p); len(changes) > 0 {
		return a.report(diag.Diagnostics{outdated(path, saved, changes)})
	}
	o.again = flags.again(text.Path(saved.Spec), saved.Overrides, l.spec, saved.Steps, saved.Policy)
	return a.start(ctx, p, store, flags.passEnv, o)
}

// outdated describes the changes since a plan was saved.
func outdated(path string, saved *plan.File, changes []string) diag.Diagnostic {
	return diag.Diagnostic{
		Severity: diag.Error, Summary: "Outdated plan",
		Detail: fmt.Sprintf("Since %s was saved on %s:\n\n%s\n\nNothing was started. Create a new plan with awhost plan "+
			"--out %s, or train the current spec with awhost apply.",
			path, saved.Created.Local().Format(time.DateTime), bulleted(changes), path),
	}
}

func bulleted(lines []string) string {
	out := slices.Clone(lines)
	for i := range out {
		out[i] = "  * " + out[i]
	}
	return strings.Join(out, "\n")
}
