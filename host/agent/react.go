package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/sdk"
)

// Settings configure a tool-calling agent.
type Settings struct {
	Name           string      // identifies the agent to the model's owner: "react.solver"
	SystemPrompt   string      // empty: no system message
	Tools          []string    // patterns of the allowed tools; nil: all tools
	Deny           []string    // patterns of the exceptions from Tools
	Calls          []string    // the members of its swarm that it calls; see Choice
	MaxTurns       int         // maximum of assistant messages; 0: only the environment limits them
	MessageTokens  int         // maximum of tokens of one assistant message; 0: no limit
	ResponseTokens int         // maximum of tokens after the first prompt, including tool results; 0: no limit
	OnMalformed    OnMalformed // the reaction to a tool call that cannot be parsed
}

// OnMalformed specifies the reaction to a tool call that cannot be parsed.
type OnMalformed string

// Reactions to a malformed call.
const (
	EndOnMalformed  OnMalformed = ""     // the episode ends with a POLICY failure, which the spec may still score
	TellOnMalformed OnMalformed = "tell" // the model gets a message and continues
)

// React is the built-in tool-calling loop. It samples a message, lets the environment execute its calls, and shows the
// results to the model, until the environment is done, the model has answered, or a limit is reached. Without an
// environment, the first answer ends the episode.
type React struct {
	settings Settings
	choice   Choice
}

// NewReact checks the settings and returns the agent.
func NewReact(settings Settings) (*React, error) {
	choice := Choice{Tools: settings.Tools, Deny: settings.Deny, Calls: settings.Calls}
	if err := choice.check(); err != nil {
		return nil, fmt.Errorf("set up agent %s: %w", settings.Name, err)
	}
	switch settings.OnMalformed {
	case EndOnMalformed, TellOnMalformed:
	default:
		return nil, fmt.Errorf("set up agent %s: unknown reaction %q to malformed calls", settings.Name, settings.OnMalformed)
	}
	if settings.MaxTurns < 0 || settings.MessageTokens < 0 || settings.ResponseTokens < 0 {
		return nil, fmt.Errorf("set up agent %s: limits must not be negative", settings.Name)
	}
	return &React{settings: settings, choice: choice}, nil
}

// Run implements Agent.
func (r *React) Run(ctx context.Context, episode Episode) (*Result, error) {
	messages, err := opening(r.settings.SystemPrompt, episode)
	if err != nil {
		return &Result{}, err
	}
	talk, err := r.begin(episode, messages)
	if err != nil {
		return &Result{Sampled: []int{}}, err
	}
	for {
		if finish, limit := talk.reached(talk.turns, &talk.tokens); finish != "" {
			return talk.truncated(finish, limit), nil
		}
		reply, err := talk.ask(ctx)
		if limit := contextLimit(err); limit != nil {
			return talk.truncated(FinishContextFull, limit), nil
		}
		if ended := (*EndedError)(nil); errors.As(err, &ended) {
			talk.result.Failure = ended.Why
			return talk.end(FinishMadness), nil
		}
		if err != nil {
			return talk.end(""), err
		}
		finish, err := talk.answer(ctx, reply)
		if err != nil {
			return talk.end(""), err
		}
		if finish != "" {
			return talk.end(finish), nil
		}
	}
}

// reactConversation is one conversation in progress.
type reactConversation struct {
	*React
	bounds
	episode  Episode
	messages []sdk.Message // append-only: the model's owner keeps slices of it
	sent     int           // number of messages already in the chain
	chain    string
	base     int
	offered  offer
	turns    int
	cutBy    *Limit // limit that cut the last message; nil: it is complete
	tokens   usage
	result   Result
}

func (r *React) begin(episode Episode, messages []sdk.Message) (*reactConversation, error) {
	t := &reactConversation{React: r, episode: episode, messages: messages, bounds: bounds{
		agent: r.settings.Name, messageTokens: r.settings.MessageTokens, responseTokens: r.settings.ResponseTokens,
		agentTurns: r.settings.MaxTurns,
	}}
	t.result.Sampled = []int{}
	if episode.Environment != nil {
		opened := episode.Environment.Opened()
		var err error
		if t.offered, err = r.choice.open(r.settings.Name, opened.Tools); err != nil {
			return nil, err
		}
		t.openedTurns = opened.MaxTurns
	}
	t.result.Tools = t.offered.tools
	return t, nil
}

