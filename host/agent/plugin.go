package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// PluginSettings are what the host holds an agent plugin to, whatever it does.
type PluginSettings struct {
	Name  string   // names the agent to the model's owner: "python.mine"
	Tools []string // patterns of what it may use; nil: all tools
	Deny  []string // patterns of what it may not use of those
	Calls []string // the members of its swarm that it calls; see Choice
	// Reveal adds to a task the private columns that the agent's block names, and removes the others. Nil: it gets none.
	Reveal         func(sdk.Task) sdk.Task
	MaxTurns       int // most assistant messages of one conversation; 0: only the environment limits them
	MessageTokens  int // most tokens of one assistant message; 0: no limit
	ResponseTokens int // most tokens of one conversation after its first prompt; 0: no limit
	// Endpoint serves an episode to programs that speak OpenAI's protocol and MCP. Nil: nobody does.
	Endpoint Endpoint
}

// Endpoint serves a model, and the tools of an environment unless they are nil, until end is called, which returns
// numbers of what was asked there.
type Endpoint func(
	ctx context.Context, model sdk.AgentModel, tools Toolbox,
) (_ Endpoints, end func() map[string]float64)

// Endpoints are where programs reach an episode.
type Endpoints struct {
	Model sdk.ModelEndpoint
	Tools *sdk.ToolEndpoint // nil: there are none
}

// Toolbox is what an agent may use of the environment of its episode.
type Toolbox interface {
	sdk.AgentSession
	// Tools are those that the environment offers the agent at the moment.
	Tools() []sdk.Tool
}

// CallKeeper is the model that an Endpoint serves: it keeps with a call what the program that asked says of itself.
type CallKeeper interface {
	KeepCaller(callID string, claims map[string]string)
}

// Plugin is an agent that a plugin serves. The plugin decides what is asked and what is done; the host carries every
// word between it, the model and the environment, and writes down what was really said.
type Plugin struct {
	settings PluginSettings
	choice   Choice
	agent    sdk.Agent
}

// NewPlugin checks the settings.
func NewPlugin(settings PluginSettings, plugin sdk.Agent) (*Plugin, error) {
	choice := Choice{Tools: settings.Tools, Deny: settings.Deny, Calls: settings.Calls}
	if err := choice.check(); err != nil {
		return nil, fmt.Errorf("set up agent %s: %w", settings.Name, err)
	}
	return &Plugin{settings: settings, choice: choice, agent: plugin}, nil
}

// Run implements Agent. A failure of the model or the environment ends the episode, also where the plugin would go on:
// what it says afterwards would depend on the failure.
func (p *Plugin) Run(ctx context.Context, episode Episode) (*Result, error) {
	question, err := opening("", episode)
	if err != nil {
		return &Result{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := newScene(p, episode, cancel)
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

// end makes a result of what was said, and of the plugin's answer or error.
func (s *scene) end(response *sdk.AgentResponse, err error) (*Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if response == nil || s.dismissed { // what a plugin says at the end of its call depends on when it hears of it
		response = &sdk.AgentResponse{}
	}
	result := s.transcript(response.FinalAnswer)
	result.Answer, result.Metadata, result.Metrics = response.FinalAnswer, response.Metadata, numbers(response)
	if own := (Own{Reward: response.Reward, IsSuccess: response.IsSuccess}); own != (Own{}) {
		result.Own = map[string]Own{s.settings.Name: own}
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
	if isContextFull(err) || s.full != nil && isAgents(err) { // a program takes a full context for an error, and ends
		result.Finish, result.Limit = cmp.Or(s.limit, FinishContextFull), cmp.Or(s.by, s.full, contextLimit(err))
		err = nil
	}
	if result.Failure != nil && !isInfrastructure(err) {
		return result, nil // it is because of the model's output that the agent did not go on
	}
	return result, err
}

// numbers are what the plugin says of the episode. Its reward is one of them: it counts only where the spec says so.
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

// transcript is all that was said: the conversations one after the other, that of the answer last. Their order does not
// depend on which was faster.
func (s *scene) transcript(answer *string) *Result {
	lines := make([]*line, 0, len(s.lines))
	for _, l := range s.lines {
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(a, b *line) int { return cmp.Compare(a.order, b.order) })
	result := &Result{
		Sampled: []int{}, OwnSteps: s.ownSteps(), Unordered: true, Finish: FinishAnswered, MalformedCalls: s.malformed, RefusedCalls: s.refused,
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
func (r *Result) add(l *line) {
	first := len(r.Messages)
	for _, t := range l.turns() {
		r.Messages = append(r.Messages, t.messages...)
		r.Sampled = append(r.Sampled, len(r.Messages)-1)
	}
	r.Parts = append(r.Parts, Part{Member: l.member, First: first, Len: len(r.Messages) - first})
}

// finish says why the conversation ended.
func (s *scene) finish(result *Result, last *said) {
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
		result.Failure = &sdk.Failure{Class: sdk.FailurePolicy, Detail: "malformed tool call: " + last.message.Malformed[0].Reason}
	}
}

// mainLine is the conversation that ends with the answer; where none does, or nobody says what the answer is, the
// longest.
func mainLine(lines []*line, answer *string) *line {
	var longest *line
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
func (s *scene) KeepCaller(callID string, claims map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.callers == nil {
		s.callers = map[string]map[string]string{}
	}
	s.callers[callID] = claims
}

var (
	_ Agent      = (*Plugin)(nil)
	_ CallKeeper = (*scene)(nil)
)
