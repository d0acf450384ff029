package tracking

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// The maximum number of characters of a message, and of all messages of an episode, in a text.
const (
	longestMessage = 4000
	longestText    = 32000
)

// markdown returns an episode's text. Text from other sources is placed in code blocks so that it is not interpreted as
// Markdown or HTML.
func markdown(ref string, e *runstore.EpisodeRecord) string {
	var out strings.Builder
	fmt.Fprintf(&out, "reward %s, %s", number(e.Reward), strings.ToLower(string(e.Outcome)))
	if e.IsSuccess != nil {
		fmt.Fprintf(&out, ", %s", map[bool]string{true: "solved", false: "not solved"}[*e.IsSuccess])
	}
	fmt.Fprintf(&out, ", %d turns, %d tokens\n\n", e.NumTurns, e.OutputTokens)
	fmt.Fprintf(&out, "    awhost show %s --episode %s\n\n", ref, runstore.ShellWord(e.EpisodeID))
	left := longestText
	for _, part := range e.Transcripts {
		for _, m := range part.Messages {
			if left <= 0 {
				out.WriteString("…the rest is left out\n")
				return out.String()
			}
			left -= message(&out, part.Agent, m, min(left, longestMessage))
		}
	}
	return out.String()
}

func number(v *float64) string {
	if v == nil {
		return "none"
	}
	return strconv.FormatFloat(*v, 'g', 4, 64)
}

// message writes one message and returns the number of characters of its content that were written.
func message(out *strings.Builder, agent string, m sdk.Message, most int) int {
	fmt.Fprintf(out, "**%s**", m.Role)
	if agent != "" {
		fmt.Fprintf(out, " (%s)", agent)
	}
	out.WriteString("\n\n")
	content := m.Content
	if m.Reasoning != "" {
		content = m.Reasoning + "\n\n" + content
	}
	for _, call := range m.ToolCalls {
		content += fmt.Sprintf("\n→ %s %s", call.Name, call.Arguments)
	}
	shown, rest := cut(strings.TrimLeft(content, "\n"), most)
	for _, line := range text.CleanLines(shown) {
		out.WriteString("    " + line + "\n")
	}
	if rest > 0 {
		fmt.Fprintf(out, "    … %d more characters\n", rest)
	}
	out.WriteString("\n")
	return utf8.RuneCountInString(shown)
}

// cut returns the first characters of a string and the number of remaining characters.
func cut(text string, most int) (shown string, rest int) {
	n := 0
	for i := range text {
		if n == most {
			return text[:i], utf8.RuneCountInString(text[i:])
		}
		n++
	}
	return text, 0
}
