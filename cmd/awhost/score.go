package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/score"
	"github.com/awhost/awhost/sdk"
)

func newScore(a *app) *cobra.Command {
	var sets, passEnv []string
	var path string
	cmd := &cobra.Command{
		Use:   "score TYPE [--set key=value]... < items.jsonl",
		Short: "Score answers offline with a reward, one JSON object per line in and out",
		Long: `Read one {"id", "task": {"ground_truth": …}, "messages": […] | "answer": "…"} per line and write one
{"id", "score", "components"} or {"id", "failure"} per line, in order. "answer" is the raw text that the reward scores.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			config := map[string]string{}
			for _, s := range sets {
				key, value, ok := strings.Cut(s, "=")
				if !ok {
					return exit(run.ExitUsage, fmt.Errorf("--set %q: want key=value", s))
				}
				config[key] = value
			}
			if err := a.warnUnset(passEnv); err != nil {
				return err
			}
			c, err := a.specCatalog(path)
			if err != nil {
				return err
			}
			err = score.Run(cmd.Context(), score.Config{Catalog: c, Type: args[0], Settings: config, PassEnv: passEnv,
				Guard: guardCommand(), In: a.in, Out: a.data()})
			switch {
			case errors.Is(err, sdk.ErrUnavailable):
				return exit(run.ExitPlugin, err)
			case err != nil:
				return exit(run.ExitUsage, err)
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&sets, "set", nil, "set an attribute of the reward: `key=value`; may be repeated")
	cmd.Flags().StringArrayVar(&passEnv, "pass-env", nil, "pass the environment variable `NAME` to the reward; may be "+
		"repeated")
	cmd.Flags().StringVar(&path, "spec", defaultSpec, "`spec` with the plugins")
	return cmd
}
