package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/manualpolicy"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

func newPlay(a *app) *cobra.Command {
	var sets, rewardSets []string
	var path string
	var c manualpolicy.Config
	var flags specFlags
	cmd := &cobra.Command{
		Use:   "play TYPE|ADDRESS [--task ID]",
		Short: "Act as the agent of an environment, or as the policy of an agent or a swarm",
		Long: `Play one episode. For the TYPE of an environment, you act as the agent. For the ADDRESS of an agent or a swarm in the
spec, such as swarm.team.desk, you act as the policy of each member. At a terminal, type the assistant's messages.
Otherwise play reads assistant messages as JSON, one per line, and writes the assistant's input in the same format.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ofSpec := strings.Contains(args[0], ".")
			if err := forPlay(cmd, ofSpec); err != nil {
				return exit(run.ExitUsage, err)
			}
			if ofSpec {
				flags.passEnv = c.PassEnv
				return a.playAgent(cmd.Context(), path, flags, args[0], c.Task)
			}
			err := a.warnUnset(c.PassEnv)
			if err != nil {
				return err
			}
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
	f.StringVar(&c.Task.ID, "task", "", "`ID` of a task of the environment or of the dataset")
	f.StringVar(&c.Task.JSON, "task-json", "", "a task as a row of a dataset: `'{\"prompt\": …}'`")
	f.StringVar(&c.Task.Dataset, "dataset", "", "`file` with tasks: .jsonl, .csv, or .parquet; for an ADDRESS also "+
		"validation, train, or dataset.TYPE.NAME")
	f.Uint64Var(&c.Seed, "seed", 1, "`seed` of the episode")
	f.StringVar(&c.Reward, "reward", "", "score the finished episode with a reward of this `TYPE`")
	f.StringArrayVar(&rewardSets, "reward-set", nil, "set an attribute of the reward: `key=value`; may be repeated")
	f.StringArrayVar(&c.PassEnv, "pass-env", nil, "pass the environment variable `NAME` to the plugins; may be repeated")
	f.StringVar(&path, "spec", defaultSpec, "`spec` with the plugins, or the agent")
	flags.registerVars(cmd)
	f.StringVar(&flags.train, "train", "", "`name` of the train block, if the spec has several")
	return cmd
}

// forPlay rejects flags that belong to the other kind of play.
func forPlay(cmd *cobra.Command, ofSpec bool) error {
	names, whose := []string{"var", "var-file", "train"}, "an agent or a swarm of the spec: play agent.TYPE.NAME"
	if ofSpec {
		names = []string{"set", "seed", "reward", "reward-set"}
		whose = "an environment: the spec says it of an agent or a swarm"
	}
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is for playing %s", name, whose)
		}
	}
	return nil
}

// settings parses the values of a flag that sets block attributes.
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

// manualPolicy returns a policy that gives the player's answers: a user at a terminal, or a program that writes lines.
func (a *app) manualPolicy() (_ *manualpolicy.Policy, interactive bool) {
	in, out, interactive := a.console()
	if interactive {
		printer := text.NewPrinter(out, text.Detect(out, a.environ))
		return manualpolicy.NewConsolePolicy(manualpolicy.NewTerminal(in, out), printer), true
	}
	return manualpolicy.NewLinePolicy(a.in, a.data()), false
}

// chosen returns the task to play: a given task, or one chosen from a dataset in the spec.
func chosen(choice manualpolicy.Choice) (task sdk.Task, given bool, ask askOptions, err error) {
	ask = askOptions{task: choice.ID, dataset: "validation"}
	if slices.Contains([]string{"validation", "train"}, choice.Dataset) || strings.HasPrefix(choice.Dataset, "dataset.") {
		ask.dataset, choice.Dataset = choice.Dataset, ""
	}
	if task, given, err = choice.Given(); err == nil && !given && choice.ID == "" {
		err = errors.New("missing task: select one with --task, or write one as --task-json '{\"prompt\": \"…\"}'")
	}
	return task, given, ask, err
}

// playAgent plays an episode with an agent or a swarm. The player responds in place of the policy.
func (a *app) playAgent(
	ctx context.Context, path string, flags specFlags, address string, choice manualpolicy.Choice,
) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop() // Ctrl-C also ends the plugins
	task, given, ask, err := chosen(choice)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	manualPolicy, interactive := a.manualPolicy()
	p, err := a.prepare(ctx, path, flags, modelFlags{player: manualPolicy}, plan.Evaluation{
		Agent: address, Dataset: ask.dataset, NoData: given,
	})
	if err != nil {
		return err
	}
	defer p.close()
	if !given {
		if task, err = ask.toTask(p.config.Plan); err != nil {
			return exit(run.ExitUsage, err)
		}
	}
	c := p.config
	c.Unjudged = len(task.Private) == 0
	record, loaded, err := eval.Ask(ctx, c, task)
	if err != nil {
		return measured(ctx, err)
	}
	episode := eval.Describe(record)
	if manualPolicy.Left() {
		episode.Finish = "left"
	}
	a.json = a.json || !interactive
	if err := a.show(result.AskedOf(episode, loaded, nil, !c.Unjudged)); err != nil {
		return err
	}
	if err := manualPolicy.Err(); err != nil {
		return exit(run.ExitUsage, err)
	}
	return nil
}

func (a *app) play(ctx context.Context, c manualpolicy.Config) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop() // Ctrl-C also ends the plugins
	var err error
	in, out, interactive := a.console()
	if interactive {
		printer := text.NewPrinter(out, text.Detect(out, a.environ))
		err = manualpolicy.Prompt(ctx, c, manualpolicy.NewTerminal(in, out), printer)
	} else {
		err = manualpolicy.Lines(ctx, c, a.in, a.data())
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

// console reports whether input and output are a terminal, and returns them.
func (a *app) console() (in, out *os.File, interactive bool) {
	in, isFile := a.in.(*os.File)
	out, alsoFile := a.data().(*os.File)
	if a.json || !isFile || !alsoFile {
		return nil, nil, false
	}
	return in, out, term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
}
