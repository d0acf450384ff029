package sdk_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// deadline bounds every wait of these tests. No test uses all of it.
const deadline = 30 * time.Second

// receive waits for a value.
func receive[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(deadline):
		t.Fatalf("%s: not within %s", what, deadline)
		panic("unreachable")
	}
}

// environment is an environment made of functions. A nil function returns an empty answer.
type environment struct {
	open  func(context.Context, sdk.OpenRequest) (*sdk.OpenResponse, error)
	step  func(context.Context, sdk.StepRequest) (*sdk.StepResponse, error)
	close func(context.Context, sdk.CloseRequest) (*sdk.CloseResponse, error)
}

func (e *environment) Open(ctx context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	if e.open == nil {
		return &sdk.OpenResponse{InstanceID: req.EpisodeID}, nil
	}
	return e.open(ctx, req)
}

func (e *environment) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	if e.step == nil {
		return &sdk.StepResponse{}, nil
	}
	return e.step(ctx, req)
}

func (e *environment) Close(ctx context.Context, req sdk.CloseRequest) (*sdk.CloseResponse, error) {
	if e.close == nil {
		return nil, nil
	}
	return e.close(ctx, req)
}

// serveEnvironment serves e over the protocol.
func serveEnvironment(t *testing.T, e sdk.Environment, capabilities sdk.EnvironmentCapabilities) sdk.Environment {
	t.Helper()
	return sdktest.Environment(t, sdk.Plugin{Name: "test", Version: "1.0.0", Environments: []sdk.EnvironmentComponent{{
		Component: sdk.Component{Type: "fake"}, Capabilities: capabilities,
		New: func(context.Context, sdk.Setup) (sdk.Environment, error) { return e, nil },
	}}}, "fake", nil)
}

// rewardFunc is a reward made of a function.
type rewardFunc func(context.Context, sdk.ScoreRequest) (*sdk.ScoreResponse, error)

func (f rewardFunc) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	return f(ctx, req)
}

func serveReward(t *testing.T, f rewardFunc, capabilities sdk.RewardCapabilities) sdk.Reward {
	t.Helper()
	return sdktest.Reward(t, sdk.Plugin{Name: "test", Version: "1.0.0", Rewards: []sdk.RewardComponent{{
		Component: sdk.Component{Type: "fake"}, Capabilities: capabilities,
		New: func(context.Context, sdk.Setup) (sdk.Reward, error) { return f, nil },
	}}}, "fake", nil)
}

// adapter is an adapter made of functions.
type adapter struct {
	train    func(context.Context, sdk.TrainRequest, sdk.Host, func(sdk.TrainEvent) error) error
	generate func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error)
	control  func(launch string) error // of Control and Evaluate; nil: they do nothing
}

func (a *adapter) Plan(context.Context, sdk.PlanRequest) (*sdk.PlanResponse, error) {
	return &sdk.PlanResponse{}, nil
}

func (a *adapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	return a.train(ctx, req, host, emit)
}

func (a *adapter) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	return a.generate(ctx, req)
}

func (a *adapter) Control(_ context.Context, req sdk.ControlRequest) error {
	return a.Evaluate(context.Background(), req.LaunchID)
}

func (a *adapter) Evaluate(_ context.Context, launch string) error {
	if a.control == nil {
		return nil
	}
	return a.control(launch)
}

// recoveringAdapter is an adapter whose trainer keeps running after it.
type recoveringAdapter struct {
	*adapter
	recover func(context.Context, sdk.RecoverRequest, sdk.Host, func(sdk.TrainEvent) error) error
}

func (a *recoveringAdapter) Recover(ctx context.Context, req sdk.RecoverRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	return a.recover(ctx, req, host, emit)
}

func serveAdapter(t *testing.T, a sdk.Adapter, host sdk.Host) sdk.Adapter {
	t.Helper()
	return sdktest.Adapter(t, sdk.Plugin{Name: "test", Version: "1.0.0", Adapters: []sdk.AdapterComponent{{
		Component: sdk.Component{Type: "fake"},
		New:       func(context.Context, sdk.Setup) (sdk.Adapter, error) { return a, nil },
	}}}, "fake", nil, host)
}

// host answers episodes by calling a function.
type host struct {
	episode func(context.Context, sdk.EpisodeRequest) (*sdk.EpisodeResult, error)
	tasks   []sdk.Task

	mu         sync.Mutex
	boundaries []sdk.StepBoundaryRequest
}

func (h *host) RunEpisode(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	if h.episode == nil {
		return &sdk.EpisodeResult{EpisodeID: req.EpisodeID, Outcome: sdk.OutcomeScored}, nil
	}
	return h.episode(ctx, req)
}

func (h *host) CancelEpisode(context.Context, string, string) error { return nil }

func (h *host) Tasks(_ context.Context, req sdk.TasksRequest, yield func(sdk.Task) bool) error {
	for _, task := range h.tasks[req.Cursor:] {
		if !yield(task) {
			break
		}
	}
	return nil
}

func (h *host) StepBoundary(_ context.Context, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.boundaries = append(h.boundaries, req)
	return &sdk.StepBoundaryResponse{Directive: sdk.DirectiveContinue}, nil
}

// task returns a task with both parts.
func task() sdk.Task {
	return sdk.Task{ID: "t1", Public: json.RawMessage(`{"prompt":"?"}`), Private: json.RawMessage(`{"ground_truth":"42"}`)}
}

var (
	_ sdk.Environment         = (*environment)(nil)
	_ sdk.Reward              = rewardFunc(nil)
	_ sdk.AdapterWithEvaluate = (*adapter)(nil)
	_ sdk.AdapterWithRecover  = (*recoveringAdapter)(nil)
	_ sdk.Host                = (*host)(nil)
)
