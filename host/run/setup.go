package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// agentBody is the body of an agent block of type react.
type agentBody struct {
	SystemPrompt string   `json:"system_prompt"`
	Environment  string   `json:"environment"`
	Tools        []string `json:"tools"`
	MaxTurns     int      `json:"max_turns"`
	Model        string   `json:"model"`
	MaxTokens    int      `json:"max_message_tokens"`
	OnMalformed  string   `json:"on_malformed"`
}

// setup is what the engine needs to run the stage's episodes.
func (l *launch) setup(ctx context.Context) (rollout.StageSetup, error) {
	block := l.Plan.Spec.Blocks[l.stage.Agent]
	var body agentBody
	if err := json.Unmarshal(block.Config, &body); err != nil {
		return rollout.StageSetup{}, fmt.Errorf("read %s: %w", block.Address, err)
	}
	knobs := l.stage.Knobs
	settings := agent.Settings{
		Name: block.Type + "." + block.Name, SystemPrompt: body.SystemPrompt, Tools: body.Tools, MaxTurns: body.MaxTurns, MessageTokens: body.MaxTokens,
		ResponseTokens: number(knobs.Limits.ResponseTokens),
	}
	if body.OnMalformed == "tell" {
		settings.OnMalformed = agent.TellOnMalformed
	}
	solver, err := agent.NewReact(settings)
	if err != nil {
		return rollout.StageSetup{}, fmt.Errorf("set up %s: %w", block.Address, err)
	}
	setup := rollout.StageSetup{
		Name: l.stage.Name, Tasks: l.tasksOf, Agent: solver, Compose: compose(l.stage.Stage),
		Generator:          rollout.GeneratorBinding{Address: l.adapterAddress, Generator: generator{l.adapter}},
		Sampling:           sampling(knobs.Sampling, knobs.Limits),
		ValidationSampling: validationSampling(knobs),
		Policy:             l.stage.Policy, Overlong: rollout.Overlong(text(knobs.Limits.Overlong)), OverlongPenalty: l.stage.OverlongPenalty,
		MinGroup: number(l.stage.MinGroup), Concurrency: l.stage.Concurrency, ActiveBudget: l.stage.EpisodeTimeout,
		Breaker: rollout.BreakerSettings{
			FailedFraction: l.stage.CircuitBreaker.FailedFraction, Window: l.stage.CircuitBreaker.Window, MinEpisodes: l.stage.CircuitBreaker.MinEpisodes,
		},
		BreakerWindow: l.book.breakerWindow(l.Writer.Tip()),
	}
	if body.Environment != "" {
		if setup.Environment, err = l.environment(ctx, body.Environment); err != nil {
			return setup, err
		}
	}
	for _, address := range l.stage.Rewards() {
		instance, err := l.instance(ctx, address)
		if err != nil {
			return setup, err
		}
		setup.Rewards = append(setup.Rewards, rollout.RewardBinding{
			Address: address, Reward: reward{instance}, Capabilities: *l.Plan.Component(address).Description.Reward,
		})
	}
	return setup, nil
}

func (l *launch) environment(ctx context.Context, address string) (*rollout.EnvironmentBinding, error) {
	instance, err := l.instance(ctx, address)
	if err != nil {
		return nil, err
	}
	return &rollout.EnvironmentBinding{
		Address: address, Environment: environment{instance.Environment().(sdk.EnvironmentWithSnapshot)},
		Capabilities: *l.Plan.Component(address).Description.Environment,
	}, nil
}

func number(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func sampling(k sdk.SamplingKnobs, limits sdk.LimitKnobs) sdk.Sampling {
	return sdk.Sampling{Temperature: k.Temperature, TopP: k.TopP, TopK: number(k.TopK), Stop: k.Stop, MaxTokens: number(limits.MessageTokens)}
}

// validationSampling samples as training does, unless the spec says otherwise.
func validationSampling(k sdk.Knobs) sdk.Sampling {
	out := sampling(k.Sampling, k.Limits)
	if v := k.Validate.Sampling; v != nil {
		if v.Temperature != nil {
			out.Temperature = v.Temperature
		}
		if v.TopP != nil {
			out.TopP = v.TopP
		}
		if v.TopK != nil {
			out.TopK = *v.TopK
		}
		if v.Stop != nil {
			out.Stop = v.Stop
		}
	}
	return out
}

// compose makes one number of what the rewards say, by the expressions of the spec.
func compose(stage *spec.Stage) rollout.Compose {
	return func(in rollout.ComposeInputs) (rollout.ComposeResult, error) {
		judgement, err := stage.Judge(spec.Inputs{Rewards: in.Rewards, NumTurns: in.NumTurns, Truncated: in.Truncated})
		if err != nil {
			return rollout.ComposeResult{}, err
		}
		return rollout.ComposeResult{Reward: judgement.Reward, Success: judgement.Success}, nil
	}
}

// lost translates the end of a plugin's process into the engine's words.
func lost(err error) error {
	if errors.Is(err, sdk.ErrUnavailable) {
		return fmt.Errorf("%w: %w", rollout.ErrPluginLost, err)
	}
	return err
}

// generator is the adapter as the engine sees it.
type generator struct{ adapter sdk.Adapter }

// Generate implements rollout.Generator.
func (g generator) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	out, err := g.adapter.Generate(ctx, req)
	return out, lost(err)
}

