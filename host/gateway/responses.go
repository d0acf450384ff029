package gateway

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/awhost/awhost/sdk"
)

// responses implements OpenAI's Responses API. A program sends the whole conversation with each request, or names a
// response of its lease.
type responses struct{}

const responsePrefix = "resp_"

type responsesBody struct {
	Instructions    string
	Input           inputItems
	Tools           []responsesTool
	MaxOutputTokens *int
	Stream          bool
	Previous        string
	Store           *bool
	Text            struct {
		Format answerFormat `json:"format"`
	}
	restriction
}

// responsesTool is a function or a namespace of functions.
type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Tools       []responsesTool `json:"tools"`
}

// inputItem is a message, a call, a tool's output, or reasoning.
type inputItem struct {
	Type      string   `json:"type"`
	ID        string   `json:"id"`
	Role      string   `json:"role"`
	Content   content  `json:"content"`
	CallID    string   `json:"call_id"`
	Name      string   `json:"name"`
	Namespace string   `json:"namespace"`
	Arguments string   `json:"arguments"`
	Output    *content `json:"output"`
	Summary   []struct {
		Text string `json:"text"`
	} `json:"summary"`
}

// inputItems is a list of items, or text from a user.
type inputItems []inputItem

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (in *inputItems) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '"' {
		return jsonv2.UnmarshalDecode(dec, (*[]inputItem)(in))
	}
	*in = inputItems{{Role: "user"}}
	return jsonv2.UnmarshalDecode(dec, &(*in)[0].Content)
}

// decode implements dialect.
func (responses) decode(body []byte, l *lease) (*ask, *problem) {
	var in responsesBody
	members, p := readMembers(body, map[string]any{
		"instructions": &in.Instructions, "input": &in.Input, "tools": &in.Tools,
		"max_output_tokens": &in.MaxOutputTokens, "stream": &in.Stream, "tool_choice": &in.choice,
		"parallel_tool_calls": &in.parallel, "text": &in.Text, "previous_response_id": &in.Previous, "store": &in.Store,
	})
	if p != nil {
		return nil, p
	}
	spec, p := responsesFields.check(body)
	if p != nil {
		return nil, p
	}
	out := newAsk("responses", members, in.Stream, spec)
	if p := out.limitTokens("max_output_tokens", in.MaxOutputTokens); p != nil {
		return nil, p
	}
	if out.request.Tools, p = out.functions(in.Tools, ""); p != nil {
		return nil, p
	}
	reader := itemReader{callOf: map[string]int{}, names: map[string]string{}}
	if in.Instructions != "" {
		reader.add(sdk.Message{Role: sdk.RoleSystem, Content: in.Instructions}, "")
	}
	instructions := len(reader.messages)
	if p := in.read(l, &reader); p != nil {
		return nil, p
	}
	if reader.thought && reader.calls[len(reader.calls)-1] == "" {
		reader.dropThought()
	}
	if len(reader.messages) == 0 {
		return nil, refused("input", "input has no message")
	}
	out.request.Messages, out.request.Calls = reader.messages, reader.calls
	if in.Store == nil || *in.Store {
		out.draft = l.drafted(reader.messages[instructions:], reader.calls[instructions:])
	}
	in.format, in.formatPath = in.Text.Format, "text.format"
	return out, out.restrict(in.restriction)
}

// read adds the messages of the previous response and of the input.
func (in *responsesBody) read(l *lease, reader *itemReader) *problem {
	if in.Previous != "" {
		messages, calls, p := l.previous(in.Previous)
		if p != nil {
			return p
		}
		reader.resume(messages, calls)
	} else if len(in.Input) == 0 {
		return refused("input", "input is empty")
	}
	for i, item := range in.Input {
		at := fmt.Sprintf("input[%d]", i)
		if item.Type == "item_reference" {
			var p *problem
			if item, p = l.item(item.ID, at); p != nil {
				return p
			}
		}
		if p := reader.read(item, at); p != nil {
			return p
		}
	}
	return nil
}

