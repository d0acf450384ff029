// Package participants assembles the participants of a stage's episodes for the rollout engine, from a plan and the
// running plugins: the agent, its environment, the rewards and their expression.
//
//	c := participants.StageBinding{Plan: p, Stage: p.Stages[0], Plugins: supervisor}
//	err := participants.Starter{Plan: p, Plugins: supervisor, Servers: servers}.Start(ctx, c.Addresses())
//	setup, err := c.Setup() // the caller adds the tasks and the sampler
//	err = engine.Configure(setup)
//
// Training runs and evaluations both use it, so that a spec means the same in both. It must not depend on which of the
// two uses it, or on which sampler generates the messages.
package participants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/agent/swarm"
	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/gateway"
	"github.com/awhost/awhost/host/hostserver"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/server"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// StageBinding is a stage together with the supervisor of its plugins.
type StageBinding struct {
	Plan    *plan.Plan
	Stage   plan.Stage
	Plugins *plugin.Supervisor
	Agents  *hostserver.Server // serves agents of Plugins; nil: they are not served
	// PolicyServed states that a served model answers in place of the policy.
	PolicyServed bool
}

// Addresses returns the addresses of the plugin blocks that take part in an episode. The adapter is not included: it
// may be the sampler, but another sampler can replace it.
func (c StageBinding) Addresses() []string {
	actor, err := c.actor()
	if err != nil {
		return nil // reported by Setup
	}
	addresses := []string{actor.Body.Environment}
	for _, a := range actor.Agents() {
		addresses = append(addresses, a.Block.Address)
	}
	var out []string
	for _, address := range append(append(addresses, c.Stage.Rewards()...), c.Plan.Train.Scan.Judge) {
		if c.Plan.Component(address) != nil {
			out = append(out, address)
		}
	}
	return out
}

// actor returns the stage's agent or swarm.
func (c StageBinding) actor() (*spec.Actor, error) { return c.Plan.Spec.Actor(c.Stage.Agent) }

// StartError reports that a block's plugin does not start.
type StartError struct {
	Address string
	Err     error
}

