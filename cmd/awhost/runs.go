package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

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

func newRuns(a *app) *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List runs, newest first",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := checkDirectory(flags.dir); err != nil {
				return err
			}
			store := a.store(flags.dir)
			runs, err := store.List()
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			var listed result.Runs
			for _, summary := range runs {
				listed = append(listed, listedRun(store, summary))
			}
			return a.show(listed)
		},
	}
	flags.register(cmd)
	return cmd
}

// listedRun adds a run's metrics at its end, or at the newest checkpoint before it. It does not read the journal.
func listedRun(store *runstore.Store, s runstore.Summary) result.Listed {
	listed := result.Listed{Summary: s}
	if s.Finish != nil {
		listed.Values = s.Finish.Metrics
		return listed
	}
	if s.Checkpoint == "" || s.Problem != "" {
		return listed
	}
	r, err := store.Open(s.Dir)
	if err == nil {
		var m *runstore.Manifest
		if m, err = r.ReadManifest(s.Checkpoint); err == nil {
			listed.Values = m.Metrics
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a run in progress may have removed the checkpoint
		listed.Problem = err.Error()
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
