// Package agent holds the agents: programs that talk to a model and act in an environment until an episode ends. React
// is built in; Plugin is one that a plugin serves.
//
// It owns the shape of a conversation: which messages the model sees, which tool calls reach the environment, and
// why the conversation ended. It must not know tokens (the owner of the model does), rewards, groups, retries or
// any framework. An agent is a value without state of its own, so that one serves thousands of episodes:
//
//	solver, err := agent.NewReact(agent.Settings{Name: "react.solver", MaxTurns: 4})
//	result, err := solver.Run(ctx, agent.Episode{ID: "e1", Task: task, Model: model, Environment: session})
//	// result.Finish is FinishDone, result.Messages the conversation
//
// Errors of the model and the environment pass through Run untouched: who retries what is not an agent's business.
package agent

import (
	"context"
	"encoding/json"

	"github.com/awhost/awhost/sdk"
)

// Agent runs episodes. It may be used for many at a time.
type Agent interface {
	// Run talks until the episode ends. With an error the result holds what was said before it.
	Run(ctx context.Context, episode Episode) (*Result, error)
}

// SpecError is a mistake of the spec that shows only when an environment opens, and that no episode can be played with:
// to repeat one is of no use.
type SpecError struct{ Detail string }

// Error implements error.
func (e *SpecError) Error() string { return e.Detail }

// Episode is what an agent gets to work with.
type Episode struct {
	ID          string
	Place       string   // what it is for: the same at each attempt and in equal runs
	Task        sdk.Task // without its private part
	Whole       sdk.Task // with it, for PluginSettings.Reveal alone
	Model       Model
	Environment Session // nil: there is none
	Member      bool    // of a swarm: an agent that asks no model is one of its members like others
}

// Model samples assistant messages through whoever owns the tokens.
type Model interface {
	// Generate samples the next message of a conversation. A *sdk.GenerateError of kind context_full says that
	// the conversation does not fit any more; nothing was sampled then.
	Generate(ctx context.Context, request Request) (*Reply, error)
}

// Request asks for one assistant message.
type Request struct {
	Member    string        // which agent asks
	Chain     string        // the conversation, as the last reply named it; empty starts one
	Base      int           // how many messages the chain holds
	Messages  []sdk.Message // what came since; never changed afterwards
	Tools     []sdk.Tool
	MaxTokens int      // 0: no limit of the agent's
	Stop      []string // in addition to the run's
	Repeat    *int     // tells equal requests apart; nil: counted by arrival
	// OnRecord wants the answer on record before anybody gets it: a program that nobody here can stop acts on it.
	OnRecord bool
}

// Reply is a sampled message.
type Reply struct {
	CallID       string // names the call; Session.Step wants it back
	Message      sdk.Message
	Finish       sdk.FinishReason
	PromptTokens int // length of the prompt; 0 when unknown
	OutputTokens int // length of the message
	Chain        string
	ChainLength  int    // messages in the chain, this one included
	Served       bool   // by a model that is not the policy
	Seed         uint64 // what it was sampled with: equal in equal runs, whatever the timing
	// Bound is the limit on the tokens of a message that was cut, where it is another one than that of the request. Nil:
	// it is not.
	Bound *Limit
	// Ends says that the episode ends with the message, and why, with class POLICY: nothing of it is carried out, and no
	// further message is sampled. Nil: it goes on.
	Ends *sdk.Failure
}

// EndedError is what a Model says to whoever asks after a message that has ended the episode, also that of another
// member.
type EndedError struct{ Why *sdk.Failure }

// Error implements error.
func (e *EndedError) Error() string { return "the episode is over: " + e.Why.Detail }

// Unwrap makes it the end of a lease.
func (e *EndedError) Unwrap() error { return sdk.ErrLease }

// Session is the open environment of one episode.
type Session interface {
	// Opened returns what the environment opened the episode with.
	Opened() *sdk.OpenResponse
	// Step gives the environment the message that a call produced.
	Step(ctx context.Context, callID string, message sdk.Message) (*sdk.StepResponse, error)
}

// Result is a conversation that has ended.
type Result struct {
	Messages       []sdk.Message
	Sampled        []int      // places in Messages of what the model wrote, ascending
	Tools          []sdk.Tool // as first offered to the model
	Finish         Finish
	Limit          *Limit          // that ended it; nil unless Finish is truncated
	Failure        *sdk.Failure    // of class POLICY where the model's output ended the episode
	Metadata       json.RawMessage // what the agent leaves for rewards, an object or nil
	MalformedCalls int             // attempts at tool calls that could not be parsed
	RefusedCalls   int             // calls of tools that the agent may not use
	Answer         *string         // what the agent says its answer is; nil: the last assistant message
	Metrics        map[string]float64
	Own            map[string]Own               // what agents say of the episode themselves, by their names: "python.mine"
	Endpoint       map[string]float64           // what was asked of the agent's endpoint; nil: it had none
	Callers        map[string]map[string]string // what programs say of themselves, by the calls that they made
	OwnSteps       []OwnStep                    // with messages of the agent's own, in order
	Unordered      bool                         // calls may have been made side by side: their order says nothing
	Parts          []Part                       // of Messages, in order, where members of a swarm spoke; nil: one agent
}

// Own is what an agent says of an episode itself.
type Own struct {
	Reward    *float64 `json:"reward,omitempty"` // nil: it says nothing
	IsSuccess *bool    `json:"is_success,omitempty"`
}

// Part is a piece of a transcript: what one member of a swarm heard and said in a row.
type Part struct {
	Member string `json:"member"` // "planner"; of a swarm in the swarm "research/planner"
	First  int    `json:"first"`  // its first message
	Len    int    `json:"len"`
	Depth  int    `json:"depth,omitempty"` // how many members wait for this one's answer
}

// AddPart appends a part that is a piece of another transcript, from the message from on. Where that is one of a swarm
// itself, its own parts are appended.
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

// FinalAnswer is the agent's answer, or the content of the last message that the model wrote. Without one it reports
// false.
func (r *Result) FinalAnswer() (string, bool) {
	if r.Answer != nil {
		return *r.Answer, true
	}
	if n := len(r.Sampled); n > 0 {
		return r.Messages[r.Sampled[n-1]].Content, true
	}
	return "", false
}

// Finish says why a conversation ended.
type Finish string

// The reasons for an end.
const (
	FinishDone             Finish = "done"              // the environment says so
	FinishAnswered         Finish = "answered"          // an answer to which the environment has no reply
	FinishMalformed        Finish = "malformed_call"    // a tool call that cannot be parsed, where that ends it
	FinishMaxTurns         Finish = "max_turns"         // the limit of assistant messages
	FinishLength           Finish = "length"            // the last message was cut by a token limit
	FinishResponseTokens   Finish = "response_tokens"   // the episode's token limit
	FinishContextFull      Finish = "context_full"      // the conversation does not fit the model's context
	FinishEnvironmentLimit Finish = "environment_limit" // the environment reached a limit of its own
	FinishMaxHops          Finish = "max_hops"          // the members of a swarm called each other too often
	FinishMadness          Finish = "madness"           // a message did not pass the checks of its agent
)

// Truncated says whether a limit, not the conversation, made the end.
func (f Finish) Truncated() bool {
	switch f {
	case FinishMaxTurns, FinishLength, FinishResponseTokens, FinishContextFull, FinishEnvironmentLimit:
		return true
	}
	return false
}
