package main

import (
	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/result"
)

func newWhere(a *app) *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "where [run]",
		Short: "Show a run's files on disk: journal, checkpoints, logs, and their sizes",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := a.openRun(flags.dir, args)
			if err != nil {
				return err
			}
			parts, err := r.Parts()
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			return a.show(result.WhereOf(r.Ref(), parts))
		},
	}
	flags.register(cmd)
	return cmd
}
