// Package run executes a run: it starts the plugins named in a plan, serves the adapter's requests for episodes,
// commits a step at each boundary, and ends everything in the right order.
//
//	result := run.Apply(ctx, run.Config{Plan: plan, Writer: writer, Bus: bus, Stop: stop, Abort: abort})
//	bus.Publish(result.RunFinished)
//	os.Exit(result.Code.Number)
//
// One process writes a run. All decisions that count are made at step boundaries: the engine's numbers, the circuit
// breaker, the end of a stage, a stop, and the commit of the step. Therefore, neither timing nor a kill changes the
// run's results.
//
// The path through it, one file per line:
//
//	Apply         run.go        the plugins and the host's service around the stages, and the end in all cases
//	stages        stages.go     one after the other, each repeated from the last commit when the adapter dies
//	a train call  traincall.go  one Train call: its parts, its request, its end
//	              reattach.go   or a Recover: a trainer that outlived the adapter or the host; trainer.go: its end
//	its episodes  setup.go      the engine's setup, including plugins; tasks.go: the tasks
//	              sink.go       records of the engine
//	its events    reports.go    the trainer's events, collected until the next boundary
//	a boundary    boundary.go   records the step (step.go), decides how to continue, commits the checkpoint (commit.go)
//	the service   service.go    the adapters' calls
//	the state     state.go      the state of the run: part of each commit
//	a scan        scan.go       a model scans conversations next to the training
//	waits         waits.go      current waits of the run, for awhost stuck
//	the verdict   verdict.go    judges a run that has completed
//	the result    result.go     how it ended, for people, programs and the exit code (exit.go)
//
// The package must not depend on terminals: it publishes events (publish.go). It uses HCL only in the form of the
// compiled functions in a plan.
package run

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/server"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
)

// Config holds the inputs of Apply.
type Config struct {
	Plan *plan.Plan
	// Writer is the run, opened for writing. Apply closes it.
	Writer *runstore.Writer
	Bus    *event.Bus
	// Stop is closed to end the run after the current step, and Abort is closed to end it immediately. They may be nil.
	Stop  <-chan struct{}
	Abort <-chan struct{}
	// PassEnv lists variables that plugins receive in addition to those on the allowlist.
	PassEnv []string
	// Guard is the command that runs process.ServeGuard. If it is empty, the plugins are not ended when this process is
	// killed.
	Guard []string
	// Control lets other processes observe the run and end it. It may be nil.
	Control Control
	// Tracker copies the run's numbers to an external tracker. It may be nil.
	Tracker Tracker
	// Telemetry receives episodes. It may be nil.
	Telemetry Telemetry
	// Health defines when a plugin is considered hung. The zero value is the default for users.
	Health plugin.HealthPolicy
	// Script replaces the policy in half of the episodes of a smoke run. It is nil in all other runs.
	Script rollout.Script
	// Verbose publishes every episode.
	Verbose bool
	// EndTrainer does nothing but immediately end the trainer left behind by an earlier host of the run. Nothing is
	// trained.
	EndTrainer bool
	// ReleaseTimeout limits the time in which adapters delete remote checkpoints at a boundary. 0 means a minute.
	ReleaseTimeout time.Duration
}

// Result describes how a run ended.
type Result struct {
	event.RunFinished
	Code ExitCode
}

// Time limits at the end: the first for plugins, the second for the episodes and the run directory.
const (
	stopGrace    = 30 * time.Second
	closeTimeout = 30 * time.Second
)

var (
	errAborted = errors.New("aborted on request")
	errStopped = errors.New("stopped on request")
)

// runner is a run in progress.
type runner struct {
	Config
	secrets   spec.Redactor
	state     *runState      // state so far
	guard     *process.Guard // nil without one
	plugins   *plugin.Supervisor
	servers   *server.Set
	service   *service
	trainer   *runstore.Trainer // to be taken up before another one is launched, or nil
	published published
	watch     watch
	asked     requestCount
	findings  *findings.Engine              // of the current launch
	tasks     findings.Tasks                // of the process
	scan      *modelScan                    // nil: no scan by a model
	failures  func(sdk.FailureClass) string // the newest failure of a class in the last launch; nil before it
	// unreleased holds the checkpoints whose remote data an adapter has not deleted, by path. Used at boundaries only.
	unreleased map[string]bool
}

// published is the position of the last event published in a launch, because a trainer repeats some events after
// reattaching.
type published struct {
	launch string
	seq    uint64
}

