package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/docs"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/view/text"
)

func newSchema(a *app) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "schema [spec|reference|events|commands]",
		Short: "Print JSON Schemas, of specs and of --json, or the reference of the spec language",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			what := "spec"
			if len(args) == 1 {
				what = args[0]
			}
			switch what {
			case "spec", "reference":
			case "events":
				fmt.Fprint(a.out, docs.EventSchema)
				return nil
			case "commands":
				fmt.Fprint(a.out, docs.CommandSchema)
				return nil
			default:
				return exit(run.ExitUsage, fmt.Errorf("unknown schema %q: want spec, reference, events or commands", what))
			}
			c, err := a.specCatalog(path)
			if err != nil {
				return err
			}
			page := spec.Reference(c)
			if what == "spec" {
				page = string(spec.JSONSchema(c))
			}
			for line := range strings.Lines(page) { // plugins describe themselves in it
				fmt.Fprintln(a.out, text.Clean(line))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&path, "spec", defaultSpec, "`spec` whose plugins are included")
	return cmd
}
