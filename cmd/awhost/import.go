package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/importer"
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
	for _, name := range slices.Sorted(maps.Keys(importer.Systems)) {
		cmd.AddCommand(newImportFrom(a, importer.Systems[name]))
	}
	return cmd
}

func newImportFrom(a *app, system *importer.System) *cobra.Command {
	var out, adapter string
	var overwrite bool
	files, page := "YAML", "docs/guides/agentjet.md"
	if system.Scripts {
		files, page = "YAML or launch script", "docs/reference/cli/import.md"
	}
	cmd := &cobra.Command{
		Use:   system.Name + " FILE",
		Short: "Write a spec from " + system.Title + "'s " + files + ", and report the conversion of each key",
		Long: "Convert a configuration of " + system.Title + " to a spec, and list each key with its place in the spec, or " +
			"with the reason\nwhy it is not converted: " + page + ". " + system.Title + " is not required, and " +
			"nothing in\nthe file is run. Existing files are not overwritten without --overwrite.",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				out = filepath.Join(filepath.Dir(args[0]), defaultSpec)
			}
			if info, err := os.Stat(out); err == nil && info.IsDir() || strings.HasSuffix(out, "/") {
				out = filepath.Join(out, defaultSpec)
			}
			return a.importFrom(system, args[0], out, overwrite, importer.Options{Adapter: adapter, Dir: filepath.Dir(out)})
		},
	}
	cmd.Flags().StringVar(&out, "out", "",
		"`file` to write, or the directory of a train.hcl; default: train.hcl next to FILE")
	if len(system.Adapters) > 1 {
		cmd.Flags().StringVar(&adapter, "adapter", system.Adapters[0],
			"`type` of the adapter: "+strings.Join(system.Adapters, " or "))
	}
	cmd.Flags().BoolVar(&overwrite, "overwrite", false, "overwrite an existing file")
	return cmd
}

// maxConfigBytes bounds the size of a configuration file.
const maxConfigBytes = 4 << 20

func (a *app) importFrom(system *importer.System, path, out string, overwrite bool, options importer.Options) error {
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxConfigBytes) {
		err = fmt.Errorf("%s is not a file or exceeds %d MiB: specify a configuration", path, maxConfigBytes>>20)
	}
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	spec, err := system.Import(path, text, options)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	if err := spec.Write(out, overwrite); err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("%s exists: choose another file with --out, or replace it with --overwrite", out)
		}
		return exit(run.ExitUsage, err)
	}
	if err := a.show(result.ImportedOf(path, out, spec)); err != nil {
		return err
	}
	if key := spec.Problem(); key != nil {
		return exit(run.ExitUsage, fmt.Errorf("%s: %s is not in the spec: %s", path, key.Key, key.Why))
	}
	return nil
}
