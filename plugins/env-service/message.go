package envservice

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// wireMessage is a message in the format of OpenAI's chats, as services write it: a role, a content and what tools
// need.
type wireMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"` // a text, parts, or null
	Name       string          `json:"name"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []wireCall      `json:"tool_calls"`
	Error      json.RawMessage `json:"error"` // in the place of a content
}

// wireCall is a call of a tool.
type wireCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON in a text
}

// stateError is what a service says in the place of a message.
type stateError struct{ text string }

// Error implements error.
func (e *stateError) Error() string { return "the service reports an error: " + e.text }

// messagesOf reads a state: one message, or a list of them. Its errors are *stateError, or about what cannot be read.
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
		return sdk.Message{}, &stateError{said(w.Error)}
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

// toolsOf reads tools in the format of OpenAI's chats.
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

// action is what step sends: the assistant's message.
type action struct {
	Role      string     `json:"role"`
	Content   string     `json:"content"`
	ToolCalls []wireCall `json:"tool_calls,omitempty"`
}

// actionOf is a message of the agent. Calls of tools go with it only where the service offers tools: elsewhere the text
// is what the agent does.
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

// silence is what the model is told where the service says nothing.
const silence = "The environment answered nothing. Check that your last message is something that it can act on, and " +
	"try again."

// allSilent reports whether there is nothing to read in messages.
func allSilent(messages []sdk.Message) bool {
	for _, m := range messages {
		if strings.TrimSpace(m.Content) != "" || len(m.Images) > 0 || len(m.ToolCalls) > 0 {
			return false
		}
	}
	return true
}

// feedback puts what a service answers into the order that conversations need: each call of a tool has its result, in
// the order of the calls, and what else there is comes behind. A service that answers calls by one text means all of
// them: the first gets it.
func feedback(calls []sdk.ToolCall, messages []sdk.Message) []sdk.Message {
	if allSilent(messages) {
		messages = []sdk.Message{{Role: sdk.RoleUser, Content: silence}}
	}
	if len(calls) == 0 {
		for i := range messages {
			if messages[i].Role == sdk.RoleTool { // it answers no call: the model reads it as what the world says
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

// answerTo finds the message that answers a call: that of its id, the first of a tool without an id, and for the first
// call any.
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
