package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// messages implements Anthropic's Messages API.
type messages struct{}

type messagesBody struct {
	System        blocks
	Messages      []turn
	MaxTokens     *int
	StopSequences []string
	Stream        bool
	Tools         []messagesTool
	OutputConfig  struct {
		Format answerFormat `json:"format"`
	}
	restriction
}

type messagesTool struct {
	Type        string          `json:"type"` // absent, or "custom"
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
	Deferred    bool            `json:"defer_loading"` // not offered before a result of a tool refers to it
}

// typeToolReference is the type of a block in a tool's result that makes a deferred tool available.
const typeToolReference = "tool_reference"

type turn struct {
	Role    string `json:"role"`
	Content blocks `json:"content"`
}

// block is a content block in a message. Cache control is ignored, because it moves from call to call.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	ToolName  string          `json:"tool_name"` // of a tool_reference
	Content   *blocks         `json:"content"`
	IsError   bool            `json:"is_error"`
	Source    struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type"`
		Data      string `json:"data"`
		URL       string `json:"url"`
	} `json:"source"`
}

// blocks is a list of blocks, or a single string.
type blocks []block

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (b *blocks) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '"' {
		return jsonv2.UnmarshalDecode(dec, (*[]block)(b))
	}
	*b = blocks{{Type: "text"}}
	return jsonv2.UnmarshalDecode(dec, &(*b)[0].Text)
}

// decode implements dialect.
func (messages) decode(body []byte, _ *lease) (*ask, *problem) {
	var in messagesBody
	members, p := readMembers(body, map[string]any{
		"system": &in.System, "messages": &in.Messages, "max_tokens": &in.MaxTokens,
		"stop_sequences": &in.StopSequences, "stream": &in.Stream, "tools": &in.Tools, "tool_choice": &in.choice,
		"output_config": &in.OutputConfig, "output_format": &in.format,
	})
	if p != nil {
		return nil, p
	}
	spec, p := messagesFields.check(body)
	if p != nil {
		return nil, p
	}
	out := newAsk("messages", members, in.Stream, spec)
	out.request, out.stop = chat.Request{Stop: in.StopSequences}, in.StopSequences
	if p := out.limitTokens("max_tokens", in.MaxTokens); p != nil {
		return nil, p
	}
	loaded, p := in.loaded()
	if p != nil {
		return nil, p
	}
	if p := out.toolsOf(in.Tools, loaded); p != nil {
		return nil, p
	}
	if out.request.Messages, p = conversation(in); p != nil {
		return nil, p
	}
	if in.formatPath = "output_format"; in.format.Type == "" {
		in.format, in.formatPath = in.OutputConfig.Format, "output_config.format"
	}
	strict := true // the protocol has no other formats
	in.format.Strict = &strict
	return out, out.restrict(in.restriction)
}

// loaded returns the names of the tools to which results of tools refer.
func (in *messagesBody) loaded() (names []string, _ *problem) {
	for i, t := range in.Messages {
		for j, b := range t.Content {
			if b.Content == nil {
				continue
			}
			for _, part := range *b.Content {
				if part.Type != typeToolReference {
					continue
				}
				if !slices.ContainsFunc(in.Tools, func(t messagesTool) bool { return t.Name == part.ToolName }) {
					return nil, refused(fmt.Sprintf("messages.%d.content.%d", i, j), "a result refers to the tool %q, which is not "+
						"in tools", shorten(part.ToolName))
				}
				names = append(names, part.ToolName)
			}
		}
	}
	return names, nil
}

// typeToolSearch is the prefix of the types of a provider's tools that find deferred tools.
const typeToolSearch = "tool_search_tool"

func (a *ask) toolsOf(in []messagesTool, loaded []string) *problem {
	// The policy has no search of the provider: it is offered all tools.
	searched := slices.ContainsFunc(in, func(t messagesTool) bool { return strings.HasPrefix(t.Type, typeToolSearch) })
	for i, t := range in {
		if t.Type != "" && t.Type != "custom" {
			a.foreign = append(a.foreign, t.Type)
			continue
		}
		if t.Name == "" {
			return refused(fmt.Sprintf("tools.%d", i), "tool %d has no name", i)
		}
		if t.Deferred && !searched && !slices.Contains(loaded, t.Name) {
			a.deferred = true
			continue
		}
		a.request.Tools = append(a.request.Tools, sdk.Tool{
			Name: t.Name, Description: t.Description, Parameters: t.InputSchema,
		})
	}
	return distinct(a.request.Tools)
}

