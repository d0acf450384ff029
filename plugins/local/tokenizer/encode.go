package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Encode returns the IDs of a conversation: for each message, a header, its body and End. Append Assistant to request a
// response.
func Encode(messages []Message) ([]int32, error) {
	var ids []int32
	for i, m := range messages {
		var err error
		if ids, err = AppendMessage(ids, m); err != nil {
			return nil, fmt.Errorf("encode message %d: %w", i, err)
		}
	}
	return ids, nil
}

// EncodeDemonstration returns the IDs of a conversation and marks those written by an assistant: its message bodies and
// their End, but not its headers. Behavior cloning imitates the marked IDs.
func EncodeDemonstration(messages []Message) (ids []int32, trained []bool, err error) {
	for i, m := range messages {
		start := len(ids)
		if ids, err = AppendMessage(ids, m); err != nil {
			return nil, nil, fmt.Errorf("encode message %d: %w", i, err)
		}
		for at := start; at < len(ids); at++ {
			trained = append(trained, m.Role == RoleAssistant && at > start)
		}
	}
	return ids, trained, nil
}

// AppendMessage appends one message, including its header and End. Appending all messages one by one is equivalent to
// Encode: the IDs of a conversation are a prefix of its continuation's IDs.
func AppendMessage(ids []int32, m Message) ([]int32, error) {
	header, ok := roleHeaders[m.Role]
	if !ok {
		return nil, fmt.Errorf("unknown role %q, use system, user, assistant or tool", m.Role)
	}
	ids = append(ids, header)
	if m.Role != RoleAssistant {
		if m.Reasoning != "" || len(m.ToolCalls) > 0 {
			return nil, fmt.Errorf("a message of role %s has reasoning or tool calls, only an assistant's can", m.Role)
		}
		return append(appendText(ids, m.Content), End), nil
	}
	if m.Reasoning != "" {
		ids = append(ids, ThinkOpen)
		ids = appendMarked(ids, m.Reasoning)
		ids = append(ids, ThinkClose)
	}
	ids = appendMarked(ids, m.Content)
	for i, c := range m.ToolCalls {
		var err error
		if ids, err = appendCall(ids, c); err != nil {
			return nil, fmt.Errorf("tool call %d: %w", i, err)
		}
	}
	return append(ids, End), nil
}

// appendCall writes <tool_call>{"name":…,"arguments":…}</tool_call> with the arguments unchanged.
func appendCall(ids []int32, c ToolCall) ([]int32, error) {
	if c.Name == "" {
		return nil, errors.New("it has no name")
	}
	if !json.Valid([]byte(c.Arguments)) {
		return nil, fmt.Errorf("the arguments of %s are not JSON: %q", c.Name, c.Arguments)
	}
	ids = append(ids, CallOpen)
	ids = appendText(ids, `{"name":`+quote(c.Name)+`,"arguments":`+c.Arguments+`}`)
	return append(ids, CallClose), nil
}

// quote returns a JSON string without HTML escapes.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // encoding a string never fails
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
