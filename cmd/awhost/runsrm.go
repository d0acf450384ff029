package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
)

func newRunsRemove(a *app) *cobra.Command {
	var flags runFlags
	var yes bool
	cmd := &cobra.Command{
		Use:   "rm run...",
		Short: "Delete runs with their checkpoints and episodes",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			store := a.store(flags.dir)
			var chosen result.Runs
			for _, arg := range args {
				if arg == "" { // an unset variable in a script
					return exit(run.ExitUsage, errors.New("an empty name would mean the newest run: name each run to delete"))
				}
				_, s, err := a.openSummary(flags.dir, []string{arg})
				if err == nil && filepath.Dir(s.Dir) != store.Root() {
					err = exit(run.ExitUsage, fmt.Errorf("%s is not in %s: give its spec's directory with --dir", arg, store.Root()))
				}
				if err != nil {
					return err
				}
				if !slices.ContainsFunc(chosen, func(o result.Listed) bool { return o.Dir == s.Dir }) {
					chosen = append(chosen, listedRun(store, s, true))
				}
			}
			list, err := removalOf(store, chosen, "requested")
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			for _, r := range list {
				if r.Kept != "" {
					return exit(run.ExitUsage, fmt.Errorf("%s cannot be removed: %s", r.Run, r.Kept))
				}
			}
			if !yes {
				if err := a.confirmRemoval(list); err != nil {
					return err
				}
			}
			return a.remove(cmd.Context(), store, list)
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// removalOf describes runs to remove.
func removalOf(store *runstore.Store, runs result.Runs, reason string) (result.Removal, error) {
	var summaries []runstore.Summary
	for _, r := range runs {
		summaries = append(summaries, r.Summary)
	}
	kept, err := store.Protect(summaries)
	if err != nil {
		return nil, err
	}
	return result.RemovalOf(runs, reason, kept), nil
}

// confirmRemoval shows what will be lost, and asks at a terminal.
func (a *app) confirmRemoval(list result.Removal) error {
	if _, _, interactive := a.console(); !interactive {
		return exit(run.ExitUsage, fmt.Errorf("this deletes %s: confirm with --yes", list.Total()))
	}
	if err := a.show(list); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(a.err, "Delete %s? This cannot be undone. [y/N] ", list.Total())
	answer, _ := bufio.NewReader(a.in).ReadString('\n') // without an answer, nothing is deleted
	if strings.ToLower(strings.TrimSpace(answer)) != "y" {
		return exit(run.ExitUsage, errors.New("nothing was deleted"))
	}
	return nil
}

// remove deletes the listed runs, the files of interrupted removals, and the builds that no run needs anymore.
func (a *app) remove(ctx context.Context, store *runstore.Store, list result.Removal) error {
	var failed error
	for i := range list {
		if list[i].Kept != "" {
			continue
		}
		r, err := store.Open(list[i].Dir)
		if err == nil {
			err = r.Remove(ctx)
		}
		list[i].Removed, failed = err == nil, errors.Join(failed, err)
	}
	failed = errors.Join(failed, store.Sweep())
	a.dropUnneeded(store)
	if err := a.show(list); err != nil {
		return err
	}
	if failed != nil {
		return exit(run.ExitFailed, failed)
	}
	return nil
}

func newRunsClean(a *app) *cobra.Command {
	var flags runFlags
	var keep int
	var older string
	var failed, apply bool
	var keepTags []string
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "List runs that can be deleted by a policy; --apply deletes them",
		Long: `List the runs to which every given criterion applies, and with --apply delete them. Runs that are running, that
another run uses, or that have a name are kept, and runs with a tag, unless --keep-tag restricts the tags.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var criteria []string
			cmd.Flags().Visit(func(f *pflag.Flag) {
				if f.Name == "keep" || f.Name == "older-than" && older != "" || f.Name == "failed" && failed {
					criteria = append(criteria, f.Name+" "+f.Value.String())
				}
			})
			age, err := parseAge(older)
			switch {
			case err != nil:
				return exit(run.ExitUsage, fmt.Errorf("--older-than: %w", err))
			case keep < 0:
				return exit(run.ExitUsage, fmt.Errorf("--keep %d: want 0 or more", keep))
			case len(criteria) == 0:
				return exit(run.ExitUsage, errors.New("missing policy: give --keep, --older-than, or --failed"))
			}
			if err := checkDirectory(flags.dir); err != nil {
				return err
			}
			store := a.store(flags.dir)
			runs, err := a.listRuns(store, listFlags{})
			if err != nil {
				return err
			}
			newer := map[string]int{}
			runs = slices.DeleteFunc(runs, func(r result.Listed) bool {
				newer[r.Info.Name]++
				return newer[r.Info.Name] <= keep || time.Since(r.Updated) < age || failed && r.Status != runstore.StatusFailed ||
					r.Problem != "" || isLabeled(r.Label, keepTags) // an unreadable label may protect it
			})
			for i := range runs {
				runs[i] = listedRun(store, runs[i].Summary, true)
			}
			list, err := removalOf(store, runs, strings.Join(criteria, ", "))
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			if apply {
				return a.remove(cmd.Context(), store, list)
			}
			return a.show(list)
		},
	}
	flags.register(cmd)
	cmd.Flags().IntVar(&keep, "keep", 0, "keep the newest `N` runs of each train block")
	cmd.Flags().StringVar(&older, "older-than", "", "only runs without a record for this `age`: 30d, 12h")
	cmd.Flags().BoolVar(&failed, "failed", false, "only failed runs")
	cmd.Flags().StringSliceVar(&keepTags, "keep-tag", nil, "of the runs with a tag, keep those with this `tag`; may be "+
		"repeated")
	cmd.Flags().BoolVar(&apply, "apply", false, "delete the runs")
	return cmd
}

// isLabeled reports whether a run's label protects it. Without tags, any tag does.
func isLabeled(label runstore.Label, tags []string) bool {
	return label.Name != "" || slices.ContainsFunc(label.Tags, func(tag string) bool {
		return len(tags) == 0 || slices.Contains(tags, tag)
	})
}
