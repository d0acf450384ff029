package pythonplugin

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// chatRequest is a worker's request for a message.
type chatRequest struct {
	Messages []json.RawMessage `json:"messages"`
	Calls    []string          `json:"calls"`
	Tools    []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"tools"`
	MaxTokens int      `json:"max_tokens"`
	Stop      []string `json:"stop"`
	Member    string   `json:"member"`
}

// readChat parses a request for a message. Messages are in OpenAI's chat format.
func readChat(body []byte) (chat.Request, error) {
	var in chatRequest
	if err := json.Unmarshal(body, &in); err != nil {
		return chat.Request{}, err
	}
	out := chat.Request{Calls: in.Calls, Member: in.Member, MaxTokens: in.MaxTokens, Stop: in.Stop}
	names := map[string]string{} // of tools, by call: OpenAI's format has them only there
	for i, text := range in.Messages {
		m, err := readMessage(text)
		if err != nil {
			return out, fmt.Errorf("message %d: %w", i+1, err)
		}
		for _, c := range m.ToolCalls {
			names[c.ID] = c.Name
		}
		if m.Role == sdk.RoleTool && m.Name == "" {
			m.Name = names[m.ToolCallID]
		}
		out.Messages = append(out.Messages, m)
	}
	for _, t := range in.Tools {
		parameters := t.Parameters
		if string(parameters) == "null" {
			parameters = nil
		}
		out.Tools = append(out.Tools, sdk.Tool{Name: t.Name, Description: t.Description, Parameters: parameters})
	}
	return out, nil
}

// readStep parses an environment step.
func readStep(body []byte) (sdk.AgentStep, error) {
	var in struct {
		Call    string          `json:"call"`
		Message json.RawMessage `json:"message"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return sdk.AgentStep{}, err
	}
	if in.Call != "" {
		return sdk.AgentStep{CallID: in.Call}, nil
	}
	m, err := readMessage(in.Message)
	return sdk.AgentStep{Message: &m}, err
}

// chatRoles maps the format's roles, including newer and older ones.
var chatRoles = map[string]sdk.Role{
	"system": sdk.RoleSystem, "developer": sdk.RoleSystem, "user": sdk.RoleUser, "assistant": sdk.RoleAssistant,
	"tool": sdk.RoleTool,
}

func readMessage(text json.RawMessage) (sdk.Message, error) {
	var in struct {
		Role       string          `json:"role"`
		Content    json.RawMessage `json:"content"`
		Reasoning  string          `json:"reasoning_content"`
		ToolCalls  []chatCall      `json:"tool_calls"`
		ToolCallID string          `json:"tool_call_id"`
		Name       string          `json:"name"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return sdk.Message{}, err
	}
	role, known := chatRoles[in.Role]
	if !known {
		return sdk.Message{}, fmt.Errorf("it has the role %q; there are system, user, assistant and tool", in.Role)
	}
	out := sdk.Message{Role: role, Reasoning: in.Reasoning, ToolCallID: in.ToolCallID, Name: in.Name}
	for _, c := range in.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, sdk.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
	}
	return out, readContent(&out, in.Content)
}

// readContent parses content that is a string, empty, or a list of parts.
func readContent(into *sdk.Message, content json.RawMessage) error {
	if len(content) == 0 || string(content) == "null" || json.Unmarshal(content, &into.Content) == nil {
		return nil
	}
	var parts []chatPart
	if err := json.Unmarshal(content, &parts); err != nil {
		return errors.New("its content is neither a text nor a list of parts")
	}
	var read []sdk.Part
	for _, part := range parts {
		switch {
		case part.Type == "text":
			read = append(read, sdk.Part{Text: part.Text})
		case part.Type == "image_url" && part.Image != nil:
			image := readImage(part.Image.URL)
			read = append(read, sdk.Part{Image: &image})
		default:
			return fmt.Errorf("it has a part of type %q; use text or image_url", part.Type)
		}
	}
	into.SetParts(read)
	return nil
}

// readImage parses an image, which may be embedded in its URL.
func readImage(url string) sdk.Image {
	about, data, ok := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
	if !ok || !strings.HasPrefix(url, "data:") {
		return sdk.Image{URL: url}
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return sdk.Image{URL: url}
	}
	return sdk.Image{MIMEType: about, Data: raw}
}

// chatTools encodes tools as a JSON list of functions.
func chatTools(tools []sdk.Tool) json.RawMessage {
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	out := make([]function, len(tools))
	for i, t := range tools {
		out[i] = function{t.Name, t.Description, t.Parameters}
		if len(t.Parameters) == 0 {
			out[i].Parameters = json.RawMessage(`{"type":"object","properties":{}}`)
		}
	}
	return encoded(out)
}
