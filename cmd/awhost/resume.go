package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
)

func newResume(a *app) *cobra.Command {
	var flags specFlags
	var where runFlags
	var o applyOptions
	cmd := &cobra.Command{
		Use:   "resume [run]",
		Short: "Resume a run from its last commit",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.events = true
			if err := o.checkPage(); err != nil {
				return exit(run.ExitUsage, err)
			}
			r, summary, err := a.openSummary(where.dir, args)
			if err != nil {
				return err
			}
			if summary.Status == runstore.StatusFinished {
				a.say("%s is finished: nothing to resume; to give it more steps, use awhost apply --steps N", summary.Ref())
				return nil
			}
			if summary.IsFinal() {
				return exit(codeOf(summary.Finish.ExitCode),
					fmt.Errorf("%s has ended with a failure: %s: no steps are left: start "+
						"another run with: awhost apply%s",
						summary.Ref(), summary.Finish.Reason, runstore.WhereFlag(r.Dir)))
			}
			if o.detach {
				return a.detach(cmd.Context())
			}
			if err := a.record(o); err != nil {
				return err
			}
			return a.resume(cmd.Context(), r, summary, where.dir, flags, o)
		},
	}
	flags.register(cmd)
	where.register(cmd)
	o.register(cmd)
	cmd.Flags().BoolVar(&o.acceptBuild, "accept-build", false, "resume with this build of awhost even if the run uses "+
		"another one; the run is then no longer exact")
	return cmd
}

// codeOf returns a run's recorded exit code.
func codeOf(number int) run.ExitCode {
	for _, code := range run.ExitCodes {
		if code.Number == number {
			return code
		}
	}
	return run.ExitFailed
}

// resume continues a run with its original settings.
func (a *app) resume(ctx context.Context, r *runstore.Run, summary runstore.Summary, dir string, flags specFlags,
	o applyOptions) error {
	if err := a.handOver(r, o.acceptBuild); err != nil {
		return err
	}
	overrides, err := flags.recall(r)
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	path := specOf(dir, summary.Spec)
	l, err := a.load(ctx, path, flags, overrides)
	if err != nil {
		return err
	}
	store := a.store(l.spec.Dir)
	var start *plan.Start
	policy := ""
	if from := r.Info.PolicyRun; from != nil {
		start, policy = &plan.Start{PolicyRun: *from}, fmt.Sprintf("%s@%d", from.Run, from.Step)
	}
	p, problems := plan.Make(ctx, plan.Inputs{Spec: l.spec, Train: flags.train, Catalog: l.catalog, Prepared: l.prepared,
		PassEnv: flags.passEnv, Refreshed: true, Guard: guardCommand(), Build: identityHere(), Steps: r.Info.Steps,
		Start: start, Continue: r})
	defer p.Close()
	if err := a.report(problems); err != nil {
		return err
	}
	same, err := sameButBuild(p, r, o.acceptBuild)
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	if !same {
		return exit(run.ExitUsage, fmt.Errorf("the spec, data, plugins, files (such as a reward's), or variables of %s "+
			"no longer match %s%s: undo the change%s, pass resume the --var and --var-file flags that the run was started "+
			"with, or run awhost apply to start another run", summary.Ref(), path,
			otherBuilds(r.Info.Plugins, p.Components), acceptAdvice(p, r)))
	}
	p.Mode, p.Existing = event.ModeResume, &summary
	o.again = flags.again(path, overrides, l.spec, r.Info.Steps, policy)
	return a.start(ctx, p, store, flags.passEnv, o)
}

// sameButBuild reports whether a plan equals the run's, or would equal it with the run's original build if the current
// build were accepted now or had been earlier.
func sameButBuild(p *plan.Plan, r *runstore.Run, accept bool) (bool, error) {
	if p.Identity == r.Info.Identity {
		return true, nil
	}
	if current := r.CurrentBuild(); !accept && (current == nil || current.Identity != identityHere()) {
		return false, nil
	}
	as, err := p.IdentityAs(r.Info)
	return as == r.Info.Identity, err
}

// acceptAdvice advises --accept-build if only the build differs, when the run has no recorded build, or returns "".
func acceptAdvice(p *plan.Plan, r *runstore.Run) string {
	if as, err := p.IdentityAs(r.Info); err != nil || as != r.Info.Identity {
		return ""
	}
	return ", use this build anyway with --accept-build, after which the run is no longer exact"
}

// otherBuilds names the plugins whose builds differ from the run's. The result is empty if anything else differs.
func otherBuilds(used []runstore.UsedPlugin, now []*plan.Component) string {
	var changed []string
	for _, u := range used {
		for _, c := range now {
			if c.Block.Address == u.Address && c.Entry.Hash != u.Hash && !slices.Contains(changed, u.Plugin) {
				changed = append(changed, u.Plugin)
			}
		}
	}
	if len(changed) == 0 {
		return ""
	}
	return ", which has another build of " + strings.Join(changed, ", ")
}

// specOf returns the current path of a run's spec: in the directory that holds its runs, under its recorded name, or
// the directory itself if the spec is a directory.
func specOf(dir, recorded string) string {
	file := filepath.Join(dir, filepath.Base(recorded))
	if info, err := os.Stat(file); err == nil && !info.IsDir() {
		return file
	}
	return dir
}

// recordedSpec is the recorded form of a run's spec.
type recordedSpec struct {
	Variables map[string]json.RawMessage `json:"variables"`
	Trains    map[string]struct {
		Stages []struct {
			Knobs struct {
				Overrides map[string]string `json:"overrides"`
			} `json:"knobs"`
		} `json:"stages"`
	} `json:"trains"`
}

// recall restores a run's train block, its variables, and its arguments after --, unless the user passes others.
// Secrets are not recorded: they are read again from their origin.
func (f *specFlags) recall(r *runstore.Run) (overrides map[string]string, err error) {
	resolved, err := r.Spec()
	if err != nil {
		return nil, err
	}
	var recorded recordedSpec
	if err := json.Unmarshal(resolved, &recorded); err != nil {
		return nil, fmt.Errorf("read spec of run %s: %w", r.Ref(), err)
	}
	train, known := recorded.Trains[r.Info.Name]
	if known && f.train == "" {
		f.train = r.Info.Name
	}
	if len(train.Stages) > 0 { // each stage has the overrides of the command line
		overrides = train.Stages[0].Knobs.Overrides
	}
	if len(f.varFiles) > 0 {
		return overrides, nil
	}
	for name, value := range recorded.Variables {
		if f.gives(name) || string(value) == "null" || isSecret(value) {
			continue
		}
		var text string
		if json.Unmarshal(value, &text) != nil { // not a string: the JSON text is the value
			text = string(value)
		}
		f.vars = append(f.vars, name+"="+text)
	}
	return overrides, nil
}

// isSecret reports whether a recorded value only names its origin.
func isSecret(value json.RawMessage) bool {
	var secret struct {
		Origin string `json:"$secret"`
	}
	return json.Unmarshal(value, &secret) == nil && secret.Origin != ""
}

func (f *specFlags) gives(name string) bool {
	return slices.ContainsFunc(f.vars, func(v string) bool { return strings.HasPrefix(v, name+"=") })
}
