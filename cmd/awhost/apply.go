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

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/sdk"
)

func newApply(a *app) *cobra.Command {
	var flags specFlags
	var fresh, verbose, plain bool
	cmd := &cobra.Command{
		Use:   "apply [spec] [-- key=value...]",
		Short: "Train what a spec declares; go on with an interrupted run of it",
		Long: `Trains what a spec declares. An interrupted run of exactly this spec goes on from its last commit; a finished one is
left alone and named, and --new starts another. Ctrl-C once finishes the step and commits it; twice stops at once.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.events = true
			path, overrides, err := splitArgs(cmd, args)
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			return a.apply(cmd.Context(), path, flags, overrides, applyOptions{fresh: fresh, verbose: verbose, plain: plain})
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&fresh, "new", false, "start another run even when one of this spec exists")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "report every episode")
	cmd.Flags().BoolVar(&plain, "plain", false, "plain lines instead of the live screen")
	return cmd
}

type applyOptions struct{ fresh, verbose, plain bool }

func (a *app) apply(ctx context.Context, path string, flags specFlags, overrides map[string]string, o applyOptions) error {
	flags.refresh = true
	l, err := a.load(ctx, path, flags, overrides)
	if err != nil {
		return err
	}
	store := a.store(l.spec.Dir)
	p, problems := plan.Make(ctx, plan.Inputs{Spec: l.spec, Train: flags.train, Catalog: l.catalog, Store: store, New: o.fresh, PassEnv: flags.passEnv})
	defer p.Close()
	if err := a.report(problems); err != nil {
		return err
	}
	return a.start(ctx, p, store, flags.passEnv, o)
}

// start runs a plan and shows it.
func (a *app) start(ctx context.Context, p *plan.Plan, store *runstore.Store, passEnv []string, o applyOptions) error {
	if p.Mode == event.ModeNoOp {
		return a.unchanged(p)
	}
	writer, err := openRun(ctx, p, store)
	var locked *runstore.LockedError
	if errors.As(err, &locked) {
		return exit(run.ExitLocked, err)
	}
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	interrupts := newInterrupts()
	defer interrupts.close()
	shown := view.New(a.viewOptions(o, interrupts))
	bus := event.NewBus(event.Config{Now: time.Now}, shown)
	bus.Identify(writer.Ref(), writer.Incarnation())
	a.publishDiagnostics(bus)
	interrupts.publish = bus.Publish
	interrupts.listen()

	result := run.Apply(ctx, run.Config{
		Plan: p, Writer: writer, Bus: bus, Stop: interrupts.stop, Abort: interrupts.abort, PassEnv: passEnv, Verbose: o.verbose,
		Guard: guardCommand(),
	})
	bus.Publish(result.RunFinished)
	closeCtx, cancel := context.WithTimeout(context.Background(), viewTimeout)
	defer cancel()
	if err := errors.Join(bus.Close(closeCtx), shown.Close()); err != nil {
		return exit(run.ExitFailed, err)
	}
	return exit(result.Code, nil)
}

// viewTimeout bounds the wait for a reader of the output at the end.
const viewTimeout = 30 * time.Second

func openRun(ctx context.Context, p *plan.Plan, store *runstore.Store) (*runstore.Writer, error) {
	if p.Mode == event.ModeResume {
		return store.Resume(ctx, p.Existing.Dir, runstore.ResumeOptions{})
	}
	return store.Create(ctx, runstore.NewRun{
		Name: p.Train.Name, Identity: p.Identity, SpecPath: p.Spec.Path, Spec: p.Spec.Resolved(), Protocol: sdk.ProtocolVersion,
	})
}

// unchanged reports a run that was done before.
func (a *app) unchanged(p *plan.Plan) error {
	result := run.Unchanged(p)
	shown := view.New(a.viewOptions(applyOptions{plain: true}, nil))
	bus := event.NewBus(event.Config{Now: time.Now}, shown)
	bus.Identify(p.Existing.Ref(), p.Existing.Incarnation)
	a.publishDiagnostics(bus)
	bus.Publish(event.RunStarted{
		Dir: result.Dir, Spec: p.Spec.Path, Mode: event.ModeNoOp, Step: p.Existing.Step, Plan: p.Summary(), Plugins: p.Plugins(),
	})
	bus.Publish(result.RunFinished)
	ctx, cancel := context.WithTimeout(context.Background(), viewTimeout)
	defer cancel()
	return errors.Join(bus.Close(ctx), shown.Close())
}

func (a *app) viewOptions(o applyOptions, interrupts *interrupts) view.Options {
	out := view.Options{Out: a.out, In: a.in, Environ: a.environ, Version: sdk.Version, Verbose: o.verbose, Now: time.Now}
	switch {
	case a.json:
		out.Format = view.FormatJSON
	case o.plain:
		out.Format = view.FormatPlain
	}
	if interrupts != nil {
		out.Interrupt = func() { interrupts.raise("Ctrl-C") }
	}
	return out
}

// interrupts are the two stages of Ctrl-C: finish the step and commit it; stop now.
type interrupts struct {
	stop, abort chan struct{}
	publish     func(event.Payload)

	mu      sync.Mutex
	raised  int
	signals chan os.Signal
	done    chan struct{}
}

func newInterrupts() *interrupts {
	return &interrupts{stop: make(chan struct{}), abort: make(chan struct{}), signals: make(chan os.Signal, 4), done: make(chan struct{})}
}

func (i *interrupts) listen() {
	signal.Notify(i.signals, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // with nohup a run outlives its terminal
		signal.Notify(i.signals, syscall.SIGHUP)
	}
	go func() {
		defer close(i.done)
		for s := range i.signals {
			i.raise(signalName(s))
		}
	}()
}

func signalName(s os.Signal) string {
	switch s {
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGHUP:
		return "SIGHUP"
	}
	return "SIGINT"
}

func (i *interrupts) raise(source string) {
	i.mu.Lock()
	i.raised++
	n := i.raised
	i.mu.Unlock()
	switch n {
	case 1:
		close(i.stop)
		i.publish(event.Interrupted{Stage: event.StopFirst, Source: source})
	case 2:
		close(i.abort)
		i.publish(event.Interrupted{Stage: event.StopSecond, Source: source})
	case thirdInterrupt:
		fmt.Fprintln(os.Stderr, "awhost: ending without waiting for anything")
		os.Exit(run.ExitAborted.Number)
	}
}

// thirdInterrupt is for a person who has seen the second do nothing.
const thirdInterrupt = 4

func (i *interrupts) close() {
	signal.Stop(i.signals)
	close(i.signals)
	if i.publish != nil {
		<-i.done
	}
}
