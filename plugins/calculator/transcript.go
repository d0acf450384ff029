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

// firstAttempt returns the first tool call of an episode if it ran. The first attempt decides, so that nothing is
// gained by trying all tools; an attempt that could not even be parsed is one.
//
// A call ran when the calculator accepts it and a message of role tool answers it with the calculator's own result.
// Text cannot forge such a message: roles and call ids come from the host, not from the model.
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

// answered says whether the results that follow an assistant message hold the call's.
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
// item without messages. A message that still calls tools is no final one.
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

// onlyAnswer demands exactly one element: who gives two answers has given none.
func onlyAnswer(text string) (string, bool) {
	if strings.Count(text, answerOpen) != 1 || strings.Count(text, answerClose) != 1 {
		return "", false
	}
	_, rest, _ := strings.Cut(text, answerOpen)
	answer, _, closed := strings.Cut(rest, answerClose)
	return strings.TrimSpace(answer), closed
}
