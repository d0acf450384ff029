package main

import (
	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/sdk/process"
)

const guardUse = "guard"

// newGuard creates the command that runs a run's guard in a separate process, which briefly outlives the host.
func newGuard() *cobra.Command {
	return &cobra.Command{
		Use:    guardUse,
		Short:  "End a run's processes after its host has exited; started by the host",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := process.ServeGuard(); err != nil {
				return exit(run.ExitUsage, err)
			}
			return nil
		},
	}
}

// pluginHealth defines when a plugin counts as hung; tests shorten it.
var pluginHealth plugin.HealthPolicy

// guardCommand returns the command that starts the guard, or nil if this binary cannot be started again.
func guardCommand() []string {
	self, err := build.SelfPath()
	if err != nil {
		return nil
	}
	return []string{self, guardUse}
}
