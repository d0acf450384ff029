package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// pluginEpisode is one episode of a plugin agent: its view of the model and the environment.
type pluginEpisode struct {
	*Plugin
	episode  Episode
	cancel   func() // cancels the plugin's call
	bounds   bounds
	stepping chan struct{} // holds one token: steps are serialized

	mu            sync.Mutex
	offered       offer // of the environment's tools
	conversations map[string]*conversation
	calls         map[string]*sampledReply
	replies       []*sampledReply              // the same, in order
	callers       map[string]map[string]string // see CallKeeper
	unsampled     []*UnsampledStep             // with the plugin's own messages
	done          bool                         // the environment has ended the episode
	truncated     bool                         // because of a limit of the environment
	limit         Finish                       // a limit of the host was reached
	by            *Limit                       // the reached limit
	full          *Limit                       // the limit in the plugin's last reply; nil: the reply was not a limit
	malformed     int
	refused       int
	fatal         error        // of the model or the environment
	refusal       string       // why the endpoint refused the first such request; empty: it refused none
	unserved      error        // the last request that the model's owner cannot serve; nil: all could be served
	ended         *sdk.Failure // a message of the model has ended the episode
	served        bool         // a served model has answered: the transcript names the members
	dismissed     bool         // the plugin sent another request after the end, and its call was canceled
}

// conversation is a conversation, identified by its last turn.
type conversation struct {
	last   *turn
	member string     // of the agent
	tools  []sdk.Tool // as first offered to the model
	order  uint64     // sort key among the conversations of the episode, independent of timing
}

// turn holds the new messages of a line, up to and including a model message. Turns are immutable and shared between
// lines, so that each message costs only its new part, however long the conversation is.
type turn struct {
	before   *turn         // nil: it begins the line
	messages []sdk.Message // the last one is the model's
	call     string
	length   int // messages up to here
	number   int // turns up to here
	tokens   usage
}

// point is the position at which a request continues a line: at the end of a turn, or after some messages of the next
// turn.
type point struct {
	turn *turn // nil: no turn before it
	rest []sdk.Message
}

// sampledReply is a message of the model.
type sampledReply struct {
	callID  string
	message sdk.Message
	carried map[int]bool // indexes of calls that the agent's own steps have executed
	cutBy   *Limit       // nil: it is complete
	stepped bool
	answers []sdk.Message // the environment's, until the model has seen them
}

func newPluginEpisode(p *Plugin, episode Episode, cancel func()) (*pluginEpisode, error) {
	s := &pluginEpisode{
		Plugin: p, episode: episode, cancel: cancel, stepping: make(chan struct{}, 1),
		conversations: map[string]*conversation{}, calls: map[string]*sampledReply{}, bounds: bounds{
			agent: p.settings.Name, messageTokens: p.settings.MessageTokens, responseTokens: p.settings.ResponseTokens,
			agentTurns: p.settings.MaxTurns,
		},
	}
	if episode.Environment != nil {
		opened := episode.Environment.Opened()
		var err error
		if s.offered, err = p.choice.open(p.settings.Name, opened.Tools); err != nil {
			return nil, err
		}
		s.bounds.openedTurns = opened.MaxTurns
	}
	return s, nil
}

// ending returns the content of the model's last message.
func (l *conversation) ending() string { return l.last.messages[len(l.last.messages)-1].Content }

// length returns the number of messages of a line.
func (l *conversation) length() int {
	if l.last == nil {
		return 0
	}
	return l.last.length
}

// turns returns the turns of a line, in order.
func (l *conversation) turns() []*turn {
	out := make([]*turn, l.last.number)
	for t := l.last; t != nil; t = t.before {
		out[t.number-1] = t
	}
	return out
}

// at returns the point after the given number of messages of a line. It returns false if the line has fewer.
func (l *conversation) at(messages int) (point, bool) {
	var next *turn
	t := l.last
	for t != nil && t.length > messages {
		t, next = t.before, t
	}
	known := 0
	if t != nil {
		known = t.length
	}
	if messages == known {
		return point{turn: t}, true
	}
	if next == nil || messages < known {
		return point{}, false
	}
	return point{turn: t, rest: next.messages[:messages-known]}, true
}

// upTo returns a line's turns and tokens up to a point.
func (p point) upTo() (turns int, tokens usage) {
	if p.turn == nil {
		return 0, usage{}
	}
	return p.turn.number, p.turn.tokens
}

// wrong returns the failure for a mistake by the plugin's author.
func wrong(format string, args ...any) error {
	return &sdk.Failure{Class: sdk.FailureAgent, Detail: fmt.Sprintf(format, args...)}
}

// Generate implements sdk.AgentModel.
func (s *pluginEpisode) Generate(ctx context.Context, req sdk.ModelRequest) (*sdk.ModelReply, error) {
	return s.generate(ctx, req, false)
}

// recorded is the model of an episode for a program that uses the gateway.
type recorded struct{ *pluginEpisode }

