// Package openai samples assistant messages from any server that supports OpenAI's chat completions protocol, in place
// of an adapter's policy or for plugins that use a model, such as judges.
//
//	e, err := openai.New(openai.Config{BaseURL: "http://localhost:8000/v1", Name: "Qwen/Qwen2.5-7B-Instruct", APIKey: key})
//	defer e.Close()
//	reply, err := e.Generate(ctx, request) // as sdk.Adapter's: chains, typed errors, usage
//	e.Release(episodeID)
//	reply, err = e.Ask(ctx, openai.Question{Messages: messages}) // one message, not stored
//
// It owns the conversion of messages to and from the protocol, and the classification of responses as an answer, a
// full context or a failure. It must not depend on episodes or specs.
//
// A request is repeated if the server returned no response (429, 5xx, `x-should-retry: true`) or was never reached, and
// only as long as the deadline permits. If a response may have been on its way (a broken connection, a timeout), the
// request is not repeated, because that is the caller's decision.
package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	openaiapi "github.com/sashabaranov/go-openai"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/retry"
)

// Config describes a model.
type Config struct {
	BaseURL    string // with /v1
	APIKey     string // empty: no key is sent
	Name       string // of the model on the server
	Timeout    time.Duration
	MaxRetries int          // of one request, if nothing was served
	Concurrent int          // maximum number of concurrent callers of Enter; 0: no limit
	Sampling   sdk.Sampling // its set values override a request's
	Headers    map[string]string
	Extra      map[string]json.RawMessage // further members of the request's body; they override ours
	NoSeed     bool                       // for servers that refuse `seed`
	Tokens     bool                       // the server must return its tokens: see Prepare and Rows
	Reader     TextReader                 // reads messages that the server returns as text; nil: they stay text
	// Wait pauses between retries. Tests replace it; nil means that the pause is real.
	Wait func(ctx context.Context, d time.Duration) error
}

// defaultTimeout bounds one request.
const defaultTimeout = 10 * time.Minute

// Endpoint is a served model. It may be used concurrently.
type Endpoint struct {
	config       Config
	url          string
	client       *http.Client
	completion   atomic.Bool // the server requires max_completion_tokens
	thoughts     atomic.Bool // the server calls reasoning "reasoning", as vLLM does
	retries      atomic.Int64
	tokenRequest atomic.Pointer[tokenRequest] // the members that make it return tokens; nil: not requested
	slots        chan struct{}                // taken by callers of Enter; nil: no limit

	mu       sync.Mutex
	episodes map[string]*episode
}

