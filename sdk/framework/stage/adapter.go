// Package stage trains one stage with a trainer that continues without the adapter: it starts the trainer as a job of
// package launch, serves its bridge, follows it, and ends it. After a crash of the adapter it finds the trainer again.
//
//	adapter.go  the methods of an adapter: Train, Recover, Generate, Control
//	stage.go    one life of a stage in an adapter, and the interface Trainer
//	record.go   what a later life needs
//	relay.go    a Trainer whose process reports over the bridge, such as awhost_bridge's StageDriver
//	reports.go  events that the host receives once, whatever is killed
//
// The package must not know any framework.
package stage

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/schema"
)

// Attributes returns the common attributes of an adapter whose trainer is a process with awhost_bridge's StageDriver.
func Attributes(name, stopTimeout string) []schema.Attribute {
	return []schema.Attribute{
		schema.Integer("tokens_every", "Interval in steps at which `awhost ui` can show the tokens of a group. 0: never.").
			In("steps").Default(0).Range(0, 100000),
		launch.Attribute(name),
		schema.Duration("start_timeout", "Maximum time from the trainer's start until it reports, which includes the time "+
			"to load the model and the engines.").Default("30m").CanResume(),
		schema.Duration("absence_timeout", "How long the trainer waits for awhost before it exits, after awhost or this "+
			"adapter is killed.").Default("10m").CanResume(),
		launch.UnreachableTimeout(),
		schema.Duration("stop_timeout", "Grace period before the trainer is killed.").Default(stopTimeout).CanResume(),
	}
}

// Merging returns the attributes of adapters that merge a configuration of the framework's with the spec. overrides is
// an example.
func Merging(name, overrides string) []schema.Attribute {
	return []schema.Attribute{
		schema.Path("python", "Python interpreter with "+name+". Default: the active environment's Python "+
			"(VIRTUAL_ENV), then python3 on PATH.").Example(".venv/bin/python"),
		schema.Path("config", "A YAML configuration of "+name+". Its values are kept, and awhost sets missing ones. A "+
			"value that would break the run is an error.").Exist(),
		{Name: "overrides", Type: schema.TypeAny, Description: "Values of " + name + " keys, checked against the " +
			"installed " + name + ".", ExampleJSON: json.RawMessage(overrides)},
		schema.Integer("nodes", "Number of machines for the job. Default: from `config`, else 1.").AtLeast(1),
		schema.Integer("gpus_per_node", "GPUs per machine. Default: from `config`, else 8.").AtLeast(1),
		schema.String("device", "`gpu`, or `cpu` for trial runs with a tiny model: awhost then replaces the rollout "+
			"engine with a CPU sampler.").Default("gpu").Enum("gpu", "cpu"),
	}
}

// Adapter trains one stage at a time. Adapters embed it, and call its Train and Recover with a Stage.
type Adapter struct {
	Framework string // in messages
	Refusal   string // why the trainer neither saves on request nor pauses; empty: its workers receive the request
	Dir       string // of the plugin
	Log       *slog.Logger

	mu      sync.Mutex
	current *Stage
}

// Init sets the fields of an adapter.
func (a *Adapter) Init(framework string, setup sdk.Setup) {
	a.Framework, a.Dir, a.Log = framework, setup.Dir, cmp.Or(setup.Log, slog.New(slog.DiscardHandler))
}

// Folder returns the directory of a launch.
func (a *Adapter) Folder(launchID string) string {
	return filepath.Join(a.Dir, strings.ReplaceAll(launchID, string(os.PathSeparator), "-"))
}

// Train trains a stage from its start, or from one of its checkpoints. prepare writes the trainer's files.
func (a *Adapter) Train(ctx context.Context, s *Stage, prepare Prepare) error {
	if err := a.await(ctx); err != nil {
		return err
	}
	return a.attend(s, func() (*sdk.FinishedEvent, error) { return s.begin(ctx, prepare) })
}

// Recover resumes a stage whose adapter was killed. load returns it from the record in its directory.
func (a *Adapter) Recover(ctx context.Context, req sdk.RecoverRequest, load func(dir string) (*Stage, error)) error {
	dir := a.Folder(req.LaunchID)
	if len(req.Handle) > 0 {
		dir = string(req.Handle)
	}
	if err := a.await(ctx); err != nil { // the earlier life writes the record, too
		return err
	}
	s, err := load(dir)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: nothing is known of launch %s", sdk.ErrNoTrainer, req.LaunchID)
	}
	if err != nil {
		return err
	}
	return a.attend(s, func() (*sdk.FinishedEvent, error) { return s.resume(ctx, req.AfterSeq) })
}

// attend trains a stage while it is the adapter's current one.
func (a *Adapter) attend(s *Stage, train func() (*sdk.FinishedEvent, error)) error {
	if err := a.enter(s); err != nil {
		return err
	}
	defer a.leave()
	finished, err := train()
	if err != nil {
		return err
	}
	return s.Emit(sdk.TrainEvent{Finished: finished})
}

// overlap is how long an earlier life may take to notice that the host has disconnected.
const overlap = 30 * time.Second

// await waits for the end of the earlier stage: two lives of a launch overlap if only a stream broke.
func (a *Adapter) await(ctx context.Context) error {
	before, err := a.Current()
	if err != nil {
		return nil
	}
	timer := time.NewTimer(overlap)
	defer timer.Stop()
	select {
	case <-before.ended:
		return nil
	case <-timer.C:
		return before.errBusy()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *Stage) errBusy() error {
	return fmt.Errorf("launch %s is still being trained: one stage at a time", s.common().Request.LaunchID)
}

func (a *Adapter) enter(s *Stage) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current != nil {
		return a.current.errBusy()
	}
	s.adapter, s.ended = a, make(chan struct{})
	a.current = s
	return nil
}

func (a *Adapter) leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	close(a.current.ended)
	a.current = nil
}

// Current returns the stage that is being trained.
func (a *Adapter) Current() (*Stage, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current == nil {
		return nil, errors.New(a.Framework + " is not running")
	}
	return a.current, nil
}

// Generate implements sdk.Adapter: the worker that requested the episode samples.
func (a *Adapter) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	s, err := a.Current()
	if err != nil {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: err.Error()}
	}
	server := s.server.Load()
	if server == nil {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: a.Framework + " is not running yet"}
	}
	answer, err := server.Generate(ctx, req)
	if err == nil {
		s.Trainer.Count(req.EpisodeID, answer.Versions)
	}
	return answer, err
}

// Control implements sdk.Adapter.
func (a *Adapter) Control(ctx context.Context, req sdk.ControlRequest) error {
	s, err := a.Current()
	if err != nil || s.common().Request.LaunchID != req.LaunchID {
		return fmt.Errorf("control: %w: launch %s is not being trained", sdk.ErrNoTrainer, req.LaunchID)
	}
	switch req.Action {
	case sdk.ControlDrain:
		s.Trainer.Drain(req.Reason)
		return nil
	case sdk.ControlAbort:
		s.End(Ending{sdk.FinishedFailed, "aborted: " + req.Reason})
		return nil
	case sdk.ControlCheckpointNow, sdk.ControlPause, sdk.ControlResume:
		if a.Refusal != "" {
			return fmt.Errorf("control: %s: %s", req.Action, a.Refusal)
		}
		if server := s.server.Load(); server != nil {
			return server.Control(ctx, req.Action, req.Reason)
		}
		return fmt.Errorf("control: %s: %s is not running yet", req.Action, a.Framework)
	}
	return fmt.Errorf("control: unknown action %q", req.Action)
}
