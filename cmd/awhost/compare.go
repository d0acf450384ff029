package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/compare"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
)

func newCompare(a *app) *cobra.Command {
	var flags runFlags
	var all bool
	cmd := &cobra.Command{
		Use:   "compare RUN RUN",
		Short: "Compare two runs: curves, last metrics, and differences in spec, data, and plugins",
		Args:  cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			var runs [2]*runstore.Run
			for i, name := range args {
				r, err := a.openAnywhere(flags.dir, name)
				if err != nil {
					return exit(run.ExitUsage, err)
				}
				runs[i] = r
			}
			c, err := compare.Runs(runs[0], runs[1])
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			return a.show(result.ComparisonOf(c, all))
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "list all metrics, including single components and times")
	return cmd
}

// openAnywhere finds a run by its name or by a path: to its directory, to a spec directory (for its newest run), or to
// a spec directory followed by a run name.
func (a *app) openAnywhere(dir, name string) (*runstore.Run, error) {
	if !strings.ContainsRune(name, filepath.Separator) && name != "." && name != ".." {
		return a.store(dir).Open(name)
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(path, ".awhost", "runs")); err == nil {
		return a.store(path).Open("")
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return a.store(dir).Open(path)
	}
	return a.store(filepath.Dir(path)).Open(filepath.Base(path))
}
