package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk"
)

func newAsk(a *app) *cobra.Command {
	var flags specFlags
	var model modelFlags
	var o askOptions
	cmd := &cobra.Command{
		Use:   "ask [spec] INPUT | ask [spec] --task ID",
		Short: "Run one task with a checkpoint or a served model; show its messages, calls, and reward",
		Args:  cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := o.read(cmd, args)
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop() // Ctrl-C also ends the plugins
			p, err := a.prepare(ctx, path, flags, model, plan.Evaluation{Dataset: o.dataset, NoData: o.task == ""})
			if err != nil {
				return err
			}
			defer p.close()
			return a.ask(ctx, p, o)
		},
	}
	flags.register(cmd)
	model.register(cmd)
	cmd.Flags().StringVar(&o.task, "task", "", "`ID` of a task of the dataset, instead of an input")
	cmd.Flags().StringVar(&o.dataset, "dataset", "validation", "dataset of the task: `dataset.TYPE.NAME`, validation, "+
		"or train")
	cmd.Flags().StringVar(&o.truth, "ground-truth", "", "the correct `answer`, for the rewards")
	return cmd
}

type askOptions struct {
	input, task, dataset, truth string
	judged                      bool // a ground truth is available
}

// read parses the spec path and the input from the arguments.
func (o *askOptions) read(cmd *cobra.Command, args []string) (path string, err error) {
	o.judged = o.task != "" || cmd.Flags().Changed("ground-truth")
	switch {
	case o.task != "" && cmd.Flags().Changed("ground-truth"):
		return "", errors.New("--task already has a ground truth: remove --ground-truth")
	case o.task != "" && len(args) == 2:
		return "", errors.New("--task already provides the input: remove the other input")
	case o.task != "" && len(args) == 1:
		return args[0], nil
	case o.task != "":
		return defaultSpec, nil
	case len(args) == 0:
		return "", errors.New("missing input: give the input, as in awhost ask \"17+25=\", or a task with --task")
	}
	o.input = args[len(args)-1]
	if len(args) == 2 {
		return args[0], nil
	}
	return defaultSpec, nil
}

// toTask returns the task to answer.
func (o askOptions) toTask(p *plan.Plan) (sdk.Task, error) {
	if o.task != "" {
		data := p.Data[p.Stages[0].Validation]
		i, ok := data.Index(o.task)
		if !ok {
			return sdk.Task{}, fmt.Errorf("%s has no task %q; its first is %q", p.Stages[0].Validation, o.task, data.ID(0))
		}
		return data.Task(i)
	}
	public, err := json.Marshal(map[string]string{"prompt": o.input})
	if err != nil {
		return sdk.Task{}, err
	}
	task := sdk.Task{ID: "input", Public: public}
	if o.judged {
		task.Private, err = json.Marshal(map[string]string{"ground_truth": o.truth})
	}
	return task, err
}

func (a *app) ask(ctx context.Context, p *prepared, o askOptions) error {
	task, err := o.toTask(p.config.Plan)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	c := p.config
	c.Unjudged = !o.judged
	record, loaded, err := eval.Ask(ctx, c, task)
	if err != nil {
		return measured(ctx, err)
	}
	episode := eval.Describe(record)
	if err := a.show(result.AskedOf(episode, loaded, p.source, o.judged)); err != nil {
		return err
	}
	if episode.Outcome == sdk.OutcomeFailed {
		return exit(run.ExitFailed, nil)
	}
	return nil
}