// ask samples the next message and appends it.
func (t *reactConversation) ask(ctx context.Context) (*Reply, error) {
	may := t.next(&t.tokens, 0)
	reply, err := t.episode.Model.Generate(ctx, Request{
		Member:    t.settings.Name,
		Chain:     t.chain,
		Base:      t.base,
		Messages:  t.messages[t.sent:len(t.messages):len(t.messages)],
		Tools:     t.offered.tools,
		MaxTokens: may.tokens,
	})
	if err != nil {
		return nil, err
	}
	t.turns++
	t.tokens.add(reply)
	t.cutBy = t.bounds.cut(may, reply, &t.tokens)
	t.chain, t.base = reply.Chain, reply.ChainLength
	t.result.Sampled = append(t.result.Sampled, len(t.messages))
	t.messages = append(t.messages, reply.Message)
	t.sent = len(t.messages)
	t.result.MalformedCalls += len(reply.Message.Malformed)
	return reply, nil
}

// answer handles a sampled message: it returns the reason why the episode ends, or appends the model's next input.
func (t *reactConversation) answer(ctx context.Context, reply *Reply) (Finish, error) {
	message := reply.Message
	if reply.Ends != nil {
		t.result.Failure = reply.Ends
		return FinishMadness, nil
	}
	if t.cutBy != nil {
		t.result.Limit = t.cutBy
		return FinishLength, nil // a cut call is not executed
	}
	if len(message.Malformed) > 0 && t.settings.OnMalformed == EndOnMalformed {
		t.result.Failure = &sdk.Failure{Class: sdk.FailurePolicy, Detail: "malformed tool call: " +
			message.Malformed[0].Reason}
		return FinishMalformed, nil
	}
	if t.episode.Environment == nil {
		return t.answerWithoutEnvironment(message)
	}
	acts, refused := forEnvironment(message, t.offered)
	t.result.RefusedCalls += refused
	if len(acts.ToolCalls) == 0 && refused+len(message.Malformed) > 0 {
		// The environment would treat a message without calls as the final answer.
		return t.resume(message, &sdk.StepResponse{})
	}
	step, err := t.episode.Environment.Step(ctx, reply.CallID, acts)
	if err != nil {
		return "", err
	}
	return t.resume(message, step)
}

// answerWithoutEnvironment ends an episode that has no environment at the first answer that can be parsed.
func (t *reactConversation) answerWithoutEnvironment(message sdk.Message) (Finish, error) {
	t.result.RefusedCalls += len(message.ToolCalls)
	if len(message.Malformed) == 0 {
		return FinishAnswered, nil
	}
	t.messages = append(t.messages, complaint(message.Malformed))
	return "", nil
}

// resume appends the responses to a message and returns the reason if they end the episode.
func (t *reactConversation) resume(message sdk.Message, step *sdk.StepResponse) (Finish, error) {
	next, err := answers(message, t.offered, step)
	if err != nil {
		return "", err
	}
	t.messages = append(t.messages, next...)
	switch {
	case step.Truncated:
		t.result.Limit = &Limit{Name: LimitEnvironment}
		return FinishEnvironmentLimit, nil
	case step.Done:
		return FinishDone, nil
	}
	if step.ToolsChanged {
		if t.offered, err = t.choice.change(step.Tools); err != nil {
			return "", err
		}
	}
	if len(message.Malformed) > 0 {
		t.messages = append(t.messages, complaint(message.Malformed))
		return "", nil
	}
	if len(next) == 0 {
		return FinishAnswered, nil
	}
	return "", nil
}

// truncated ends the conversation because of a limit.
func (t *reactConversation) truncated(finish Finish, limit *Limit) *Result {
	t.result.Limit = limit
	return t.end(finish)
}

func (t *reactConversation) end(finish Finish) *Result {
	t.result.Finish = finish
	t.result.Messages = t.messages
	return &t.result
}

// lower returns the smaller of two limits; a limit of 0 means no limit.
func lower(a, b int) int {
	if a == 0 || (b != 0 && b < a) {
		return b
	}
	return a
}

var _ Agent = (*React)(nil)
