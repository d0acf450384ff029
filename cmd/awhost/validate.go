package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/view/result"
)

func newValidate(a *app) *cobra.Command {
	var flags specFlags
	cmd := &cobra.Command{
		Use:   "validate [spec]",
		Short: "Check a spec without starting anything",
		RunE: func(cmd *cobra.Command, args []string) error {
			path, overrides, err := splitArgs(cmd, args)
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			l, err := a.load(cmd.Context(), path, flags, overrides)
			if err != nil {
				return err
			}
			if err := checkTrain(l.spec, flags.train); err != nil {
				return err
			}
			if err := a.report(l.spec.MissingPlugins(l.catalog.Missing())); err != nil {
				return err
			}
			_ = a.show(result.Validated{ // errors of a closed output are ignored
				Type: "validated", Valid: true, Files: l.spec.Files,
				Path: path, Blocks: len(l.spec.Blocks), Trains: len(l.spec.Trains),
			})
			return nil
		},
	}
	flags.register(cmd)
	_ = cmd.Flags().MarkHidden("pass-env") // accepted, so that a command line fits every command; nothing is started here
	return cmd
}

// checkTrain returns an error if the spec has no train block with the name passed in --train.
func checkTrain(s *spec.Spec, name string) error {
	if _, ok := s.Trains[name]; ok || name == "" {
		return nil
	}
	names := slices.Sorted(maps.Keys(s.Trains))
	if len(names) == 0 {
		return exit(run.ExitUsage, fmt.Errorf("--train %s: the spec has no train block", name))
	}
	return exit(run.ExitUsage, fmt.Errorf("--train %s: unknown train block: want one of "+
		"%s", name, strings.Join(names, ", ")))
}
