// Package run is the life of a run: it starts the plugins that a plan names, serves the adapter's requests for episodes,
// commits a step at each boundary, and ends everything in the right order.
//
//	result := run.Apply(ctx, run.Config{Plan: plan, Store: store, Bus: bus, Interrupts: interrupts})
//	os.Exit(result.Exit.Code)
//
// One process writes a run. Everything that counts is decided at step boundaries: the engine's numbers, the circuit
// breaker, the end of a stage, a stop, and the commit of the step. So neither timing nor a kill changes what the run
// comes to.
//
// The package must not know terminals: it publishes events. It knows HCL only as the compiled functions of a plan.
package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// Config is what Apply works with.
type Config struct {
	Plan *plan.Plan
	// Writer is the run, open for writing. Apply closes it.
	Writer *runstore.Writer
	Bus    *event.Bus
	// Stop is closed to end the run after the step under way; Abort to end it at once.
	Stop  <-chan struct{}
	Abort <-chan struct{}
	// PassEnv are variables that plugins get beside the allow-list.
	PassEnv []string
	// Verbose publishes every episode.
	Verbose bool
}

// Result is how a run ended.
type Result struct {
	event.RunFinished
	Code ExitCode
}

// Apply runs what is left of the plan's stages.
func Apply(ctx context.Context, config Config) *Result {
	began := time.Now()
	r := &runner{Config: config, book: newBook(config)}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-config.Abort:
			cancel(errAborted)
		case <-ctx.Done():
		}
	}()
	err := r.run(ctx)
	result := r.result(err)
	result.Seconds = event.SecondsOf(time.Since(began))
	// Whatever ended the run, its last words get a little time.
	closeCtx, cancelClose := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancelClose()
	finish := runstore.FinishRecord{
		Outcome: finishStatus(result.Outcome), Reason: result.Reason, Exact: result.Exact, Digest: result.Digest,
		Metrics: runstore.Numbers(result.Metrics), ExitCode: result.Code.Number,
	}
	if err := config.Writer.Finish(closeCtx, finish); err != nil && result.Outcome == event.RunCompleted {
		result = r.result(err)
	}
	if err := config.Writer.Close(closeCtx); err != nil && result.Outcome == event.RunCompleted {
		result = r.result(err)
	}
	return result
}

const (
	closeTimeout = 30 * time.Second
	stopGrace    = 30 * time.Second
)

var (
	errAborted = errors.New("aborted on request")
	errStopped = errors.New("stopped on request")
)

// runner is a run at work.
type runner struct {
	Config
	book    *book // what has happened so far
	plugins *plugin.Supervisor
	service *service
}

func (r *runner) run(ctx context.Context) error {
	r.publishStart()
	service, err := startService(r.publishLog)
	if err != nil {
		return err
	}
	r.service = service
	defer service.close()
	r.plugins = plugin.NewSupervisor(plugin.Config{
		Authority: service.authority, SocketDir: service.sockets, HostSocket: service.socket, RunID: r.Writer.Ref(), Incarnation: r.Writer.Incarnation(),
		MaxRestarts: r.Plan.Train.MaxRestarts, PassEnv: r.PassEnv,
		LogFile: func(instance string) string { return r.Writer.LogPath(instance) },
		Dir:     r.Writer.PluginDir, Log: r.pluginLog, Notify: r.publishPlugin,
	})
	err = r.stages(ctx)
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopGrace)
	defer cancel()
	grace := stopGrace
	if errors.Is(context.Cause(ctx), errAborted) {
		grace = 0
	}
	return errors.Join(err, r.plugins.StopAll(stopCtx, grace, "the run has ended"))
}

// stages runs the stages that are left, each from where the one before ended.
func (r *runner) stages(ctx context.Context) error {
	first, done := r.position()
	for index := first; index < len(r.Plan.Train.Stages); index++ {
		if err := r.stage(ctx, index, done); err != nil {
			return err
		}
		done = 0
	}
	return nil
}

// position is where the run stands: the stage to go on with and how many of its steps are committed.
func (r *runner) position() (stage, done int) {
	tip := r.Writer.Tip()
	if tip == nil {
		return 0, 0
	}
	if tip.StageEnd {
		return tip.StageIndex + 1, 0
	}
	return tip.StageIndex, tip.Step - r.book.stageStart(tip.StageIndex)
}

// stage trains one stage, and again from the last commit when the adapter's process dies.
func (r *runner) stage(ctx context.Context, index, done int) error {
	for attempt := 1; ; attempt++ {
		l, err := newLaunch(ctx, r, index, done, attempt)
		if err != nil {
			return err
		}
		err = l.train(ctx)
		var lost *adapterLost
		if !errors.As(err, &lost) {
			return err
		}
		if err := r.awaitAdapter(ctx, lost); err != nil {
			return err
		}
		_, done = r.position()
		if tip := r.Writer.Tip(); tip == nil || tip.StageIndex != index {
			done = 0
		} else if tip.StageEnd {
			return nil
		}
	}
}

func (r *runner) awaitAdapter(ctx context.Context, lost *adapterLost) error {
	instance, ok := r.plugins.Find(lost.address)
	if !ok {
		return lost
	}
	awaitCtx, cancel := context.WithTimeout(ctx, restartTimeout)
	defer cancel()
	if err := instance.Await(awaitCtx); err != nil {
		return &PluginError{Address: lost.address, Err: err}
	}
	r.warn("adapter_restarted", fmt.Sprintf("%s was restarted; training goes on from the last commit", lost.address), lost.Error())
	return nil
}

const restartTimeout = 2 * time.Minute

// PluginError says that the run cannot go on without a plugin.
type PluginError struct {
	Address string
	Err     error
}

// Error implements error.
func (e *PluginError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *PluginError) Unwrap() error { return e.Err }

// instance starts the plugin of a block, once.
func (r *runner) instance(ctx context.Context, address string) (*plugin.Instance, error) {
	if i, ok := r.plugins.Find(address); ok {
		return i, nil
	}
	c := r.Plan.Component(address)
	i, err := r.plugins.Start(ctx, plugin.Block{
		Address: address, Kind: sdk.ComponentKind(c.Block.Kind), Type: c.Block.Type, Entry: c.Entry, Config: c.Block.Config, Sensitive: c.SensitivePaths(),
	})
	if err != nil {
		return nil, &PluginError{Address: address, Err: err}
	}
	return i, nil
}

func (r *runner) pluginLog(instance string) *slog.Logger {
	return slog.New(&logHandler{publish: r.publishLog, source: instance})
}

// stopping says whether somebody asked the run to end after the step under way.
func (r *runner) stopping() bool {
	select {
	case <-r.Stop:
		return true
	default:
		return false
	}
}

// relative is a path as the user would write it here: relative to the working directory when it is below it.
func relative(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(here, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return rel
}
