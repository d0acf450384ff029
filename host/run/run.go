// Package run is the life of a run: it starts the plugins that a plan names, serves the adapter's requests for episodes,
// commits a step at each boundary, and ends everything in the right order.
//
//	result := run.Apply(ctx, run.Config{Plan: plan, Writer: writer, Bus: bus, Stop: stop, Abort: abort})
//	bus.Publish(result.RunFinished)
//	os.Exit(result.Code.Number)
//
// One process writes a run. Everything that counts is decided at step boundaries: the engine's numbers, the circuit
// breaker, the end of a stage, a stop, and the commit of the step. So neither timing nor a kill changes what the run
// comes to.
//
// The way through it, each line a file:
//
//	Apply         run.go        the plugins and the host's service around the stages, and the end, whatever it is
//	stages        stages.go     one after the other, each again from the last commit when the adapter dies
//	a launch      launch.go     one Train call: its parts, its request, its end
//	              takeup.go     or a Recover: a trainer that outlived the adapter or the host; trainer.go: its end
//	its episodes  setup.go      what the engine needs, plugins included; tasks.go: the tasks
//	              sink.go       what becomes of the engine's records
//	its events    reports.go    what the trainer says, collected until the next boundary
//	a boundary    boundary.go   the step is recorded (step.go), how to go on is decided, the checkpoint committed (commit.go)
//	the service   service.go    what adapters call
//	the book      book.go       what the run has come to: part of each commit
//	who asks      waits.go      what the run waits for, for awhost stuck
//	the verdict   verdict.go    what a run is worth that came to its end
//	the result    result.go     how it ended, for people, programs and the exit code (exit.go)
//
// The package must not know terminals: it publishes events (publish.go). It knows HCL only as the compiled functions of
// a plan.
package run

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/server"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk/process"
)

// Config is what Apply works with.
type Config struct {
	Plan *plan.Plan
	// Writer is the run, open for writing. Apply closes it.
	Writer *runstore.Writer
	Bus    *event.Bus
	// Stop is closed to end the run after the step under way; Abort to end it at once. Nil: nobody can.
	Stop  <-chan struct{}
	Abort <-chan struct{}
	// PassEnv are variables that plugins get beside the allow-list.
	PassEnv []string
	// Guard is the command that runs process.ServeGuard; empty: nobody ends the plugins when this process is killed.
	Guard []string
	// Control lets other processes look at the run and end it; nil: none can.
	Control Control
	// Tracker copies the run's numbers to where they are compared; nil: nothing does.
	Tracker Tracker
	// Telemetry hears of episodes; nil: nobody does.
	Telemetry Telemetry
	// Patience says when a plugin counts as hung; the zero value is what users get.
	Patience plugin.Patience
	// Script speaks for the policy in half of the episodes of a smoke run; nil in all other runs.
	Script rollout.Script
	// Verbose publishes every episode.
	Verbose bool
	// EndTrainer only ends, at once, the trainer that an earlier host of the run left behind. Nothing is trained.
	EndTrainer bool
}

// Result is how a run ended.
type Result struct {
	event.RunFinished
	Code ExitCode
}

// The limits of what is done at the end. Plugins get the first, the episodes and the run directory the second.
const (
	stopGrace    = 30 * time.Second
	closeTimeout = 30 * time.Second
)

var (
	errAborted = errors.New("aborted on request")
	errStopped = errors.New("stopped on request")
)

// runner is a run at work.
type runner struct {
	Config
	secrets spec.Redactor
	book    *book          // what has happened so far
	guard   *process.Guard // nil without one
	plugins *plugin.Supervisor
	servers *server.Set
	service *service
	trainer *runstore.Trainer // that is to be taken up before another one is launched; nil: there is none
	heard   heard
	watch   watch
	asked   asked
}

// heard is how far the events of a launch have been shown: a trainer that is taken up again repeats some.
type heard struct {
	launch string
	seq    uint64
}