// Apply runs the plan's remaining stages. If ctx is done, the run is aborted.
func Apply(ctx context.Context, config Config) *Result {
	began := time.Now()
	r := &runner{Config: config, secrets: config.Plan.Spec.Redactor()}
	err := r.untilAborted(ctx)
	r.warnIncomplete()
	result := r.result(err)
	r.closeTracker(ctx, result)
	// The final records are always given some time.
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	if err := r.finish(closing, result); err != nil && result.Outcome == event.RunCompleted {
		result = r.result(err)
	}
	result.Seconds = event.SecondsOf(time.Since(began))
	return result
}

// untilAborted runs until the end or an abort.
func (r *runner) untilAborted(parent context.Context) error {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(parent))
	defer cancel(nil)
	ended, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-r.Abort:
			cancel(errAborted)
		case <-parent.Done():
			cancel(errAborted)
		case <-ended:
		}
	}()
	err := r.run(ctx)
	close(ended)
	<-watched
	var stopped *runstore.StoppedError
	if err != nil && ctx.Err() != nil && !errors.As(err, &stopped) {
		return errAborted // other errors at that time are consequences of the abort
	}
	return err
}

func (r *runner) run(ctx context.Context) error {
	var err error
	if r.state, err = openRunState(r.Writer, len(r.Plan.Stages)); err != nil {
		return err
	}
	if err := r.recallFindings(); err != nil {
		return err
	}
	r.findings.ResetStreaks() // a resumed run continues in spite of earlier findings
	r.publishStart()
	if r.Tracker != nil {
		r.Tracker.Start(r.warn)
	}
	if r.service, err = startService(r.Plan.MessageLimits(), r.publishLog); err != nil {
		return err
	}
	defer r.service.close()
	r.service.Remote = plan.RemoteListener(r.Plan.Train)
	defer r.openControl()()
	r.watched()
	if err := r.startGuard(ctx); err != nil {
		return err
	}
	defer r.closeGuard(ctx)
	r.plugins = plugin.NewSupervisor(plugin.Config{
		Authority: r.service.authority, SocketDir: r.service.sockets, HostSocket: r.service.socket, RunID: r.Writer.Ref(),
		Incarnation: r.Writer.Incarnation(),
		MaxRestarts: r.Plan.Train.MaxRestarts, PassEnv: r.PassEnv, LogFile: r.Writer.LogPath,
		Dir: r.Writer.PluginDir, SpecDir: r.Plan.Spec.Dir,
		HostAbsence: r.Plan.Train.HostAbsenceTimeout, Log: r.pluginLog, Notify: r.publishPlugin, Guard: r.guard,
		Redact: r.secrets.Text, Inherit: r.lock(), Health: r.Health, Silent: r.publishSilence,
	})
	r.servers = r.newServers()
	r.scan = r.startScan(context.WithoutCancel(ctx))
	if r.EndTrainer {
		err = r.endLeftoverTrainer(ctx)
	} else if err = r.stages(ctx); err != nil {
		r.endLastTrainer(ctx)
	} else {
		err = r.judge()
	}
	err = r.reportGuard(ctx, err)
	if failed := r.scan.stop(ctx); err == nil {
		err = failed
	}
	r.stopPlugins(ctx)
	r.stopServers(ctx)
	return err
}

// lock returns the files that plugins inherit. While a plugin that may write to the run is still running, no other
// process can open the run.
func (r *runner) lock() []*os.File {
	if file := r.Writer.LockFile(); file != nil {
		return []*os.File{file}
	}
	return nil
}

// stopPlugins ends the plugins. An abort ends their grace period. A plugin that did not end properly cannot change the
// run's results, so this causes only a warning.
func (r *runner) stopPlugins(ctx context.Context) {
	stopping, cancel := context.WithTimeout(ctx, 2*stopGrace)
	defer cancel()
	if err := r.plugins.StopAll(stopping, stopGrace, "the run has ended"); err != nil && ctx.Err() == nil {
		r.warn(event.Warning{Code: "plugin_stop", Summary: "a plugin did not end properly", Detail: err.Error()})
	}
}

// finish records how the run ended and closes the run.
func (r *runner) finish(ctx context.Context, result *Result) error {
	err := r.Writer.Finish(ctx, runstore.FinishRecord{
		Outcome: finishStatus(result.Outcome), Reason: result.Reason, Exact: result.Exact, Inexact: r.state.inexact(),
		Digest:  result.Digest,
		Metrics: runstore.Numbers(result.Metrics), ExitCode: result.Code.Number, Final: result.Outcome == event.RunFailed &&
			!result.Resumable,
	})
	return errors.Join(err, r.Writer.Close(ctx))
}
