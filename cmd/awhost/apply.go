package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/export"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/tracking"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/sdk"
)

func newApply(a *app) *cobra.Command {
	var flags specFlags
	var o applyOptions
	cmd := &cobra.Command{
		Use:   "apply [spec | plan] [-- key=value...]",
		Short: "Train a spec, or resume its interrupted run",
		Long: `Train a spec. An interrupted run of exactly this spec resumes from its last commit. A finished run does not change,
unless --steps or the spec gives it more steps; --new starts another one. Press Ctrl-C once to finish and commit the
step, twice to stop immediately.

With a plan saved by "awhost plan --out", execute exactly that plan, or report the changes since then.

With --smoke, test the spec on the CPU with a tiny random policy and keep nothing: see docs/guides/smoke.md.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.events = true
			path, overrides, err := splitArgs(cmd, args)
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			if err := o.check(); err != nil {
				return exit(run.ExitUsage, err)
			}
			if o.detach {
				return a.detach(cmd.Context())
			}
			if err := a.record(o); err != nil {
				return err
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
	cmd.Flags().BoolVar(&o.fresh, "new", false, "start a new run even if one of this spec exists")
	registerSteps(cmd, &o.steps)
	registerPolicy(cmd, &o.policy)
	cmd.Flags().BoolVar(&o.smoke, "smoke", false, "test the spec on the CPU: two steps of each stage, a tiny random "+
		"policy, nothing is kept")
	o.register(cmd)
	return cmd
}

// registerSteps adds --steps.
func registerSteps(cmd *cobra.Command, steps *int) {
	cmd.Flags().Func("steps", "steps of the run, `n`, instead of the spec's; a finished run with fewer continues",
		func(value string) (err error) {
			if *steps, err = strconv.Atoi(value); err != nil || *steps < 1 {
				return errors.New("want a number above 0")
			}
			return nil
		})
}

// registerPolicy adds --policy.
func registerPolicy(cmd *cobra.Command, policy *string) {
	cmd.Flags().Func("policy", "start from a checkpoint of another run: `RUN[@step]`; default: its best",
		nonEmpty(policy))
}

// startOf returns the start of the policy: the checkpoint that --policy names, or the last one of the train block that
// the spec names. It returns nil if the policy starts from its model.
func (a *app) startOf(ctx context.Context, in plan.Inputs, name string) (*plan.Start, error) {
	if name == "" {
		ref, err := plan.StartOf(ctx, in, func(in plan.Inputs) (*plan.Start, error) { return a.startOf(ctx, in, "") })
		if err != nil || ref == "" {
			return nil, err
		}
		name = ref
	}
	source, err := export.Find(ctx, in.Store, name)
	if err != nil {
		return nil, exit(run.ExitUsage, fmt.Errorf("start from %s: %w", name, err))
	}
	start, err := source.Start()
	if err != nil {
		return nil, exit(run.ExitUsage, fmt.Errorf("start from %s: %w", name, err))
	}
	return &start, nil
}

// applyOptions holds the flags for commands that train.
type applyOptions struct {
	fresh      bool   // apply only
	smoke      bool   // apply only
	steps      int    // apply only; 0: the spec's
	policy     string // apply only; the checkpoint from which the policy starts
	verbose    bool
	plain      bool
	noProgress bool
	detach     bool
	ui         bool
	eventFile  string
	trial      *trial // set for a smoke run
	again      string // the command that starts another run like this one

	stop        bool // for stop: the run ends after the current step
	acceptBuild bool // resume only: continue although this build may compute different results
	endTrainer  bool // for stop --now: only end the trainer left behind, at once
}

func (o *applyOptions) register(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&o.verbose, "verbose", "v", false, "report every step and every episode")
	cmd.Flags().BoolVar(&o.plain, "plain", false, "print plain lines instead of the live screen")
	cmd.Flags().BoolVar(&o.noProgress, "no-progress", false, "with --json or --events, omit phase events, the "+
		"most frequent ones")
	cmd.Flags().StringVar(&o.eventFile, "events", "", "also write the events of --json to a `file`")
	cmd.Flags().BoolVar(&o.ui, "ui", false,
		"also show the run in a browser, and print a link that is valid until the command ends")
	cmd.Flags().BoolVar(&o.detach, "detach", false, "train in the background: return once the run has started")
}

func (a *app) apply(ctx context.Context, path string, flags specFlags, overrides map[string]string,
	o applyOptions) error {
	flags.refresh = true
	l, err := a.load(ctx, path, flags, overrides)
	if err != nil {
		return err
	}
	if chain := l.spec.Chain(); flags.train == "" && len(chain) > 1 {
		if o.steps > 0 || o.policy != "" {
			return exit(run.ExitUsage, fmt.Errorf("--steps and --policy are for one train block: add --train NAME, "+
				"with one of %s", strings.Join(chain, ", ")))
		}
		for _, flags.train = range chain {
			if err := a.apply(ctx, path, flags, overrides, o); err != nil {
				return err
			}
		}
		return nil
	}
	store := a.store(l.spec.Dir)
	p, problems, err := a.planApply(ctx, l, store, flags, o)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := a.report(forSpec(problems, path)); err != nil {
		return err
	}
	if o.smoke {
		return a.smoke(ctx, p, flags.passEnv, o)
	}
	o.again = flags.again(path, overrides, l.spec, o.steps, o.policy)
	return a.start(ctx, p, store, flags.passEnv, o)
}

// planApply returns the plan that apply carries out.
func (a *app) planApply(ctx context.Context, l *loaded, store *runstore.Store, flags specFlags, o applyOptions) (
	p *plan.Plan, problems diag.Diagnostics, err error) {
	in := plan.Inputs{
		Spec: l.spec, Train: flags.train, Catalog: l.catalog, Prepared: l.prepared, Store: store, New: o.fresh,
		Steps: o.steps, Smoke: o.smoke, PassEnv: flags.passEnv, Refreshed: flags.refresh,
		Guard: guardCommand(), Build: identityHere(), Probe: sdk.ProbeAsk,
	}
	if !o.smoke {
		if in.Start, err = a.startOf(ctx, in, o.policy); err != nil {
			return nil, nil, err
		}
	}
	p, problems = plan.Make(ctx, in)
	return p, problems, nil
}

// start runs a plan and shows it.
func (a *app) start(ctx context.Context, p *plan.Plan, store *runstore.Store, passEnv []string, o applyOptions) error {
	if p.Mode == event.ModeNoOp {
		return a.unchanged(p, o.again)
	}
	interrupts := newInterrupts(a.tell) // before the run exists: from then on a signal ends it in an orderly way
	defer interrupts.close()
	if mode, err := strconv.ParseUint(p.Train.DirMode, 8, 9); err == nil { // empty: the umask decides
		syscall.Umask(0o777 &^ int(mode)) // also for plugins and trainers
	}
	writer, err := a.openWriter(ctx, p, store, o.acceptBuild)
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
	page, closePage := a.watched(ctx, writer.Run, p.Spec.Dir, o)
	shown := a.newView(o, interrupts)
	server := controlOf(writer, interrupts)
	tracker := trackerOf(p, writer, passEnv)
	watcher := telemetryOf(p, writer)
	bus := event.NewBus(event.Config{Now: time.Now}, shown, server, parent, tracker, watcher)
	bus.Identify(writer.Ref(), writer.Incarnation())
	a.publishDiagnostics(bus)
	page.publish(bus, writer.Run)
	interrupts.publish = bus.Publish
	interrupts.listen()
	watcher.Start(ctx, bus.Publish)
	if o.stop {
		interrupts.ask(false, "awhost stop")
	}

	adaptTo(p.Concurrency())
	result := run.Apply(ctx, run.Config{
		Plan: p, Script: o.trial.rolloutScript(), Writer: writer, Bus: bus, Stop: interrupts.stop, Abort: interrupts.abort,
		PassEnv: passEnv, Verbose: o.verbose,
		Guard: guardCommand(), Control: server, Tracker: tracker, Telemetry: watcher,
		Health: pluginHealth, EndTrainer: o.endTrainer,
	})
	endTelemetry(watcher)
	o.trial.judge(ctx, writer.Ref(), bus, result)
	bus.Publish(result.RunFinished)
	closeCtx, cancel := context.WithTimeout(context.Background(), viewTimeout)
	defer cancel()
	err = bus.Close(closeCtx)
	lastWords, cancel := context.WithTimeout(context.Background(), attachedTimeout)
	defer cancel()
	server.Close(lastWords)
	if err := errors.Join(err, shown.Close()); err != nil { // of the output; the run has not failed
		a.tell("awhost: the output is incomplete, but the run is complete: %v; see `awhost show "+
			"%s`", err, callFor(writer.Run))
	}
	closePage()
	o.trial.clear(writer.Dir, result)
	if p.Smoke == nil {
		a.dropBuild(store, result)
	}
	return exit(result.Code, nil)
}

