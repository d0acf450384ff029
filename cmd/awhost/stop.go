package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk/process"
)

// stopFlags holds the flags for stop.
type stopFlags struct {
	now   bool
	wait  time.Duration
	grace time.Duration
}

func newStop(a *app) *cobra.Command {
	var flags runFlags
	var secrets specFlags
	var o stopFlags
	cmd := &cobra.Command{
		Use:   "stop [run]",
		Short: "Stop a run after the current step; --now stops it immediately",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, summary, err := a.openRunning(flags.dir, args)
			if err != nil {
				return err
			}
			if summary.Trainer == "" {
				if err := a.stop(cmd.Context(), r, summary, o); err != nil {
					return err
				}
				if summary, err = r.Summary(); err != nil || summary.Trainer == "" || summary.Status == runstore.StatusRunning {
					return err
				}
			}
			return a.stopTrainer(cmd.Context(), r, summary, flags.dir, secrets, o)
		},
	}
	flags.register(cmd)
	secrets.registerVars(cmd)
	cmd.Flags().BoolVar(&o.now, "now", false, "do not finish the step; keep the last commit")
	cmd.Flags().DurationVar(&o.wait, "wait", 10*time.Minute, "maximum time to wait for the end")
	cmd.Flags().DurationVar(&o.grace, "grace", 10*time.Second, "with --now, how long to wait for an unresponsive host "+
		"before it is killed")
	return cmd
}

func (a *app) stop(ctx context.Context, r *runstore.Run, summary runstore.Summary, o stopFlags) error {
	switch {
	case summary.Status != runstore.StatusRunning:
		return a.show(result.StoppedOf(summary, true))
	case summary.Owner == nil:
		return exit(run.ExitFailed, fmt.Errorf("%s is being opened by another process: try again", summary.Ref()))
	case summary.Owner.Foreign():
		return exit(run.ExitUsage, fmt.Errorf("%s is held by %s: stop it there", summary.Ref(), summary.Owner))
	case !summary.OwnerAlive:
		return a.endLeftovers(ctx, r, summary, o)
	}
	err := a.askToStop(ctx, r, o.now)
	var silent *control.SilentError
	if errors.As(err, &silent) {
		return a.stopSilent(ctx, r, summary, o, silent)
	}
	if err != nil { // the host does not listen: it is starting, or is another version
		if err := signalOwner(summary.Owner.PID, o.now); err != nil {
			return exit(run.ExitFailed, fmt.Errorf("stop %s, which is held by %s: %w", summary.Ref(), summary.Owner, err))
		}
	}
	return a.awaitEnd(ctx, r, o.wait)
}

func (a *app) askToStop(ctx context.Context, r *runstore.Run, now bool) error {
	client, err := reach(ctx, r)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	return client.Stop(ctx, now, "awhost stop")
}

// stopSilent ends a run whose host does not respond. It always sends a signal; with --now it waits only briefly.
func (a *app) stopSilent(ctx context.Context, r *runstore.Run, summary runstore.Summary, o stopFlags,
	silent error) error {
	owner := summary.Owner
	if err := signalOwner(owner.PID, o.now); err != nil {
		return exit(run.ExitFailed, fmt.Errorf("stop %s, which is held by %s: %w", summary.Ref(), owner, err))
	}
	why := explainSilence(silent, summary)
	if !o.now {
		if owner.State() == runstore.ProcessStopped {
			return exit(run.ExitFailed, fmt.Errorf("%w; once it continues, it will end after its current step", why))
		}
		a.tell("%v; still waiting", why)
		return a.awaitEnd(ctx, r, o.wait)
	}
	a.tell("%v; it is killed in %s", why, o.grace)
	if err := a.awaitEnd(ctx, r, o.grace); err == nil || ctx.Err() != nil {
		return err
	}
	if owner.Alive() { // the pid still belongs to this host
		if err := syscall.Kill(owner.PID, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return exit(run.ExitFailed, fmt.Errorf("kill the host of %s: %w", summary.Ref(), err))
		}
	}
	return a.awaitEnd(ctx, r, o.wait)
}

// endLeftovers ends the processes that hold a run whose host has exited.
func (a *app) endLeftovers(ctx context.Context, r *runstore.Run, summary runstore.Summary, o stopFlags) error {
	left, err := process.SweepRun(ctx, summary.ID)
	for _, l := range left {
		ended := fmt.Sprintf("ended %s, left behind by the host of %s", l, summary.Ref())
		if a.json { // the line of the run follows, alone
			a.tell("%s", ended)
			continue
		}
		a.say("%s", ended)
	}
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	return a.awaitEnd(ctx, r, o.wait)
}

// explainSilence explains why a host does not respond, with a remedy. Other errors are returned unchanged.
func explainSilence(err error, summary runstore.Summary) error {
	var silent *control.SilentError
	if !errors.As(err, &silent) || summary.Owner == nil {
		return err
	}
	pid, ref, call := summary.Owner.PID, summary.Ref(), summary.Ref()+runstore.WhereFlag(summary.Dir)
	switch summary.Owner.State() {
	case runstore.ProcessStopped:
		return fmt.Errorf("the host of %s, pid %d, does not respond: it is suspended, for example by SIGSTOP or Ctrl-Z; "+
			"kill -CONT %d continues it, awhost stop --now %s ends it, and the run can be resumed", ref, pid, pid, call)
	case runstore.ProcessBlocked:
		return fmt.Errorf("the host of %s, pid %d, does not respond: it is blocked in the kernel, for example on an "+
			"unresponsive disk; awhost stop --now %s ends it once the kernel allows it, and the run can be "+
			"resumed", ref, pid, call)
	case runstore.ProcessRuns:
		return fmt.Errorf("the host of %s, pid %d, has not responded within %s although it is running: the machine may be "+
			"busy; awhost stop --now %s ends it, and the run can be resumed", ref, pid, silent.Waited, call)
	}
	return fmt.Errorf("the host of %s, pid %d: %w; awhost stop --now %s ends it, and the run can be "+
		"resumed", ref, pid, err, call)
}

func signalOwner(pid int, now bool) error {
	owner, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	if err := owner.Signal(syscall.SIGTERM); err != nil || !now {
		return err
	}
	return owner.Signal(syscall.SIGINT) // a different signal: two equal ones may be delivered as one
}

// pollInterval is the interval at which stop checks the run's lock to see whether the run has ended.
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
			if summary.Trainer == "" { // otherwise it has not ended yet
				return a.show(result.StoppedOf(summary, false))
			}
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			held := ""
			if who := r.Holder(); who != "" {
				held = ", it is held by " + who
			}
			return exit(run.ExitFailed, fmt.Errorf("%s did not end within %s%s: use awhost stop --now %s to end it "+
				"immediately",
				summary.Ref(), wait, held, callFor(r)))
		}
	}
}
