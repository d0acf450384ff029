package main

import (
	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/view/result"
)

func newPluginList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list [spec]",
		Short: "List the plugins that a spec can use",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path := defaultSpec
			if len(args) == 1 {
				path = args[0]
			}
			c, err := a.specCatalog(path)
			if err != nil {
				return err
			}
			if err := a.show(result.PluginsOf(c.Entries())); err != nil || a.json {
				return err
			}
			for name, why := range c.Pending() {
				a.tell("%s cannot be used: %v", name, why)
			}
			return nil
		},
	}
}