// New checks the configuration. It sends no request.
func New(c Config) (*Endpoint, error) {
	if err := CheckURL(c.BaseURL); err != nil {
		return nil, fmt.Errorf("model endpoint: %w", err)
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("model endpoint: %w", err)
	}
	if c.Name == "" {
		return nil, errors.New("model endpoint: the model has no name: set the name that the server uses")
	}
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	if c.Wait == nil {
		c.Wait = retry.Pause
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 256 // as many as episodes send concurrently
	var places chan struct{}
	if c.Concurrent > 0 {
		places = make(chan struct{}, c.Concurrent)
	}
	return &Endpoint{
		config: c, slots: places, url: base.JoinPath("chat", "completions").String(), episodes: map[string]*episode{},
		// A redirect would send the conversation, and possibly the key, to a different server.
		client: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// CheckURL returns an error for an invalid base URL. The error does not quote a URL that may contain a password.
func CheckURL(text string) error {
	base, err := url.Parse(text)
	switch {
	case err == nil && base.User != nil:
		return errors.New("the URL contains a password: set it as api_key, which is never shown")
	case err != nil || base.Hostname() == "" || base.Scheme != "http" && base.Scheme != "https":
		return errors.New("invalid URL of a server: write one such as http://localhost:8000/v1")
	}
	return nil
}

// Close closes the idle connections and the reader.
func (e *Endpoint) Close() {
	e.client.CloseIdleConnections()
	if e.config.Reader != nil {
		e.config.Reader.Close()
	}
}

// Name returns the model and its address, for display.
func (e *Endpoint) Name() string { return e.config.Name + " at " + e.config.BaseURL }

// Retries returns the number of requests that have been repeated so far.
func (e *Endpoint) Retries() int { return int(e.retries.Load()) }

// Enter waits for one of the concurrent request slots that Concurrent allows. A caller enters before a message and
// leaves after it, and holds the slot during the pauses between retries, so that a server that rejects a request as one
// too many does not receive another one. It is separate from Generate because the waiting time does not count as time
// spent on the message.
func (e *Endpoint) Enter(ctx context.Context) (leave func(), err error) {
	if e.slots == nil {
		return func() {}, nil
	}
	select {
	case e.slots <- struct{}{}:
		return func() { <-e.slots }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Generate samples the next message in a chain. Errors are *sdk.GenerateError: context_full if the conversation does
// not fit, engine for server or connection failures, and refused for a request that cannot be expressed in the
// protocol.
func (e *Endpoint) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, e.limit(req.Deadline))
	defer cancel()
	draft, drift, err := e.draft(req)
	if err != nil {
		return nil, err
	}
	if req.Scripted != nil {
		return e.scriptedResponse(req, draft, drift), nil
	}
	names := newToolNames(req.Tools)
	if e.config.Tokens && e.tokenRequest.Load() == nil {
		detail := e.Name() + " was not probed for tokens yet"
		return nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: detail}
	}
	body, err := e.body(draft.messages, req, names)
	if err != nil {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: err.Error()}
	}
	answer, err := e.complete(ctx, body)
	if err != nil {
		return nil, e.protocolError(ctx, err)
	}
	if answer.reasoning() != "" {
		e.thoughts.Store(true)
	}
	found, err := e.readText(ctx, answer, req, names)
	if err != nil {
		return nil, e.protocolError(ctx, err)
	}
	out, err := read(answer, len(draft.messages), names)
	if err != nil {
		return nil, e.protocolError(ctx, err)
	}
	out.Message.Malformed = append(found.Malformed, out.Message.Malformed...)
	out.Codec, out.CodecDigest = found.Codec, found.CodecDigest
	sampled, err := e.enabledTokens(answer)
	if err != nil {
		return nil, e.protocolError(ctx, err)
	}
	if sampled != nil {
		draft.tokens = append(slices.Clip(draft.tokens), sampled)
	}
	out.Chain, out.Drift = draft.id, drift
	e.store(req, draft, out)
	return out, nil
}

// scriptedResponse continues the conversation with a given message, without a request.
func (e *Endpoint) scriptedResponse(req sdk.GenerateRequest, draft *conversation, drift string) *sdk.GenerateResponse {
	out := &sdk.GenerateResponse{
		Message: *req.Scripted, Finish: sdk.FinishStop,
		Chain: draft.id, ChainLength: len(draft.messages) + 1, Drift: drift,
	}
	if len(out.Message.ToolCalls) > 0 {
		out.Finish = sdk.FinishToolCalls
	}
	e.store(req, draft, out)
	return out
}

func (e *Endpoint) limit(deadline time.Duration) time.Duration {
	if deadline > 0 && deadline < e.config.Timeout {
		return deadline
	}
	return e.config.Timeout
}

// body returns the request as JSON.
func (e *Endpoint) body(messages []sdk.Message, req sdk.GenerateRequest, names toolNames) ([]byte, error) {
	out, err := e.members(messages, req, names)
	if err != nil {
		return nil, err
	}
	if f := e.tokenRequest.Load(); f != nil {
		for name, value := range *f {
			if _, own := e.config.Extra[name]; !own {
				out[name] = value
			}
		}
	}
	return json.Marshal(out)
}

// members returns the JSON members of a request.
func (e *Endpoint) members(messages []sdk.Message, req sdk.GenerateRequest, names toolNames) (map[string]any, error) {
	s := e.sampling(req.Sampling)
	out := map[string]any{"model": e.config.Name}
	if converted, err := toWire(messages, names, e.thoughts.Load()); err != nil {
		return nil, err
	} else {
		out["messages"] = converted
	}
	if tools := toolsToWire(req.Tools, names); len(tools) > 0 {
		out["tools"] = tools
	}
	if s.Temperature != nil {
		out["temperature"] = *s.Temperature
	}
	if s.TopP != nil && *s.TopP < 1 {
		out["top_p"] = *s.TopP
	}
	if s.TopK > 0 {
		out["top_k"] = s.TopK // an extension that most servers of open models support
	}
	if s.MaxTokens > 0 {
		out[e.lengthField()] = s.MaxTokens
	}
	if len(s.Stop) > 0 {
		out["stop"] = s.Stop
	}
	if c := req.Constraints; c != nil {
		if c.ToolRequired {
			out["tool_choice"] = "required"
		}
		if c.Tool != "" {
			out["tool_choice"] = openaiapi.ToolChoice{Type: openaiapi.ToolTypeFunction,
				Function: openaiapi.ToolFunction{Name: names.toWire(c.Tool)}}
		}
		if c.SingleCall {
			out["parallel_tool_calls"] = false
		}
		if c.Format != nil {
			out["response_format"] = c.Format
		}
	}
	if !e.config.NoSeed {
		out["seed"] = req.Seed >> 33 // 31 bits: the limit of some servers
	}
	if len(req.ChatTemplateKwargs) > 0 {
		out[templateKwargs] = req.ChatTemplateKwargs
	}
	for name, value := range e.config.Extra {
		out[name] = value
	}
	return out, nil
}

// sampling returns the endpoint's parameters, completed by the request's.
func (e *Endpoint) sampling(s sdk.Sampling) sdk.Sampling {
	own := e.config.Sampling
	if own.Temperature != nil {
		s.Temperature = own.Temperature
	}
	if own.TopP != nil {
		s.TopP = own.TopP
	}
	if own.MaxTokens > 0 {
		s.MaxTokens = own.MaxTokens
	}
	return s
}

func (e *Endpoint) lengthField() string {
	if e.completion.Load() {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

// reasoning returns the reasoning of a response that calls it "reasoning".
func (c *completion) reasoning() string {
	if len(c.Choices) == 0 || c.Choices[0].Message.ReasoningContent != "" {
		return ""
	}
	return c.Choices[0].Message.Reasoning
}

// read converts the server's response to a reply.
func read(answer *completion, position int, names toolNames) (*sdk.GenerateResponse, error) {
	if len(answer.Choices) == 0 {
		return nil, errors.New("the server's response contains no choices")
	}
	choice := answer.Choices[0]
	out := &sdk.GenerateResponse{
		Message: fromWire(choice.Message, position, names), ChainLength: position + 1,
		PromptTokens: max(answer.Usage.PromptTokens, 0), OutputTokens: max(answer.Usage.CompletionTokens, 0),
	}
	switch choice.FinishReason {
	case openaiapi.FinishReasonStop:
		out.Finish = sdk.FinishStop
		if len(out.Message.ToolCalls) > 0 {
			out.Finish = sdk.FinishToolCalls
		}
	case openaiapi.FinishReasonToolCalls, openaiapi.FinishReasonFunctionCall:
		out.Finish = sdk.FinishToolCalls
	case openaiapi.FinishReasonLength:
		out.Finish = sdk.FinishLength
	case "":
		return nil, errors.New("the server's response has no finish_reason: it may have been cut")
	default: // content_filter, error, abort
		return nil, fmt.Errorf("the server ended the message with finish_reason %q", choice.FinishReason)
	}
	return out, nil
}