// environment is an environment's plugin as the engine sees it.
type environment struct{ sdk.EnvironmentWithSnapshot }

// Open implements sdk.Environment.
func (e environment) Open(ctx context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	out, err := e.EnvironmentWithSnapshot.Open(ctx, req)
	return out, lost(err)
}

// Step implements sdk.Environment.
func (e environment) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	out, err := e.EnvironmentWithSnapshot.Step(ctx, req)
	return out, lost(err)
}

// Snapshot implements sdk.EnvironmentWithSnapshot.
func (e environment) Snapshot(ctx context.Context, episodeID string) (json.RawMessage, error) {
	out, err := e.EnvironmentWithSnapshot.Snapshot(ctx, episodeID)
	return out, lost(err)
}

// Close implements sdk.Environment.
func (e environment) Close(ctx context.Context, req sdk.CloseRequest) (*sdk.CloseResponse, error) {
	out, err := e.EnvironmentWithSnapshot.Close(ctx, req)
	return out, lost(err)
}

// reward is a reward's plugin as the engine sees it.
type reward struct{ instance *plugin.Instance }

// Score implements sdk.Reward.
func (r reward) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	out, err := r.instance.Reward().Score(ctx, req)
	return out, lost(err)
}

// taskSource holds the tasks of a stage.
type taskSource struct {
	train      *dataset.Dataset
	validation *dataset.Dataset // nil: none
	order      *dataset.Order
}

// TaskAt implements rollout.TaskSource. Training tasks come in the seeded order, epoch after epoch; validation tasks in
// the order of the file.
func (t *taskSource) TaskAt(split sdk.Split, index int) (sdk.Task, error) {
	if split != sdk.SplitValidation {
		_, row := t.order.At(index)
		return t.train.Task(row)
	}
	if t.validation == nil || index >= t.validation.Len() {
		return sdk.Task{}, fmt.Errorf("there is no validation task %d", index)
	}
	return t.validation.Task(index)
}

// TaskByID implements rollout.TaskSource.
func (t *taskSource) TaskByID(split sdk.Split, id string) (sdk.Task, bool) {
	d := t.train
	if split == sdk.SplitValidation {
		d = t.validation
	}
	if d == nil {
		return sdk.Task{}, false
	}
	i, ok := d.Index(id)
	if !ok {
		return sdk.Task{}, false
	}
	task, err := d.Task(i)
	return task, err == nil
}

// tasks streams a dataset to the adapter: of a split in the host's order, or a whole dataset block in the order of its
// file. Private parts are taken off.
func (l *launch) tasks(ctx context.Context, req sdk.TasksRequest, yield func(sdk.Task) bool) error {
	if req.Dataset != "" {
		d := l.Plan.Data[req.Dataset]
		if d == nil {
			return fmt.Errorf("the spec has no dataset %q that this run uses", req.Dataset)
		}
		return stream(ctx, req.Cursor, d.Len(), d.Task, yield)
	}
	total := l.tasksOf.train.Len()
	if req.Split == sdk.SplitValidation {
		total = l.Plan.Tasks(l.stage.Validation)
	}
	at := func(i int) (sdk.Task, error) { return l.tasksOf.TaskAt(req.Split, i) }
	return stream(ctx, req.Cursor, total, at, yield)
}

func stream(ctx context.Context, from, to int, at func(int) (sdk.Task, error), yield func(sdk.Task) bool) error {
	for i := max(from, 0); i < to; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		task, err := at(i)
		if err != nil {
			return err
		}
		task.Private = nil
		if !yield(task) {
			return nil
		}
	}
	return nil
}

var (
	_ sdk.EnvironmentWithSnapshot = environment{}
	_ rollout.TaskSource          = (*taskSource)(nil)
)
