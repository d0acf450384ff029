package pythonplugin

import (
	"strings"

	"github.com/awhost/awhost/sdk"
)

// solution returns an episode's text in the form in which verl passes it to a reward function: the entire response,
// which is everything after the prompt (see sdk.ScoreItem.Response), including thoughts, tool calls, tool results and
// later user messages, in the layout of Qwen's chat template without its special tokens. For an offline item without
// messages, it returns the raw answer.
func solution(item sdk.ScoreItem) string {
	if len(item.Messages) == 0 {
		return item.FinalAnswer
	}
	var b strings.Builder
	for _, m := range item.Response() {
		if m.Reasoning != "" {
			b.WriteString("<think>\n" + m.Reasoning + "\n</think>\n\n")
		}
		if m.Role == sdk.RoleTool {
			b.WriteString("<tool_response>\n" + m.Content + "\n</tool_response>\n")
			continue
		}
		b.WriteString(m.Content + "\n")
		for _, call := range m.ToolCalls {
			b.WriteString("<tool_call>\n{\"name\": \"" + call.Name + "\", \"arguments\": " + call.Arguments +
				"}\n</tool_call>\n")
		}
	}
	return b.String()
}