// Error implements error.
func (e *StartError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

// Starter starts the participants of episodes.
type Starter struct {
	Plan    *plan.Plan
	Plugins *plugin.Supervisor
	Servers *server.Set
}

// Start concurrently starts the plugins that are not running yet, each after the server that it requires. Each failure
// is a *StartError.
func (s Starter) Start(ctx context.Context, addresses []string) error {
	failures := make([]error, len(addresses))
	var starting sync.WaitGroup
	for i, address := range addresses {
		if _, runs := s.Plugins.Find(address); runs {
			continue
		}
		starting.Go(func() { failures[i] = s.start(ctx, address) })
	}
	starting.Wait()
	return errors.Join(failures...)
}

func (s Starter) start(ctx context.Context, address string) error {
	c := s.Plan.Component(address)
	if c.Block.Server != nil {
		if err := s.Servers.Start(ctx, c.Block.Server); err != nil {
			return &StartError{Address: address, Err: err}
		}
	}
	config, err := s.configOf(c.Block)
	if err != nil {
		return &StartError{Address: address, Err: err}
	}
	_, err = s.Plugins.Start(ctx, plugin.Block{
		Address: address, Kind: sdk.ComponentKind(c.Block.Kind), Type: c.Block.Type, Entry: c.Entry, Config: config,
		Sensitive: c.SensitivePaths(), PassEnv: c.Block.PassEnv(),
	})
	if err != nil {
		return &StartError{Address: address, Err: err}
	}
	s.Reconnect(address) // the server's address may have changed meanwhile
	return nil
}

// configOf returns the configuration of a block's plugin, including the connection details reported by the block's
// server.
func (s Starter) configOf(b *spec.Block) (json.RawMessage, error) {
	if b.Server == nil {
		return b.Config, nil
	}
	_, config, err := b.Server.Connected(b.Config, s.Servers.ConnectionOf(b.Address))
	return config, err
}

// Reconnect passes the current connection details of a block's server to the block's plugin; it is intended for
// server.Options.Moved.
func (s Starter) Reconnect(address string) {
	config, err := s.configOf(s.Plan.Component(address).Block)
	if err != nil { // Connected accepted them when the server started
		s.Plugins.Fail(address, err)
		return
	}
	s.Plugins.Reconfigure(address, config)
}

// Setup returns the engine's input for the stage's episodes, without the tasks and the sampler. The plugins must be
// running.
func (c StageBinding) Setup() (rollout.StageSetup, error) {
	actor, err := c.actor()
	if err != nil {
		return rollout.StageSetup{}, err
	}
	if err := c.checkTools(actor); err != nil {
		return rollout.StageSetup{}, err
	}
	solver, err := c.agent(actor, nil)
	if err != nil {
		return rollout.StageSetup{}, fmt.Errorf("set up %s: %w", actor.Block.Address, err)
	}
	served, err := c.served(actor)
	if err != nil {
		return rollout.StageSetup{}, err
	}
	checked, err := checks(actor)
	if err != nil {
		return rollout.StageSetup{}, err
	}
	knobs := c.Stage.Knobs
	return rollout.StageSetup{
		Name: c.Stage.Name, Agent: solver, Compose: compose(c.Stage.Stage),
		Environment:        c.environment(actor.Body.Environment),
		Trainable:          c.trainable(actor),
		Auxiliary:          isAuxiliary,
		Served:             served,
		Madness:            checked,
		TemplateKwargs:     c.templateKwargs(actor),
		Rewards:            c.rewards(),
		Sampling:           sampling(knobs.Sampling, knobs.Limits),
		ValidationSampling: validationSampling(knobs),
		Policy:             c.Stage.Policy, Overlong: rollout.Overlong(sdk.ValueOr(knobs.Limits.Overlong, "")),
		OverlongPenalty: c.Stage.OverlongPenalty,
		LoneSurvivor:    c.Stage.LoneSurvivor, MinGroup: sdk.ValueOr(c.Stage.MinGroup, 0), Concurrency: c.concurrency(actor),
		ActiveBudget: c.Stage.EpisodeTimeout,
		Breaker: rollout.BreakerSettings{
			FailedFraction: c.Stage.CircuitBreaker.FailedFraction, Window: c.Stage.CircuitBreaker.Window,
			ForeignFraction: c.Stage.CircuitBreaker.ForeignFraction,
			MinEpisodes:     c.Stage.CircuitBreaker.MinEpisodes,
		},
	}, nil
}

// checkTools checks the agents' patterns against the tools of the running environment. A plan knows only the tools that
// it can list before a run. The error is a *plan.ToolsError.
func (c StageBinding) checkTools(actor *spec.Actor) error {
	wrong := &plan.ToolsError{}
	for _, a := range actor.Agents() {
		if instance, runs := c.Plugins.Find(a.Body.Environment); runs {
			if offered := instance.Offered(); offered != nil {
				wrong.Diagnostics = append(wrong.Diagnostics, plan.CheckTools(c.Plan.Spec, a, offered)...)
			}
		}
	}
	if len(wrong.Diagnostics) == 0 {
		return nil
	}
	return wrong
}

// concurrency returns the number of concurrent episodes, which is at most the limit of each agent.
func (c StageBinding) concurrency(actor *spec.Actor) int {
	most := c.Stage.Concurrency
	for _, a := range actor.Agents() {
		if p := c.Plan.Component(a.Block.Address); p != nil && p.Description.Agent.MaxConcurrent > 0 {
			most = min(most, p.Description.Agent.MaxConcurrent)
		}
	}
	return most
}

// trainable returns a function that reports whether a member is trained, given the member's name in its requests.
func (c StageBinding) trainable(actor *spec.Actor) func(member string) bool {
	trained := map[string]bool{}
	for _, a := range actor.Agents() {
		trained[a.Member()] = c.Stage.Trains(a)
	}
	return func(member string) bool {
		name, part, _ := strings.Cut(member, "/") // a part of a plugin's agent is trained with it
		return trained[name] && !isAuxiliary(member) && !strings.HasPrefix(part, gateway.MemberUntrained) &&
			!strings.HasPrefix(part, gateway.MemberServed)
	}
}

// templateKwargs returns the arguments of the chat template by member, or nil without arguments. The stage's arguments
// belong to the policy, or the model that replaces it in an evaluation.
func (c StageBinding) templateKwargs(actor *spec.Actor) func(member string) json.RawMessage {
	all := map[string]json.RawMessage{}
	for _, a := range actor.Agents() {
		kwargs := a.Body.TemplateKwargs
		if !a.Served() {
			kwargs = c.Stage.KwargsOf(a)
		}
		if len(kwargs) > 0 {
			all[a.Member()], _ = json.Marshal(kwargs) // values of HCL
		}
	}
	if len(all) == 0 {
		return nil
	}
	return func(member string) json.RawMessage {
		name, part, _ := strings.Cut(member, "/")
		if strings.HasPrefix(part, gateway.MemberServed) {
			return nil // other parts of a plugin's agent have its arguments
		}
		return all[name]
	}
}

// isAuxiliary reports whether a member's calls are not part of the task.
func isAuxiliary(member string) bool {
	_, part, _ := strings.Cut(member, "/")
	return part == gateway.MemberAuxiliary
}

// agent returns a block's agent. In addition to its own tools, it can use the tools that call other members of its
// swarm.
func (c StageBinding) agent(actor *spec.Actor, calls []string) (agent.Agent, error) {
	body := actor.Body
	switch {
	case actor.IsSwarm():
		return c.swarm(actor)
	case !actor.Block.Builtin():
		return c.pluginAgent(actor, calls)
	}
	settings := agent.Settings{
		Name: actor.Member(), SystemPrompt: body.SystemPrompt, Tools: body.Tools, Deny: body.Deny, Calls: calls,
		MaxTurns: body.MaxTurns, MessageTokens: body.MaxTokens,
		ResponseTokens: sdk.ValueOr(c.Stage.Knobs.Limits.ResponseTokens, 0),
	}
	if body.OnMalformed == "tell" {
		settings.OnMalformed = agent.TellOnMalformed
	}
	return agent.NewReact(settings)
}

// swarm returns an agent composed of other agents.
func (c StageBinding) swarm(actor *spec.Actor) (*swarm.Swarm, error) {
	settings := swarm.Settings{
		Name: actor.Member(), Kind: swarm.Kind(actor.Block.Type), Stages: actor.Stages,
		MaxHops: actor.MaxHops, MaxTurns: actor.Body.MaxTurns,
	}
	for _, m := range actor.Members {
		name := m.Block.Name
		player, err := c.agent(m, actor.Calls[name])
		if err != nil {
			return nil, fmt.Errorf("set up %s: %w", m.Block.Address, err)
		}
		settings.Members = append(settings.Members, swarm.Member{
			Name: name, Description: m.Body.Description, Agent: player, Neighbours: actor.Calls[name],
			Acts: m.Body.Environment != "", Concurrent: c.concurrent(m),
		})
	}
	return swarm.New(settings)
}

// concurrent reports whether an agent, or an agent that it contains, may have several concurrent conversations.
func (StageBinding) concurrent(actor *spec.Actor) bool {
	return slices.ContainsFunc(actor.Agents(), func(a *spec.Actor) bool { return !a.Block.Builtin() })
}

// trainsAll reports whether the trainer uses everything that was sampled. In that case, compaction requests are trained
// too, unless the spec says otherwise, which plan rejects.
func (c StageBinding) trainsAll() bool {
	answer := c.Plan.Adapters[c.Stage.Adapter]
	return answer != nil && answer.Capabilities.TrainsAll
}

// pluginAgent returns the agent of a block whose plugin is running.
func (c StageBinding) pluginAgent(actor *spec.Actor, calls []string) (agent.Agent, error) {
	body := actor.Body
	if c.Agents == nil {
		return nil, errors.New("plugin agents are available only in training; use an agent of type react here")
	}
	served, err := c.Agents.Gateway()
	if err != nil {
		return nil, err
	}
	rules, err := gateway.ParseRules(body.Auxiliary)
	if err != nil {
		return nil, err
	}
	names, err := c.models(body.Served)
	if err != nil {
		return nil, err
	}
	instance, _ := c.Plugins.Find(actor.Block.Address)
	player, err := agent.NewPlugin(agent.PluginSettings{
		Name: actor.Member(), Tools: body.Tools, Deny: body.Deny, Calls: calls,
		Reveal: reveal(body.Private), MaxTurns: body.MaxTurns, MessageTokens: body.MaxTokens,
		ResponseTokens: sdk.ValueOr(c.Stage.Knobs.Limits.ResponseTokens, 0),
		Endpoint: func(
			ctx context.Context, model sdk.AgentModel, tools agent.Toolbox,
		) (agent.Endpoints, func() map[string]float64) {
			lease := gateway.Lease{
				Model: model, Tools: tools, Repeats: gateway.Repeats(body.Repeats),
				DropTools: body.ProviderTools == "drop", Auxiliary: rules, Constraints: c.constraints(actor),
				TrainCompaction: body.Compaction == "train" || body.Compaction == "" && c.trainsAll(),
				TrainsAll:       c.trainsAll(), Served: names, ModelNames: body.ModelNames,
			}
			if keeper, ok := model.(agent.CallKeeper); ok {
				lease.Called, lease.Refused = keeper.KeepCaller, keeper.KeepRefusal
			}
			endpoint, end := served.Grant(ctx, lease)
			out := agent.Endpoints{Model: endpoint}
			if tools != nil {
				out.Tools = served.ToolServer(endpoint)
			}
			return out, end
		},
	}, instance.Agent(&c.Agents.Leases))
	if err != nil {
		return nil, err
	}
	return rollout.PluginAgent(actor.Block.Address, player), nil
}

// constraints returns how the gateway handles requests that restrict the sampled message.
func (c StageBinding) constraints(actor *spec.Actor) gateway.Constraints {
	if (c.PolicyServed || actor.Served()) && actor.Body.Constraints == "" {
		return gateway.ConstraintsApply
	}
	return gateway.Constraints(actor.Body.Constraints)
}

// reveal returns a function that adds private columns to an agent's tasks. It returns nil without columns.
func reveal(columns []string) func(sdk.Task) sdk.Task {
	if len(columns) == 0 {
		return nil
	}
	return func(task sdk.Task) sdk.Task {
		task, _ = dataset.Reveal(task, columns) // the plan has checked the names
		return task
	}
}

func (c StageBinding) environment(address string) *rollout.EnvironmentBinding {
	if address == "" {
		return nil
	}
	instance, _ := c.Plugins.Find(address)
	return &rollout.EnvironmentBinding{
		Address: address, Environment: instance.Environment(),
		Capabilities: *c.Plan.Component(address).Description.Environment,
	}
}

func (c StageBinding) rewards() []rollout.RewardBinding {
	var out []rollout.RewardBinding
	for _, address := range c.Stage.Rewards() {
		instance, _ := c.Plugins.Find(address)
		out = append(out, rollout.RewardBinding{
			Address: address, Reward: instance.Reward(), Capabilities: *c.Plan.Component(address).Description.Reward,
		})
	}
	return out
}

// compose returns a function that combines the rewards' results using the expressions in the spec.
func compose(stage *spec.Stage) rollout.Compose {
	return func(in rollout.ComposeInputs) (rollout.ComposeResult, error) {
		judgement, err := stage.Judge(spec.Inputs{
			Rewards: in.Rewards, Agents: selfReports(in.SelfReport), NumTurns: in.NumTurns, Truncated: in.Truncated,
		})
		if err != nil {
			return rollout.ComposeResult{}, err
		}
		return rollout.ComposeResult{Reward: judgement.Reward, Success: judgement.Success}, nil
	}
}

// selfReports returns the agents' self-assessments of an episode, by address.
func selfReports(says map[string]agent.SelfReport) map[string]spec.SelfReport {
	out := make(map[string]spec.SelfReport, len(says))
	for name, o := range says {
		out[string(sdk.KindAgent)+"."+name] = spec.SelfReport(o)
	}
	return out
}

func sampling(k sdk.SamplingKnobs, limits sdk.LimitKnobs) sdk.Sampling {
	return sdk.Sampling{Temperature: k.Temperature, TopP: k.TopP, TopK: sdk.ValueOr(k.TopK, 0), Stop: k.Stop,
		MaxTokens: sdk.ValueOr(limits.MessageTokens, 0)}
}

// validationSampling returns the sampling settings for training, overridden by the spec's settings for validation.
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

var _ error = (*StartError)(nil)
