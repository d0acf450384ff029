package tinker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/ownerfile"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/python"
)

// training is a stage in progress, and the handler of its bridge.
type training struct {
	req      sdk.TrainRequest
	host     sdk.Host
	emit     func(sdk.TrainEvent) error
	abort    context.CancelCauseFunc
	server   *bridge.Server
	finished atomic.Pointer[sdk.FinishedEvent] // reported by the trainer
}

// Train implements sdk.Adapter.
func (a *adapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) (err error) {
	dir := filepath.Join(a.dir, strings.ReplaceAll(req.LaunchID, string(os.PathSeparator), "-"))
	if err := a.prepare(dir, req); err != nil {
		return fmt.Errorf("prepare the trainer: %w", err)
	}
	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	t := &training{req: req, host: host, emit: emit, abort: abort}
	t.server, err = bridge.Listen(bridge.Options{Dir: dir, Run: req.LaunchID, Epoch: 1, Handler: t, Logger: a.log})
	if err != nil {
		return err
	}
	a.current.Store(t)
	defer a.current.CompareAndSwap(t, nil)
	defer func() { err = errors.Join(err, t.server.Close(context.WithoutCancel(ctx))) }()
	if err := a.run(ctx, t, dir); err != nil {
		return err
	}
	return emit(sdk.TrainEvent{Finished: t.finished.Load()})
}

func (a *adapter) command() []string { return []string{a.config.Python, "-u", "-m", "awhost_tinker"} }

// prepare writes the trainer's input and code into the directory of the launch.
func (a *adapter) prepare(dir string, req sdk.TrainRequest) error {
	about := map[string]any{"config": a.config, "policy": policyPath(req.Policy)}
	request, errRequest := sdk.MarshalWire(req)
	about["request"] = json.RawMessage(request)
	text, errText := json.Marshal(about)
	code, errCode := fs.Sub(shim, "shim")
	if err := errors.Join(errRequest, errText, errCode); err != nil {
		return err
	}
	return errors.Join(ownerfile.MkdirAll(dir), ownerfile.WriteFile(filepath.Join(dir, "tinker.json"), text),
		python.Unpack(filepath.Join(dir, "python"), code, python.Bridge))
}

// sessionLost is the exit status of a trainer whose session the server has dropped.
const sessionLost = 75

// run runs the trainer to its end. After a kill, or the loss of its session, another one may succeed from the last
// commit.
func (a *adapter) run(ctx context.Context, t *training, dir string) error {
	env := map[string]string{"AWHOST_BRIDGE": t.server.EndpointFile(), "PYTHONPATH": filepath.Join(dir, "python")}
	maps.Copy(env, t.req.Knobs.Env)
	log := filepath.Join(dir, "trainer.log")
	p, err := process.New(process.Config{
		Name: "trainer", Instance: os.Getenv(process.EnvInstance) + " (trainer)", Run: os.Getenv(process.EnvRun),
		Command: a.command(), Dir: dir, Env: env, PassEnv: []string{a.config.APIKeyEnv}, LogFile: log, Log: a.log,
	})
	if err == nil {
		err = p.Start(ctx)
	}
	if err != nil {
		return err
	}
	select {
	case <-p.Done():
	case <-ctx.Done():
		return errors.Join(context.Cause(ctx), p.Kill(context.WithoutCancel(ctx)))
	}
	exit := p.Exit()
	err = fmt.Errorf("the trainer ended. %s", python.Diagnose(log, signs))
	switch {
	case process.IsKill(exit.Signal) || exit.Code == sessionLost:
		return fmt.Errorf("%w: %w", sdk.ErrUnavailable, err)
	case exit.Code != 0 || t.finished.Load() == nil:
		return err
	}
	return nil
}

var signs = []python.Sign{
	python.NewSign(`(?m)^awhost_tinker\.errors\.ServiceError: ([^\n]+)$`, "${1}."),
	python.NewSign(`(?m)^awhost: ([^\n]+)$`, "${1}."),
	python.NewSign(`awhost_bridge\.codec\.CodecError: ([^\n]+)`, "Tool calls cannot be read (tool_format): ${1}"),
	python.NewSign(`No module named '?([\w.]+)`, "The Python of the adapter lacks ${1}: install it there (python)."),
}

// Generate implements sdk.Adapter.
func (a *adapter) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	if t := a.current.Load(); t != nil {
		return t.server.Generate(ctx, req)
	}
	return nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: "nothing is trained"}
}

// Control implements sdk.Adapter.
func (a *adapter) Control(ctx context.Context, req sdk.ControlRequest) error {
	t := a.current.Load()
	if t == nil || t.req.LaunchID != req.LaunchID {
		return fmt.Errorf("control: %w: launch %s is not being trained", sdk.ErrNoTrainer, req.LaunchID)
	}
	if req.Action == sdk.ControlAbort {
		t.abort(fmt.Errorf("aborted: %s", req.Reason))
	}
	return t.server.Control(ctx, req.Action, req.Reason)
}

// RunEpisode implements bridge.Handler.
func (t *training) RunEpisode(ctx context.Context, _ bridge.Worker, req sdk.EpisodeRequest) (*sdk.EpisodeResult,
	error) {
	req.Stage = t.req.Stage
	result, err := t.host.RunEpisode(ctx, req)
	if err != nil {
		return nil, errors.Join(err, bridge.Abandon(ctx, t.host, req.EpisodeID))
	}
	return result, nil
}

// Event implements bridge.Handler.
func (t *training) Event(_ context.Context, _ bridge.Worker, event sdk.TrainEvent) error {
	if event.Finished != nil {
		t.finished.Store(event.Finished)
		return nil
	}
	return t.emit(event)
}

// Boundary implements bridge.Handler.
func (t *training) Boundary(ctx context.Context, _ bridge.Worker,
	req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	req.LaunchID, req.Stage = t.req.LaunchID, t.req.Stage
	return t.host.StepBoundary(ctx, req)
}

var (
	_ sdk.Adapter    = (*adapter)(nil)
	_ bridge.Handler = (*training)(nil)
)
