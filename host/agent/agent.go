// Package agent contains the agents: programs that exchange messages with a model and act in an environment until an
// episode ends. React is built in; Plugin runs an agent that is served by a plugin.
//
// It owns the structure of a conversation: the messages that the model sees, the tool calls that reach the environment,
// and the reason why the conversation ends. It must not depend on tokens (which belong to the model's owner), rewards,
// groups, retries or any framework. An agent is stateless, so that one value serves thousands of episodes:
//
//	solver, err := agent.NewReact(agent.Settings{Name: "react.solver", MaxTurns: 4})
//	result, err := solver.Run(ctx, agent.Episode{ID: "e1", Task: task, Model: model, Environment: session})
//	// result.Finish is FinishDone, result.Messages the conversation
//
// Run returns errors of the model and the environment unchanged: retries are not an agent's responsibility.
package agent

import (
	"context"
	"encoding/json"

	"github.com/awhost/awhost/sdk"
)

// Agent runs episodes. It is safe for concurrent use.
type Agent interface {
	// Run runs the conversation until the episode ends. If it returns an error, the result holds the preceding
	// messages.
	Run(ctx context.Context, episode Episode) (*Result, error)
}

// SpecError reports a mistake in the spec that is detected only when an environment opens. It affects every episode, so
// retrying is useless.
type SpecError struct{ Detail string }

// Error implements error.
func (e *SpecError) Error() string { return e.Detail }

// Episode is the input of an agent.
type Episode struct {
	ID          string
	Place       string   // its position: the same at each attempt and in equal runs
	Task        sdk.Task // without its private part
	Whole       sdk.Task // with its private part; only for PluginSettings.Reveal
	Model       Model
	Environment Session // nil: no environment
	Member      bool    // a swarm member's episode: an agent that makes no model request is then no error
}

// Model samples assistant messages through the owner of the tokens.
type Model interface {
	// Generate samples the next message of a conversation. It returns a *sdk.GenerateError of kind context_full, without
	// sampling, if the conversation no longer fits.
	Generate(ctx context.Context, request Request) (*Reply, error)
}

// Request requests one assistant message.
type Request struct {
	Member    string        // the requesting agent
	Chain     string        // the conversation, as named by the last reply; empty starts a new one
	Base      int           // number of messages in the chain
	Messages  []sdk.Message // messages added since; never changed afterwards
	Tools     []sdk.Tool
	MaxTokens int      // 0: no limit from the agent
	Stop      []string // in addition to the run's
	// TemplateKwargs holds the arguments of the chat template that a program sent, as a JSON object. They must equal the
	// spec's. Nil: none.
	TemplateKwargs json.RawMessage
	Constraints    *sdk.DecodingConstraints // restricts the message; nil: none
	Repeat         *int                     // distinguishes equal requests; nil: counted by arrival
	// OnRecord requires the response to be recorded before it is delivered, because the host cannot stop a program that
	// acts on it.
	OnRecord bool
}

// Reply is a sampled message.
type Reply struct {
	CallID       string // names the call; required by Session.Step
	Message      sdk.Message
	Finish       sdk.FinishReason
	PromptTokens int // length of the prompt; 0 if unknown
	OutputTokens int // length of the message
	Chain        string
	ChainLength  int    // messages in the chain, including this one
	Served       bool   // sampled by a model other than the policy
	Seed         uint64 // its sampling seed: equal in equal runs, whatever the timing
	// Bound is the token limit that cut the message off, if it is not the request's limit. Otherwise it is nil.
	Bound *Limit
	// Ends is the reason, of class POLICY, why the episode ends with this message: none of its calls is executed, and no
	// further message is sampled. Nil: the episode continues.
	Ends *sdk.Failure
}

// EndedError is a Model's error for requests after a message that has ended the episode, including another member's
// message.
type EndedError struct{ Why *sdk.Failure }

// Error implements error.
func (e *EndedError) Error() string { return "the episode is over: " + e.Why.Detail }

// Unwrap returns sdk.ErrLease.
func (e *EndedError) Unwrap() error { return sdk.ErrLease }

