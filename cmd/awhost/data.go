package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/result"
)

func newData(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Check and show a spec's data",
		Args:  cobra.ArbitraryArgs, // runGroup reports wrong arguments
		RunE:  runGroup,
	}
	cmd.AddCommand(newDataCheck(a), newDataHead(a))
	return cmd
}

func newDataCheck(a *app) *cobra.Command {
	var flags specFlags
	var address string
	cmd := &cobra.Command{
		Use:   "check [spec] [-- key=value...]",
		Short: "Find faults in the tasks of the train block's datasets",
		Long: `Read all tasks of the train block's datasets and list their faults, with files and lines: answers in prompts,
repeated tasks, validation tasks that are trained on, missing answers, and more. "awhost docs
guides/when-it-does-not-learn" explains each. Exit with 1 if a fault is an error. "awhost plan" checks a sample.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, path, err := a.dataInputs(cmd, args, flags)
			if err != nil {
				return err
			}
			checked, problems := plan.CheckData(cmd.Context(), in, address)
			if err := a.report(forSpec(problems, path)); err != nil {
				return err
			}
			if err := a.show(result.DataOf(checked)); err != nil {
				return exit(run.ExitFailed, err)
			}
			if slices.ContainsFunc(checked, plan.CheckedData.HasError) {
				return exit(run.ExitUsage, nil)
			}
			return nil
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&address, "dataset", "", "`address` of the only dataset to list, as in dataset.jsonl.train")
	cmd.Flags().BoolVar(&a.plain, "plain", false, "print without color and line breaks")
	return cmd
}

func newDataHead(a *app) *cobra.Command {
	var flags specFlags
	var address string
	var n int
	cmd := &cobra.Command{
		Use:   "head [spec] [-- key=value...]",
		Short: "Show the first tasks of the train block's datasets as agents and rewards get them",
		RunE: func(cmd *cobra.Command, args []string) error {
			if n < 1 {
				return exit(run.ExitUsage, fmt.Errorf("-n %d: want 1 or more", n))
			}
			in, path, err := a.dataInputs(cmd, args, flags)
			if err != nil {
				return err
			}
			tasks, problems := plan.Head(cmd.Context(), in, address, n)
			if err := a.report(forSpec(problems, path)); err != nil {
				return err
			}
			return a.show(result.TasksOf(tasks))
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&address, "dataset", "", "`address` of the only dataset to show, as in dataset.jsonl.train")
	cmd.Flags().IntVarP(&n, "number", "n", 5, "tasks of each dataset")
	cmd.Flags().BoolVar(&a.plain, "plain", false, "print without color and line breaks")
	return cmd
}

// dataInputs loads the spec for a command that reads its datasets.
func (a *app) dataInputs(cmd *cobra.Command, args []string, flags specFlags) (in plan.Inputs, path string, err error) {
	path, overrides, err := splitArgs(cmd, args)
	if err != nil {
		return in, "", exit(run.ExitUsage, err)
	}
	l, err := a.load(cmd.Context(), path, flags, overrides)
	if err != nil {
		return in, "", err
	}
	return plan.Inputs{
		Spec: l.spec, Train: flags.train, Catalog: l.catalog, Prepared: l.prepared, PassEnv: flags.passEnv,
		Guard: guardCommand(),
	}, path, nil
}
