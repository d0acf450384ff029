package madness

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// toolCallMarker starts a call in the Qwen and Hermes chat templates.
const toolCallMarker = "<tool_call>"

// wrongToolCall finds a call that cannot be executed: its arguments are not an object, it could not be parsed, or a
// message without calls contains a call marker.
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

// callAtLine finds a call marker at the beginning of a line, where it is not part of a sentence.
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

// notObject returns the reason why the text is not a JSON object, or nil if it is one.
func notObject(text string) *found {
	var value map[string]json.RawMessage
	err := json.Unmarshal([]byte(text), &value)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return &found{ReasonArguments, int(min(max(syntax.Offset-1, 0), int64(len(text))))}
	case err != nil, value == nil: // a null decodes without an error
		return &found{ReasonArguments, 0}
	}
	return nil
}

// pythonNumbers replaces numbers that Python accepts but JSON does not with 0. The length of the text stays the same.
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

// pythonNumber returns the length of such a number at the beginning of the text.
func pythonNumber(text string) int {
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		if strings.HasPrefix(text, word) {
			return len(word)
		}
	}
	return 0
}
