package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk"
)

func newPlan(a *app) *cobra.Command {
	var flags specFlags
	var detailed, all, fresh, smoke, connect, elsewhere bool
	var out, policy string
	var steps int
	cmd := &cobra.Command{
		Use:   "plan [spec] [-- key=value...]",
		Short: "Show what apply would do",
		RunE: func(cmd *cobra.Command, args []string) error {
			path, overrides, err := splitArgs(cmd, args)
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			if smoke && (fresh || out != "") {
				return exit(run.ExitUsage, errors.New("a smoke run is independent of earlier runs and is not saved: remove --new "+
					"and --out"))
			}
			l, err := a.load(cmd.Context(), path, flags, overrides)
			if err != nil {
				return err
			}
			probe := sdk.ProbeAsk
			if connect {
				probe = sdk.ProbeStart
			}
			in := plan.Inputs{
				Spec: l.spec, Train: flags.train, Catalog: l.catalog, Prepared: l.prepared, Store: a.store(l.spec.Dir),
				PassEnv: flags.passEnv, New: fresh, Steps: steps, Smoke: smoke, Elsewhere: elsewhere,
				Guard: guardCommand(), Build: identityHere(), Probe: probe,
			}
			if !smoke {
				if in.Start, err = a.startOf(cmd.Context(), in, policy); err != nil {
					return err
				}
			}
			p, problems := plan.Make(cmd.Context(), in)
			defer p.Close()
			if err := a.report(forSpec(problems, path)); err != nil {
				return err
			}
			if out != "" {
				if err := savePlan(p, out, flags, overrides, plan.Given{New: fresh, Steps: steps, Policy: policy}); err != nil {
					return exit(run.ExitFailed, err)
				}
			}
			if err := a.show(result.PlanOf(p, all, out)); err != nil {
				return exit(run.ExitFailed, err)
			}
			if detailed && p.Mode != event.ModeNoOp {
				return exit(run.ExitChanges, nil)
			}
			return nil
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&detailed, "detailed-exitcode", false, "exit with 2 if apply would do anything")
	cmd.Flags().BoolVar(&fresh, "new", false, "plan a new run even if one of this spec exists")
	registerSteps(cmd, &steps)
	registerPolicy(cmd, &policy)
	cmd.Flags().BoolVar(&smoke, "smoke", false, "plan a smoke run: see awhost apply --smoke")
	cmd.Flags().StringVar(&out, "out", "", "save the plan to a `file` for awhost apply")
	cmd.Flags().BoolVar(&connect, "connect", false, "start the spec's MCP servers to check their tools")
	cmd.Flags().BoolVar(&elsewhere, "elsewhere", false,
		"plan for another machine: report missing GPUs, engines, and models as warnings")
	cmd.Flags().BoolVar(&a.plain, "plain", false, "print without color and line breaks")
	cmd.Flags().BoolVar(&all, "all", false, "also list settings with default values")
	return cmd
}
