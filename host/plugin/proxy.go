package plugin

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
)

// The components below call the process that is ready at the time of the call. They implement all optional methods. If
// a component lacks such a method, calling it returns an error.

// Environment returns the instance as an environment component.
func (i *Instance) Environment() sdk.Environment { return environment{i} }

// Offered returns the tools that the environment offers in every episode, as reported by its process, or nil if the
// process has not reported them.
func (i *Instance) Offered() []sdk.Tool {
	if p, _, _ := i.status(); p != nil {
		return p.Offered()
	}
	return nil
}

// Reward returns the instance as a reward component.
func (i *Instance) Reward() sdk.Reward { return reward{i} }

// Adapter returns the instance as an adapter component.
func (i *Instance) Adapter() sdk.Adapter { return adapter{i} }

// Agent returns the instance as an agent component. Its leases are taken from the host's leases.
func (i *Instance) Agent(leases *sdk.Leases) sdk.Agent { return agent{i, leases} }

type environment struct{ i *Instance }

func (e environment) Open(ctx context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	return use(e.i, "Open", func(p *client.Plugin) (*sdk.OpenResponse, error) { return p.Environment().Open(ctx, req) })
}

func (e environment) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	return use(e.i, "Step", func(p *client.Plugin) (*sdk.StepResponse, error) { return p.Environment().Step(ctx, req) })
}

func (e environment) Close(ctx context.Context, req sdk.CloseRequest) (*sdk.CloseResponse, error) {
	return use(e.i, "Close", func(p *client.Plugin) (*sdk.CloseResponse, error) { return p.Environment().Close(ctx, req) })
}

func (e environment) Snapshot(ctx context.Context, episodeID string) (json.RawMessage, error) {
	return use(e.i, "Snapshot", func(p *client.Plugin) (json.RawMessage, error) {
		return p.Environment().(sdk.EnvironmentWithSnapshot).Snapshot(ctx, episodeID)
	})
}

func (e environment) Tasks(ctx context.Context, split sdk.Split, cursor int, yield func(sdk.Task) bool) error {
	return do(e.i, "Tasks", func(p *client.Plugin) error {
		return p.Environment().(sdk.EnvironmentWithTasks).Tasks(ctx, split, cursor, yield)
	})
}

type reward struct{ i *Instance }

func (r reward) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	return use(r.i, "Score", func(p *client.Plugin) (*sdk.ScoreResponse, error) { return p.Reward().Score(ctx, req) })
}

type adapter struct{ i *Instance }

func (a adapter) Plan(ctx context.Context, req sdk.PlanRequest) (*sdk.PlanResponse, error) {
	return use(a.i, "Plan", func(p *client.Plugin) (*sdk.PlanResponse, error) { return p.Adapter().Plan(ctx, req) })
}

func (a adapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	return do(a.i, "Train", func(p *client.Plugin) error { return p.Adapter().Train(ctx, req, host, emit) })
}

func (a adapter) Recover(ctx context.Context, req sdk.RecoverRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	return do(a.i, "Recover", func(p *client.Plugin) error {
		return p.Adapter().(sdk.AdapterWithRecover).Recover(ctx, req, host, emit)
	})
}

func (a adapter) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	return use(a.i, "Generate", func(p *client.Plugin) (*sdk.GenerateResponse,
		error) {
		return p.Adapter().Generate(ctx, req)
	})
}

func (a adapter) Control(ctx context.Context, req sdk.ControlRequest) error {
	return do(a.i, "Control", func(p *client.Plugin) error { return p.Adapter().Control(ctx, req) })
}

func (a adapter) Evaluate(ctx context.Context, launchID string) error {
	return do(a.i, "Evaluate", func(p *client.Plugin) error {
		return p.Adapter().(sdk.AdapterWithEvaluate).Evaluate(ctx,
			launchID)
	})
}

func (a adapter) Load(ctx context.Context, req sdk.LoadRequest) (*sdk.LoadResponse, error) {
	return use(a.i, "Load", func(p *client.Plugin) (*sdk.LoadResponse, error) {
		return p.Adapter().(sdk.AdapterWithLoad).Load(ctx, req)
	})
}

func (a adapter) Release(ctx context.Context, episodeID string) error {
	return do(a.i, "Release", func(p *client.Plugin) error {
		return p.Adapter().(sdk.AdapterWithLoad).Release(ctx,
			episodeID)
	})
}

func (a adapter) Export(ctx context.Context, req sdk.ExportRequest) (*sdk.ExportResponse, error) {
	return use(a.i, "Export", func(p *client.Plugin) (*sdk.ExportResponse, error) {
		return p.Adapter().(sdk.AdapterWithExport).Export(ctx, req)
	})
}

func (a adapter) DeleteCheckpoint(ctx context.Context, dir string) error {
	return do(a.i, "DeleteCheckpoint", func(p *client.Plugin) error {
		return p.Adapter().(sdk.AdapterWithRemoteCheckpoints).DeleteCheckpoint(ctx, dir)
	})
}

type agent struct {
	i      *Instance
	leases *sdk.Leases
}

func (a agent) Run(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel,
	session sdk.AgentSession) (*sdk.AgentResponse, error) {
	return use(a.i, "Run", func(p *client.Plugin) (*sdk.AgentResponse, error) {
		return p.Agent(a.leases).Run(ctx, req, model, session)
	})
}

// use makes a call to the process that is currently ready. If the process has exited, the error wraps
// sdk.ErrUnavailable and includes the process's last output.
func use[T any](i *Instance, rpc string, call func(*client.Plugin) (T, error)) (T, error) {
	p, err := i.serving()
	if err != nil {
		var zero T
		return zero, err
	}
	end := i.calls.begin(rpc)
	out, err := call(p)
	end()
	if errors.Is(err, sdk.ErrUnavailable) {
		err = i.unreached(p, err)
	}
	return out, err
}

// do makes a call without a result to the process that is currently ready; see use.
func do(i *Instance, rpc string, call func(*client.Plugin) error) error {
	_, err := use(i, rpc, func(p *client.Plugin) (struct{}, error) { return struct{}{}, call(p) })
	return err
}

var (
	_ sdk.EnvironmentWithSnapshot      = environment{}
	_ sdk.Reward                       = reward{}
	_ sdk.EnvironmentWithTasks         = environment{}
	_ sdk.AdapterWithRecover           = adapter{}
	_ sdk.AdapterWithEvaluate          = adapter{}
	_ sdk.AdapterWithLoad              = adapter{}
	_ sdk.AdapterWithExport            = adapter{}
	_ sdk.AdapterWithRemoteCheckpoints = adapter{}
	_ sdk.Agent                        = agent{}
)
