package openai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	openaiapi "github.com/sashabaranov/go-openai"

	"github.com/awhost/awhost/sdk"
)

// wireMessage is a message in a request. Members without a value are omitted, because servers differ in how they
// interpret null. Only the content of messages with roles other than assistant is always present, even if it is empty.
type wireMessage struct {
	Role       string               `json:"role"`
	Content    any                  `json:"content,omitempty"` // *string or []openaiapi.ChatMessagePart
	Reasoning  string               `json:"reasoning_content,omitempty"`
	Thoughts   string               `json:"reasoning,omitempty"`
	ToolCalls  []openaiapi.ToolCall `json:"tool_calls,omitempty"`
	ToolCallID string               `json:"tool_call_id,omitempty"`
}

// toWire converts a conversation. thoughts selects the name of the reasoning: "reasoning", or "reasoning_content".
func toWire(messages []sdk.Message, names toolNames, thoughts bool) ([]wireMessage, error) {
	out := make([]wireMessage, 0, len(messages))
	for _, m := range messages {
		w := wireMessage{Role: string(m.Role), Reasoning: m.Reasoning, ToolCallID: m.ToolCallID}
		if thoughts {
			w.Reasoning, w.Thoughts = "", w.Reasoning
		}
		switch {
		case len(m.Images) > 0:
			if m.Role == sdk.RoleAssistant {
				return nil, fmt.Errorf("a message with role %s has an image, which the protocol does not "+
					"support", m.Role)
			}
			w.Content = parts(m)
		case m.Content != "" || m.Role != sdk.RoleAssistant || len(m.ToolCalls) == 0:
			w.Content = &m.Content
		}
		for _, c := range m.ToolCalls {
			w.ToolCalls = append(w.ToolCalls, openaiapi.ToolCall{
				ID: c.ID, Type: openaiapi.ToolTypeFunction, Function: openaiapi.FunctionCall{
					Name: names.toWire(c.Name), Arguments: argumentsOf(c.Arguments),
				},
			})
		}
		out = append(out, w)
	}
	return out, nil
}

// parts returns a message's text and images in order.
func parts(m sdk.Message) []openaiapi.ChatMessagePart {
	var out []openaiapi.ChatMessagePart
	for _, p := range m.Parts() {
		if p.Image == nil {
			out = append(out, openaiapi.ChatMessagePart{Type: openaiapi.ChatMessagePartTypeText, Text: p.Text})
			continue
		}
		out = append(out, openaiapi.ChatMessagePart{
			Type: openaiapi.ChatMessagePartTypeImageURL, ImageURL: &openaiapi.ChatMessageImageURL{URL: p.Image.Address()},
		})
	}
	return out
}

// noParameters is the schema for a tool without parameters.
var noParameters = json.RawMessage(`{"type":"object","properties":{}}`)

func toolsToWire(tools []sdk.Tool, names toolNames) []openaiapi.Tool {
	var out []openaiapi.Tool
	for _, t := range tools {
		f := &openaiapi.FunctionDefinition{Name: names.toWire(t.Name), Description: t.Description, Parameters: noParameters}
		if len(t.Parameters) > 0 {
			f.Parameters = t.Parameters // json.RawMessage: verbatim
		}
		out = append(out, openaiapi.Tool{Type: openaiapi.ToolTypeFunction, Function: f})
	}
	return out
}

// completion is the part of a response that is used. The message type is not go-openai's, because servers use two names
// for the reasoning and send content as null, a string, or parts.
type completion struct {
	Choices []struct {
		Message      answerMessage          `json:"message"`
		FinishReason openaiapi.FinishReason `json:"finish_reason"`

		// If tokens were requested.
		Logprobs *struct {
			Content []struct {
				Logprob float32 `json:"logprob"`
			} `json:"content"`
		} `json:"logprobs"`
		TokenIDs       []int32 `json:"token_ids"`
		PromptTokenIDs []int32 `json:"prompt_token_ids"` // SGLang's
		MetaInfo       *struct {
			OutputTokenLogprobs []tokenLogprob `json:"output_token_logprobs"`
		} `json:"meta_info"`
	} `json:"choices"`
	PromptTokenIDs []int32 `json:"prompt_token_ids"` // vLLM's

	Usage openaiapi.Usage     `json:"usage"`
	Error *openaiapi.APIError `json:"error"` // some proxies send errors with status 200
}

