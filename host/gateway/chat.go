package gateway

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// chatBody holds the members of a chat completions request that the gateway uses.
type chatBody struct {
	Messages            []chatMessage
	Tools               []chatTool
	MaxTokens           *int
	MaxCompletionTokens *int
	Stop                stops
	N                   *int
	Stream              bool
	TemplateKwargs      map[string]any
	restriction
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	}
}

type chatMessage struct {
	Role       string     `json:"role"`
	Content    content    `json:"content"`
	ToolCalls  []chatCall `json:"tool_calls"`
	ToolCallID string     `json:"tool_call_id"`
	Name       string     `json:"name"`
	Reasoning  string     `json:"reasoning_content"`
	Thoughts   string     `json:"reasoning"` // OpenRouter's name for it
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

// content is null, a string, or a list of text and image parts.
type content struct{ parts []sdk.Part }

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (c *content) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	switch dec.PeekKind() {
	case 'n':
		return dec.SkipValue()
	case '"':
		c.parts = make([]sdk.Part, 1)
		return jsonv2.UnmarshalDecode(dec, &c.parts[0].Text)
	case '[':
	default:
		return errors.New("content is neither text nor a list of parts")
	}
	var parts []struct {
		Type     string  `json:"type"`
		Text     string  `json:"text"`
		Refusal  string  `json:"refusal"`
		ImageURL address `json:"image_url"`
	}
	if err := jsonv2.UnmarshalDecode(dec, &parts); err != nil {
		return err
	}
	for _, p := range parts { // other types are rejected by the table of fields
		switch p.Type {
		case "text", "input_text", "output_text", "reasoning_text", "refusal":
			c.parts = append(c.parts, sdk.Part{Text: p.Text + p.Refusal})
		case "image_url", "input_image":
			image, err := imageOf(string(p.ImageURL))
			if err != nil {
				return err
			}
			c.parts = append(c.parts, sdk.Part{Image: &image})
		}
	}
	return nil
}

// address is a string, or an object that contains the string as url.
type address string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (a *address) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return jsonv2.UnmarshalDecode(dec, (*string)(a))
	}
	var in struct {
		URL string `json:"url"`
	}
	err := jsonv2.UnmarshalDecode(dec, &in)
	*a = address(in.URL)
	return err
}

// imageOf parses an image address: a data URL or any other URL.
func imageOf(address string) (sdk.Image, error) {
	inline, ok := strings.CutPrefix(address, "data:")
	if !ok {
		return sdk.Image{URL: address}, nil
	}
	head, data, _ := strings.Cut(inline, ",")
	kind, encoded := strings.CutSuffix(head, ";base64")
	if kind, _, err := mime.ParseMediaType(kind); encoded && err == nil {
		if raw, err := base64.StdEncoding.DecodeString(data); err == nil {
			return sdk.Image{MIMEType: strings.Clone(kind), Data: raw}, nil // the address is not kept
		}
	}
	return sdk.Image{}, fmt.Errorf("an image is not a base64 data URL: %s", shorten(address))
}

// stops is null, a string, or a list of strings.
type stops []string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (s *stops) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '"' {
		return jsonv2.UnmarshalDecode(dec, (*[]string)(s))
	}
	*s = make(stops, 1)
	return jsonv2.UnmarshalDecode(dec, &(*s)[0])
}

// mostSamples bounds n.
const mostSamples = 128

// completions implements OpenAI's chat completions endpoint.
type completions struct{}

// decode implements dialect.
func (completions) decode(body []byte, _ *lease) (*ask, *problem) {
	var in chatBody
	members, p := readMembers(body, map[string]any{
		"messages": &in.Messages, "tools": &in.Tools, "max_tokens": &in.MaxTokens,
		"max_completion_tokens": &in.MaxCompletionTokens, "stop": &in.Stop, "n": &in.N, "stream": &in.Stream,
		"stream_options": &in.StreamOptions, "chat_template_kwargs": &in.TemplateKwargs,
		"tool_choice": &in.choice, "parallel_tool_calls": &in.parallel, "response_format": &in.format,
	})
	if p != nil {
		return nil, p
	}
	spec, p := chatFields.check(body)
	if p != nil {
		return nil, p
	}
	out := newAsk("chat", members, in.Stream, spec)
	out.usage, out.request = in.StreamOptions.IncludeUsage, chat.Request{Stop: in.Stop}
	if len(in.TemplateKwargs) > 0 {
		out.request.TemplateKwargs, _ = json.Marshal(in.TemplateKwargs) // it was JSON
	}
	if in.N != nil {
		out.samples = *in.N
	}
	if out.samples < 1 || out.samples > mostSamples {
		return nil, refused("n", "n is %d: it must be from 1 to %d", out.samples, mostSamples)
	}
	if p := out.limitTokens("max_tokens", in.MaxTokens, in.MaxCompletionTokens); p != nil {
		return nil, p
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
	in.formatPath = "response_format"
	return out, out.restrict(in.restriction)
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

// distinct returns an error if two tools have the same name.
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

// messagesOf converts a conversation. A tool result receives the tool's name from the call that it answers.
func messagesOf(in []chatMessage) ([]sdk.Message, *problem) {
	out := make([]sdk.Message, 0, len(in))
	names := map[string]string{} // tool names by call ID
	for i, m := range in {
		if m.Reasoning != "" && m.Thoughts != "" && m.Reasoning != m.Thoughts {
			return nil, refused(fmt.Sprintf("messages[%d].reasoning", i),
				"message %d has a reasoning that differs from its reasoning_content: send one of them", i)
		}
		message := sdk.Message{Reasoning: cmp.Or(m.Reasoning, m.Thoughts)}
		message.SetParts(append(m.Content.parts, sdk.Part{Text: m.Refusal}))
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
			names[c.ID] = c.Function.Name
			message.ToolCalls = append(message.ToolCalls, sdk.ToolCall{
				ID: c.ID, Name: c.Function.Name, Arguments: argumentsOf(c.Function.Arguments),
			})
		}
		out = append(out, message)
	}
	return out, nil
}

// argumentsOf returns the arguments in a call. Some programs send an empty string for a call without arguments.
func argumentsOf(text string) string {
	if strings.TrimSpace(text) == "" {
		return "{}"
	}
	return text
}

// problem implements dialect. opencode retries, regardless of the status, if a body contains words such as
// "server_error", "connection refused" or "503". The cause of a failed episode is therefore omitted.
func (completions) problem(p *problem) any {
	kind := p.kind
	if p.final {
		kind = kindInvalid
	}
	return openAIProblem(p, kind, p.text)
}

func openAIProblem(p *problem, kind, text string) any {
	member := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	return map[string]any{"error": map[string]any{
		"message": text, "type": kind, "code": member(p.code), "param": member(p.param),
	}}
}

// trouble implements dialect.
func (d completions) trouble(p *problem) []event { return []event{{data: d.problem(p)}} }

// codeTooLong is the error code that makes programs shorten their conversation.
const codeTooLong = "context_length_exceeded"

// tooLong implements dialect.
func (completions) tooLong(detail string) *problem {
	return &problem{
		status: http.StatusBadRequest, kind: kindInvalid, code: codeTooLong, param: "messages",
		text: "This model's maximum context length is reached: " + detail + ". Please reduce the length of the messages.",
	}
}

// finally implements dialect. 410 makes Qwen Code, opencode and OpenAI's clients exit immediately.
func (completions) finally() int { return http.StatusGone }

// model implements dialect.
func (completions) model(name string) any {
	return map[string]any{"id": name, "object": "model", "created": stamp, "owned_by": "awhost"}
}

var _ dialect = completions{}
