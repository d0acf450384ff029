package main

import (
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

// A specTemplate is an example that `new spec` writes as train.hcl.
type specTemplate struct {
	spec  string   // the path of the spec, which awhost.Examples has
	files []string // its other files and directories, relative to the spec
	data  bool     // reports whether it reads the quick start's data
	about string
	next  []string // commands, where DIR is the new directory
}

var specTemplates = map[string]specTemplate{
	"arithmetic": {
		spec: "train.hcl", data: true, about: "the quick start; needs no Python", next: []string{"awhost apply DIR"},
	},
	"python-reward": {
		spec: "examples/python-reward/train.hcl", files: []string{"rewards.py"}, data: true,
		about: "the quick start with a reward function in Python", next: []string{"awhost apply DIR"},
	},
	"tools": {
		spec: "examples/python-tools/train.hcl", files: []string{"desk"}, data: true,
		about: "Python functions as tools", next: []string{"awhost init DIR", "awhost apply DIR"},
	},
	"mcp": {
		spec: "examples/mcp/train.hcl", files: []string{"server.py"}, data: true, about: "the tools of an MCP server",
		next: []string{"python3 -m venv DIR/.venv", "DIR/.venv/bin/pip install fastmcp==4.1.0", "awhost apply DIR"},
	},
	"math": {
		spec: "examples/math-agent/laptop.hcl", files: []string{"agents.py", "data"},
		about: "an agent in Python that calculates with code", next: []string{"awhost apply DIR"},
	},
	"harness": {
		spec: "examples/harness/train.hcl", files: []string{"rewards.py", "tasks.jsonl", "workspace"},
		about: "a coding harness, for a model that you serve",
		next: []string{
			"npm install -g @qwen-code/qwen-code@0.24.4", "awhost plan DIR",
			"awhost eval DIR --base-url http://localhost:8000/v1 --model-name MODEL",
		},
	},
	"bfcl": {
		spec: "examples/envtuning/tiny.hcl", files: []string{"demos.jsonl"},
		about: "three stages on BFCL's multi-turn tasks",
		next: []string{
			"python3 -m pip download --no-deps --dest DIR bfcl-eval==2025.6.15",
			"awhost apply DIR --var source=bfcl_eval-2025.6.15-py3-none-any.whl",
		},
	},
	"verl": {
		spec: "examples/math-agent/train.hcl", about: "GSM8K with a Python interpreter on verl, for eight GPUs",
		next: []string{"awhost init DIR", "awhost plan DIR --elsewhere", "awhost apply DIR"},
	},
}

// contents returns the template's files by path.
func (s specTemplate) contents() (map[string][]byte, error) {
	dir, spec := path.Split(s.spec)
	adapted := strings.NewReplacer("../../data/", "data/", dir+spec, scaffold.SpecFile, spec, scaffold.SpecFile)
	files := map[string][]byte{}
	for _, root := range append([]string{spec}, s.files...) {
		err := fs.WalkDir(awhost.Examples, path.Join(dir, root), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := awhost.Examples.ReadFile(name)
			if name = strings.TrimPrefix(name, dir); name == spec {
				name, text = scaffold.SpecFile, []byte(adapted.Replace(string(text)))
			}
			files[name] = text
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if s.data {
		for name, rows := range quickstart.Files() {
			files["data/"+name] = rows
		}
	}
	return files, nil
}

func newNewSpec(a *app) *cobra.Command {
	var name string
	names := slices.Sorted(maps.Keys(specTemplates))
	about := "Create a training run: a spec, and the files it names. The templates:\n\n"
	for _, name := range names {
		about += fmt.Sprintf("  %-14s %s\n", name, specTemplates[name].about)
	}
	cmd := &cobra.Command{
		Use:   "spec DIR",
		Short: "Create a training run: a spec and its data",
		Long:  about,
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			template, ok := specTemplates[name]
			if !ok {
				return exit(run.ExitUsage, fmt.Errorf("unknown template %q: want one of %s", name, strings.Join(names, ", ")))
			}
			files, err := template.contents()
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			paths, err := scaffold.Spec(args[0], files)
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			return a.show(result.SpecWritten(args[0], paths, template.next))
		},
	}
	cmd.Flags().StringVar(&name, "template", "arithmetic", "`template`: one of the above")
	complete := cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc("template", complete); err != nil {
		panic(err)
	}
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