// functions returns the tools offered to the policy, excluding provider tools. The names of the functions in a
// namespace begin with the namespace's name, and the description of the first function begins with the namespace's
// description.
func (a *ask) functions(in []responsesTool, namespace string) ([]sdk.Tool, *problem) {
	out := make([]sdk.Tool, 0, len(in))
	for i, t := range in {
		at := fmt.Sprintf("tools[%d]", i)
		switch {
		case t.Name == "" && (t.Type == "function" || t.Type == "namespace"):
			return nil, refused(at, "tool %d has no name", i)
		case t.Type == "function":
			out = append(out, sdk.Tool{Name: flat(namespace, t.Name), Description: t.Description, Parameters: t.Parameters})
			if namespace != "" {
				a.inNamespace(namespace, t.Name)
			}
		case t.Type == "namespace" && namespace == "":
			inner, p := a.functions(t.Tools, t.Name)
			if p != nil {
				return nil, p
			}
			if len(inner) > 0 && t.Description != "" {
				inner[0].Description = strings.TrimSpace(t.Description + "\n\n" + inner[0].Description)
			}
			out = append(out, inner...)
		default:
			a.foreign = append(a.foreign, t.Type)
		}
	}
	return out, distinct(out)
}

// flat returns the name that the policy uses for a tool.
func flat(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return strings.TrimSuffix(namespace, "__") + "__" + name
}

func (a *ask) inNamespace(namespace, name string) {
	if a.namespaces == nil {
		a.namespaces = map[string][2]string{}
	}
	a.namespaces[flat(namespace, name)] = [2]string{namespace, name}
}

// itemReader converts items to messages. One model response is spread over several items.
type itemReader struct {
	messages []sdk.Message
	calls    []string          // the call that sampled each message, if the item IDs name it
	callOf   map[string]int    // message indexes by the call that sampled them
	names    map[string]string // tool names by call ID
	open     bool              // further items may extend the last message
	thought  bool              // the last message has only reasoning

	reasoning strings.Builder // of the message that had reasoning last
}

func (r *itemReader) add(m sdk.Message, call string) {
	if m.Role != sdk.RoleAssistant {
		r.dropThought()
	}
	r.messages, r.calls, r.open = append(r.messages, m), append(r.calls, call), m.Role == sdk.RoleAssistant
}

// resume adds a conversation whose last message is a response.
func (r *itemReader) resume(messages []sdk.Message, calls []string) {
	for i, m := range messages {
		for _, c := range m.ToolCalls {
			r.names[c.ID] = c.Name
		}
		r.add(m, calls[i])
	}
	r.open = false
}

// dropThought removes reasoning that is not followed by its message or call, because it would become an empty message.
func (r *itemReader) dropThought() {
	if last := len(r.messages) - 1; r.thought {
		delete(r.callOf, r.calls[last])
		r.messages, r.calls, r.thought = r.messages[:last], r.calls[:last], false
	}
}

// read adds an item.
func (r *itemReader) read(item inputItem, at string) *problem {
	switch item.Type {
	case "message", "":
		return r.message(item, at)
	case "reasoning":
		r.think(item)
	case "function_call":
		name := flat(item.Namespace, item.Name)
		if item.Namespace == "" && item.Name == "" {
			return refused(at, "a call has no name")
		}
		r.names[item.CallID] = name
		m := r.messageOf(item.ID, func(*sdk.Message) bool { return true })
		m.ToolCalls, r.thought = append(m.ToolCalls, sdk.ToolCall{
			ID: item.CallID, Name: name, Arguments: argumentsOf(item.Arguments),
		}), false
	case "function_call_output":
		if item.Output == nil {
			return refused(at, "an item of type function_call_output has no output")
		}
		m := sdk.Message{Role: sdk.RoleTool, ToolCallID: item.CallID, Name: r.names[item.CallID]}
		if m.Name == "" && item.Name != "" {
			m.Name = flat(item.Namespace, item.Name)
		}
		m.SetParts(item.Output.parts)
		r.add(m, "")
	}
	return nil
}

// think adds reasoning: its text, or its summary if the text is missing.
func (r *itemReader) think(item inputItem) {
	var whole sdk.Message
	whole.SetParts(item.Content.parts)
	text := whole.Content
	for _, s := range item.Summary {
		if whole.Content == "" {
			text += s.Text
		}
	}
	if text == "" {
		return
	}
	before := len(r.messages)
	m := r.messageOf(item.ID, func(m *sdk.Message) bool { return m.Content == "" && len(m.ToolCalls) == 0 })
	if r.reasoning.String() != m.Reasoning { // otherwise text is appended without a copy
		r.reasoning.Reset()
		r.reasoning.WriteString(m.Reasoning)
	}
	r.reasoning.WriteString(text)
	m.Reasoning = r.reasoning.String()
	r.thought = r.thought || len(r.messages) > before
}

