package answertext

import (
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Response renders what followed the prompt as verl hands it to a reward: the whole response, tool results and later
// messages of the user included, in the layout of Qwen's chat template, less the special tokens, which verl leaves out
// when it decodes. An item without messages, which is how answers are scored offline, is its text as it is.
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
