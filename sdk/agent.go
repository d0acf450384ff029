package sdk

import (
	"context"
	"encoding/json"
	"time"

	"github.com/awhost/awhost/sdk/schema"
)

// Agent plays episodes: it requests messages from the policy and acts in the environment, in any way. One configured
// agent plays many episodes concurrently.
//
// An agent that lets the policy use tools until it answers:
//
//	func (solver) Run(ctx context.Context, episode sdk.AgentRequest, model sdk.AgentModel, env sdk.AgentSession) (*sdk.AgentResponse, error) {
//		talk, messages := chat.New(model), episode.Messages
//		for {
//			reply, err := talk.Ask(ctx, chat.Request{Messages: messages, Tools: episode.Tools})
//			if err != nil || len(reply.Message.ToolCalls) == 0 {
//				return nil, err
//			}
//			step, err := env.Step(ctx, sdk.AgentStep{CallID: reply.CallID})
//			if err != nil || step.Done {
//				return nil, err
//			}
//			messages = append(append(messages, reply.Message), step.Messages...)
//		}
//	}
//
// Package sdk/chat finds the chain that a conversation continues.
type Agent interface {
	// Run plays one episode until it ends. A nil response is treated as an empty response. An error causes a failure of
	// class AGENT that contains the error's text. Errors of the model and the session are returned unchanged. The
	// episode ends when ctx is done.
	Run(ctx context.Context, req AgentRequest, model AgentModel, session AgentSession) (*AgentResponse, error)
}

// AgentRequest describes an episode to be played.
type AgentRequest struct {
	EpisodeID string
	// Place identifies the slot of the episode. It is the same for all attempts and for equal runs, regardless of the
	// launch. It consists of letters and digits. Two episodes with the same place may run at the same time. Older hosts
	// leave it empty.
	Place          string
	Task           Task      // without its private part
	Messages       []Message // the question: the environment's first messages, or the task's own
	Tools          []Tool    // the environment's tools that the agent may use
	HasEnvironment bool      // whether the episode has an environment
	MaxTurns       int       // most assistant messages of one conversation, enforced by the host; 0: no limit
	Deadline       time.Duration
	// Models holds OpenAI-compatible endpoints for programs, under the name ModelPolicy. They are valid only for this
	// run of the episode. Requests to them go to the AgentModel.
	Models map[string]ModelEndpoint
	// ToolServer serves Tools over MCP, for programs that support it, for as long as Models are valid. A call to it is
	// a step that contains a message from the agent. Nil means that the agent has no environment or that the host does
	// not serve it.
	ToolServer *ToolEndpoint
}

// ModelPolicy is the policy's name in AgentRequest.Models.
const ModelPolicy = "policy"

// ModelEndpoint is the HTTP address at which a model is served.
type ModelEndpoint struct {
	BaseURL string // with /v1, as OpenAI's clients expect
	APIKey  string // secret
}

// AgentAttributes returns the attributes that have the same meaning for all agents. The host implements them for every
// agent. An agent has them in its schema and AgentConfig in its configuration, and may change their defaults.
func AgentAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.String("description", "Description shown to the other members of a swarm."),
		schema.Reference("environment", "environment", "The environment in which the agent acts."),
		schema.Strings("tools", "Allowed tools, as patterns: `*`, `calculator_*`, `server/tool`.").
			Default([]string{"*"}),
		schema.Strings("deny", "Tools to exclude, specified with the same patterns.").
			Example([]string{"files/write_*"}),
		schema.Integer("max_turns", "Maximum number of model messages per conversation; with 0, only the "+
			"environment's limit applies.").Default(0).
			Range(0, 10000),
		schema.Integer("max_message_tokens", "Maximum number of tokens per model message. Default: the trainer's "+
			"limit.").AtLeast(0).In("tokens"),
		schema.Attribute{Name: "chat_template_kwargs", Type: schema.TypeAny, Description: "Arguments of the policy's chat " +
			"template, which override the train block's."}.Example(map[string]any{"enable_thinking": false}),
		schema.Strings("private", "Private task fields that the agent receives as if they were public.").
			Example([]string{"answer"}),
		schema.Reference("model", "model", "Served model, `model.openai.NAME`, that responds instead of the policy "+
			"and is never trained."),
	}
}