func (r *itemReader) message(item inputItem, at string) *problem {
	var m sdk.Message
	m.SetParts(item.Content.parts)
	switch item.Role {
	case "assistant":
		said := r.messageOf(item.ID, func(m *sdk.Message) bool { return m.Content == "" && len(m.ToolCalls) == 0 })
		said.SetParts(append(said.Parts(), m.Parts()...))
		r.thought = false
		return nil
	case "system", "developer":
		m.Role = sdk.RoleSystem
	case "user":
		m.Role = sdk.RoleUser
	default:
		return refused(at+".role", "an item has the role %q: there are system, developer, user and assistant", item.Role)
	}
	r.add(m, "")
	return nil
}

// messageOf returns the model message that an item belongs to: the message with the call named by the item's ID, the
// last message if the item can extend it, or a new one.
func (r *itemReader) messageOf(id string, continues func(*sdk.Message) bool) *sdk.Message {
	call := callOfItem(id)
	if i, known := r.callOf[call]; known && call != "" {
		return &r.messages[i]
	}
	last := len(r.messages) - 1
	if !r.open || !continues(&r.messages[last]) || call != "" && r.calls[last] != "" {
		r.add(sdk.Message{Role: sdk.RoleAssistant}, call)
		last++
	}
	if call != "" {
		r.calls[last], r.callOf[call] = call, last
	}
	return &r.messages[last]
}

// itemID returns the ID of an output item, which contains the ID of its call. callOfItem returns that call.
func itemID(kind string, r *sdk.ModelReply, n int) string {
	return kind + "_" + r.CallID + "_" + strconv.Itoa(n)
}

func callOfItem(id string) string {
	kind, rest, _ := strings.Cut(id, "_")
	end := strings.LastIndexByte(rest, '_')
	if end < 0 || !slices.Contains([]string{"msg", "fc", "rs"}, kind) {
		return ""
	}
	return rest[:end]
}

type object = map[string]any

// items returns the items of a response.
func items(r *sdk.ModelReply, a *ask) []object {
	var out []object
	status := "completed"
	if r.Finish == sdk.FinishLength {
		status = "incomplete"
	}
	if r.Message.Reasoning != "" {
		out = append(out, object{
			"type": "reasoning", "id": itemID("rs", r, len(out)), "encrypted_content": nil,
			"summary": []any{object{"type": "summary_text", "text": r.Message.Reasoning}},
		})
	}
	if r.Message.Content != "" || len(r.Message.ToolCalls) == 0 {
		out = append(out, object{
			"type": "message", "id": itemID("msg", r, len(out)), "status": status, "role": "assistant",
			"content": []any{textPart(r.Message.Content)},
		})
	}
	for _, c := range r.Message.ToolCalls {
		item := object{
			"type": "function_call", "id": itemID("fc", r, len(out)), "call_id": c.ID, "name": c.Name,
			"arguments": c.Arguments, "status": status,
		}
		if original, inner := a.namespaces[c.Name]; inner {
			item["namespace"], item["name"] = original[0], original[1]
		}
		out = append(out, item)
	}
	return out
}

