package pythonplugin

import (
	"encoding/json"

	"github.com/awhost/awhost/sdk"
)

// chatMessage is a message in OpenAI's chat format, as Python code expects it.
type chatMessage struct {
	Role       sdk.Role   `json:"role"`
	Content    any        `json:"content"`                     // a string, or a list of parts if there are images
	Reasoning  string     `json:"reasoning_content,omitempty"` // the name in vLLM and others
	ToolCalls  []chatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	Name       string     `json:"name,omitempty"`
}

type chatCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON text, exactly as the model wrote it
}

type chatPart struct {
	Type  string     `json:"type"`
	Text  string     `json:"text,omitempty"`
	Image *chatImage `json:"image_url,omitempty"`
}

type chatImage struct {
	URL string `json:"url"`
}

// chatMessages encodes messages as a JSON list.
func chatMessages(messages []sdk.Message) json.RawMessage {
	out := make([]chatMessage, len(messages))
	for i, m := range messages {
		out[i] = chatOne(m)
	}
	return encoded(out)
}

func chatOne(m sdk.Message) chatMessage {
	out := chatMessage{Role: m.Role, Content: chatContent(m), Reasoning: m.Reasoning, ToolCallID: m.ToolCallID,
		Name: m.Name}
	for _, call := range m.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, chatCall{call.ID, "function", chatFunction{call.Name, call.Arguments}})
	}
	return out
}

// attachments lists the attachments in messages, with their positions.
func attachments(messages []sdk.Message) json.RawMessage {
	type attached struct {
		Message int `json:"message"`
		sdk.Attachment
	}
	all := []attached{}
	for i, m := range messages {
		for _, a := range m.Attachments {
			all = append(all, attached{i, a})
		}
	}
	return encoded(all)
}

func chatContent(m sdk.Message) any {
	if len(m.Images) == 0 {
		return m.Content
	}
	var parts []chatPart
	for _, p := range m.Parts() {
		if p.Image == nil {
			parts = append(parts, chatPart{Type: "text", Text: p.Text})
			continue
		}
		parts = append(parts, chatPart{Type: "image_url", Image: &chatImage{p.Image.Address()}})
	}
	return parts
}

// encoded returns the JSON of a value that can always be encoded.
func encoded(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}