type answerMessage struct {
	Content          answerText              `json:"content"`
	Refusal          string                  `json:"refusal"`
	ReasoningContent string                  `json:"reasoning_content"`
	Reasoning        string                  `json:"reasoning"`
	ToolCalls        []openaiapi.ToolCall    `json:"tool_calls"`
	FunctionCall     *openaiapi.FunctionCall `json:"function_call"` // of servers without tool_calls
}

// answerText is null, a string, or a list of parts, of which only the text parts are used.
type answerText string

// UnmarshalJSON implements json.Unmarshaler.
func (t *answerText) UnmarshalJSON(data []byte) error {
	var text *string
	if err := json.Unmarshal(data, &text); err == nil {
		if text != nil {
			*t = answerText(*text)
		}
		return nil
	}
	var parts []openaiapi.ChatMessagePart
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		*t += answerText(p.Text)
	}
	return nil
}

// fromWire converts a sampled message according to its position in the conversation. An invalid call becomes part of
// the content, so that nothing is lost and no server receives a call that has no result.
func fromWire(a answerMessage, position int, names toolNames) sdk.Message {
	out := sdk.Message{Role: sdk.RoleAssistant, Content: string(a.Content), Reasoning: a.ReasoningContent}
	if out.Content == "" {
		out.Content = a.Refusal
	}
	if out.Reasoning == "" {
		out.Reasoning = a.Reasoning
	}
	if len(a.ToolCalls) == 0 && a.FunctionCall != nil {
		a.ToolCalls = []openaiapi.ToolCall{{Function: *a.FunctionCall}}
	}
	seen := map[string]bool{}
	for i, c := range a.ToolCalls {
		arguments := argumentsOf(c.Function.Arguments)
		if reason := callProblem(c.Function.Name, arguments); reason != "" {
			text := fmt.Sprintf(`{"name":%s,"arguments":%s}`, strconv.Quote(c.Function.Name), arguments)
			out.Malformed = append(out.Malformed, sdk.Malformed{Text: text, Reason: reason})
			out.Content = strings.TrimPrefix(out.Content+"\n"+text, "\n")
			continue
		}
		id := c.ID
		if id == "" || seen[id] {
			id = fmt.Sprintf("call_%d_%d", position, i)
		}
		seen[id] = true
		out.ToolCalls = append(out.ToolCalls, sdk.ToolCall{ID: id, Name: names.fromWire(c.Function.Name),
			Arguments: arguments})
	}
	return out
}

// argumentsOf returns the arguments of a call. Some programs and servers write "" for a call without arguments, and
// go-openai omits an empty string.
func argumentsOf(text string) string {
	if strings.TrimSpace(text) == "" {
		return "{}"
	}
	return text
}

// callProblem returns the reason why a call is invalid, or an empty string if it is valid.
func callProblem(name, arguments string) string {
	var object map[string]json.RawMessage
	switch {
	case name == "":
		return "the call has no name"
	case !json.Valid([]byte(arguments)):
		return "the arguments are not JSON"
	case json.Unmarshal([]byte(arguments), &object) != nil || object == nil:
		return "the arguments are not an object"
	}
	return ""
}

// toolNames maps tool names to names that the protocol allows, [a-zA-Z0-9_-]{1,64}, and back.
type toolNames struct {
	wire, original map[string]string // nil: all names are valid
}

const maxNameLength = 64

func newToolNames(tools []sdk.Tool) toolNames {
	fine := func(t sdk.Tool) bool { return cleanName(t.Name) == t.Name }
	if !slices.ContainsFunc(tools, func(t sdk.Tool) bool { return !fine(t) }) {
		return toolNames{}
	}
	n := toolNames{wire: map[string]string{}, original: map[string]string{}}
	for _, t := range tools { // valid names are kept
		if fine(t) {
			n.wire[t.Name], n.original[t.Name] = t.Name, t.Name
		}
	}
	for _, t := range tools {
		if fine(t) {
			continue
		}
		clean := cleanName(t.Name)
		for i := 2; n.original[clean] != ""; i++ {
			suffix := "_" + strconv.Itoa(i)
			clean = cleanName(t.Name)
			clean = clean[:min(len(clean), maxNameLength-len(suffix))] + suffix
		}
		n.wire[t.Name], n.original[clean] = clean, t.Name
	}
	return n
}

func cleanName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	return clean[:min(len(clean), maxNameLength)]
}

func (n toolNames) toWire(name string) string {
	if wire, ok := n.wire[name]; ok {
		return wire
	}
	return name
}

func (n toolNames) fromWire(name string) string {
	if own, ok := n.original[name]; ok {
		return own
	}
	return name
}

var _ json.Unmarshaler = (*answerText)(nil)
