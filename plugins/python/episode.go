package pythonplugin

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/plugins/python/internal/interpreter"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// exitGrace is how long an agent may keep running after its episode ends before its process is abandoned.
const exitGrace = 5 * time.Second

// contextFullKind is the exception for a conversation that exceeds the context.
const contextFullKind = "_awhost_agent.ContextFull"

// agentEpisode is one episode: the requests from the user's code and the responses to them.
type agentEpisode struct {
	process     *interpreter.Interpreter
	request     sdk.AgentRequest
	talk        *chat.Conversations
	session     sdk.AgentSession
	alone       bool   // the process plays only this episode
	traceparent string // traceparent of the episode; may be empty

	// Written by run only.
	stuck bool // the agent is still running although its episode has ended

	mu    sync.Mutex
	over  bool
	asks  sync.WaitGroup
	fatal error // of the model or the environment: the agent cannot suppress it
}

func newAgentEpisode(s *lease, req sdk.AgentRequest, model sdk.AgentModel, session sdk.AgentSession) *agentEpisode {
	return &agentEpisode{process: s.process, alone: s.alone, request: req, talk: chat.New(model), session: session}
}

// run plays the episode. After it returns, no request of the episode is running in this process.
func (p *agentEpisode) run(ctx context.Context) (*sdk.AgentResponse, error) {
	within, cancel := context.WithCancel(ctx)
	defer p.end(cancel)
	call, pending, err := p.process.Converse(ctx, "play", p.body(), func(a interpreter.Ask) { p.asked(within, a) })
	if err != nil {
		return nil, err
	}
	select {
	case answer := <-pending:
		if answer.Err != nil {
			p.process.Notify("cancel", playMember(call)) // for an agent that is still running
			return nil, answer.Err
		}
		return response(answer.OK)
	case <-ctx.Done():
		p.process.Notify("cancel", playMember(call))
		p.stuck = !answeredWithin(pending, exitGrace)
		return nil, ctx.Err()
	}
}

// end rejects further requests and waits for those in progress.
func (p *agentEpisode) end(cancel func()) {
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	cancel()
	p.asks.Wait()
}

func answeredWithin(pending <-chan interpreter.Answer, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-pending:
		return true
	case <-timer.C:
		return false
	}
}

func playMember(call int64) []byte {
	return []byte(`"play":` + string(encoded(call)))
}

// body returns the arguments for the user's code, as the contents of a JSON object without the braces.
func (p *agentEpisode) body() []byte {
	task := map[string]json.RawMessage{}
	_ = json.Unmarshal(p.request.Task.Public, &task) // datasets ensure that it is an object
	if _, own := task["id"]; !own {
		task["id"] = encoded(p.request.Task.ID)
	}
	text := encoded(struct {
		Task        map[string]json.RawMessage `json:"task"`
		Columns     map[string]string          `json:"columns"`
		TaskID      string                     `json:"task_id"`
		Place       string                     `json:"place"`
		Messages    json.RawMessage            `json:"messages"`
		Tools       json.RawMessage            `json:"tools"`
		Environment bool                       `json:"environment"`
		Episode     string                     `json:"episode_id"`
		Trace       string                     `json:"traceparent"`
		Endpoint    *endpoint                  `json:"endpoint"`
		MCP         *toolServer                `json:"mcp"`
	}{
		task, p.request.Task.Columns, p.request.Task.ID, p.request.Place, chatMessages(p.request.Messages),
		chatTools(p.request.Tools), p.session != nil, p.request.EpisodeID, p.traceparent,
		endpointOf(p.request), toolServerOf(p.request),
	})
	return text[1 : len(text)-1]
}

// endpoint is the address at which clients that use OpenAI's protocol reach the policy.
type endpoint struct {
	BaseURL string `json:"base_url"` // with /v1
	RootURL string `json:"root_url"` // without /v1, for Anthropic's client
	APIKey  string `json:"api_key"`
}

// endpointOf returns nil if the host does not serve one.
func endpointOf(r sdk.AgentRequest) *endpoint {
	policy, ok := r.Models[sdk.ModelPolicy]
	if !ok {
		return nil
	}
	return &endpoint{
		BaseURL: policy.BaseURL, RootURL: strings.TrimSuffix(policy.BaseURL, "/v1"), APIKey: policy.APIKey,
	}
}

