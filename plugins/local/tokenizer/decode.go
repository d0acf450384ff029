package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Decode returns the assistant message for sampled IDs, up to End or, if the response was cut off, all of them. It
// neither drops nor adds text:
//
//   - Thoughts between a leading <think> and its </think> become Reasoning. If the second marker is missing, or there
//     is nothing between them, they stay in Content.
//   - A <tool_call>…</tool_call> with {"name":…,"arguments":…} becomes a ToolCall. Anything else between these markers,
//     or a missing second marker, is Malformed and stays in Content.
//   - Everything else is Content, with control tokens written out.
func Decode(ids []int32) Message { return decode(ids, true) }

// DecodeText decodes like Decode for a conversation without tools: calls stay in Content.
func DecodeText(ids []int32) Message { return decode(ids, false) }

func decode(ids []int32, calls bool) Message {
	if at := slices.Index(ids, End); at >= 0 {
		ids = ids[:at]
	}
	m := Message{Role: RoleAssistant}
	m.Reasoning, ids = splitReasoning(ids)
	if !calls {
		m.Content = render(ids)
		return m
	}
	var content strings.Builder
	for len(ids) > 0 {
		at := slices.Index(ids, CallOpen)
		if at < 0 {
			at = len(ids)
		}
		content.WriteString(render(ids[:at]))
		ids = ids[at:]
		if len(ids) == 0 {
			break
		}
		length := callLength(ids)
		call, err := parseCall(ids[:length])
		if err != nil {
			text := render(ids[:length])
			m.Malformed = append(m.Malformed, MalformedCall{Text: text, Reason: err.Error()})
			content.WriteString(text)
		} else {
			m.ToolCalls = append(m.ToolCalls, call)
		}
		ids = ids[length:]
	}
	m.Content = content.String()
	return m
}

func splitReasoning(ids []int32) (string, []int32) {
	end := slices.Index(ids, ThinkClose)
	if len(ids) == 0 || ids[0] != ThinkOpen || end < 2 {
		return "", ids
	}
	return render(ids[1:end]), ids[end+1:]
}

// callLength returns the length of the call that starts at ids[0]: up to its CallClose or, if it has none, up to the
// next CallOpen or the end.
func callLength(ids []int32) int {
	for i, id := range ids[1:] {
		switch id {
		case CallClose:
			return i + 2
		case CallOpen:
			return i + 1
		}
	}
	return len(ids)
}

// parseCall parses one call, including its markers.
func parseCall(ids []int32) (ToolCall, error) {
	if ids[len(ids)-1] != CallClose {
		return ToolCall{}, errors.New("the call is not closed")
	}
	body := ids[1 : len(ids)-1]
	if at := slices.IndexFunc(body, isControl); at >= 0 {
		return ToolCall{}, fmt.Errorf("the call contains the control token %s", controlText[body[at]])
	}
	raw := make([]byte, len(body))
	for i, id := range body {
		raw[i] = byte(id)
	}
	fields, err := parseObject([]byte(validText(string(raw))))
	if err != nil {
		return ToolCall{}, err
	}
	arguments, ok := fields["arguments"]
	if len(fields) != 2 || !ok || fields["name"] == nil {
		return ToolCall{}, errors.New(`the call must have exactly the members "name" and "arguments"`)
	}
	call := ToolCall{Arguments: string(arguments)}
	if err := json.Unmarshal(fields["name"], &call.Name); err != nil || call.Name == "" {
		return ToolCall{}, fmt.Errorf("the name of the call must be a non-empty string, it is %s", fields["name"])
	}
	return call, nil
}

// parseObject parses a JSON object member by member: it matches names exactly, allows each only once, and keeps values
// verbatim. encoding/json alone would ignore case and use the last of two members with the same name.
func parseObject(text []byte) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return nil, errors.New("the call is not a JSON object")
	}
	fields := map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("the call is not valid JSON: %w", err)
		}
		name := key.(string) // the decoder ensures that a member starts with a string
		if _, twice := fields[name]; twice {
			return nil, fmt.Errorf("the call has two members %q", name)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, fmt.Errorf("the call is not valid JSON: %w", err)
		}
		fields[name] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("the call is not valid JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("the call has text after its JSON object")
	}
	return fields, nil
}
