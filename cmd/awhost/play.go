package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/awhost/awhost/host/play"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

func newPlay(a *app) *cobra.Command {
	var sets, rewardSets []string
	var path string
	var c play.Config
	cmd := &cobra.Command{
		Use:   "play TYPE [--task ID] [--set key=value]...",
		Short: "Be the agent of an environment, at a prompt or in JSON lines",
		Long: `Plays one episode of an environment. At a terminal you type what the assistant says; otherwise assistant messages are
read as JSON, one per line, and the environment's answers written the same way.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if c.Settings, err = settings("set", sets); err != nil {
				return exit(run.ExitUsage, err)
			}
			if c.RewardSettings, err = settings("reward-set", rewardSets); err != nil {
				return exit(run.ExitUsage, err)
			}
			if c.Catalog, err = a.specCatalog(path); err != nil {
				return err
			}
			c.Type, c.Guard = args[0], guardCommand()
			return a.play(cmd.Context(), c)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&sets, "set", nil, "set an attribute of the environment: `key=value`; may be repeated")
	f.StringVar(&c.Task.ID, "task", "", "`ID` of a task: of the environment's own, or of the dataset")
	f.StringVar(&c.Task.JSON, "task-json", "", "a task as a row of a dataset: `'{\"prompt\": …}'`")
	f.StringVar(&c.Task.Dataset, "dataset", "", "`file` with tasks: .jsonl, .csv or .parquet")
	f.Uint64Var(&c.Seed, "seed", 1, "seed of the episode")
	f.StringVar(&c.Reward, "reward", "", "score the episode at its end with a reward of this `TYPE`")
	f.StringArrayVar(&rewardSets, "reward-set", nil, "set an attribute of the reward: `key=value`; may be repeated")
	f.StringArrayVar(&c.PassEnv, "pass-env", nil, "hand an environment variable to the plugins: `NAME`; may be repeated")
	f.StringVar(&path, "spec", defaultSpec, "`spec` whose plugins are meant")
	return cmd
}

// settings reads the values of a flag that sets attributes.
func settings(flag string, given []string) (map[string]string, error) {
	out := map[string]string{}
	for _, s := range given {
		key, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, fmt.Errorf("--%s %q: want key=value", flag, s)
		}
		out[key] = value
	}
	return out, nil
}

func (a *app) play(ctx context.Context, c play.Config) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop() // Ctrl-C ends the plugins, too
	var err error
	in, out, interactive := a.console()
	if interactive {
		err = play.Prompt(ctx, c, play.NewTerminal(in, out), text.NewPrinter(out, text.Detect(out, a.environ)))
	} else {
		err = play.Lines(ctx, c, a.in, a.data())
	}
	var failure *sdk.Failure
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return exit(run.ExitAborted, errors.New("interrupted"))
	case errors.Is(err, sdk.ErrUnavailable), errors.As(err, &failure):
		return exit(run.ExitPlugin, err)
	}
	return exit(run.ExitUsage, err)
}

// console says whether there is a person at both ends.
func (a *app) console() (in, out *os.File, interactive bool) {
	in, isFile := a.in.(*os.File)
	out, alsoFile := a.data().(*os.File)
	if a.json || !isFile || !alsoFile {
		return nil, nil, false
	}
	return in, out, term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
}