// Generate implements sdk.AgentModel.
func (r recorded) Generate(ctx context.Context, req sdk.ModelRequest) (*sdk.ModelReply, error) {
	return r.generate(ctx, req, true)
}

func (s *pluginEpisode) generate(ctx context.Context, req sdk.ModelRequest, onRecord bool) (*sdk.ModelReply, error) {
	from, at, may, err := s.checkRequest(req)
	if err != nil {
		return nil, err
	}
	reply, err := s.episode.Model.Generate(ctx, Request{
		Member: s.member(req.Member), Chain: req.Chain, Base: req.Base, Messages: req.Messages, Tools: req.Tools,
		MaxTokens: may.tokens, Stop: req.Stop, Repeat: req.Repeat, OnRecord: onRecord,
		TemplateKwargs: req.TemplateKwargs, Constraints: req.Constraints,
	})
	if err != nil {
		return nil, s.failed(ctx, err)
	}
	s.recordReply(req, from, at, may, reply)
	return &sdk.ModelReply{
		CallID: reply.CallID, Message: reply.Message, Finish: reply.Finish, PromptTokens: reply.PromptTokens,
		OutputTokens: reply.OutputTokens,
		Chain:        reply.Chain, ChainLength: reply.ChainLength,
	}, nil
}

// member returns the name that the model's owner uses for a part of the agent.
func (s *pluginEpisode) member(part string) string {
	if part == "" {
		return s.settings.Name
	}
	return s.settings.Name + "/" + part
}

// checkRequest checks a request against the recorded conversations and the limits.
func (s *pluginEpisode) checkRequest(req sdk.ModelRequest) (from *conversation, at point, may allowance, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fatal != nil {
		return nil, at, may, s.fatal
	}
	if s.ended != nil {
		return nil, at, may, s.cancelCall(s.ended)
	}
	from = &conversation{tools: req.Tools}
	if req.Chain != "" {
		if from = s.conversations[req.Chain]; from == nil {
			return nil, at, may, wrong("generate: this episode has no chain %q", req.Chain)
		}
	}
	at, ok := from.at(req.Base)
	if !ok {
		return nil, at, may, wrong("generate: chain %q has %d messages, and the request goes on after %d",
			req.Chain, from.length(), req.Base)
	}
	turns, tokens := at.upTo()
	if finish, limit := s.bounds.reached(turns, &tokens); finish != "" {
		return nil, at, may, s.limited(finish, limit)
	}
	return from, at, s.bounds.next(&tokens, req.MaxTokens), nil
}

// cancelCall cancels a plugin's call if it requests messages after the end of the episode, because they cannot have any
// effect. The caller holds the lock.
func (s *pluginEpisode) cancelCall(why *sdk.Failure) error {
	s.ended, s.dismissed = why, true
	s.cancel()
	return &EndedError{Why: why}
}

// limited rejects a request because of a limit. The agent may still provide its answer.
func (s *pluginEpisode) limited(finish Finish, by *Limit) error {
	s.limit, s.by, s.full = finish, by, by
	unit := "tokens"
	if finish == FinishMaxTurns {
		unit = "assistant messages"
	}
	return &sdk.GenerateError{
		Kind: sdk.GenerateContextFull, Detail: fmt.Sprintf("the conversation has its %d %s", by.Value, unit),
	}
}

// failed keeps the first failure of the model or the environment, which ends the episode. A conversation that is too
// long, a request that cannot be served, and a call canceled by the plugin itself do not end it.
func (s *pluginEpisode) failed(ctx context.Context, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ended := (*EndedError)(nil); errors.As(err, &ended) {
		return s.cancelCall(ended.Why)
	}
	var generate *sdk.GenerateError
	if errors.As(err, &generate) && generate.Kind == sdk.GenerateRefused {
		s.unserved = err
		return err
	}
	s.full = contextLimit(err)
	if s.full != nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	if s.fatal == nil {
		s.fatal = err
		s.cancel()
	}
	return err
}

// recordReply records a sampled message.
func (s *pluginEpisode) recordReply(req sdk.ModelRequest, from *conversation, at point, may allowance, reply *Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.full, s.served = nil, s.served || reply.Served && req.Member != ""
	to := s.conversations[reply.Chain]
	if to == nil {
		to = &conversation{member: s.member(req.Member), order: reply.Seed, tools: from.tools}
		s.conversations[reply.Chain] = to
	}
	turns, tokens := at.upTo()
	fresh := slices.Clone(req.Messages)
	if at.turn != nil {
		before := s.calls[at.turn.call]
		attach(fresh, before.answers)
		before.answers = nil // the model has seen the agent's version of them
	}
	tokens.add(reply)
	to.last = &turn{
		before: at.turn, messages: append(slices.Concat(at.rest, fresh), reply.Message), call: reply.CallID,
		length: req.Base + len(req.Messages) + 1, number: turns + 1, tokens: tokens,
	}
	said := &sampledReply{
		callID: reply.CallID, message: reply.Message, cutBy: s.bounds.cut(may, reply, &tokens), carried: map[int]bool{},
	}
	s.calls[reply.CallID] = said
	s.replies = append(s.replies, said)
	s.malformed += len(reply.Message.Malformed)
	if s.ended == nil {
		s.ended = reply.Ends
	}
}

