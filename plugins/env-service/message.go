package envservice

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// wireMessage is a message in OpenAI's chat format, as used by services: a role, content, and fields for tools.
type wireMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"` // a string, parts, or null
	Name       string          `json:"name"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []wireCall      `json:"tool_calls"`
	Error      json.RawMessage `json:"error"` // instead of a content
}

// wireCall is a tool call.
type wireCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON in a string
}

// stateError is an error that a service returns instead of a message.
type stateError struct{ text string }

// Error implements error.
func (e *stateError) Error() string { return "the service reports an error: " + e.text }

// messagesOf reads a state: one message, or a list of them. Its errors are of type *stateError, or concern unreadable
// parts.
func messagesOf(state json.RawMessage) ([]sdk.Message, error) {
	state = bytes.TrimSpace(state)
	var list []wireMessage
	switch {
	case !present(state):
		return nil, nil
	case state[0] == '[':
		if err := json.Unmarshal(state, &list); err != nil {
			return nil, fmt.Errorf("state is no list of messages: %w", err)
		}
	case state[0] == '{':
		list = make([]wireMessage, 1)
		if err := json.Unmarshal(state, &list[0]); err != nil {
			return nil, fmt.Errorf("state is no message: %w", err)
		}
	default:
		return nil, errors.New("state is neither a message nor a list of messages: " + excerpt(state))
	}
	var out []sdk.Message
	for i, w := range list {
		m, err := w.message()
		if fault := (*stateError)(nil); errors.As(err, &fault) {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("message %d of state: %w", i+1, err)
		}
		out = append(out, m)
	}
	return out, nil
}

func (w wireMessage) message() (sdk.Message, error) {
	if !present(w.Content) && present(w.Error) {
		return sdk.Message{}, &stateError{jsonText(w.Error)}
	}
	m := sdk.Message{Role: sdk.Role(w.Role), Name: w.Name, ToolCallID: w.ToolCallID}
	switch m.Role {
	case "":
		m.Role = sdk.RoleUser
	case sdk.RoleSystem, sdk.RoleUser, sdk.RoleAssistant, sdk.RoleTool:
	default:
		return m, fmt.Errorf("its role is %q: a message has one of the roles system, user, assistant and tool", w.Role)
	}
	for _, call := range w.ToolCalls {
		m.ToolCalls = append(m.ToolCalls, sdk.ToolCall{
			ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments,
		})
	}
	return m, readContent(&m, w.Content)
}

// readContent reads the content of a message.
func readContent(into *sdk.Message, content json.RawMessage) error {
	if !present(content) || json.Unmarshal(content, &into.Content) == nil {
		return nil
	}
	var parts []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		ImageURL struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	if err := json.Unmarshal(content, &parts); err != nil {
		return errors.New("its content is neither a text nor a list of parts: " + excerpt(content))
	}
	var read []sdk.Part
	for _, part := range parts {
		switch part.Type {
		case "text":
			read = append(read, sdk.Part{Text: part.Text})
		case "image_url":
			read = append(read, sdk.Part{Image: &sdk.Image{URL: part.ImageURL.URL}})
		default:
			return fmt.Errorf("its content has a part of type %q: text and image_url can be read", part.Type)
		}
	}
	into.SetParts(read)
	return nil
}

// toolsOf reads tools in OpenAI's chat format.
func toolsOf(raw json.RawMessage) ([]sdk.Tool, error) {
	if !present(raw) {
		return nil, nil
	}
	var list []struct {
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("tools are no list of tools in the format of OpenAI: %w", err)
	}
	var out []sdk.Tool
	seen := map[string]bool{}
	for i, tool := range list {
		f := tool.Function
		if f.Name == "" || seen[f.Name] {
			return nil, fmt.Errorf("tool %d has no name of its own", i+1)
		}
		seen[f.Name] = true
		out = append(out, sdk.Tool{Name: f.Name, Description: f.Description, Parameters: f.Parameters})
	}
	return out, nil
}

// action is the content of a step: the assistant's message.
type action struct {
	Role      string     `json:"role"`
	Content   string     `json:"content"`
	ToolCalls []wireCall `json:"tool_calls,omitempty"`
}

// actionOf converts an agent message. It includes tool calls only if the service offers tools. Otherwise, the text is
// the action.
func actionOf(message sdk.Message, offered bool) action {
	out := action{Role: string(sdk.RoleAssistant), Content: message.Content}
	if offered {
		for _, call := range message.ToolCalls {
			out.ToolCalls = append(out.ToolCalls, wireCall{
				ID: call.ID, Type: "function", Function: wireFunction{Name: call.Name, Arguments: call.Arguments},
			})
		}
	}
	return out
}

// noAnswerText is the message for the model if the service returns no text.
const noAnswerText = "" +
	"The environment answered nothing. Check that your last message is something that it can act on, and " +
	"try again."

// allEmpty reports whether all messages are empty.
func allEmpty(messages []sdk.Message) bool {
	for _, m := range messages {
		if strings.TrimSpace(m.Content) != "" || len(m.Images) > 0 || len(m.ToolCalls) > 0 {
			return false
		}
	}
	return true
}

// feedback puts a service's responses in the order that conversations require: each tool call has its result, in the
// order of the calls, followed by the other messages. If a service responds to several calls with a single text, it is
// assigned to the first call.
func feedback(calls []sdk.ToolCall, messages []sdk.Message) []sdk.Message {
	if allEmpty(messages) {
		messages = []sdk.Message{{Role: sdk.RoleUser, Content: noAnswerText}}
	}
	if len(calls) == 0 {
		for i := range messages {
			if messages[i].Role == sdk.RoleTool { // it answers no call: the model receives it as the user's message
				messages[i].Role, messages[i].ToolCallID = sdk.RoleUser, ""
			}
		}
		return messages
	}
	const together = "(answered together with the call before)"
	var out []sdk.Message
	for i, call := range calls {
		result := sdk.Message{Role: sdk.RoleTool, Content: together}
		if at := answerTo(call, messages, i == 0); at >= 0 {
			result = messages[at]
			messages = append(messages[:at:at], messages[at+1:]...)
		}
		result.Role, result.ToolCallID, result.Name = sdk.RoleTool, call.ID, call.Name
		out = append(out, result)
	}
	for _, rest := range messages {
		if rest.Role == sdk.RoleTool {
			rest.Role, rest.ToolCallID = sdk.RoleUser, ""
		}
		out = append(out, rest)
	}
	return out
}

// answerTo returns the index of the message that responds to a call: one with the call's ID, or otherwise the first
// tool message without an ID. For the first call, any other first message also counts.
func answerTo(call sdk.ToolCall, messages []sdk.Message, first bool) int {
	unnamed := -1
	for i, m := range messages {
		switch {
		case m.Role == sdk.RoleTool && m.ToolCallID == call.ID:
			return i
		case m.Role == sdk.RoleTool && m.ToolCallID == "" && unnamed < 0:
			unnamed = i
		}
	}
	if unnamed < 0 && first && len(messages) > 0 && messages[0].Role != sdk.RoleTool {
		return 0
	}
	return unnamed
}
