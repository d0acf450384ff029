package result

import (
	"fmt"

	"github.com/awhost/awhost/host/runstore"
)

// LimitWords describes the limit that ended a truncated conversation, for example "the last message reached
// message_tokens = 60".
func LimitWords(l runstore.Limit) string {
	words := "the last message reached "
	switch l.Name {
	case "message_tokens", "max_message_tokens", "max_tokens":
		words += fmt.Sprintf("%s = %d", l.Name, l.Value)
	case "request_max_tokens":
		words += fmt.Sprintf("max_tokens = %d of its request", l.Value)
	case "response_tokens", "max_turns":
		words = fmt.Sprintf("the conversation reached %s = %d", l.Name, l.Value)
	case "environment_max_turns":
		words = fmt.Sprintf("the conversation reached the environment's limit of %d turns", l.Value)
	case "environment":
		words = "the environment reached its own limit"
	case "context":
		words = contextWords(l)
	default: // a limit of a later version
		words = fmt.Sprintf("%s = %d", l.Name, l.Value)
	}
	if l.Of != "" {
		words += ", of " + l.Of
	}
	return words
}

// contextWords distinguishes a truncated message from a conversation that leaves no room for another message.
func contextWords(l runstore.Limit) string {
	switch {
	case l.Value > 0:
		return fmt.Sprintf("the model's context was full at %d tokens", l.Value)
	case l.Detail != "":
		return "the conversation does not fit the model's context: " + l.Detail
	}
	return "the conversation does not fit the model's context"
}

// CutsTokens reports whether a limit counts tokens, in which case the conversation's text ends abruptly.
func CutsTokens(l runstore.Limit) bool {
	switch l.Name {
	case "max_turns", "environment_max_turns", "environment":
		return false
	}
	return true
}
