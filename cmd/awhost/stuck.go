package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
)

func newStuck(a *app) *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "stuck [run]",
		Short: "Show what an active run is waiting for",
		Long: `Show what each part of a running run is waiting for: episodes for the trainer's sampler, a slot, their environment, or
a reward; the trainer for its episodes or a commit; or all of them for a plugin that is restarting or does not respond.
The cause of a delay is listed first. The run does not change.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, summary, err := a.openRunning(flags.dir, args)
			if err != nil {
				return err
			}
			line, err := look(cmd.Context(), r, summary)
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			return a.show(line)
		},
	}
	flags.register(cmd)
	return cmd
}

// look requests a run's waits from its host if the host can be reached.
func look(ctx context.Context, r *runstore.Run, summary runstore.Summary) (result.Stuck, error) {
	line := result.StuckOf(summary)
	if line.Reason = unaskable(summary); line.Reason != "" {
		line.Next = result.Next(summary)
		return line, nil
	}
	client, err := reach(ctx, r)
	if err != nil { // everything waits for a host that does not answer
		line.Reason = explainSilence(err, summary).Error()
		return line, nil
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	waits, err := client.Waits(ctx)
	if err != nil {
		return line, explainSilence(err, summary)
	}
	line.Answered(waits)
	return line, nil
}

// unaskable returns the reason why a run's host cannot be asked here, or "".
func unaskable(s runstore.Summary) string {
	switch {
	case s.Trainer != "" && s.Status != runstore.StatusRunning:
		return fmt.Sprintf("its host has exited: it is %s; its trainer may be waiting for another host", s.Status)
	case s.Status != runstore.StatusRunning:
		return fmt.Sprintf("it is not running: it is %s", s.Status)
	case s.Owner == nil:
		return "it is being opened by another process: try again"
	case s.Owner.Host != hostname():
		return fmt.Sprintf("it is running on %s: run the command there", s.Owner.Host)
	case !s.OwnerAlive:
		return "its host has exited, and processes that it left behind hold the run: awhost stop ends them"
	}
	return ""
}
