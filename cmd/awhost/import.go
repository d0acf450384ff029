package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/ajet"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/result"
)

func newImport(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Write a spec from another system's configuration",
		Args:  cobra.ArbitraryArgs, // runGroup reports wrong arguments
		RunE:  runGroup,
	}
	cmd.AddCommand(newImportAjet(a))
	return cmd
}

func newImportAjet(a *app) *cobra.Command {
	var out, adapter string
	var overwrite bool
	cmd := &cobra.Command{
		Use:   "ajet FILE",
		Short: "Write a spec from AgentJet's YAML, and report the conversion of each key",
		Long: `Convert an AgentJet configuration to a spec, and list each key with its place in the spec, or with the reason why it
is not converted: docs/guides/agentjet.md. AgentJet is not required. Existing files are not overwritten without
--overwrite.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				out = filepath.Join(filepath.Dir(args[0]), defaultSpec)
			}
			if info, err := os.Stat(out); err == nil && info.IsDir() || strings.HasSuffix(out, "/") {
				out = filepath.Join(out, defaultSpec)
			}
			return a.importAjet(args[0], out, overwrite, ajet.Options{Adapter: adapter, Dir: filepath.Dir(out)})
		},
	}
	cmd.Flags().StringVar(&out, "out", "",
		"`file` to write, or the directory of a train.hcl; default: train.hcl next to FILE")
	cmd.Flags().StringVar(&adapter, "adapter", "local", "`type` of the adapter: "+strings.Join(ajet.Adapters, " or "))
	cmd.Flags().BoolVar(&overwrite, "overwrite", false, "overwrite an existing file")
	return cmd
}

// maxConfigBytes bounds the size of a configuration file.
const maxConfigBytes = 4 << 20

func (a *app) importAjet(path, out string, overwrite bool, options ajet.Options) error {
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxConfigBytes) {
		err = fmt.Errorf("%s is not a file or exceeds %d MiB: specify a YAML configuration", path, maxConfigBytes>>20)
	}
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	spec, err := ajet.Import(path, text, options)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	if err := spec.Write(out, overwrite); err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("%s exists: choose another file with --out, or replace it with --overwrite", out)
		}
		return exit(run.ExitUsage, err)
	}
	return a.show(result.ImportedOf(path, out, spec))
}
