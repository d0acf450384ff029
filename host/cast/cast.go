// Package cast brings together who takes part in the episodes of a stage: the agent, its environment, the rewards and
// their expression, as the rollout engine takes them, from a plan and the plugins that run.
//
//	c := cast.Cast{Plan: p, Stage: p.Stages[0], Plugins: supervisor}
//	err := cast.Start(ctx, p, supervisor, c.Addresses())
//	setup, err := c.Setup() // the caller adds tasks and who samples
//	err = engine.Configure(setup)
//
// A run trains with it and an evaluation measures with it, so that both mean the same by a spec. It must not know which of
// the two asks, nor who samples the messages.
package cast

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// Cast is a stage and where its plugins run.
type Cast struct {
	Plan    *plan.Plan
	Stage   plan.Stage
	Plugins *plugin.Supervisor
	Leases  *sdk.Leases // what the host service of Plugins answers agents by; nil: it answers none
}

// agentBody is the body of an agent block of type react, and what the host reads of those of plugins.
type agentBody struct {
	SystemPrompt string   `json:"system_prompt"`
	Environment  string   `json:"environment"`
	Tools        []string `json:"tools"`
	MaxTurns     int      `json:"max_turns"`
	MaxTokens    int      `json:"max_message_tokens"`
	OnMalformed  string   `json:"on_malformed"`
}

// Addresses are the blocks with a plugin that take part in an episode. The adapter is none of them: it samples, or somebody
// else does.
func (c Cast) Addresses() []string {
	var out []string
	for _, address := range append([]string{c.environmentAddress(), c.Stage.Agent}, c.Stage.Rewards()...) {
		if c.Plan.Component(address) != nil {
			out = append(out, address)
		}
	}
	return out
}

// environmentAddress is where the stage's agent acts; empty: nowhere.
func (c Cast) environmentAddress() string {
	body, err := c.agentBody()
	if err != nil {
		return "" // Setup says so
	}
	return body.Environment
}

func (c Cast) agentBody() (agentBody, error) {
	block := c.Plan.Spec.Blocks[c.Stage.Agent]
	var body agentBody
	if err := json.Unmarshal(block.Config, &body); err != nil {
		return body, fmt.Errorf("read %s: %w", block.Address, err)
	}
	return body, nil
}

// StartError says that the plugin of a block does not start.
type StartError struct {
	Address string
	Err     error
}

// Error implements error.
func (e *StartError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *StartError) Unwrap() error { return e.Err }

// Start starts the plugins that do not run yet, side by side. Each failure is a *StartError.
func Start(ctx context.Context, p *plan.Plan, plugins *plugin.Supervisor, addresses []string) error {
	failures := make([]error, len(addresses))
	var starting sync.WaitGroup
	for i, address := range addresses {
		if _, runs := plugins.Find(address); runs {
			continue
		}
		starting.Go(func() { failures[i] = start(ctx, p, plugins, address) })
	}
	starting.Wait()
	return errors.Join(failures...)
}

func start(ctx context.Context, p *plan.Plan, plugins *plugin.Supervisor, address string) error {
	c := p.Component(address)
	_, err := plugins.Start(ctx, plugin.Block{
		Address: address, Kind: sdk.ComponentKind(c.Block.Kind), Type: c.Block.Type, Entry: c.Entry, Config: c.Block.Config, Sensitive: c.SensitivePaths(),
	})
	if err != nil {
		return &StartError{Address: address, Err: err}
	}
	return nil
}

// Setup is what the engine needs to run the stage's episodes, less the tasks and who samples. The plugins run.
func (c Cast) Setup() (rollout.StageSetup, error) {
	solver, err := c.agent()
	if err != nil {
		return rollout.StageSetup{}, err
	}
	knobs := c.Stage.Knobs
	return rollout.StageSetup{
		Name: c.Stage.Name, Agent: solver, Compose: compose(c.Stage.Stage),
		Environment:        c.environment(),
		Rewards:            c.rewards(),
		Sampling:           sampling(knobs.Sampling, knobs.Limits),
		ValidationSampling: validationSampling(knobs),
		Policy:             c.Stage.Policy, Overlong: rollout.Overlong(text(knobs.Limits.Overlong)), OverlongPenalty: c.Stage.OverlongPenalty,
		LoneSurvivor: c.Stage.LoneSurvivor, MinGroup: number(c.Stage.MinGroup), Concurrency: c.concurrency(), ActiveBudget: c.Stage.EpisodeTimeout,
		Breaker: rollout.BreakerSettings{
			FailedFraction: c.Stage.CircuitBreaker.FailedFraction, Window: c.Stage.CircuitBreaker.Window, MinEpisodes: c.Stage.CircuitBreaker.MinEpisodes,
		},
	}, nil
}

// concurrency is how many episodes run at a time: no more than the agent takes.
func (c Cast) concurrency() int {
	if p := c.Plan.Component(c.Stage.Agent); p != nil && p.Description.Agent.MaxConcurrent > 0 {
		return min(c.Stage.Concurrency, p.Description.Agent.MaxConcurrent)
	}
	return c.Stage.Concurrency
}

func (c Cast) agent() (agent.Agent, error) {
	body, err := c.agentBody()
	if err != nil {
		return nil, err
	}
	block := c.Plan.Spec.Blocks[c.Stage.Agent]
	if !block.Builtin() {
		return c.pluginAgent(block, body)
	}
	settings := agent.Settings{
		Name: block.Type + "." + block.Name, SystemPrompt: body.SystemPrompt, Tools: body.Tools, MaxTurns: body.MaxTurns, MessageTokens: body.MaxTokens,
		ResponseTokens: number(c.Stage.Knobs.Limits.ResponseTokens),
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

// pluginAgent is the agent of a block whose plugin runs.
func (c Cast) pluginAgent(block *spec.Block, body agentBody) (agent.Agent, error) {
	if c.Leases == nil {
		return nil, fmt.Errorf("set up %s: agents of plugins play in training only; use an agent of type react here", block.Address)
	}
	instance, _ := c.Plugins.Find(block.Address)
	player, err := agent.NewPlugin(agent.PluginSettings{
		Name: block.Type + "." + block.Name, Tools: body.Tools, MaxTurns: body.MaxTurns, MessageTokens: body.MaxTokens,
		ResponseTokens: number(c.Stage.Knobs.Limits.ResponseTokens),
	}, instance.Agent(c.Leases))
	if err != nil {
		return nil, fmt.Errorf("set up %s: %w", block.Address, err)
	}
	return rollout.PluginAgent(block.Address, player), nil
}

func (c Cast) environment() *rollout.EnvironmentBinding {
	address := c.environmentAddress()
	if address == "" {
		return nil
	}
	instance, _ := c.Plugins.Find(address)
	return &rollout.EnvironmentBinding{
		Address: address, Environment: instance.Environment(), Capabilities: *c.Plan.Component(address).Description.Environment,
	}
}

func (c Cast) rewards() []rollout.RewardBinding {
	var out []rollout.RewardBinding
	for _, address := range c.Stage.Rewards() {
		instance, _ := c.Plugins.Find(address)
		out = append(out, rollout.RewardBinding{
			Address: address, Reward: instance.Reward(), Capabilities: *c.Plan.Component(address).Description.Reward,
		})
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

var _ error = (*StartError)(nil)
