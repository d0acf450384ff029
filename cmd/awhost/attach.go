package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/text"
)

func newAttach(a *app) *cobra.Command {
	var flags runFlags
	var plain, verbose, noProgress bool
	cmd := &cobra.Command{
		Use:   "attach [run]",
		Short: "Show a run of another process",
		Long:  "Show a run in the background or in another terminal. Press Ctrl-C to detach; the run continues.",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.events = true
			r, summary, err := a.openRunning(flags.dir, args)
			if err != nil {
				return err
			}
			if summary.Status != runstore.StatusRunning {
				return exit(run.ExitUsage, fmt.Errorf("%s is not running: it is %s; awhost show %s shows the "+
					"results", summary.Ref(), summary.Status, callFor(r)))
			}
			return a.attach(cmd.Context(), r, summary, applyOptions{plain: plain, verbose: verbose, noProgress: noProgress})
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&plain, "plain", false, "print plain lines instead of the live screen")
	cmd.Flags().BoolVar(&noProgress, "no-progress", false, "with --json, omit phase events, the most frequent ones")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "show every step, and episodes if the run reports them")
	return cmd
}

// openRunning finds a run by name. If no name is given, it opens the newest running run, or the newest whose trainer
// may still be running, if there is one.
func (a *app) openRunning(dir string, args []string) (*runstore.Run, runstore.Summary, error) {
	if len(args) == 0 {
		runs, err := a.store(dir).List()
		if err != nil {
			return nil, runstore.Summary{}, exit(run.ExitFailed, err)
		}
		for _, r := range runs {
			if r.Status == runstore.StatusRunning || r.Trainer != "" {
				args = []string{r.Ref()}
				break
			}
		}
	}
	return a.openSummary(dir, args)
}

// answerTimeout bounds the wait for a response from a run's host.
const answerTimeout = 4 * time.Second

// reach connects to a run's host.
func reach(ctx context.Context, r *runstore.Run) (*control.Client, error) {
	where, err := r.Control()
	if err != nil {
		return nil, err
	}
	if where == nil {
		return nil, fmt.Errorf("the host of %s is not listening: it is starting or exiting, or it could not open "+
			"its control socket", r.Ref())
	}
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	return control.Dial(ctx, where.Socket)
}

// attachment is a view of a run in another process.
type attachment struct {
	run   *runstore.Run
	leave context.CancelFunc
	shown view.View
	last  *event.RunFinished
	asked sync.WaitGroup
}

func (a *app) attach(ctx context.Context, r *runstore.Run, summary runstore.Summary, o applyOptions) error {
	client, err := reach(ctx, r)
	if err != nil {
		return exit(run.ExitFailed, explainSilence(err, summary))
	}
	defer client.Close()
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	at := &attachment{run: r}
	ctx, at.leave = context.WithCancel(ctx)
	defer at.leave()
	options := a.viewOptions(o, nil)
	options.RunDir = text.Path(r.Dir)
	options.Attached, options.Leave, options.Stop = true, at.leave,
		func() { at.asked.Go(func() { at.stop(context.WithoutCancel(ctx)) }) }
	at.shown = view.New(options)
	err = client.Events(ctx, at.handle)
	at.asked.Wait()
	if shownErr := at.shown.Close(); shownErr != nil {
		return exit(run.ExitFailed, shownErr)
	}
	return a.left(ctx, r, at, err)
}

func (at *attachment) handle(e event.Event) {
	if p, ok := e.Payload.(event.RunFinished); ok {
		at.last = &p
	}
	at.shown.Handle(e)
}

// stop asks the run to end after the current step. The run's events show that it received the request.
func (at *attachment) stop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	client, err := reach(ctx, at.run)
	if err == nil {
		defer client.Close()
		err = client.Stop(ctx, false, "awhost attach")
	}
	if err != nil {
		at.shown.Handle(event.Event{Time: time.Now(), Run: at.run.Ref(), Payload: event.Warning{Code: "stop",
			Summary: "request to stop the run failed", Detail: err.Error()}})
	}
}

// left ends the command: with the run's exit code if the run has ended, or without one if the user left.
func (a *app) left(ctx context.Context, r *runstore.Run, at *attachment, err error) error {
	switch {
	case at.last != nil:
		for _, code := range run.ExitCodes {
			if code.Name == at.last.Exit {
				return exit(code, nil)
			}
		}
		return exit(run.ExitFailed, fmt.Errorf("%s ended with outcome %q, which is unknown to this version of "+
			"awhost", r.Ref(), at.last.Exit))
	case ctx.Err() != nil:
		if !a.json {
			a.say("detached from %s, which continues: awhost attach %s shows it again, awhost stop %s stops "+
				"it", r.Ref(), callFor(r), callFor(r))
		}
		return nil
	case errors.Is(err, control.ErrGone):
		return exit(run.ExitFailed, fmt.Errorf("the host of %s exited without reporting a result: to see the run's "+
			"state, use awhost runs%s; to resume it, use awhost resume %s",
			r.Ref(), runstore.WhereFlag(r.Dir), callFor(r)))
	}
	summary, summaryErr := r.Summary()
	if summaryErr != nil {
		return exit(run.ExitFailed, errors.Join(err, summaryErr))
	}
	return exit(run.ExitFailed, explainSilence(err, summary))
}

// hostname returns this machine's name, or "" if it is unknown.
func hostname() string {
	name, _ := os.Hostname()
	return name
}