// trackerOf returns the tracker that exports the run's metrics for comparison.
func trackerOf(p *plan.Plan, writer *runstore.Writer, passEnv []string) *tracking.Tracker {
	t := p.Train.Tracking
	return tracking.New(tracking.Config{
		Run: writer.Run, TensorBoard: t.TensorBoard, Generations: t.Generations,
		Trackers: t.Trackers, Python: t.Python, Offline: t.Offline, CloseTimeout: t.CloseTimeout,
		Project: cmp.Or(t.Project, p.Train.Name), Experiment: cmp.Or(t.Experiment, writer.Ref()), PassEnv: passEnv,
		Redact: p.Spec.Redactor().Text, Settings: p.HyperParameters(),
	})
}

// viewTimeout bounds the final wait for a reader of the output; attachedTimeout bounds the wait for attached viewers.
const (
	viewTimeout     = 30 * time.Second
	attachedTimeout = 5 * time.Second
)

// controlOf returns the server for attach and stop.
func controlOf(writer *runstore.Writer, interrupts *interrupts) *control.Server {
	return control.NewServer(control.Config{
		Hello: control.Hello{
			Awhost: sdk.Version, Run: writer.Ref(), ID: writer.Info.ID, Dir: writer.Dir, Incarnation: writer.Incarnation(),
			PID: os.Getpid(),
		},
		Stop: interrupts.ask, Record: writer.RecordControl,
	})
}

