package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
)

func newValidate(a *app) *cobra.Command {
	var flags specFlags
	cmd := &cobra.Command{
		Use:   "validate [spec]",
		Short: "Check a spec without starting anything",
		RunE: func(cmd *cobra.Command, args []string) error {
			path, overrides, err := splitArgs(cmd, args)
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			l, err := a.load(cmd.Context(), path, flags, overrides)
			if err != nil {
				return err
			}
			if a.json {
				a.print(struct {
					Type  string   `json:"type"`
					Valid bool     `json:"valid"`
					Files []string `json:"files"`
				}{"validated", true, l.spec.Files})
				return nil
			}
			fmt.Fprintf(a.out, "%s is valid: %d blocks, %d train\n", path, len(l.spec.Blocks), len(l.spec.Trains))
			return nil
		},
	}
	flags.register(cmd)
	return cmd
}
