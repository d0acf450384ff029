package agent

import (
	"errors"

	"github.com/awhost/awhost/sdk"
)

// Limit is what ended a conversation that was cut.
type Limit struct {
	Name   LimitName
	Value  int    // in tokens or assistant messages; 0: not known
	Of     string // the block that sets it: "agent.react.solver"; empty: the train block, the environment or the context
	Detail string // what the model's owner says of it, where nobody else knows; empty: nothing
}

// LimitName names a limit as the spec does, where it is one of the spec's. Records keep the names.
type LimitName string

// The limits.
const (
	LimitMessageTokens    LimitName = "message_tokens"        // of train: of one message
	LimitAgentTokens      LimitName = "max_message_tokens"    // of an agent: of one message
	LimitServedTokens     LimitName = "max_tokens"            // of a served model: of one message
	LimitRequestTokens    LimitName = "request_max_tokens"    // of a message that a plugin's agent has asked for
	LimitResponseTokens   LimitName = "response_tokens"       // of train: after the first prompt
	LimitMaxTurns         LimitName = "max_turns"             // of an agent or a swarm
	LimitEnvironmentTurns LimitName = "environment_max_turns" // that the environment named when it opened
	LimitEnvironment      LimitName = "environment"           // some other one of the environment's
	LimitContext          LimitName = "context"               // of the model, or one that only its owner knows
)

// isContextFull reports whether a conversation does not fit any more.
func isContextFull(err error) bool { return contextLimit(err) != nil }

// contextLimit is the limit of which an error of the model speaks; nil: it speaks of something else.
func contextLimit(err error) *Limit {
	var failed *sdk.GenerateError
	if !errors.As(err, &failed) || failed.Kind != sdk.GenerateContextFull {
		return nil
	}
	return &Limit{Name: LimitContext, Detail: failed.Detail}
}

// block is the address of an agent's block.
func block(name string) string { return string(sdk.KindAgent) + "." + name }

// bounds are the limits on the conversations of an agent.
type bounds struct {
	agent          string // its name
	messageTokens  int    // 0: no limit; the others likewise
	responseTokens int
	agentTurns     int
	openedTurns    int // of the environment, as it opened
}

// maxTurns returns the most assistant messages of a conversation; 0: any number.
func (b *bounds) maxTurns() int { return lower(b.agentTurns, b.openedTurns) }

// reached returns the limit that forbids a conversation another message; empty and nil: none does.
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

// allowance is how many tokens the next message of a conversation may have, and because of which limit.
type allowance struct {
	tokens int // 0: any number
	limit  Limit
}

func (a *allowance) lower(tokens int, limit Limit) {
	if tokens > 0 && (a.tokens == 0 || tokens < a.tokens) {
		a.tokens, a.limit = tokens, limit
	}
}

// next is what a conversation leaves the next message. Whoever asks for it may want fewer tokens; 0: they do not.
func (b *bounds) next(used *usage, wanted int) (may allowance) {
	may.lower(b.messageTokens, Limit{Name: LimitAgentTokens, Value: b.messageTokens, Of: block(b.agent)})
	may.lower(wanted, Limit{Name: LimitRequestTokens, Value: wanted, Of: block(b.agent)})
	if b.responseTokens > 0 {
		may.lower(b.responseTokens-used.response(), b.response())
	}
	return may
}

// cut returns the limit that cut a message, with which a conversation has used so many tokens; nil: none did. A message
// that is shorter than it was allowed to be filled what the conversation may have, or the context.
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
