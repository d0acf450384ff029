package agent

import (
	"errors"

	"github.com/awhost/awhost/sdk"
)

// Limit describes the limit that ended or cut a conversation.
type Limit struct {
	Name   LimitName
	Value  int    // in tokens or assistant messages; 0: unknown
	Of     string // the block that sets it: "agent.react.solver"; empty: the train block, the environment or the context
	Detail string // the model owner's description, if only the owner knows the limit; otherwise empty
}

// LimitName is the name of the limit in the spec, if the spec sets it. Records keep the names.
type LimitName string

// The limits.
const (
	LimitMessageTokens    LimitName = "message_tokens"        // of train: for one message
	LimitAgentTokens      LimitName = "max_message_tokens"    // of an agent: for one message
	LimitServedTokens     LimitName = "max_tokens"            // of a served model: for one message
	LimitRequestTokens    LimitName = "request_max_tokens"    // requested by a plugin's agent for a message
	LimitResponseTokens   LimitName = "response_tokens"       // of train: after the first prompt
	LimitMaxTurns         LimitName = "max_turns"             // of an agent or a swarm
	LimitEnvironmentTurns LimitName = "environment_max_turns" // named by the environment when it opened
	LimitEnvironment      LimitName = "environment"           // another limit of the environment
	LimitContext          LimitName = "context"               // of the model, or a limit known only to its owner
)

// isContextFull reports whether err means that a conversation no longer fits.
func isContextFull(err error) bool { return contextLimit(err) != nil }

// contextLimit returns the limit that a model error reports, or nil if the error reports something else.
func contextLimit(err error) *Limit {
	var failed *sdk.GenerateError
	if !errors.As(err, &failed) || failed.Kind != sdk.GenerateContextFull {
		return nil
	}
	return &Limit{Name: LimitContext, Detail: failed.Detail}
}

// block returns the address of an agent's block.
func block(name string) string { return string(sdk.KindAgent) + "." + name }

// bounds are the limits of an agent's conversations.
type bounds struct {
	agent          string // its name
	messageTokens  int    // 0: no limit; also for the others
	responseTokens int
	agentTurns     int
	openedTurns    int // of the environment when it opened
}

// maxTurns returns the maximum number of assistant messages in a conversation; 0 means no limit.
func (b *bounds) maxTurns() int { return lower(b.agentTurns, b.openedTurns) }

// reached returns the limit that forbids another message; the results are empty and nil if the conversation may
// continue.
func (b *bounds) reached(turns int, used *usage) (Finish, *Limit) {
	switch most := b.maxTurns(); {
	case most > 0 && turns >= most && most == b.agentTurns:
		return FinishMaxTurns, &Limit{Name: LimitMaxTurns, Value: most, Of: block(b.agent)}
	case most > 0 && turns >= most:
		return FinishMaxTurns, &Limit{Name: LimitEnvironmentTurns, Value: most}
	case b.responseTokens > 0 && used.response() >= b.responseTokens:
		limit := b.response()
		return FinishResponseTokens, &limit
	}
	return "", nil
}

func (b *bounds) response() Limit { return Limit{Name: LimitResponseTokens, Value: b.responseTokens} }

// allowance is the token limit for the next message and its origin.
type allowance struct {
	tokens int // 0: no limit
	limit  Limit
}

func (a *allowance) lower(tokens int, limit Limit) {
	if tokens > 0 && (a.tokens == 0 || tokens < a.tokens) {
		a.tokens, a.limit = tokens, limit
	}
}

// next returns the allowance for the next message. wanted is the requested number of tokens; 0 means no request.
func (b *bounds) next(used *usage, wanted int) (may allowance) {
	may.lower(b.messageTokens, Limit{Name: LimitAgentTokens, Value: b.messageTokens, Of: block(b.agent)})
	may.lower(wanted, Limit{Name: LimitRequestTokens, Value: wanted, Of: block(b.agent)})
	if b.responseTokens > 0 {
		may.lower(b.responseTokens-used.response(), b.response())
	}
	return may
}

// cut returns the limit that cut a message off, given the conversation's usage, or nil if the message is complete. A
// message shorter than its allowance has reached the conversation's limit or the context limit.
func (b *bounds) cut(may allowance, reply *Reply, used *usage) *Limit {
	if reply.Finish != sdk.FinishLength {
		return nil
	}
	if reply.Bound != nil {
		may = allowance{reply.Bound.Value, *reply.Bound}
	}
	limit := Limit{Name: LimitContext}
	switch {
	case may.tokens > 0 && (reply.OutputTokens == 0 || reply.OutputTokens >= may.tokens):
		limit = may.limit
	case b.responseTokens > 0 && used.response() >= b.responseTokens:
		limit = b.response()
	case reply.PromptTokens > 0 && reply.OutputTokens > 0:
		limit.Value = reply.PromptTokens + reply.OutputTokens
	}
	return &limit
}
