package main

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
)

// Tab after a command must offer valid arguments, not just any files.
func TestCompletion_EveryCommandCompletesItsArguments(t *testing.T) {
	a, _ := hostileApp(false)
	for name, c := range leaves(newRoot(a), "") {
		if takesArguments(c) && c.ValidArgsFunction == nil && len(c.ValidArgs) == 0 {
			t.Errorf("awhost %s takes arguments, and no shell completes them: add %q to arguments in addCompleters "+
				"(cmd/awhost/complete.go), with a.completeRuns(1) where a run is meant, first(completeSpecs) where a spec is",
				name, c.Name())
		}
	}
}

func takesArguments(c *cobra.Command) bool {
	if c.Hidden || c.HasSubCommands() {
		return false
	}
	return slices.ContainsFunc([][]string{{"a"}, {"a", "b"}, {"a", "b", "c"}}, func(args []string) bool {
		return c.ValidateArgs(args) == nil
	})
}