// toolServer is the address at which MCP clients reach the environment.
type toolServer struct {
	URL     string            `json:"url"`
	Token   string            `json:"token"`
	Headers map[string]string `json:"headers"`
	Config  json.RawMessage   `json:"config"` // with mcpServers
}

// serverName is the server's name in configurations, and in the names that programs give to its tools.
const serverName = "awhost"

// toolServerOf returns nil if the agent has no environment or the host does not serve one.
func toolServerOf(r sdk.AgentRequest) *toolServer {
	s := r.ToolServer
	if s == nil {
		return nil
	}
	return &toolServer{URL: s.URL, Token: s.Token, Headers: s.Headers(), Config: s.MCPServers(serverName)}
}

// asked handles the requests from the user's code in order. It must not block. Requests are numbered here, so that
// equal episodes stay equal, and answered in other goroutines.
func (p *agentEpisode) asked(ctx context.Context, a interpreter.Ask) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return // the agent is notified by the cancellation
	}
	var work func(context.Context) (any, error)
	switch a.Op {
	case "chat":
		work = p.chat(a.Body)
	case "step":
		work = p.step(a.Body)
	default:
		work = failing(errors.New("awhost does not know " + a.Op))
	}
	p.asks.Go(func() {
		answer, err := work(ctx)
		p.sendAnswer(a, answer, p.keep(ctx, err))
	})
}

func failing(err error) func(context.Context) (any, error) {
	return func(context.Context) (any, error) { return nil, err }
}

// modelMessage is a model message in the format used for Python.
type modelMessage struct {
	Call      string          `json:"call"`
	Message   json.RawMessage `json:"message"`
	Finish    string          `json:"finish_reason"`
	Usage     usage           `json:"usage"`
	Malformed []sdk.Malformed `json:"malformed,omitempty"`
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

func (p *agentEpisode) chat(body []byte) func(context.Context) (any, error) {
	req, err := readChat(body)
	if err != nil {
		return failing(userError(err))
	}
	call := p.talk.Prepare(req)
	return func(ctx context.Context) (any, error) {
		reply, err := call.Do(ctx)
		if err != nil {
			return nil, err
		}
		return modelMessage{
			Call: reply.CallID, Message: encoded(chatOne(reply.Message)), Finish: string(reply.Finish),
			Malformed: reply.Message.Malformed,
			Usage:     usage{reply.PromptTokens, reply.OutputTokens, reply.PromptTokens + reply.OutputTokens},
		}, nil
	}
}

// stepMessage is the environment's response in the format used for Python.
type stepMessage struct {
	Messages  json.RawMessage `json:"messages"`
	Done      bool            `json:"done"`
	Truncated bool            `json:"truncated"`
	Tools     json.RawMessage `json:"tools,omitempty"`
}

func (p *agentEpisode) step(body []byte) func(context.Context) (any, error) {
	step, err := readStep(body)
	if err == nil && p.session == nil {
		err = errors.New("the agent has no environment: name one in its block")
	}
	if err != nil {
		return failing(userError(err))
	}
	return func(ctx context.Context) (any, error) {
		out, err := p.session.Step(ctx, step)
		if err != nil {
			return nil, err
		}
		answer := stepMessage{Messages: chatMessages(out.Messages), Done: out.Done, Truncated: out.Truncated}
		if out.ToolsChanged {
			answer.Tools = chatTools(out.Tools)
		}
		return answer, nil
	}
}

// response parses the result returned by the user's code.
func response(text json.RawMessage) (*sdk.AgentResponse, error) {
	var out struct {
		Answer    *string            `json:"answer"`
		Reward    *float64           `json:"reward"`
		IsSuccess *bool              `json:"is_success"`
		Metadata  json.RawMessage    `json:"metadata"`
		Metrics   map[string]float64 `json:"metrics"`
		Contacted []string           `json:"contacted"`
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, userError(errors.New("what the agent returned cannot be used: " + err.Error()))
	}
	if string(out.Metadata) == "null" {
		out.Metadata = nil
	}
	return &sdk.AgentResponse{
		FinalAnswer: out.Answer, Reward: out.Reward, IsSuccess: out.IsSuccess, Metadata: out.Metadata, Metrics: out.Metrics,
		Contacted: out.Contacted,
	}, nil
}
