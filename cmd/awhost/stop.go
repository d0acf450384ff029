package main

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
)

func newStop(a *app) *cobra.Command {
	var flags runFlags
	var now bool
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "stop [run]",
		Short: "End a run after the step under way; --now ends it at once",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, summary, err := a.openSummary(flags.dir, args)
			if err != nil {
				return err
			}
			if summary.Status != runstore.StatusRunning || summary.Owner == nil || !summary.OwnerAlive {
				fmt.Fprintf(a.out, "%s is not running: it is %s\n", summary.Ref(), summary.Status)
				return nil
			}
			if host, err := os.Hostname(); err == nil && host != summary.Owner.Host {
				return exit(run.ExitUsage, fmt.Errorf("%s runs on %s: stop it there", summary.Ref(), summary.Owner.Host))
			}
			if err := signalOwner(summary.Owner.PID, now); err != nil {
				return exit(run.ExitFailed, fmt.Errorf("stop %s: %w", summary.Ref(), err))
			}
			return a.awaitEnd(cmd.Context(), r, wait)
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&now, "now", false, "do not finish the step; the last commit is what counts")
	cmd.Flags().DurationVar(&wait, "wait", 10*time.Minute, "how long to wait for the end")
	return cmd
}

func signalOwner(pid int, now bool) error {
	owner, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	if err := owner.Signal(syscall.SIGTERM); err != nil || !now {
		return err
	}
	return owner.Signal(syscall.SIGINT) // another signal: two equal ones may be delivered as one
}

// pollInterval is how often stop looks whether the run has ended; only its lock can tell.
const pollInterval = 100 * time.Millisecond

func (a *app) awaitEnd(ctx context.Context, r *runstore.Run, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		summary, err := r.Summary()
		if err != nil {
			return exit(run.ExitFailed, err)
		}
		if summary.Status != runstore.StatusRunning {
			fmt.Fprintf(a.out, "%s is %s at step %s; awhost resume goes on\n", summary.Ref(), summary.Status, stepText(summary))
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return exit(run.ExitFailed, fmt.Errorf("%s has not ended within %s: awhost stop --now ends it at once", summary.Ref(), wait))
		}
	}
}
