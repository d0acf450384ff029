package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// PluginSettings are the limits that the host enforces for an agent plugin.
type PluginSettings struct {
	Name  string   // identifies the agent to the model's owner: "python.mine"
	Tools []string // patterns of the allowed tools; nil: all tools
	Deny  []string // patterns of the exceptions from Tools
	Calls []string // the members of its swarm that it calls; see Choice
	// Reveal adds to a task the private columns named by the agent's block, and removes the others. If it is nil, the
	// agent receives none of them.
	Reveal         func(sdk.Task) sdk.Task
	MaxTurns       int // maximum of assistant messages of one conversation; 0: only the environment limits them
	MessageTokens  int // maximum of tokens of one assistant message; 0: no limit
	ResponseTokens int // maximum of tokens of one conversation after its first prompt; 0: no limit
	// Endpoint makes an episode available to programs that use OpenAI's protocol and MCP. If it is nil, the episode is
	// not served.
	Endpoint Endpoint
}

// Endpoint serves a model, and an environment's tools if they are not nil, until end is called. end returns the metrics
// of the requests.
type Endpoint func(
	ctx context.Context, model sdk.AgentModel, tools Toolbox,
) (_ Endpoints, end func() map[string]float64)

// Endpoints are the addresses at which programs reach an episode.
type Endpoints struct {
	Model sdk.ModelEndpoint
	Tools *sdk.ToolEndpoint // nil: no tools
}

// Toolbox is an agent's view of its episode's environment.
type Toolbox interface {
	sdk.AgentSession
	// Tools returns the tools that are currently offered to the agent.
	Tools() []sdk.Tool
}

// CallKeeper is implemented by the model that an Endpoint serves. It stores the calling program's identifying headers
// with a call, and the reason why a request was refused before it reached the model.
type CallKeeper interface {
	KeepCaller(callID string, claims map[string]string)
	KeepRefusal(reason string)
}

// Plugin is an agent that is served by a plugin. The plugin decides which requests and steps to make. The host
// transfers every message between it, the model and the environment, and records the actual messages.
type Plugin struct {
	settings PluginSettings
	choice   Choice
	agent    sdk.Agent
}

// NewPlugin checks the settings and returns the agent.
func NewPlugin(settings PluginSettings, plugin sdk.Agent) (*Plugin, error) {
	choice := Choice{Tools: settings.Tools, Deny: settings.Deny, Calls: settings.Calls}
	if err := choice.check(); err != nil {
		return nil, fmt.Errorf("set up agent %s: %w", settings.Name, err)
	}
	return &Plugin{settings: settings, choice: choice, agent: plugin}, nil
}

