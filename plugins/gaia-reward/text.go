package gaiareward

import (
	"strings"

	"github.com/awhost/awhost/sdk"
)

// scoredText is the text of an episode that a mode reads. An item without messages, which is how answers are scored
// offline, is read as it is.
//
// Corrected reads the final answer: the agent's own where it gives one, and else the policy's last message. Reference
// reads what verl gives to a reward: the whole response, which is everything after the prompt, tool results and later
// user messages included.
func scoredText(mode compatibility, item sdk.ScoreItem) string {
	if mode == reference && len(item.Messages) > 0 {
		return response(item.Response())
	}
	return item.FinalAnswer
}

// response renders messages in the layout of Qwen's chat template, less the special tokens, which verl leaves out when
// it decodes. Only the order of the texts matters to the score.
func response(messages []sdk.Message) string {
	var b strings.Builder
	for _, message := range messages {
		writeMessage(&b, message)
	}
	return b.String()
}

func writeMessage(b *strings.Builder, message sdk.Message) {
	if message.Reasoning != "" {
		b.WriteString("<think>\n" + message.Reasoning + "\n</think>\n\n")
	}
	if message.Role == sdk.RoleTool {
		b.WriteString("<tool_response>\n" + message.Content + "\n</tool_response>\n")
		return
	}
	b.WriteString(message.Content + "\n")
	for _, call := range message.ToolCalls {
		b.WriteString("<tool_call>\n{\"name\": \"" + call.Name + "\", \"arguments\": " + call.Arguments + "}\n</tool_call>\n")
	}
}