// billing is the prefix of Claude Code's version block, which is not part of the prompt.
const billing = "x-anthropic-billing-header:"

// conversation converts the system prompt and the turns. A system turn in the middle of a conversation becomes user
// text at its position: at the end of the preceding user turn, or at the beginning of the next one. The position must
// not change as the conversation grows, because later calls would then not continue it.
func conversation(in messagesBody) ([]sdk.Message, *problem) {
	var out []sdk.Message
	in.System = slices.DeleteFunc(slices.Clone(in.System), func(b block) bool {
		return strings.HasPrefix(b.Text, billing)
	})
	if text, p := textOf(in.System, "system"); p != nil {
		return nil, p
	} else if text != "" {
		out = append(out, sdk.Message{Role: sdk.RoleSystem, Content: text})
	}
	if len(in.Messages) == 0 {
		return nil, refused("messages", "messages is empty")
	}
	r := turnReader{names: map[string]string{}, answered: true}
	for i, t := range in.Messages {
		added, p := r.read(t, fmt.Sprintf("messages.%d", i))
		if p != nil {
			return nil, p
		}
		out = append(out, added...)
	}
	return append(mergeUsers(out), mergeUsers(r.pending)...), nil
}

// turnReader converts turns in order.
type turnReader struct {
	names    map[string]string // tool names by call ID
	answered bool              // no call waits for its result
	pending  []sdk.Message     // system text received while a call waits for its result
}

// read returns the messages in a turn.
func (r *turnReader) read(t turn, at string) (added []sdk.Message, p *problem) {
	switch t.Role {
	case "user":
		added, p = userTurn(t.Content, at, r.names)
		added, r.pending, r.answered = append(added, mergeUsers(r.pending)...), nil, true
		if n := len(added) - 2; p == nil && n >= 0 && added[n].Role == sdk.RoleUser && added[n+1].Role == sdk.RoleUser {
			added[n], added[n+1] = added[n+1], added[n] // pending text comes first
		}
	case "assistant":
		added, p = assistantTurn(t.Content, at, r.names)
		added, r.pending = append(mergeUsers(r.pending), added...), nil
		r.answered = p == nil && len(added[len(added)-1].ToolCalls) == 0
	case "system":
		var text string
		if text, p = textOf(t.Content, at); p == nil && r.answered {
			added = []sdk.Message{{Role: sdk.RoleUser, Content: text}}
		} else if p == nil {
			r.pending = append(r.pending, sdk.Message{Role: sdk.RoleUser, Content: text})
		}
	default:
		p = refused(at+".role", "%s has the role %q: there are user, assistant and system", at, t.Role)
	}
	return added, p
}

// mergeUsers merges consecutive user messages.
func mergeUsers(in []sdk.Message) (out []sdk.Message) {
	for i := 0; i < len(in); {
		m, parts := in[i], in[i].Parts()
		for i++; m.Role == sdk.RoleUser && i < len(in) && in[i].Role == sdk.RoleUser; i++ {
			parts = append(append(parts, sdk.Part{Text: "\n\n"}), in[i].Parts()...)
		}
		m.SetParts(parts)
		out = append(out, m)
	}
	return out
}

func textOf(list blocks, at string) (string, *problem) {
	var texts []string
	for i, b := range list {
		if b.Type != "text" {
			return "", refused(fmt.Sprintf("%s.%d", at, i), "a block of type %q is not text", b.Type)
		}
		texts = append(texts, b.Text)
	}
	return strings.Join(texts, "\n\n"), nil
}