// AgentConfig holds the values that a spec sets for the AgentAttributes. The configuration of an agent embeds it:
//
//	type config struct {
//		sdk.AgentConfig
//		Style string `json:"style"`
//	}
type AgentConfig struct {
	Description string   `json:"description"` // for the other members of a swarm
	Environment string   `json:"environment"` // address of a block; empty: none
	Tools       []string `json:"tools"`       // patterns
	Deny        []string `json:"deny"`        // patterns
	MaxTurns    int      `json:"max_turns"`
	MaxTokens   int      `json:"max_message_tokens"`
	// TemplateKwargs holds arguments of the chat template; nil: none.
	TemplateKwargs map[string]any `json:"chat_template_kwargs"`
	Private        []string       `json:"private"` // columns of the private part that the agent receives
	Model          string         `json:"model"`   // address of a block; empty: the policy
}

// GatewayAttributes returns the attributes for requests that an agent's program sends to a ModelEndpoint. An agent
// may change their defaults: repeats is "count", provider_tools is "refuse", compaction is "auxiliary".
func GatewayAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.String("repeats", "Response to a repeated request body. `count` (default): a new sample, unless the "+
			"connection ended before the response was written. `replay`: the same response until a later request "+
			"continues it. Retries with the header x-stainless-retry-count always get the same response.").Enum("count",
			"replay"),
		schema.String("provider_tools", "Handling of tools that a provider would run, such as web_search: `refuse` "+
			"the request (default), or `drop` the tool and count it in gateway/dropped_tools.").Enum("refuse", "drop"),
		schema.String("decoding_constraints", "Handling of requests that restrict the sampled message: `tool_choice` "+
			"other than auto and none, `parallel_tool_calls = false`, and JSON formats. `refuse`; `ignore`: sample "+
			"freely, and count them in gateway/ignored_constraints; `apply`: the engine decodes under a grammar. "+
			"Default: served models apply them, and the policy refuses them.").Enum("apply", "ignore", "refuse"),
		schema.Strings("auxiliary", "Requests that the policy answers but is not trained on: `no_tools`, requests "+
			"without tools; `prompt:REGEXP`, those with a matching system or user message; `model:REGEXP`, those for a "+
			"matching model; `header:NAME:REGEXP`, those with a matching header.").
			Example([]string{"no_tools", "prompt:^Write a title"}),
		schema.String("compaction", "Handling of requests from Codex, Claude Code, Qwen Code, and opencode to "+
			"summarize a long conversation: `auxiliary`, not trained (default), or `train`, like any other "+
			"call.").Enum("auxiliary", "train"),
		{Name: "served", Type: schema.RefList("model"), Description: "Served models, `[model.openai.NAME]`, for " +
			"requests whose `model` is NAME or the block's `name`. Their responses are never trained. Other " +
			"requests must set `policy` or a name in `model_names`. Default: the policy answers all requests."},
		schema.StringMap("model_names", "Answering model by requested `model`, for programs with fixed names: patterns with "+
			"`*`, and `policy` or the NAME of a model in `served`.").Example(map[string]string{"gpt-5*": "policy"}),
	}
}

// GatewayConfig holds the values that a spec sets for the GatewayAttributes. It is embedded like AgentConfig.
type GatewayConfig struct {
	Repeats       string   `json:"repeats"`
	ProviderTools string   `json:"provider_tools"`
	Constraints   string   `json:"decoding_constraints"`
	Auxiliary     []string `json:"auxiliary"`
	Compaction    string   `json:"compaction"`
	Served        []string `json:"served"` // addresses of blocks
	// ModelNames maps patterns of requested models to ModelPolicy or to the name of a block in Served.
	ModelNames map[string]string `json:"model_names"`
}

