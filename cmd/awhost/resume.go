package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
)

func newResume(a *app) *cobra.Command {
	var flags specFlags
	var where runFlags
	var verbose, plain bool
	cmd := &cobra.Command{
		Use:   "resume [run]",
		Short: "Go on with a run from its last commit",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, summary, err := a.openSummary(where.dir, args)
			if err != nil {
				return err
			}
			if summary.Status == runstore.StatusFinished {
				fmt.Fprintf(a.out, "%s has finished: nothing is left to do\n", summary.Ref())
				return nil
			}
			path := summary.Spec
			if !filepath.IsAbs(path) {
				path = filepath.Join(where.dir, filepath.Base(path))
			}
			l, err := a.load(cmd.Context(), path, flags, nil)
			if err != nil {
				return err
			}
			store := a.store(l.spec.Dir)
			p, problems := plan.Make(cmd.Context(), plan.Inputs{Spec: l.spec, Train: flags.train, Catalog: l.catalog, PassEnv: flags.passEnv})
			defer p.Close()
			if err := a.report(problems); err != nil {
				return err
			}
			if p.Identity != summary.Identity {
				return exit(run.ExitUsage, fmt.Errorf("%s was made from another spec, data, plugins or variables than %s has now: give resume the --var and --var-file that the run was started with, undo the change, or run awhost apply to start another run", summary.Ref(), path))
			}
			p.Mode, p.Existing = event.ModeResume, &summary
			return a.start(cmd.Context(), p, store, flags.passEnv, applyOptions{verbose: verbose, plain: plain})
		},
	}
	flags.register(cmd)
	where.register(cmd)
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "report every episode")
	cmd.Flags().BoolVar(&plain, "plain", false, "plain lines instead of the live screen")
	return cmd
}
