package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
)

// runFlags selects the runs directory.
type runFlags struct{ dir string }

func (f *runFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.dir, "dir", ".", "`directory` of the spec")
}

// listFlags selects the listed runs.
type listFlags struct {
	state, train, since string
	tags                []string
	limit               int
	size                bool
}

func newRuns(a *app) *cobra.Command {
	var flags runFlags
	var f listFlags
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List runs, newest first; name, tag, and delete them",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return runGroup(cmd, args)
			}
			if err := checkDirectory(flags.dir); err != nil {
				return err
			}
			listed, err := a.listRuns(a.store(flags.dir), f)
			if err != nil {
				return err
			}
			return a.show(listed)
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&f.state, "state", "", "only runs with this `status`: "+strings.Join(states, ", "))
	cmd.Flags().StringVar(&f.train, "train", "", "only runs of the train block with this `name`")
	cmd.Flags().StringArrayVar(&f.tags, "tag", nil, "only runs with this `tag`; may be repeated")
	cmd.Flags().StringVar(&f.since, "since", "", "only runs with a record since this `time`: 7d, 2026-03-01")
	cmd.Flags().IntVar(&f.limit, "limit", 0, "at most `n` runs")
	cmd.Flags().BoolVar(&f.size, "size", false, "measure the run directories")
	cmd.AddCommand(newRunsSet(a), newRunsRemove(a), newRunsClean(a))
	return cmd
}

// states lists the values of --state.
var states = []string{"running", "finished", "failed", "stopped", "interrupted", "unreadable"}

// listRuns lists the runs to which every flag applies.
func (a *app) listRuns(store *runstore.Store, f listFlags) (result.Runs, error) {
	if f.state != "" && !slices.Contains(states, f.state) {
		return nil, exit(run.ExitUsage, fmt.Errorf("--state %s: want one of %s", f.state, strings.Join(states, ", ")))
	}
	if f.limit < 0 {
		return nil, exit(run.ExitUsage, fmt.Errorf("--limit %d: want 1 or more", f.limit))
	}
	since, err := parseSince(f.since)
	if err != nil {
		return nil, exit(run.ExitUsage, fmt.Errorf("--since: %w", err))
	}
	runs, err := store.List()
	if err != nil {
		return nil, exit(run.ExitFailed, err)
	}
	listed := result.Runs{}
	for _, summary := range runs {
		switch {
		case f.limit > 0 && len(listed) == f.limit:
			return listed, nil
		case f.state != "" && f.state != string(summary.Status), f.train != "" && !summary.IsOf(f.train),
			summary.Updated.Before(since):
			continue
		}
		line := listedRun(store, summary, f.size)
		if !slices.ContainsFunc(f.tags, func(tag string) bool { return !slices.Contains(line.Label.Tags, tag) }) {
			listed = append(listed, line)
		}
	}
	return listed, nil
}

// listedRun opens a run and describes it.
func listedRun(store *runstore.Store, s runstore.Summary, measure bool) result.Listed {
	r, err := store.Open(s.Dir)
	if err != nil {
		return result.Listed{Summary: s} // which has the problem, or the run was just removed
	}
	return describe(r, s, measure)
}

// describe adds a run's label, its size, and its metrics at its end, or at the newest checkpoint before it. Without
// measure, it does not read the journal.
func describe(r *runstore.Run, s runstore.Summary, measure bool) result.Listed {
	listed := result.Listed{Summary: s}
	add := func(err error) {
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a run in progress may have removed the checkpoint
			listed.Problem = err.Error()
		}
	}
	var err error
	listed.Label, err = r.Label()
	add(err)
	if measure && s.Problem == "" {
		listed.Parts, err = r.Parts()
		add(err)
	}
	if s.Finish != nil {
		listed.Values = s.Finish.Metrics
	} else if s.Checkpoint != "" && s.Problem == "" {
		m, err := r.ReadManifest(s.Checkpoint)
		add(err)
		if err == nil {
			listed.Values = m.Metrics
		}
	}
	return listed
}

// callFor returns the name by which a command started in this directory refers to a run.
func callFor(r *runstore.Run) string { return r.Ref() + runstore.WhereFlag(r.Dir) }

// checkDirectory returns an error if the --dir value is not a directory.
func checkDirectory(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return exit(run.ExitUsage, fmt.Errorf("--dir: %w", err))
	case !info.IsDir():
		return exit(run.ExitUsage, fmt.Errorf("--dir: %s is not a directory: give the directory of the spec", dir))
	}
	return nil
}

// openSummary finds a run by name.
func (a *app) openSummary(dir string, args []string) (*runstore.Run, runstore.Summary, error) {
	r, err := a.openRun(dir, args)
	if err != nil {
		return nil, runstore.Summary{}, err
	}
	summary, err := r.Summary()
	if err != nil {
		return nil, summary, exit(run.ExitFailed, err)
	}
	return r, summary, nil
}

// openRun opens the run named by args, without reading its journal.
func (a *app) openRun(dir string, args []string) (*runstore.Run, error) {
	ref := ""
	if len(args) > 0 {
		ref = args[0]
	}
	if err := checkDirectory(dir); err != nil {
		return nil, err
	}
	r, err := a.store(dir).Open(ref)
	if err != nil {
		return nil, exit(run.ExitUsage, err)
	}
	return r, nil
}
