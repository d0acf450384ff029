package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
)

// shells lists the shells that cobra writes completions for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a shell script that completes commands, runs, types, and addresses",
		Long: `Print a completion script for a shell. To load it into the current shell:

  bash        source <(awhost completion bash)
  zsh         source <(awhost completion zsh)
  fish        awhost completion fish | source
  powershell  awhost completion powershell | Out-String | Invoke-Expression`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.data(), true)
			case "zsh":
				return root.GenZshCompletion(a.data())
			case "fish":
				return root.GenFishCompletion(a.data(), true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.data())
			}
			return exit(run.ExitUsage, fmt.Errorf("unsupported shell %q: want bash, zsh, fish, or powershell", args[0]))
		},
	}
}
