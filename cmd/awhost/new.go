package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/scaffold"
	"github.com/awhost/awhost/host/view/result"
)

func newNew(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new",
		Short: "Create a spec, or an agent in Python",
		Args:  cobra.ArbitraryArgs, // runGroup reports wrong arguments
		RunE:  runGroup,
	}
	cmd.AddCommand(newNewSpec(a), newNewAgent(a))
	return cmd
}

func newNewSpec(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "spec DIR",
		Short: "Create a training run for a laptop: a spec, an agent, and data",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := scaffold.Spec(args[0], awhost.Example())
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			return a.show(result.SpecWritten(args[0], files))
		},
	}
}

// definesAgent reports whether the spec in the working directory, or in dir, has an agent "python" block with a name.
func definesAgent(dir, name string) bool {
	block := regexp.MustCompile(`(?m)^\s*agent\s+"python"\s+"` + regexp.QuoteMeta(name) + `"`)
	return slices.ContainsFunc([]string{defaultSpec, filepath.Join(dir, defaultSpec)}, func(path string) bool {
		text, err := os.ReadFile(path)
		return err == nil && block.Match(text)
	})
}

func newNewAgent(a *app) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:               "agent NAME",
		Short:             "Create an agent: a Python file with a function that plays an episode",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := scaffold.Agent(dir, args[0])
			if errors.Is(err, fs.ErrExist) {
				err = fmt.Errorf("%s exists: choose another name, or another directory with --out", filepath.Join(dir, file))
			}
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			return a.show(result.AgentWritten(dir, args[0], file, definesAgent(dir, strings.TrimSuffix(file, ".py"))))
		},
	}
	cmd.Flags().StringVar(&dir, "out", ".", "output `directory`")
	return cmd
}
