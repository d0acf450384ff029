package relay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
)

type config struct {
	Command     []string `json:"command"`
	PythonPath  string   `json:"pythonpath"`
	Concurrency []string `json:"concurrency"`
	Profile     bool     `json:"profile"`
}

// adapter is a trainer that does not learn.
type adapter struct {
	config
	server atomic.Pointer[bridge.Server] // while it trains
}

// Plan implements sdk.Adapter.
func (a *adapter) Plan(_ context.Context, req sdk.PlanRequest) (*sdk.PlanResponse, error) {
	out := &sdk.PlanResponse{Capabilities: capabilities}
	for _, stage := range req.Stages {
		for _, knob := range stage.Knobs.Set {
			out.Knobs = append(out.Knobs, sdk.KnobMapping{Knob: knob, Key: knob})
		}
	}
	return out, nil
}

// Generate implements sdk.Adapter. It forwards the request to the worker.
func (a *adapter) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	server := a.server.Load()
	if server == nil {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: "no worker is there"}
	}
	return server.Generate(ctx, req)
}

// Train implements sdk.Adapter.
func (a *adapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) (err error) {
	relay := &episodes{stage: req.Stage, host: host}
	server, err := bridge.Listen(bridge.Options{
		Dir: filepath.Join(req.CheckpointDir, "bridge"), Run: "bench", Epoch: 1, Handler: relay,
		Credits: max(1, req.Knobs.Concurrency),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close(context.WithoutCancel(ctx))) }()
	a.server.Store(server)
	defer a.server.Store(nil)
	driver, err := startDriver(ctx, a.config, server.EndpointFile())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, driver.stop()) }()
	for step := req.FirstStep; step < req.FirstStep+*req.Knobs.Steps; step++ {
		further, err := a.step(ctx, req, host, emit, driver, step)
		if err != nil || !further {
			return err
		}
	}
	return emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedCompleted,
		Step: req.FirstStep + *req.Knobs.Steps - 1}})
}

// step makes one measurement and reports it.
func (a *adapter) step(ctx context.Context, req sdk.TrainRequest, host sdk.Host, emit func(sdk.TrainEvent) error,
	d *driver, step int) (further bool, err error) {
	concurrency, err := strconv.Atoi(a.Concurrency[(step-req.FirstStep)%len(a.Concurrency)])
	if err != nil {
		return false, fmt.Errorf("concurrency: %w", err)
	}
	figures, err := d.measure(order{
		Name: fmt.Sprintf("%s/t%06d/g", req.LaunchID, step), Step: step,
		Episodes:  *req.Knobs.Batch.Prompts * *req.Knobs.Batch.GroupSize,
		GroupSize: *req.Knobs.Batch.GroupSize, Concurrency: concurrency, Profile: a.Profile,
	})
	if err != nil {
		return false, fmt.Errorf("measure %d episodes at a time: %w", concurrency, err)
	}
	for _, event := range []sdk.TrainEvent{
		{Consumed: &sdk.ConsumedEvent{Step: step, Episodes: figures.episodes}},
		{Metrics: &sdk.MetricsEvent{Step: step, Values: figures.metrics()}},
	} {
		if err := emit(event); err != nil {
			return false, err
		}
	}
	if err := checkpoint(req, step, emit); err != nil {
		return false, err
	}
	answer, err := host.StepBoundary(ctx, sdk.StepBoundaryRequest{LaunchID: req.LaunchID, Stage: req.Stage, Step: step})
	if err != nil || answer.Directive == sdk.DirectiveContinue {
		return true, err
	}
	return false, emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedStopped, Reason: answer.Reason,
		Step: step}})
}

// checkpoint writes a checkpoint for the host to commit.
func checkpoint(req sdk.TrainRequest, step int, emit func(sdk.TrainEvent) error) error {
	dir := filepath.Join(req.CheckpointDir, fmt.Sprintf("step-%06d", step))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "step"), fmt.Append(nil, step), 0o644); err != nil {
		return err
	}
	return emit(sdk.TrainEvent{Checkpoint: &sdk.CheckpointEvent{Step: step, Path: dir,
		Digest: fmt.Sprintf("step-%d", step)}})
}

// Control implements sdk.Adapter.
func (a *adapter) Control(context.Context, sdk.ControlRequest) error { return nil }

// episodes forwards the worker's requests to the host, filling in the same fields as adapter "verl".
type episodes struct {
	stage string
	host  sdk.Host
}

// RunEpisode implements bridge.Handler.
func (e *episodes) RunEpisode(ctx context.Context, _ bridge.Worker, req sdk.EpisodeRequest) (*sdk.EpisodeResult,
	error) {
	req.Stage, req.PolicyVersion = e.stage, int64(req.Step-1)
	return e.host.RunEpisode(ctx, req)
}

// Boundary implements bridge.Handler.
func (*episodes) Boundary(context.Context, bridge.Worker, sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	return nil, errors.New("the driver does not report steps")
}

// Event implements bridge.Handler.
func (*episodes) Event(context.Context, bridge.Worker, sdk.TrainEvent) error {
	return errors.New("the driver does not report events")
}

var (
	_ sdk.Adapter    = (*adapter)(nil)
	_ bridge.Handler = (*episodes)(nil)
)