// AgentModel is the policy as seen by one episode.
type AgentModel interface {
	// Generate samples the next message of a conversation. It may be called concurrently for different conversations. A
	// *GenerateError of kind context_full reports that the conversation does not fit, or that one of the episode's
	// limits has been reached. In that case, no message was sampled, and the agent may still answer. An error of kind
	// refused reports a request that the adapter cannot serve; the agent may send a different one. Any other error ends
	// the episode.
	Generate(ctx context.Context, req ModelRequest) (*ModelReply, error)
}

// ModelRequest asks for one assistant message.
type ModelRequest struct {
	Member    string    // the part of the agent that sends the request, if it has several; empty: the agent itself
	Chain     string    // the conversation's id from the last reply; empty starts one
	Base      int       // number of chain messages before the new ones
	Messages  []Message // the new messages
	Tools     []Tool
	MaxTokens int      // lowers the spec's limit; 0 keeps it
	Stop      []string // in addition to the spec's
	// TemplateKwargs holds arguments of the chat template as a JSON object. They must equal the spec's. Nil: none.
	TemplateKwargs json.RawMessage
	// Constraints restricts the message. Nil: none.
	Constraints *DecodingConstraints
	Repeat      *int // distinguishes equal requests, from 0; nil: counted by arrival, which no seed repeats
}

// DecodingConstraints restricts the message that an engine samples, which it enforces with a grammar.
type DecodingConstraints struct {
	ToolRequired bool            // the message has a call
	Tool         string          // of this tool; empty: any
	SingleCall   bool            // the message has at most one call
	Format       json.RawMessage // response_format of chat completions; nil: text
}

// ModelReply is a sampled message.
type ModelReply struct {
	CallID       string // id of the call; pass it to AgentStep
	Message      Message
	Finish       FinishReason // FinishLength: a limit cut the message, and nothing in it is executed
	PromptTokens int
	OutputTokens int
	Chain        string
	ChainLength  int // messages in the chain, including this one: the next Base
}

// AgentSession is the open environment of one episode.
type AgentSession interface {
	// Step sends a message to the environment and returns its response. An episode's steps run one after another.
	Step(ctx context.Context, step AgentStep) (*StepResponse, error)
}

// AgentStep is a message to the environment: either the message of a call, or one created by the agent.
type AgentStep struct {
	CallID  string   // the call whose message is sent, exactly as sampled; once per call
	Message *Message // if CallID is empty: tool calls made by the agent itself
}

// AgentResponse is the result of a played episode.
type AgentResponse struct {
	FinalAnswer *string            // nil: the content of the last assistant message
	Reward      *float64           // used only if the spec enables it
	IsSuccess   *bool              //
	Metadata    json.RawMessage    // for rewards: an object, or nil
	Metrics     map[string]float64 // about the episode; equal episodes have equal numbers
	// Contacted lists the addresses, other than the host's, that the agent's program contacted, as far as the plugin
	// has detected them: URLs or short strings. They explain why an episode made no requests to the policy.
	Contacted []string
}

// AgentCapabilities describes an agent's requirements and limits.
type AgentCapabilities struct {
	NeedsEnvironment bool   // it cannot work without an environment
	MaxConcurrent    int    // most episodes at a time; 0 means any number
	Needs            []Need // NeedFiles, NeedNetwork; never the ground truth
}

// AgentHost is the host's interface for agents, which they access through leases.
type AgentHost interface {
	// AgentGenerate samples a message under a lease; see AgentModel.
	AgentGenerate(ctx context.Context, lease string, req ModelRequest) (*ModelReply, error)
	// AgentStep performs a step in the environment of a lease; see AgentSession.
	AgentStep(ctx context.Context, lease string, step AgentStep) (*StepResponse, error)
}
