package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/sdk"
)

func newApply(a *app) *cobra.Command {
	var flags specFlags
	var o applyOptions
	cmd := &cobra.Command{
		Use:   "apply [spec | plan] [-- key=value...]",
		Short: "Train what a spec declares; go on with an interrupted run of it",
		Long: `Trains what a spec declares. An interrupted run of exactly this spec goes on from its last commit; a finished one is
left alone and named, and --new starts another. Ctrl-C once finishes the step and commits it; twice stops at once.

Of a file that "awhost plan --out" saved it does exactly what that plan says, or says what has changed since.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.events = true
			path, overrides, err := splitArgs(cmd, args)
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			if o.detach {
				return a.detach(cmd.Context())
			}
			switch saved, err := plan.ReadFile(path); {
			case err == nil:
				return a.applySaved(cmd.Context(), saved, path, flags, overrides, o)
			case !errors.Is(err, plan.ErrNoPlan):
				return exit(run.ExitUsage, err)
			}
			return a.apply(cmd.Context(), path, flags, overrides, o)
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&o.fresh, "new", false, "start another run even when one of this spec exists")
	o.register(cmd)
	return cmd
}

// applyOptions are the flags of commands that train.
type applyOptions struct {
	fresh   bool // apply only
	verbose bool
	plain   bool
	detach  bool
}

func (o *applyOptions) register(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&o.verbose, "verbose", "v", false, "report every step and every episode")
	cmd.Flags().BoolVar(&o.plain, "plain", false, "plain lines instead of the live screen")
	cmd.Flags().BoolVar(&o.detach, "detach", false, "train in the background: return when the run has started")
}

func (a *app) apply(ctx context.Context, path string, flags specFlags, overrides map[string]string, o applyOptions) error {
	flags.refresh = true
	l, err := a.load(ctx, path, flags, overrides)
	if err != nil {
		return err
	}
	store := a.store(l.spec.Dir)
	p, problems := plan.Make(ctx, plan.Inputs{Spec: l.spec, Train: flags.train, Catalog: l.catalog, Store: store, New: o.fresh, PassEnv: flags.passEnv, Refreshed: true, Guard: guardCommand()})
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
	interrupts := newInterrupts() // before there is a run: from then on a signal ends it in good order
	defer interrupts.close()
	writer, err := openRun(ctx, p, store)
	var locked *runstore.LockedError
	if errors.As(err, &locked) {
		return exit(run.ExitLocked, err)
	}
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	parent, err := openReport(writer)
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	defer parent.close()
	shown := view.New(a.viewOptions(o, interrupts))
	server := controlOf(writer, interrupts)
	bus := event.NewBus(event.Config{Now: time.Now}, shown, server, parent)
	bus.Identify(writer.Ref(), writer.Incarnation())
	a.publishDiagnostics(bus)
	interrupts.publish = bus.Publish
	interrupts.listen()

	result := run.Apply(ctx, run.Config{
		Plan: p, Writer: writer, Bus: bus, Stop: interrupts.stop, Abort: interrupts.abort, PassEnv: passEnv, Verbose: o.verbose,
		Guard: guardCommand(), Control: server, Patience: pluginPatience,
	})
	bus.Publish(result.RunFinished)
	closeCtx, cancel := context.WithTimeout(context.Background(), viewTimeout)
	defer cancel()
	err = bus.Close(closeCtx)
	lastWords, cancel := context.WithTimeout(context.Background(), attachedTimeout)
	defer cancel()
	server.Close(lastWords)
	if err := errors.Join(err, shown.Close()); err != nil { // of the output; it is not the run that failed
		fmt.Fprintf(a.err, "awhost: the output is incomplete, the run is not: %v; `awhost show %s` has it\n", err, writer.Ref())
	}
	return exit(result.Code, nil)
}

// viewTimeout bounds the wait for a reader of the output at the end, attachedTimeout that for those who are attached.
const (
	viewTimeout     = 30 * time.Second
	attachedTimeout = 5 * time.Second
)

// controlOf is what attach and stop reach.
func controlOf(writer *runstore.Writer, interrupts *interrupts) *control.Server {
	return control.NewServer(control.Config{
		Hello: control.Hello{
			Awhost: sdk.Version, Run: writer.Ref(), ID: writer.Info.ID, Dir: writer.Dir, Incarnation: writer.Incarnation(), PID: os.Getpid(),
		},
		Stop: interrupts.ask, Record: writer.RecordControl,
	})
}

func openRun(ctx context.Context, p *plan.Plan, store *runstore.Store) (*runstore.Writer, error) {
	if p.Mode == event.ModeResume {
		return run.Resume(ctx, store, p.Existing.Dir)
	}
	return store.Create(ctx, p.NewRun())
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