// unchanged reports that a run has already finished.
func (a *app) unchanged(p *plan.Plan, again string) error {
	result := run.Unchanged(p)
	shown := a.newView(applyOptions{plain: true, again: again}, nil)
	bus := event.NewBus(event.Config{Now: time.Now}, shown)
	bus.Identify(p.Existing.Ref(), p.Existing.Incarnation)
	a.publishDiagnostics(bus)
	bus.Publish(event.RunStarted{
		Dir: result.Dir, Spec: p.Spec.Path, Mode: event.ModeNoOp, Step: p.Existing.Step, Plan: p.Summary(),
		Plugins: p.Plugins(),
	})
	bus.Publish(result.RunFinished)
	ctx, cancel := context.WithTimeout(context.Background(), viewTimeout)
	defer cancel()
	return errors.Join(bus.Close(ctx), shown.Close())
}

func (a *app) viewOptions(o applyOptions, interrupts *interrupts) view.Options {
	out := view.Options{Out: a.data(), In: a.in, Environ: a.environ, Version: sdk.Version, Verbose: o.verbose,
		Now: time.Now, Again: o.again, Commands: a.out.Commands}
	switch {
	case a.json:
		out.Format, out.NoProgress = view.FormatJSON, o.noProgress
	case o.plain:
		out.Format = view.FormatPlain
	}
	if interrupts != nil {
		out.Interrupt = func() { interrupts.raise("Ctrl-C") }
	}
	return out
}

// again returns the command that starts another run with the same flags. The user must fill in the values of sensitive
// variables.
func (f *specFlags) again(path string, overrides map[string]string, s *spec.Spec, steps int,
	policy string) string {
	words := []string{"awhost apply --new", runstore.ShellWord(path)}
	add := func(flag, value string) { words = append(words, flag, runstore.ShellWord(value)) }
	if f.train != "" && len(s.Trains) > 1 {
		add("--train", f.train)
	}
	if steps > 0 {
		add("--steps", strconv.Itoa(steps))
	}
	if policy != "" {
		add("--policy", policy)
	}
	for _, file := range f.varFiles {
		add("--var-file", file)
	}
	for _, v := range slices.Sorted(slices.Values(f.vars)) {
		name, _, _ := strings.Cut(v, "=")
		known := spec.Variable{}
		if i := slices.IndexFunc(s.Variables, func(k spec.Variable) bool { return k.Name == name }); i >= 0 {
			known = s.Variables[i]
		}
		switch {
		case known.Sensitive:
			words = append(words, "--var", name+"=…")
		case !known.Idle: // default values need no flag: resume restores all recorded values
			add("--var", v)
		}
	}
	for _, name := range f.passEnv {
		add("--pass-env", name)
	}
	for i, key := range slices.Sorted(maps.Keys(overrides)) {
		if i == 0 {
			words = append(words, "--")
		}
		words = append(words, runstore.ShellWord(key+"="+overrides[key]))
	}
	return strings.Join(words, " ")
}
