package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/docs"
	"github.com/awhost/awhost/host/run"
)

func newDocs(a *app) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "docs [page]",
		Short: "Print a page of the documentation, or list all pages",
		Long: `Print a page of the documentation as Markdown, or list all pages.
Name the page by its path, such as guides/mcp, or by the last part of the path.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case all:
				for _, p := range docs.Pages() {
					fmt.Fprintf(a.data(), "<!-- docs/%s.md -->\n\n%s\n", p.Name, p.Text)
				}
				return nil
			case len(args) == 0:
				table := tabwriter.NewWriter(a.data(), 0, 0, 2, ' ', 0)
				for _, p := range docs.Pages() {
					fmt.Fprintf(table, "%s\t%s\n", p.Name, p.Title)
				}
				return table.Flush()
			}
			page, err := docs.Find(args[0])
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			fmt.Fprint(a.data(), page.Text)
			return nil
		},
		ValidArgsFunction: first(func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, p := range docs.Pages() {
				names = append(names, cobra.CompletionWithDesc(p.Name, p.Title))
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "print all pages, as input for an AI assistant")
	return cmd
}
