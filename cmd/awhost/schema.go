package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/docs"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/spec"
)

func newSchema(a *app) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "schema [spec|events]",
		Short: "Print the reference of the spec language, or the JSON Schema of --json",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "events" {
				fmt.Fprint(a.out, docs.EventSchema)
				return nil
			}
			if len(args) == 1 && args[0] != "spec" {
				return exit(run.ExitUsage, fmt.Errorf("unknown schema %q: want spec or events", args[0]))
			}
			c, err := a.specCatalog(path)
			if err != nil {
				return err
			}
			fmt.Fprint(a.out, spec.Reference(c))
			return nil
		},
	}
	cmd.Flags().StringVar(&path, "spec", defaultSpec, "`spec` whose plugins are included")
	return cmd
}
