package answertext

import (
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Response renders the messages after the prompt in the format that verl passes to rewards: the entire response,
// including tool results and later user messages, in the layout of Qwen's chat template, without the special tokens,
// which verl omits when it decodes. For an item without messages, as in offline scoring, it returns the final answer
// unchanged.
func Response(item sdk.ScoreItem) string {
	if len(item.Messages) == 0 {
		return item.FinalAnswer
	}
	var b strings.Builder
	for _, message := range item.Response() {
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
