package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/sweep"
	"github.com/awhost/awhost/host/view/result"
)

// sweepOptions holds the flags of sweep.
type sweepOptions struct {
	seeds, jobs int
	show        bool
}

func newSweep(a *app) *cobra.Command {
	var flags specFlags
	var o sweepOptions
	cmd := &cobra.Command{
		Use:   "sweep [spec] --var name=[value,...] [--seeds n] [-- key=value...]",
		Short: "Train a spec with several values and seeds, and compare the results",
		Long: `Apply a spec with every combination of the values in lists and of the seeds. Each combination is an ordinary
run. The same command continues an interrupted sweep. Press Ctrl-C once to stop all runs after their steps, twice to
stop them immediately.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			path, overrides, err := splitArgs(cmd, args)
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			if o.jobs < 1 || o.seeds < 0 {
				return exit(run.ExitUsage, errors.New("--jobs and --seeds: want numbers above 0"))
			}
			return a.sweep(cmd.Context(), path, flags, overrides, o)
		},
	}
	flags.register(cmd)
	cmd.Flags().IntVar(&o.seeds, "seeds", 0, "train with var.seed from 1 to `n`")
	cmd.Flags().IntVar(&o.jobs, "jobs", 1, "number of runs at a time: `n`")
	cmd.Flags().BoolVar(&o.show, "show", false, "only show the results so far")
	cmd.Flags().BoolVar(&a.plain, "plain", false, "print without color and line breaks")
	return cmd
}

func (a *app) sweep(ctx context.Context, path string, flags specFlags, overrides map[string]string,
	o sweepOptions) error {
	axes, fixed, err := sweep.Axes(flags.vars, o.seeds)
	switch {
	case err != nil:
		return exit(run.ExitUsage, err)
	case len(axes) == 0:
		return exit(run.ExitUsage,
			errors.New("nothing to vary: give --seeds 5, or a variable with a list, as in --var 'lr=[1e-3, 3e-4]'"))
	}
	s := &sweep.Sweep{Axes: axes, Members: sweep.Product(axes)}
	for i, m := range s.Members {
		a.status().Show(fmt.Sprintf("planning run %d of %d", i+1, len(s.Members)))
		given := flags
		given.vars = slices.Concat(fixed, s.Vars(m))
		given.refresh = !o.show
		err := a.planMember(ctx, path, given, overrides, s, m)
		a.status().Clear()
		if err != nil {
			return err
		}
	}
	if err := s.Refresh(); err != nil {
		return exit(run.ExitFailed, err)
	}
	if o.show {
		return a.showSweep(s, path)
	}
	self, err := build.SelfPath()
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	received := s.Run(sweep.Options{
		Jobs: o.jobs, Signals: signals,
		Command: func(m *sweep.Member) *exec.Cmd {
			args := flags.apply(path, slices.Concat(fixed, s.Vars(m)), overrides)
			if m.Run == nil { // without the flag, a member with more steps would continue a finished one
				args = slices.Insert(args, 1, "--new")
			}
			return exec.Command(self, args...)
		},
		Report: func(m *sweep.Member, to string) {
			if !a.json {
				a.status().Above(m.Label + ": " + to)
			}
		},
	})
	if err := errors.Join(s.Refresh(), a.showSweep(s, path)); err != nil {
		return exit(run.ExitFailed, err)
	}
	return sweepEnd(s, received)
}

// sweepEnd returns the error for members without a result.
func sweepEnd(s *sweep.Sweep, signals int) error {
	failed, unfinished := 0, 0
	for _, m := range s.Members {
		switch {
		case m.Problem != "":
			failed++
		case !m.HasFinished():
			unfinished++
		}
	}
	code := run.ExitFailed
	switch {
	case failed+unfinished == 0:
		return nil
	case signals > 1:
		code = run.ExitAborted
	case signals > 0:
		code = run.ExitStopped
	}
	return exit(code, fmt.Errorf("of %d runs, %d failed and %d did not finish: the same command continues them",
		len(s.Members), failed, unfinished))
}

func (a *app) showSweep(s *sweep.Sweep, path string) error {
	shown, err := result.SweepOf(s, path)
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	return a.show(shown)
}

// planMember plans a member as apply would, and reports the problems. Warnings are reported once.
func (a *app) planMember(ctx context.Context, path string, flags specFlags, overrides map[string]string,
	s *sweep.Sweep, m *sweep.Member) error {
	l, problems, err := a.read(ctx, path, flags, overrides)
	if err != nil {
		return err
	}
	first := m == s.Members[0]
	if l != nil {
		if first {
			if err := a.passEnv(l.spec, flags.passEnv); err != nil {
				return err
			}
			s.Store = a.store(l.spec.Dir)
		}
		// Without fresh, the plan may have the identity of a run that it would give more steps.
		p, found, err := a.planApply(ctx, l, s.Store, flags, applyOptions{fresh: true})
		if err != nil {
			return err
		}
		defer p.Close()
		problems = append(problems, forSpec(found, path)...)
		if !problems.HasErrors() {
			m.Identity, m.Train = p.Identity, p.Train.Name
			problems = append(problems, checkMember(p, s, m)...)
		}
	}
	if !first && !problems.HasErrors() {
		return nil
	}
	for i := range problems {
		if problems[i].Severity == diag.Error {
			problems[i].Detail += fmt.Sprintf(" This is the run with %s. Nothing was started.", m.Label)
		}
	}
	return a.report(problems)
}

// checkMember reports variables that cannot be varied.
func checkMember(p *plan.Plan, s *sweep.Sweep, m *sweep.Member) (problems diag.Diagnostics) {
	for _, v := range p.Spec.Variables {
		if v.Sensitive && slices.ContainsFunc(s.Axes, func(axis sweep.Axis) bool { return axis.Name == v.Name }) {
			problems = append(problems, diag.Diagnostic{Severity: diag.Error, Summary: "Sensitive variable in a sweep",
				Detail: fmt.Sprintf("The values of var.%s are secrets, which the results of a sweep would show.", v.Name)})
		}
	}
	seed := m.Values[len(m.Values)-1]
	if s.Axes[len(s.Axes)-1].Name == sweep.SeedVariable && !slices.ContainsFunc(p.Stages, func(stage plan.Stage) bool {
		return strconv.FormatInt(stage.Knobs.Seed, 10) == seed
	}) {
		problems = append(problems, p.Spec.Diagnose(p.Train.Places, []string{"seed"}, diag.Diagnostic{
			Severity: diag.Error, Summary: "Seed independent of the variable",
			Detail: fmt.Sprintf("var.seed is %s, but the seed of the training is %d. Write `seed = var.seed` in the train "+
				"block.", seed, p.Stages[0].Knobs.Seed)}))
	}
	for _, other := range s.Members {
		if other != m && other.Identity == m.Identity && len(problems) == 0 {
			problems = append(problems, diag.Diagnostic{Severity: diag.Error, Summary: "Repeated run",
				Detail: fmt.Sprintf("It equals the run with %s. Remove the repeated value, or use the variable in the spec.",
					other.Label)})
		}
	}
	return problems
}

// apply returns the arguments of the apply command with the same flags, for other variables.
func (f *specFlags) apply(path string, vars []string, overrides map[string]string) []string {
	args := []string{"apply", "--plain", path}
	add := func(flag string, values ...string) {
		for _, value := range values {
			if value != "" {
				args = append(args, flag, value)
			}
		}
	}
	add("--train", f.train)
	add("--var-file", f.varFiles...)
	add("--var", vars...)
	add("--pass-env", f.passEnv...)
	if len(overrides) > 0 {
		args = append(args, "--")
	}
	for _, key := range slices.Sorted(maps.Keys(overrides)) {
		args = append(args, key+"="+overrides[key])
	}
	return args
}
