package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/spec"
)

// runGroup runs a command that has only subcommands: it shows the command's help and suggests the nearest name for an
// unknown subcommand.
func runGroup(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	advice := fmt.Sprintf("%s --help lists the commands", cmd.CommandPath())
	if near := spec.Nearest(args[0], names); near != "" {
		advice = fmt.Sprintf("did you mean %s %s?", cmd.CommandPath(), near)
	} else if cmd.HasParent() {
		advice = "want one of " + strings.Join(names, ", ")
	}
	return exit(run.ExitUsage, fmt.Errorf("unknown command %q for %s: %s", args[0], cmd.CommandPath(), advice))
}

// explainFlag adds the nearest flag name to the error about an unknown flag.
func explainFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	given := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); short != "" { // -json: a single dash is for flags of one letter
		given = short
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := spec.Nearest(given, names); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return fmt.Errorf("%w; %s --help lists the flags", err, cmd.CommandPath())
}