func textPart(text string) object {
	return object{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
}

// response returns the envelope of a response.
func (responses) response(model, id, status string, output any) object {
	return object{
		"id": id, "object": "response", "created_at": stamp, "status": status, "error": nil, "incomplete_details": nil,
		"instructions": nil, "metadata": object{}, "model": cmp.Or(model, modelName), "output": output,
		"parallel_tool_calls": true, "previous_response_id": nil,
		"reasoning": object{"effort": nil, "summary": nil}, "store": false, "temperature": nil,
		"text": object{"format": object{"type": "text"}}, "tool_choice": "auto", "tools": []any{}, "top_p": nil,
		"truncation": "disabled", "usage": nil,
	}
}

// finished returns the complete response.
func (d responses) finished(r *sdk.ModelReply, a *ask) object {
	out := d.response(a.by, responsePrefix+r.CallID, "completed", items(r, a))
	if r.Finish == sdk.FinishLength {
		out["status"], out["incomplete_details"] = "incomplete", object{"reason": "max_output_tokens"}
	}
	out["usage"] = object{
		"input_tokens": r.PromptTokens, "input_tokens_details": object{"cached_tokens": 0, "cache_write_tokens": 0},
		"output_tokens": r.OutputTokens, "output_tokens_details": object{"reasoning_tokens": 0},
		"total_tokens": r.PromptTokens + r.OutputTokens,
	}
	return out
}

// whole implements dialect.
func (d responses) whole(replies []*sdk.ModelReply, a *ask) any { return d.finished(replies[0], a) }

// sequence numbers the events in a stream.
type sequence []event

func (s *sequence) add(name string, members object) {
	members["type"], members["sequence_number"] = name, len(*s)
	*s = append(*s, event{name: name, data: members})
}

// events implements dialect: it returns the envelope, each item with its parts, and the complete response.
func (d responses) events(replies []*sdk.ModelReply, a *ask) []event {
	final := d.finished(replies[0], a)
	id, _ := final["id"].(string)
	var out sequence
	out.add("response.created", object{"response": d.response(a.by, id, "in_progress", []any{})})
	out.add("response.in_progress", object{"response": d.response(a.by, id, "in_progress", []any{})})
	for i, item := range items(replies[0], a) {
		out.item(i, item)
	}
	out.add("response."+final["status"].(string), object{"response": final})
	return out
}

// item adds the events for an item: added, its deltas, and done.
func (s *sequence) item(index int, item object) {
	opening := maps.Clone(item)
	grow := func(name, at string, members object) {
		members["item_id"], members["output_index"] = item["id"], index
		if at != "" {
			members[at] = 0
		}
		s.add(name, members)
	}
	var grown func()
	switch item["type"] {
	case "message":
		opening["status"], opening["content"] = "in_progress", []any{}
		part := item["content"].([]any)[0].(object)
		grown = func() {
			grow("response.content_part.added", "content_index", object{"part": textPart("")})
			grow("response.output_text.delta", "content_index", object{"delta": part["text"], "logprobs": []any{}})
			grow("response.output_text.done", "content_index", object{"text": part["text"], "logprobs": []any{}})
			grow("response.content_part.done", "content_index", object{"part": part})
		}
	case "function_call":
		opening["status"], opening["arguments"] = "in_progress", ""
		grown = func() {
			grow("response.function_call_arguments.delta", "", object{"delta": item["arguments"]})
			grow("response.function_call_arguments.done", "", object{"name": item["name"], "arguments": item["arguments"]})
		}
	case "reasoning":
		opening["summary"] = []any{}
		part := item["summary"].([]any)[0].(object)
		grown = func() {
			empty := object{"type": part["type"], "text": ""}
			grow("response.reasoning_summary_part.added", "summary_index", object{"part": empty})
			grow("response.reasoning_summary_text.delta", "summary_index", object{"delta": part["text"]})
			grow("response.reasoning_summary_text.done", "summary_index", object{"text": part["text"]})
			grow("response.reasoning_summary_part.done", "summary_index", object{"part": part})
		}
	}
	s.add("response.output_item.added", object{"output_index": index, "item": opening})
	grown()
	s.add("response.output_item.done", object{"output_index": index, "item": item})
}

// problem implements dialect.
func (responses) problem(p *problem) any { return openAIProblem(p, p.kind, p.Error()) }

// trouble implements dialect. It returns a failed response: Codex retries five times after an event of type error, and
// after codes that it does not treat as final.
func (d responses) trouble(p *problem) []event {
	code := p.code
	if code != codeTooLong {
		code = "invalid_prompt"
	}
	failed := d.response("", "resp_failed", "failed", []any{})
	failed["error"] = object{"code": code, "message": p.Error()}
	var out sequence
	out.add("response.created", object{"response": d.response("", "resp_failed", "in_progress", []any{})})
	out.add("response.failed", object{"response": failed})
	return out
}

// finally implements dialect. 400 is the only status for which Codex does not retry.
func (responses) finally() int { return http.StatusBadRequest }

// model implements dialect.
func (responses) model(name string) any { return completions{}.model(name) }

// tooLong implements dialect.
func (responses) tooLong(detail string) *problem {
	p := completions{}.tooLong(detail)
	p.param = "input"
	return p
}

var _ dialect = responses{}
