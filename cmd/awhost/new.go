package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/scaffold"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/plugins/calculator/quickstart"
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

// specTemplates returns the files of the specs that `new spec` writes.
var specTemplates = map[string]func() (map[string][]byte, error){
	"arithmetic": func() (map[string][]byte, error) {
		spec, err := awhost.Examples.ReadFile("train.hcl")
		files := map[string][]byte{scaffold.SpecFile: spec}
		for name, rows := range quickstart.Files() {
			files["data/"+name] = rows
		}
		return files, err
	},
	"math-agent": func() (map[string][]byte, error) {
		const root, spec = "examples/math-agent/", "laptop.hcl"
		files := map[string][]byte{}
		err := fs.WalkDir(awhost.Examples, path.Clean(root), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := awhost.Examples.ReadFile(name)
			if name = strings.TrimPrefix(name, root); name == spec {
				name, text = scaffold.SpecFile, bytes.ReplaceAll(text, []byte(spec), []byte(scaffold.SpecFile))
			}
			files[name] = text
			return err
		})
		return files, err
	},
}

func newNewSpec(a *app) *cobra.Command {
	var name string
	names := slices.Sorted(maps.Keys(specTemplates))
	cmd := &cobra.Command{
		Use:   "spec DIR",
		Short: "Create a training run for a laptop: a spec and its data",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			template := specTemplates[name]
			if template == nil {
				return exit(run.ExitUsage, fmt.Errorf("unknown template %q: want %s", name, strings.Join(names, " or ")))
			}
			files, err := template()
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			paths, err := scaffold.Spec(args[0], files)
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			return a.show(result.SpecWritten(args[0], paths))
		},
	}
	cmd.Flags().StringVar(&name, "template", "arithmetic",
		"`template`: the quick start's arithmetic, or math-agent, which has an agent in Python")
	return cmd
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
