package gateway

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// chatBody is what counts of a request for chat completions.
type chatBody struct {
	Messages            []chatMessage `json:"messages"`
	Tools               []chatTool    `json:"tools"`
	MaxTokens           *int          `json:"max_tokens"`
	MaxCompletionTokens *int          `json:"max_completion_tokens"`
	Stop                stops         `json:"stop"`
	N                   *int          `json:"n"`
	Stream              bool          `json:"stream"`
	StreamOptions       struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type chatMessage struct {
	Role       string     `json:"role"`
	Content    content    `json:"content"`
	ToolCalls  []chatCall `json:"tool_calls"`
	ToolCallID string     `json:"tool_call_id"`
	Name       string     `json:"name"`
	Reasoning  string     `json:"reasoning_content"`
	Refusal    string     `json:"refusal"`
}

type chatCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type chatTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// content is null, a text, or a list of parts: texts, and pictures after them.
type content struct {
	text   string
	images []sdk.Image
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(data []byte) error {
	var text *string
	if err := json.Unmarshal(data, &text); err == nil {
		if text != nil {
			c.text = *text
		}
		return nil
	}
	var parts []struct {
		Type     string  `json:"type"`
		Text     string  `json:"text"`
		Refusal  string  `json:"refusal"`
		ImageURL address `json:"image_url"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return fmt.Errorf("content is no text and no list of parts: %w", err)
	}
	var texts []string
	for _, p := range parts {
		switch p.Type {
		case "text", "input_text", "output_text", "reasoning_text":
			texts = append(texts, p.Text)
		case "refusal":
			texts = append(texts, p.Refusal)
		case "image_url", "input_image":
			image, err := imageOf(string(p.ImageURL))
			if err != nil {
				return err
			}
			c.images = append(c.images, image)
		default:
			return fmt.Errorf("a part of content is of type %q: texts and pictures (image_url) are taken", p.Type)
		}
	}
	c.text = joined(texts)
	return nil
}

// address is a text, or an object with one as url.
type address string

// UnmarshalJSON implements json.Unmarshaler.
func (a *address) UnmarshalJSON(data []byte) error {
	var in struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(data, &in); err == nil {
		*a = address(in.URL)
		return nil
	}
	return json.Unmarshal(data, (*string)(a))
}

// imageOf reads a picture, in a data URL or somewhere else.
func imageOf(address string) (sdk.Image, error) {
	inline, ok := strings.CutPrefix(address, "data:")
	if !ok {
		return sdk.Image{URL: address}, nil
	}
	head, data, _ := strings.Cut(inline, ",")
	kind, encoded := strings.CutSuffix(head, ";base64")
	if kind, _, err := mime.ParseMediaType(kind); encoded && err == nil {
		if raw, err := base64.StdEncoding.DecodeString(data); err == nil {
			return sdk.Image{MIMEType: kind, Data: raw}, nil
		}
	}
	return sdk.Image{}, fmt.Errorf("a picture is no data URL in base64: %s", shorten(address))
}

// stops are null, a text, or several.
type stops []string

// UnmarshalJSON implements json.Unmarshaler.
func (s *stops) UnmarshalJSON(data []byte) error {
	var one *string
	if err := json.Unmarshal(data, &one); err == nil {
		if one != nil {
			*s = stops{*one}
		}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(s))
}

// mostSamples bounds n.
const mostSamples = 128

// completions are OpenAI's chat completions.
type completions struct{}

// decode implements dialect.
func (completions) decode(members map[string]json.RawMessage, body []byte) (*ask, *problem) {
	spec, p := sortParams(members, chatParams, chatNeutrals)
	if p != nil {
		return nil, p
	}
	var in chatBody
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, refused("", "the request cannot be read: %v", err)
	}
	out := &ask{samples: 1, stream: in.Stream, usage: in.StreamOptions.IncludeUsage, owned: spec}
	out.request = chat.Request{Stop: in.Stop}
	if in.N != nil {
		out.samples = *in.N
	}
	if out.samples < 1 || out.samples > mostSamples {
		return nil, refused("n", "n is %d: from 1 to %d samples are given", out.samples, mostSamples)
	}
	for _, most := range []*int{in.MaxTokens, in.MaxCompletionTokens} {
		if most == nil {
			continue
		}
		if *most < 1 {
			return nil, refused("max_tokens", "max_tokens is %d: a message has at least one token", *most)
		}
		out.request.MaxTokens = *most
	}
	if len(in.Messages) == 0 {
		return nil, refused("messages", "messages is empty")
	}
	if out.request.Tools, p = out.functionsOf(in.Tools); p != nil {
		return nil, p
	}
	if out.request.Messages, p = messagesOf(in.Messages); p != nil {
		return nil, p
	}
	return out, nil
}

func (a *ask) functionsOf(in []chatTool) ([]sdk.Tool, *problem) {
	out := make([]sdk.Tool, 0, len(in))
	for i, t := range in {
		if t.Type != "function" {
			a.foreign = append(a.foreign, t.Type)
			continue
		}
		if t.Function.Name == "" {
			return nil, refused(fmt.Sprintf("tools[%d]", i), "tool %d has no name", i)
		}
		out = append(out, sdk.Tool{
			Name: t.Function.Name, Description: t.Function.Description, Parameters: t.Function.Parameters,
		})
	}
	return out, distinct(out)
}

// distinct refuses tools that nobody could tell apart.
func distinct(tools []sdk.Tool) *problem {
	names := map[string]bool{}
	for _, t := range tools {
		if names[t.Name] {
			return refused("tools", "two tools have the name %q", t.Name)
		}
		names[t.Name] = true
	}
	return nil
}

// messagesOf reads a conversation. Results of tools get the name of the tool from the call that they answer.
func messagesOf(in []chatMessage) ([]sdk.Message, *problem) {
	out := make([]sdk.Message, 0, len(in))
	names := map[string]string{} // of tools, by call
	for i, m := range in {
		message := sdk.Message{Content: m.Content.text + m.Refusal, Images: m.Content.images, Reasoning: m.Reasoning}
		switch m.Role {
		case "system", "developer":
			message.Role = sdk.RoleSystem
		case "user":
			message.Role = sdk.RoleUser
		case "assistant":
			message.Role = sdk.RoleAssistant
		case "tool", "function":
			message.Role, message.ToolCallID, message.Name = sdk.RoleTool, m.ToolCallID, names[m.ToolCallID]
			if message.Name == "" {
				message.Name = m.Name
			}
		default:
			return nil, refused(fmt.Sprintf("messages[%d].role", i),
				"message %d has the role %q: there are system, developer, user, assistant and tool", i, m.Role)
		}
		for _, c := range m.ToolCalls {
			if c.Type != "function" && c.Type != "" {
				return nil, refused(fmt.Sprintf("messages[%d].tool_calls", i), "a call is of type %q: functions are taken", c.Type)
			}
			names[c.ID] = c.Function.Name
			message.ToolCalls = append(message.ToolCalls, sdk.ToolCall{
				ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments,
			})
		}
		out = append(out, message)
	}
	return out, nil
}

// problem implements dialect.
func (completions) problem(p *problem) any {
	member := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	return map[string]any{"error": map[string]any{
		"message": p.text, "type": p.kind, "code": member(p.code), "param": member(p.param),
	}}
}

// trouble implements dialect.
func (d completions) trouble(p *problem) []event { return []event{{data: d.problem(p)}} }

// tooLong implements dialect.
func (completions) tooLong(detail string) *problem {
	return &problem{
		status: http.StatusBadRequest, kind: kindInvalid, code: "context_length_exceeded", param: "messages",
		text: "This model's maximum context length is reached: " + detail + ". Please reduce the length of the messages.",
	}
}

var _ dialect = completions{}
