package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/scan"
	"github.com/awhost/awhost/host/scan/recorded"
	"github.com/awhost/awhost/host/standalone"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk"
)

func newScan(a *app) *cobra.Command {
	var flags runFlags
	var judge string
	var every int
	var only, passEnv []string
	cmd := &cobra.Command{
		Use:   "scan [run]",
		Short: "Scan a run's conversations for hacked rewards, broken tools, leaks, refusals, and loops",
		Long: `Scan all conversations of a run by rules, and with --judge also by a reward of the spec whose components name
problems. "awhost docs guides/when-it-does-not-learn" explains each finding. Exit with 1 if a finding is an error.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, id := range only {
				if !slices.Contains(scan.IDs(), id) {
					return exit(run.ExitUsage, fmt.Errorf("--only %q: want one of %v", id, scan.IDs()))
				}
			}
			r, _, err := a.openSummary(flags.dir, args)
			if err != nil {
				return err
			}
			tasks := &plan.PrivateParts{}
			defer tasks.Close()
			inputs, unreadable := (&privateParts{app: a, dir: flags.dir}).read(cmd.Context(), r)
			c := recorded.Config{Run: r, Rules: scan.New(only)}
			tasks.Inputs = inputs
			c.Private = func(ctx context.Context, e runstore.Episode) (json.RawMessage, error) {
				if unreadable != nil {
					return nil, unreadable
				}
				return tasks.Of(ctx, taskPlace(r, &e))
			}
			if judge != "" {
				if unreadable != nil {
					return exit(run.ExitUsage, unreadable)
				}
				plugin, err := a.startJudge(cmd.Context(), inputs, judge, passEnv)
				if err != nil {
					return err
				}
				defer plugin.Close()
				c.Model = &recorded.Model{Judge: scan.NewJudge(plugin.Component, threshold(inputs, judge)),
					Reward: plugin.Reward(),
					Needs:  plugin.Component.Reward.Needs, Every: max(1, every)}
			}
			found, err := recorded.Scan(cmd.Context(), c)
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			if err := a.show(result.ScanOf(r.Ref(), found, "awhost show "+callFor(r)+" --episode ")); err != nil {
				return exit(run.ExitFailed, err)
			}
			if slices.ContainsFunc(found.Findings,
				func(f event.Finding) bool { return f.Severity == event.FindingError }) {
				return exit(run.ExitUsage, nil)
			}
			return nil
		},
	}
	flags.register(cmd)
	cmd.Flags().StringSliceVar(&only, "only", nil, "`rules` to apply, separated by commas; default: all")
	cmd.Flags().StringVar(&judge, "judge", "",
		"also scan with this reward of the spec: its `address`, as in reward.llm_judge.scan")
	cmd.Flags().IntVar(&every, "every", 1, "have the judge scan one of `N` conversations")
	cmd.Flags().StringArrayVar(&passEnv, "pass-env",
		nil, "pass the environment variable `NAME` to the judge; may be repeated")
	return cmd
}

// startJudge starts the plugin of a reward block.
func (a *app) startJudge(ctx context.Context, in plan.Inputs, address string,
	passEnv []string) (*standalone.Plugin, error) {
	b := in.Spec.Blocks[address]
	if b == nil || b.Kind != string(sdk.KindReward) {
		return nil, exit(run.ExitUsage, fmt.Errorf("--judge: the spec has no reward %s: give its address, as in "+
			"reward.llm_judge.scan", address))
	}
	if err := a.warnUnset(passEnv); err != nil {
		return nil, err
	}
	plugin, err := standalone.Start(ctx, standalone.Config{Catalog: in.Catalog, Kind: sdk.KindReward,
		Type: b.Type, Block: b.Config,
		Dir: in.Spec.Dir, PassEnv: slices.Concat(b.PassEnv(), passEnv), Guard: guardCommand(), For: "scan"})
	if err != nil {
		return nil, exit(run.ExitPlugin, err)
	}
	return plugin, nil
}

// threshold returns the threshold of the spec's scan block for a judge, or the default.
func threshold(in plan.Inputs, judge string) float64 {
	if t := in.Spec.Trains[in.Train]; t != nil && t.Scan.Judge == judge {
		return t.Scan.Threshold
	}
	return 0.5
}