// Apply runs what is left of the plan's stages. The end of ctx is an Abort.
func Apply(ctx context.Context, config Config) *Result {
	began := time.Now()
	r := &runner{Config: config, secrets: config.Plan.Spec.Redactor()}
	err := r.untilAborted(ctx)
	r.warnShort()
	result := r.result(err)
	r.closeTracker(ctx, result)
	// Whatever ended the run, its last words get a little time.
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	if err := r.finish(closing, result); err != nil && result.Outcome == event.RunCompleted {
		result = r.result(err)
	}
	result.Seconds = event.SecondsOf(time.Since(began))
	return result
}

// untilAborted runs until the end or Abort.
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
		return errAborted // whatever else went wrong then went wrong because of it
	}
	return err
}

func (r *runner) run(ctx context.Context) error {
	var err error
	if r.book, err = openBook(r.Writer, len(r.Plan.Stages)); err != nil {
		return err
	}
	r.publishStart()
	if r.Tracker != nil {
		r.Tracker.Start(r.warn)
	}
	if r.service, err = startService(r.Plan.MessageLimits(), r.publishLog); err != nil {
		return err
	}
	defer r.service.close()
	r.service.Elsewhere = plan.Elsewhere(r.Plan.Train)
	defer r.openControl()()
	r.watched()
	if err := r.startGuard(ctx); err != nil {
		return err
	}
	defer r.closeGuard(ctx)
	r.plugins = plugin.NewSupervisor(plugin.Config{
		Authority: r.service.authority, SocketDir: r.service.sockets, HostSocket: r.service.socket, RunID: r.Writer.Ref(), Incarnation: r.Writer.Incarnation(),
		MaxRestarts: r.Plan.Train.MaxRestarts, PassEnv: r.PassEnv, LogFile: r.Writer.LogPath,
		Dir: r.Writer.PluginDir, SpecDir: r.Plan.Spec.Dir,
		HostAbsence: r.Plan.Train.HostAbsenceTimeout, Log: r.pluginLog, Notify: r.publishPlugin, Guard: r.guard, Redact: r.secrets.Text, Inherit: r.lock(), Patience: r.Patience, Silent: r.publishSilence,
	})
	r.servers = r.newServers()
	if r.EndTrainer {
		err = r.endLeftTrainer(ctx)
	} else if err = r.stages(ctx); err != nil {
		r.endLastTrainer(ctx)
	} else {
		err = r.verdict()
	}
	r.stopPlugins(ctx)
	r.stopServers(ctx)
	return err
}

// lock is what plugins inherit: while one of them lives that may write to the run, nobody else opens it.
func (r *runner) lock() []*os.File {
	if file := r.Writer.LockFile(); file != nil {
		return []*os.File{file}
	}
	return nil
}

// stopPlugins ends the plugins; an abort ends their grace. A plugin that did not end well cannot change what the run has
// come to: that is a warning.
func (r *runner) stopPlugins(ctx context.Context) {
	stopping, cancel := context.WithTimeout(ctx, 2*stopGrace)
	defer cancel()
	if err := r.plugins.StopAll(stopping, stopGrace, "the run has ended"); err != nil && ctx.Err() == nil {
		r.warn(event.Warning{Code: "plugin_stop", Summary: "a plugin did not end in good order", Detail: err.Error()})
	}
}

// finish records how the run ended and gives it back.
func (r *runner) finish(ctx context.Context, result *Result) error {
	err := r.Writer.Finish(ctx, runstore.FinishRecord{
		Outcome: finishStatus(result.Outcome), Reason: result.Reason, Exact: result.Exact, Inexact: r.book.inexact(), Digest: result.Digest,
		Metrics: runstore.Numbers(result.Metrics), ExitCode: result.Code.Number, Final: result.Outcome == event.RunFailed && !result.Resumable,
	})
	return errors.Join(err, r.Writer.Close(ctx))
}
