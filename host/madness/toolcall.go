package madness

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// toolCallMarker begins a call in the chat templates of Qwen and Hermes.
const toolCallMarker = "<tool_call>"

// wrongToolCall finds a call that nobody can carry out: one whose arguments are no object, one that could not be
// parsed, or, in a message without calls, the marker of one.
func (p *profile) wrongToolCall(m *sdk.Message) *Finding {
	for i, call := range m.ToolCalls {
		if f := p.object(call.Arguments); f != nil {
			return &Finding{
				Check: WrongToolCall, Reason: f.reason, Part: PartArguments, Call: i, Offset: f.offset,
				Near: near(call.Arguments, f.offset),
			}
		}
	}
	var f *found
	switch {
	case len(m.Malformed) > 0:
		f = &found{ReasonUnreadable, max(0, strings.Index(m.Content, m.Malformed[0].Text))}
	case len(m.ToolCalls) == 0:
		f = p.callText(m.Content)
	}
	if f == nil {
		return nil
	}
	return &Finding{
		Check: WrongToolCall, Reason: f.reason, Part: PartContent, Offset: f.offset, Near: near(m.Content, f.offset),
	}
}

// callAtLine finds the marker of a call at the beginning of a line, where it is no word of a sentence.
func callAtLine(text string) *found {
	at := 0
	for line := range strings.Lines(text) {
		if rest := strings.TrimLeftFunc(line, isSpace); strings.HasPrefix(rest, toolCallMarker) {
			return &found{ReasonToolCallText, at + len(line) - len(rest)}
		}
		at += len(line)
	}
	return nil
}

// notObject finds why a text is no JSON object.
func notObject(text string) *found {
	var value map[string]json.RawMessage
	err := json.Unmarshal([]byte(text), &value)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return &found{ReasonArguments, int(min(max(syntax.Offset-1, 0), int64(len(text))))}
	case err != nil, value == nil: // a null decodes into nothing
		return &found{ReasonArguments, 0}
	}
	return nil
}

// pythonNumbers writes a 0 for the numbers that Python reads and JSON does not have. The length stays.
func pythonNumbers(text string) string {
	if !strings.Contains(text, "NaN") && !strings.Contains(text, "Infinity") {
		return text
	}
	var out strings.Builder
	quoted := false
	for i := 0; i < len(text); {
		if n := pythonNumber(text[i:]); n > 0 && !quoted {
			out.WriteString(" 0" + strings.Repeat(" ", n-2))
			i += n
			continue
		}
		c := text[i]
		out.WriteByte(c)
		i++
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted && i < len(text):
			out.WriteByte(text[i])
			i++
		}
	}
	return out.String()
}

// pythonNumber is the length of such a number at the beginning of a text.
func pythonNumber(text string) int {
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		if strings.HasPrefix(text, word) {
			return len(word)
		}
	}
	return 0
}
