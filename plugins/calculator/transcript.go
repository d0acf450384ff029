package calculator

import (
	"strconv"
	"strings"

	"github.com/awhost/awhost/plugins/calculator/internal/arithmetic"
	"github.com/awhost/awhost/sdk"
)

const (
	answerOpen  = "<answer>"
	answerClose = "</answer>"
)

// firstAttempt returns the first tool call in an episode if it was executed. Only the first attempt counts, so that
// trying all tools has no benefit. A call that could not be parsed counts as an attempt.
//
// A call counts as executed if the calculator accepts it and a message with role tool contains the calculator's own
// result. Text cannot forge such a message, because roles and call IDs come from the host, not from the model.
func firstAttempt(messages []sdk.Message) (arithmetic.Call, bool) {
	for i, message := range messages {
		if message.Role != sdk.RoleAssistant {
			continue
		}
		if len(message.Malformed) > 0 {
			return arithmetic.Call{}, false
		}
		if len(message.ToolCalls) == 0 {
			continue
		}
		call := message.ToolCalls[0]
		done, err := arithmetic.Run(call.Name, call.Arguments)
		return done, err == nil && answered(messages[i+1:], call.ID, done.Result)
	}
	return arithmetic.Call{}, false
}

// answered reports whether the tool results after an assistant message contain the call's result.
func answered(after []sdk.Message, callID string, result int64) bool {
	for _, message := range after {
		if message.Role == sdk.RoleAssistant {
			return false
		}
		if message.Role == sdk.RoleTool && message.ToolCallID == callID {
			return !message.IsError && message.Content == strconv.FormatInt(result, 10)
		}
	}
	return false
}

// finalAnswer returns the text of the only answer element in the last assistant message, or in the raw text of an
// item without messages. A message with tool calls is not final.
func finalAnswer(messages []sdk.Message, raw string) (string, bool) {
	if len(messages) == 0 {
		return onlyAnswer(raw)
	}
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == sdk.RoleAssistant {
			if len(messages[i].ToolCalls)+len(messages[i].Malformed) > 0 {
				return "", false
			}
			return onlyAnswer(messages[i].Content)
		}
	}
	return "", false
}

// onlyAnswer requires exactly one element, so two answers count as no answer.
func onlyAnswer(text string) (string, bool) {
	if strings.Count(text, answerOpen) != 1 || strings.Count(text, answerClose) != 1 {
		return "", false
	}
	_, rest, _ := strings.Cut(text, answerOpen)
	answer, _, closed := strings.Cut(rest, answerClose)
	return strings.TrimSpace(answer), closed
}