// userTurn returns a message for each tool result, followed by the user's message.
func userTurn(list blocks, at string, names map[string]string) (out []sdk.Message, _ *problem) {
	said := sdk.Message{Role: sdk.RoleUser}
	var parts []sdk.Part
	for i, b := range list {
		switch b.Type {
		case "text":
			if n := len(parts); n > 0 && parts[n-1].Image == nil {
				b.Text = "\n\n" + b.Text
			}
			parts = append(parts, sdk.Part{Text: b.Text})
		case "image":
			image, err := b.image()
			if err != nil {
				return nil, refused(fmt.Sprintf("%s.content.%d", at, i), "%v", err)
			}
			parts = append(parts, sdk.Part{Image: &image})
		case "tool_result":
			if len(parts) > 0 {
				return nil, refused(fmt.Sprintf("%s.content.%d", at, i), "a result of a tool follows text or an image: send "+
					"results first")
			}
			result, err := b.result()
			if err != nil {
				return nil, refused(fmt.Sprintf("%s.content.%d", at, i), "%v", err)
			}
			result.Name = names[b.ToolUseID]
			out = append(out, result)
		default:
			return nil, refused(fmt.Sprintf("%s.content.%d", at, i), "a block of type %q is not taken from a user", b.Type)
		}
	}
	if said.SetParts(parts); said.Content != "" || len(said.Images) > 0 || len(out) == 0 {
		out = append(out, said)
	}
	return out, nil
}

// result returns the message for a tool result.
func (b block) result() (sdk.Message, error) {
	out := sdk.Message{Role: sdk.RoleTool, ToolCallID: b.ToolUseID, IsError: b.IsError}
	if b.Content == nil {
		return out, nil
	}
	var parts []sdk.Part
	for _, part := range *b.Content {
		if part.Type == typeToolReference {
			part.Text = "The tool " + part.ToolName + " is available.\n"
		}
		if part.Type != "image" {
			parts = append(parts, sdk.Part{Text: part.Text})
			continue
		}
		image, err := part.image()
		if err != nil {
			return out, err
		}
		parts = append(parts, sdk.Part{Image: &image})
	}
	out.SetParts(parts)
	return out, nil
}

func (b block) image() (sdk.Image, error) {
	if b.Source.Type == "url" {
		return sdk.Image{URL: b.Source.URL}, nil
	}
	return imageOf("data:" + b.Source.MediaType + ";base64," + b.Source.Data)
}

func assistantTurn(list blocks, at string, names map[string]string) ([]sdk.Message, *problem) {
	out := sdk.Message{Role: sdk.RoleAssistant}
	var said, thought []string
	order := []string{"thinking", "text", "tool_use"} // of blocks in the policy's messages
	for i, b := range list {
		if before := slices.Index(order, b.Type); before >= 0 && i > 0 && before < slices.Index(order, list[i-1].Type) {
			return nil, refused(fmt.Sprintf("%s.content.%d", at, i), "a block of type %q follows one of type %q: send "+
				"thinking, then text, then calls", b.Type, list[i-1].Type)
		}
		switch b.Type {
		case "text":
			said = append(said, b.Text)
		case "thinking":
			thought = append(thought, b.Thinking)
		case "tool_use":
			names[b.ID] = b.Name
			var arguments bytes.Buffer
			if json.Compact(&arguments, b.Input) != nil {
				return nil, refused(fmt.Sprintf("%s.content.%d.input", at, i), "the input of a call is not JSON")
			}
			out.ToolCalls = append(out.ToolCalls, sdk.ToolCall{ID: b.ID, Name: b.Name, Arguments: arguments.String()})
		default:
			return nil, refused(fmt.Sprintf("%s.content.%d", at, i), "a block of type %q is not taken from an assistant", b.Type)
		}
	}
	out.Content, out.Reasoning = strings.Join(said, ""), strings.Join(thought, "")
	return []sdk.Message{out}, nil
}