// Run implements Agent. A failure of the model or the environment ends the episode even if the plugin would continue,
// because its further output would depend on the failure.
func (p *Plugin) Run(ctx context.Context, episode Episode) (*Result, error) {
	question, err := opening("", episode)
	if err != nil {
		return &Result{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := newPluginEpisode(p, episode, cancel)
	if err != nil {
		return &Result{}, err
	}
	if p.settings.Reveal != nil {
		episode.Task = p.settings.Reveal(episode.Whole)
	}
	request := sdk.AgentRequest{
		EpisodeID: episode.ID, Place: episode.Place, Task: episode.Task, Messages: question, Tools: s.offered.tools,
		HasEnvironment: episode.Environment != nil, MaxTurns: s.bounds.maxTurns(),
	}
	end := func() map[string]float64 { return nil }
	var session sdk.AgentSession
	var tools Toolbox
	if episode.Environment != nil {
		session, tools = s, s
	}
	if p.settings.Endpoint != nil {
		var served Endpoints
		served, end = p.settings.Endpoint(ctx, recorded{s}, tools)
		request.Models = map[string]sdk.ModelEndpoint{sdk.ModelPolicy: served.Model}
		request.ToolServer = served.Tools
	}
	response, err := p.agent.Run(ctx, request, s, session)
	asked := end()
	result, err := s.end(response, err)
	result.Endpoint, result.Callers = asked, s.callers
	return result, s.unreached(request, asked, response, err)
}

// end returns the result from the transcript and the plugin's answer or error.
func (s *pluginEpisode) end(response *sdk.AgentResponse, err error) (*Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if response == nil || s.dismissed { // a canceled plugin's output depends on the time of the cancellation
		response = &sdk.AgentResponse{}
	}
	result := s.transcript(response.FinalAnswer)
	result.Answer, result.Metadata, result.Metrics = response.FinalAnswer, response.Metadata, numbers(response)
	if own := (SelfReport{Reward: response.Reward, IsSuccess: response.IsSuccess}); own != (SelfReport{}) {
		result.SelfReport = map[string]SelfReport{s.settings.Name: own}
	}
	if s.fatal != nil {
		return result, s.fatal
	}
	if s.ended != nil {
		result.Finish, result.Limit, result.Failure = FinishMadness, nil, s.ended
	}
	if s.dismissed {
		return result, nil
	}
	if errors.Is(err, sdk.ErrUnavailable) {
		return result, err
	}
	err = blame(err)
	if isContextFull(err) || s.full != nil && isAgents(err) { // a program reports a full context as an error, and ends
		result.Finish, result.Limit = cmp.Or(s.limit, FinishContextFull), cmp.Or(s.by, s.full, contextLimit(err))
		err = nil
	}
	if result.Failure != nil && !isInfrastructure(err) {
		return result, nil // the agent stopped because of the model's output
	}
	return result, err
}

// numbers returns the plugin's metrics. The plugin's reward is one of them and is used only if the spec requests it.
func numbers(r *sdk.AgentResponse) map[string]float64 {
	if len(r.Metrics) == 0 && r.Reward == nil && r.IsSuccess == nil {
		return nil
	}
	out := map[string]float64{}
	for name, value := range r.Metrics {
		out[name] = value
	}
	if r.Reward != nil {
		out["reward"] = *r.Reward
	}
	if r.IsSuccess != nil {
		out["success"] = 0
		if *r.IsSuccess {
			out["success"] = 1
		}
	}
	return out
}

// transcript returns all messages, conversation by conversation; the conversation that contains the answer comes last.
// Their order does not depend on timing.
func (s *pluginEpisode) transcript(answer *string) *Result {
	lines := make([]*conversation, 0, len(s.conversations))
	for _, l := range s.conversations {
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(a, b *conversation) int { return cmp.Compare(a.order, b.order) })
	result := &Result{
		Sampled: []int{}, UnsampledSteps: s.unsampledSteps(), Unordered: true, Finish: FinishAnswered,
		MalformedCalls: s.malformed, RefusedCalls: s.refused,
	}
	if len(lines) == 0 {
		result.Tools = s.offered.tools
		return result
	}
	last := mainLine(lines, answer)
	for _, l := range lines {
		if l != last {
			result.add(l)
		}
	}
	result.add(last)
	result.Tools = last.tools
	said := s.calls[last.last.call]
	result.Messages = append(result.Messages, said.answers...)
	if s.served {
		result.Parts[len(result.Parts)-1].Len += len(said.answers)
	} else {
		result.Parts = nil
	}
	s.finish(result, said)
	return result
}

// add appends a conversation.
func (r *Result) add(l *conversation) {
	first := len(r.Messages)
	for _, t := range l.turns() {
		r.Messages = append(r.Messages, t.messages...)
		r.Sampled = append(r.Sampled, len(r.Messages)-1)
	}
	r.Parts = append(r.Parts, Part{Member: l.member, First: first, Len: len(r.Messages) - first})
}

// finish sets the reason why the conversation ended.
func (s *pluginEpisode) finish(result *Result, last *sampledReply) {
	switch {
	case s.limit != "":
		result.Finish, result.Limit = s.limit, s.by
	case s.truncated:
		result.Finish, result.Limit = FinishEnvironmentLimit, &Limit{Name: LimitEnvironment}
	case s.done:
		result.Finish = FinishDone
	case last.cutBy != nil:
		result.Finish, result.Limit = FinishLength, last.cutBy
	case len(last.message.Malformed) > 0:
		result.Finish = FinishMalformed
		result.Failure = &sdk.Failure{Class: sdk.FailurePolicy, Detail: "malformed tool call: " +
			last.message.Malformed[0].Reason}
	}
}

// mainLine returns the conversation that ends with the answer. If none does or the answer is unknown, it returns
// the longest.
func mainLine(lines []*conversation, answer *string) *conversation {
	var longest *conversation
	for _, l := range lines {
		if answer != nil && l.ending() == *answer {
			return l
		}
		if longest == nil || l.length() > longest.length() {
			longest = l
		}
	}
	return longest
}

// KeepCaller implements CallKeeper.
func (s *pluginEpisode) KeepCaller(callID string, claims map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.callers == nil {
		s.callers = map[string]map[string]string{}
	}
	s.callers[callID] = claims
}

// KeepRefusal implements CallKeeper.
func (s *pluginEpisode) KeepRefusal(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusal = cmp.Or(s.refusal, reason)
}

var (
	_ Agent      = (*Plugin)(nil)
	_ CallKeeper = (*pluginEpisode)(nil)
)
