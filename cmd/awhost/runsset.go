package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
)

func newRunsSet(a *app) *cobra.Command {
	var flags runFlags
	var name, note string
	var tags, untag []string
	cmd := &cobra.Command{
		Use:   "set run",
		Short: "Set a run's name, note, and tags",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed
			if !given("name") && !given("note") && len(tags)+len(untag) == 0 {
				return exit(run.ExitUsage, errors.New("nothing to set: give --name, --note, --tag, or --untag"))
			}
			r, summary, err := a.openSummary(flags.dir, args)
			if err != nil {
				return err
			}
			_, err = r.SetLabel(cmd.Context(), func(label *runstore.Label) {
				if given("name") {
					label.Name = name
				}
				if given("note") {
					label.Note = note
				}
				label.Tags = append(label.Tags, tags...)
				label.Tags = slices.DeleteFunc(label.Tags, func(tag string) bool { return slices.Contains(untag, tag) })
			})
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			return a.show(result.Runs{describe(r, summary, false)})
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&name, "name", "", "`name` that commands accept instead of the run; \"\" removes it")
	cmd.Flags().StringVar(&note, "note", "", "`text` to remember; \"\" removes it")
	cmd.Flags().StringSliceVar(&tags, "tag", nil, "add a `tag`; may be repeated")
	cmd.Flags().StringSliceVar(&untag, "untag", nil, "remove a `tag`; may be repeated")
	return cmd
}
