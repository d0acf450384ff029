package openai

import (
	"cmp"
	"context"
	"encoding/json"

	openaiapi "github.com/sashabaranov/go-openai"

	"github.com/awhost/awhost/sdk"
)

// TextReader finds the reasoning and the tool calls in messages that a server returned as text, because it was started
// without a parser for the model's format. It is used concurrently.
type TextReader interface {
	// Start prepares the reader. An error explains why it cannot read the model's messages.
	Start(ctx context.Context) error
	Read(ctx context.Context, t Text) (*TextParts, error)
	Close()
}

// Text is a message as a server returned it.
type Text struct {
	Text           string
	Tools          []sdk.Tool      // those offered, with the names in the request
	Thought        bool            // the server returned the reasoning separately
	TemplateKwargs json.RawMessage // arguments of the chat template in the request; empty: none
}

// TextParts are the parts of a message. A malformed call is also part of the content.
type TextParts struct {
	Content, Reasoning string
	Calls              []sdk.ToolCall // without IDs
	Malformed          []sdk.Malformed
	Codec, CodecDigest string // see sdk.GenerateResponse
}

// templateKwargs is the member of a request with the arguments of the chat template, an extension of vLLM and SGLang.
const templateKwargs = "chat_template_kwargs"

// readText replaces text in the first choice of a response by the parts that the reader finds in it.
func (e *Endpoint) readText(
	ctx context.Context, answer *completion, req sdk.GenerateRequest, names toolNames,
) (*TextParts, error) {
	if e.config.Reader == nil || len(answer.Choices) == 0 {
		return &TextParts{}, nil
	}
	message := &answer.Choices[0].Message
	if len(message.ToolCalls) > 0 || message.Content == "" {
		return &TextParts{}, nil
	}
	reasoning := cmp.Or(message.ReasoningContent, message.Reasoning)
	text := Text{Text: string(message.Content), Thought: reasoning != "", TemplateKwargs: req.ChatTemplateKwargs}
	if own, ok := e.config.Extra[templateKwargs]; ok {
		text.TemplateKwargs = own
	}
	for _, t := range req.Tools {
		t.Name = names.toWire(t.Name)
		text.Tools = append(text.Tools, t)
	}
	found, err := e.config.Reader.Read(ctx, text)
	if err != nil {
		return nil, err
	}
	message.Content, message.ReasoningContent = answerText(found.Content), reasoning+found.Reasoning
	for _, call := range found.Calls {
		message.ToolCalls = append(message.ToolCalls, openaiapi.ToolCall{
			Function: openaiapi.FunctionCall{Name: call.Name, Arguments: call.Arguments},
		})
	}
	return found, nil
}
