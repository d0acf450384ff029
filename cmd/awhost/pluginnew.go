package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/scaffold"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/python"
)

func newPluginNew(a *app) *cobra.Command {
	var language, dir string
	cmd := &cobra.Command{
		Use:       "new (environment | reward | agent | adapter) NAME",
		Short:     "Create a plugin: a working component, its tests, fixtures, and a CI file",
		Args:      cobra.ExactArgs(2),
		ValidArgs: scaffold.Kinds,
		RunE: func(_ *cobra.Command, args []string) error {
			if language == "" {
				return exit(run.ExitUsage, errors.New("missing language: give --lang go or --lang python"))
			}
			if dir == "" {
				dir = args[1]
			}
			return a.beginPlugin(scaffold.Request{
				Kind: args[0], Name: args[1], Language: scaffold.Language(language), Dir: dir, Version: sdk.Version,
				Released: isRelease(),
				SDK:      awhost.SDK,
				Reserved: reservedNames(),
			})
		},
	}
	cmd.Flags().StringVar(&language, "lang", "", "`language` of the plugin: go or python")
	cmd.Flags().StringVar(&dir, "out", "", "`directory` to create; default: the name")
	return cmd
}

// reservedNames returns the names of the bundled plugins and of their types, which new plugins cannot use.
func reservedNames() []string {
	names := pluginNames()
	for _, p := range plugins() {
		for _, c := range p.Describe().Components {
			names = append(names, c.Type)
		}
	}
	return names
}

func (a *app) beginPlugin(request scaffold.Request) error {
	files, err := scaffold.Write(request)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	return a.show(result.WrittenOf(request, files))
}

func newPluginSDK(a *app) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "sdk",
		Short: "Write the Python SDK and the .proto files of this awhost to a directory",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := scaffold.SDK(filepath.Clean(dir), python.Sources, awhost.SDK); err != nil {
				return exit(run.ExitUsage, fmt.Errorf("write the SDK: %w", err))
			}
			return a.show(result.SDKWritten(dir))
		},
	}
	cmd.Flags().StringVar(&dir, "out", "awhost-sdk", "`directory` to create")
	return cmd
}