// attach adds the environment's attachments to tool results. An agent shows the model only the text; the record keeps
// the attachments.
func attach(messages, answers []sdk.Message) {
	for i := range messages {
		m := &messages[i]
		if m.Role != sdk.RoleTool {
			continue
		}
		for _, answer := range answers {
			if answer.Role == sdk.RoleTool && answer.ToolCallID == m.ToolCallID {
				m.Attachments = answer.Attachments
			}
		}
	}
}

// Step implements sdk.AgentSession.
func (s *pluginEpisode) Step(ctx context.Context, step sdk.AgentStep) (*sdk.StepResponse, error) {
	select {
	case s.stepping <- struct{}{}:
		defer func() { <-s.stepping }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	id, message, from, own, err := s.acts(step)
	if errors.Is(err, errLateText) {
		return &sdk.StepResponse{Done: true}, nil
	}
	if err != nil {
		return nil, err
	}
	if from != nil && from.cutBy != nil {
		return s.cut(from.cutBy), nil
	}
	acts, refused := forEnvironment(message, s.offered)
	out := &sdk.StepResponse{}
	if len(acts.ToolCalls) > 0 || refused+len(message.Malformed) == 0 { // otherwise it would be taken for the final answer
		if out, err = s.episode.Environment.Step(ctx, id, acts); err != nil {
			return nil, s.failed(ctx, err)
		}
	}
	return s.stepped(message, from, own, refused, out)
}

// Tools implements Toolbox.
func (s *pluginEpisode) Tools() []sdk.Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.offered.tools
}

// errLateText marks text from a program whose tool call or message shows that it has not noticed the end of the
// episode. The text is ignored.
var errLateText = errors.New(
	"the episode is over, and the environment hears no more")

// acts returns a step's message and identity.
func (s *pluginEpisode) acts(
	step sdk.AgentStep,
) (id string, message sdk.Message, from *sampledReply, own *UnsampledStep, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.fatal != nil:
		return "", message, nil, nil, s.fatal
	case s.ended != nil:
		return "", message, nil, nil, errLateText
	case (s.done || s.truncated) && step.CallID == "" && step.Message != nil && len(step.Message.ToolCalls) == 0:
		return "", message, nil, nil, errLateText
	case s.done || s.truncated:
		return "", message, nil, nil, wrong("step: the environment has ended the episode")
	case step.CallID == "" && step.Message == nil:
		return "", message, nil, nil, wrong("step: it names neither a call nor a message")
	case step.CallID == "":
		message = *step.Message
		message.Role = sdk.RoleAssistant
		own = &UnsampledStep{
			ID: fmt.Sprintf("own.%d", len(s.unsampled)+1), Messages: []sdk.Message{message}, Calls: s.carriesOut(message),
		}
		s.unsampled = append(s.unsampled, own)
		return own.ID, message, nil, own, nil
	}
	from = s.calls[step.CallID]
	if from == nil || from.stepped {
		return "", message, nil, nil, wrong("step: %q is no call of this episode whose message the environment has not seen yet", step.CallID)
	}
	from.stepped = true
	return step.CallID, from.message, from, nil, nil
}

// cut returns the reply to a message that a limit cut off: none of its calls is executed.
func (s *pluginEpisode) cut(by *Limit) *sdk.StepResponse {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit, s.by = FinishLength, by
	return &sdk.StepResponse{Done: true, Truncated: true}
}

// stepped records the environment's response and converts it for the agent.
func (s *pluginEpisode) stepped(
	message sdk.Message, from *sampledReply, own *UnsampledStep, refused int, out *sdk.StepResponse,
) (*sdk.StepResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next, err := answers(message, s.offered, out)
	if err != nil {
		if s.fatal == nil {
			s.fatal = err
			s.cancel()
		}
		return nil, err
	}
	s.refused += refused
	if from != nil {
		from.answers = next
	} else {
		own.Messages = append(own.Messages, next...)
	}
	s.done, s.truncated = s.done || out.Done, s.truncated || out.Truncated
	answer := &sdk.StepResponse{Messages: next, Done: hasEnded(out), Truncated: out.Truncated}
	if out.ToolsChanged {
		if s.offered, err = s.choice.change(out.Tools); err != nil {
			return nil, err
		}
		answer.Tools, answer.ToolsChanged = s.offered.tools, true
	}
	return answer, nil
}

var (
	_ sdk.AgentModel   = (*pluginEpisode)(nil)
	_ sdk.AgentModel   = recorded{}
	_ sdk.AgentSession = (*pluginEpisode)(nil)
	_ Toolbox          = (*pluginEpisode)(nil)
)
