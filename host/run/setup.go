package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/awhost/awhost/host/agent"
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
	MaxTokens    int      `json:"max_message_tokens"`
	OnMalformed  string   `json:"on_malformed"`
}

// addresses are the blocks of the stage that have a plugin.
func (l *launch) addresses() []string {
	out := []string{l.stage.Adapter}
	for _, address := range append([]string{l.environmentAddress()}, l.stage.Rewards()...) {
		if address != "" {
			out = append(out, address)
		}
	}
	return out
}

// environmentAddress is where the stage's agent acts; empty: nowhere.
func (l *launch) environmentAddress() string {
	body, err := l.agentBody()
	if err != nil {
		return "" // setup says so
	}
	return body.Environment
}

func (l *launch) agentBody() (agentBody, error) {
	block := l.Plan.Spec.Blocks[l.stage.Agent]
	var body agentBody
	if err := json.Unmarshal(block.Config, &body); err != nil {
		return body, fmt.Errorf("read %s: %w", block.Address, err)
	}
	return body, nil
}

// startPlugins starts the plugins that do not run yet, side by side.
func (r *runner) startPlugins(ctx context.Context, addresses []string) error {
	failures := make([]error, len(addresses))
	var starting sync.WaitGroup
	for i, address := range addresses {
		if _, runs := r.plugins.Find(address); runs {
			continue
		}
		starting.Go(func() { failures[i] = r.startPlugin(ctx, address) })
	}
	starting.Wait()
	return errors.Join(failures...)
}

func (r *runner) startPlugin(ctx context.Context, address string) error {
	c := r.Plan.Component(address)
	_, err := r.plugins.Start(ctx, plugin.Block{
		Address: address, Kind: sdk.ComponentKind(c.Block.Kind), Type: c.Block.Type, Entry: c.Entry, Config: c.Block.Config, Sensitive: c.SensitivePaths(),
	})
	if err != nil {
		return &PluginError{Address: address, Err: err}
	}
	return nil
}

// setup is what the engine needs to run the stage's episodes. The plugins run.
func (l *launch) setup() (rollout.StageSetup, error) {
	solver, err := l.agent()
	if err != nil {
		return rollout.StageSetup{}, err
	}
	knobs := l.stage.Knobs
	return rollout.StageSetup{
		Name: l.stage.Name, Tasks: l.tasks, Agent: solver, Compose: compose(l.stage.Stage),
		Generator:          rollout.GeneratorBinding{Address: l.stage.Adapter, Generator: l.adapter},
		Environment:        l.environment(),
		Rewards:            l.rewards(),
		Sampling:           sampling(knobs.Sampling, knobs.Limits),
		ValidationSampling: validationSampling(knobs),
		Policy:             l.stage.Policy, Overlong: rollout.Overlong(text(knobs.Limits.Overlong)), OverlongPenalty: l.stage.OverlongPenalty,
		MinGroup: number(l.stage.MinGroup), Concurrency: l.stage.Concurrency, ActiveBudget: l.stage.EpisodeTimeout,
		Breaker: rollout.BreakerSettings{
			FailedFraction: l.stage.CircuitBreaker.FailedFraction, Window: l.stage.CircuitBreaker.Window, MinEpisodes: l.stage.CircuitBreaker.MinEpisodes,
		},
		BreakerWindow: l.book.now.Breaker,
	}, nil
}

func (l *launch) agent() (*agent.React, error) {
	body, err := l.agentBody()
	if err != nil {
		return nil, err
	}
	block := l.Plan.Spec.Blocks[l.stage.Agent]
	settings := agent.Settings{
		Name: block.Type + "." + block.Name, SystemPrompt: body.SystemPrompt, Tools: body.Tools, MaxTurns: body.MaxTurns, MessageTokens: body.MaxTokens,
		ResponseTokens: number(l.stage.Knobs.Limits.ResponseTokens),
	}
	if body.OnMalformed == "tell" {
		settings.OnMalformed = agent.TellOnMalformed
	}
	solver, err := agent.NewReact(settings)
	if err != nil {
		return nil, fmt.Errorf("set up %s: %w", block.Address, err)
	}
	return solver, nil
}

func (l *launch) environment() *rollout.EnvironmentBinding {
	address := l.environmentAddress()
	if address == "" {
		return nil
	}
	instance, _ := l.plugins.Find(address)
	return &rollout.EnvironmentBinding{
		Address: address, Environment: instance.Environment(), Capabilities: *l.Plan.Component(address).Description.Environment,
	}
}

func (l *launch) rewards() []rollout.RewardBinding {
	var out []rollout.RewardBinding
	for _, address := range l.stage.Rewards() {
		instance, _ := l.plugins.Find(address)
		out = append(out, rollout.RewardBinding{
			Address: address, Reward: instance.Reward(), Capabilities: *l.Plan.Component(address).Description.Reward,
		})
	}
	return out
}

// awaitPlugin waits for an environment or a reward that died. The adapter is another matter: without its process the
// launch is over. A plugin that lives and lost an episode, or gave a generation up, needs no waiting.
func (l *launch) awaitPlugin(ctx context.Context, address string, cause error) error {
	instance, ok := l.plugins.Find(address)
	switch {
	case !errors.Is(cause, sdk.ErrUnavailable):
		return nil
	case address == l.stage.Adapter:
		return &adapterLost{address: address, err: cause}
	case !ok:
		return cause
	}
	if err := instance.Await(ctx); err != nil {
		return &PluginError{Address: address, Err: err}
	}
	return nil
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
