package main

import (
	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/result"
)

func newCheckpoints(a *app) *cobra.Command {
	var flags runFlags
	var verify bool
	cmd := &cobra.Command{
		Use:   "checkpoints [run]",
		Short: "List a run's kept checkpoints",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, summary, err := a.openSummary(flags.dir, args)
			if err != nil {
				return err
			}
			kept, err := r.Kept(cmd.Context(), verify)
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			if err := a.show(result.CheckpointsOf(summary, kept)); err != nil {
				return err
			}
			if verify {
				err = a.showAudit(cmd, r, kept...)
			}
			for _, k := range kept {
				if k.Problem != "" && err == nil {
					err = exit(run.ExitFailed, nil)
				}
			}
			return err
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&verify, "verify", false,
		"read every byte, compare the manifests with the journal, and audit the run like show --audit")
	return cmd
}