// Session is the open environment of one episode.
type Session interface {
	// Opened returns the environment's response to Open.
	Opened() *sdk.OpenResponse
	// Step sends the message that a call produced to the environment.
	Step(ctx context.Context, callID string, message sdk.Message) (*sdk.StepResponse, error)
}

// Result is a conversation that has ended.
type Result struct {
	Messages       []sdk.Message
	Sampled        []int      // indexes in Messages of the model's messages, ascending
	Tools          []sdk.Tool // as first offered to the model
	Finish         Finish
	Limit          *Limit          // that ended the conversation; nil unless Finish is truncated
	Failure        *sdk.Failure    // of class POLICY if the model's output ended the episode
	Metadata       json.RawMessage // the agent's metadata for rewards, an object or nil
	MalformedCalls int             // attempted tool calls that could not be parsed
	RefusedCalls   int             // calls of tools that are not allowed for the agent
	Answer         *string         // the agent's explicit answer; nil: the last assistant message
	Metrics        map[string]float64
	SelfReport     map[string]SelfReport        // the agents' own assessments of the episode, by agent name: "python.mine"
	Endpoint       map[string]float64           // request counts of the agent's endpoint; nil: it had none
	Callers        map[string]map[string]string // identifying headers of programs, by call
	UnsampledSteps []UnsampledStep              // steps with the agent's own messages, in order
	Unordered      bool                         // calls may have been concurrent: their order is meaningless
	Parts          []Part                       // of Messages, in order, by swarm member; nil: one agent
}

// SelfReport is an agent's own assessment of an episode.
type SelfReport struct {
	Reward    *float64 `json:"reward,omitempty"` // nil: no assessment
	IsSuccess *bool    `json:"is_success,omitempty"`
}

// Part is a piece of a transcript: consecutive messages of one member of a swarm.
type Part struct {
	Member string `json:"member"` // "planner"; for a swarm in the swarm "research/planner"
	First  int    `json:"first"`  // its first message
	Len    int    `json:"len"`
	Depth  int    `json:"depth,omitempty"` // number of members that wait for this one's answer
}

// AddPart appends a part that is a piece of another transcript, starting at its message from. If the transcript is a
// swarm's, its own parts are appended instead.
func (r *Result) AddPart(part Part, inner []Part, from int) {
	if len(inner) == 0 {
		r.Parts = append(r.Parts, part)
		return
	}
	for _, of := range inner {
		first, last := max(of.First, from), min(of.First+of.Len, from+part.Len)
		if first < last {
			r.Parts = append(r.Parts, Part{
				Member: part.Member + "/" + of.Member, First: part.First + first - from, Len: last - first,
				Depth: part.Depth + of.Depth,
			})
		}
	}
}

// FinalAnswer returns the agent's answer, or the content of the model's last message. It returns false if there is
// neither.
func (r *Result) FinalAnswer() (string, bool) {
	if r.Answer != nil {
		return *r.Answer, true
	}
	if n := len(r.Sampled); n > 0 {
		return r.Messages[r.Sampled[n-1]].Content, true
	}
	return "", false
}

// Finish is the reason why a conversation ended.
type Finish string

// The values of Finish.
const (
	FinishDone             Finish = "done"              // reported by the environment
	FinishAnswered         Finish = "answered"          // the environment has no reply to an answer
	FinishMalformed        Finish = "malformed_call"    // a tool call that cannot be parsed, if that ends the episode
	FinishMaxTurns         Finish = "max_turns"         // the limit of assistant messages
	FinishLength           Finish = "length"            // the last message was cut by a token limit
	FinishResponseTokens   Finish = "response_tokens"   // the episode's token limit
	FinishContextFull      Finish = "context_full"      // the conversation does not fit the model's context
	FinishEnvironmentLimit Finish = "environment_limit" // the environment reached its own limit
	FinishMaxHops          Finish = "max_hops"          // the members of a swarm called each other too often
	FinishMadness          Finish = "madness"           // a message failed the checks of its agent
)

// Truncated reports whether a limit ended the conversation.
func (f Finish) Truncated() bool {
	switch f {
	case FinishMaxTurns, FinishLength, FinishResponseTokens, FinishContextFull, FinishEnvironmentLimit:
		return true
	}
	return false
}