// pieces returns the content blocks of a response.
func pieces(m sdk.Message) []map[string]any {
	out := []map[string]any{}
	if m.Reasoning != "" {
		out = append(out, map[string]any{"type": "thinking", "thinking": m.Reasoning, "signature": ""})
	}
	if m.Content != "" {
		out = append(out, map[string]any{"type": "text", "text": m.Content})
	}
	for _, c := range m.ToolCalls {
		input := json.RawMessage(c.Arguments)
		if !json.Valid(input) || !bytes.HasPrefix(bytes.TrimSpace(input), []byte("{")) {
			input = json.RawMessage("{}") // clients accept only objects; the model's original text is recorded
		}
		out = append(out, map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": input})
	}
	return out
}

// ending returns a response's stop_reason and stop_sequence. The text keeps the sequence, which the policy sampled.
func ending(r *sdk.ModelReply, a *ask) map[string]any {
	reason, sequence := "end_turn", any(nil)
	switch i := slices.IndexFunc(a.stop, func(s string) bool { return strings.HasSuffix(r.Message.Content, s) }); {
	case r.Finish == sdk.FinishLength:
		reason = "max_tokens"
	case len(r.Message.ToolCalls) > 0:
		reason = "tool_use"
	case i >= 0:
		reason, sequence = "stop_sequence", a.stop[i]
	}
	return map[string]any{"stop_reason": reason, "stop_sequence": sequence}
}

func (messages) message(a *ask, r *sdk.ModelReply, content []map[string]any, output int) map[string]any {
	return map[string]any{
		"id": "msg_" + r.CallID, "type": "message", "role": "assistant", "model": cmp.Or(a.by, modelName), "content": content,
		"stop_reason": nil, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": r.PromptTokens, "output_tokens": output},
	}
}

// whole implements dialect.
func (d messages) whole(replies []*sdk.ModelReply, a *ask) any {
	r := replies[0]
	out := d.message(a, r, pieces(r.Message), r.OutputTokens)
	maps.Copy(out, ending(r, a))
	return out
}

// events implements dialect.
func (d messages) events(replies []*sdk.ModelReply, a *ask) []event {
	r := replies[0]
	var out []event
	add := func(name string, members map[string]any) {
		members["type"] = name
		out = append(out, event{name: name, data: members})
	}
	add("message_start", map[string]any{"message": d.message(a, r, []map[string]any{}, 0)})
	for i, piece := range pieces(r.Message) {
		opening, delta := map[string]any{"type": piece["type"]}, map[string]any{}
		switch piece["type"] {
		case "text":
			opening["text"] = ""
			delta["type"], delta["text"] = "text_delta", piece["text"]
		case "thinking":
			opening["thinking"], opening["signature"] = "", ""
			delta["type"], delta["thinking"] = "thinking_delta", piece["thinking"]
		case "tool_use":
			opening["id"], opening["name"], opening["input"] = piece["id"], piece["name"], map[string]any{}
			delta["type"], delta["partial_json"] = "input_json_delta", string(piece["input"].(json.RawMessage))
		}
		add("content_block_start", map[string]any{"index": i, "content_block": opening})
		add("content_block_delta", map[string]any{"index": i, "delta": delta})
		add("content_block_stop", map[string]any{"index": i})
	}
	add("message_delta", map[string]any{
		"delta": ending(r, a),
		"usage": map[string]any{"output_tokens": r.OutputTokens},
	})
	add("message_stop", map[string]any{})
	return out
}

// problem implements dialect.
func (messages) problem(p *problem) any {
	kind := p.kind
	switch p.status {
	case http.StatusForbidden:
		kind = "permission_error"
	case http.StatusNotFound:
		kind = "not_found_error"
	case http.StatusRequestEntityTooLarge:
		kind = "request_too_large"
	case http.StatusInternalServerError:
		kind = "api_error"
	}
	if kind == kindServer {
		kind = "api_error"
	}
	return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": p.Error()}}
}

// trouble implements dialect.
func (d messages) trouble(p *problem) []event { return []event{{name: "error", data: d.problem(p)}} }

// tooLong implements dialect.
func (messages) tooLong(detail string) *problem {
	return &problem{status: http.StatusBadRequest, kind: kindInvalid, text: "prompt is too long: " + detail}
}

// finally implements dialect. 410 makes Claude Code and Anthropic's clients exit immediately.
func (messages) finally() int { return http.StatusGone }

// model implements dialect.
func (messages) model(name string) any {
	return map[string]any{
		"type": "model", "id": name, "display_name": name, "created_at": time.Unix(stamp, 0).UTC().Format(time.RFC3339),
	}
}

var _ dialect = messages{}
