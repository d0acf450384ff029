package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/docs"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/spec"
)

func newSchema(a *app) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:       "schema [spec|reference|events|commands]",
		Short:     "Print the JSON Schemas of specs and --json output, or the spec reference",
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: []string{"spec", "reference", "events", "commands"},
		RunE: func(_ *cobra.Command, args []string) error {
			what := "spec"
			if len(args) == 1 {
				what = args[0]
			}
			switch what {
			case "spec", "reference":
			case "events":
				fmt.Fprint(a.data(), docs.EventSchema)
				return nil
			case "commands":
				fmt.Fprint(a.data(), docs.CommandSchema)
				return nil
			default:
				return exit(run.ExitUsage, fmt.Errorf("unknown schema %q: want spec, reference, events or commands", what))
			}
			c, err := a.specCatalog(path)
			if err != nil {
				return err
			}
			if what == "spec" {
				return a.printIndented(json.RawMessage(spec.JSONSchema(c)))
			}
			out := a.page()
			for _, page := range spec.Reference(c) {
				for line := range strings.Lines(page.Text + "\n") { // it contains text of plugins
					out.Line(line)
				}
			}
			return out.Err()
		},
	}
	cmd.Flags().StringVar(&path, "spec", defaultSpec, "`spec` with the plugins to include")
	return cmd
}
