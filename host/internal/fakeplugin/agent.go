package fakeplugin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
	"github.com/awhost/awhost/sdk/schema"
)

// agentConfig is the body of the agent block. Moments are "run 3", "asked 3", "stepped 3", and "answer 3", counted
// across all episodes.
type agentConfig struct {
	script
	sdk.AgentConfig
	sdk.GatewayConfig
	Samples int      `json:"samples"` // concurrent conversations, of which the greatest answer counts
	Raise   []string `json:"raise"`   // tasks for which it fails
	Silent  []string `json:"silent"`  // tasks for which it makes no request
	Hang    []string `json:"hang"`    // tasks for which it does not return
	Swallow bool     `json:"swallow"` // answers despite failures
	Late    bool     `json:"late"`    // requests messages after the end
	// OverHTTP requests streams from the episode's endpoint. Record is a file to which the agent writes the complete
	// third response; then it kills the host. If the file already exists, the agent does neither.
	OverHTTP bool   `json:"over_http"`
	Record   string `json:"heard"`
	Trust    string `json:"trust"` // a certificate of the endpoint, in PEM
	Says     string `json:"says"`  // a text after the question to the endpoint
	Asks     string `json:"asks"`  // the endpoint's model that it asks before the policy; empty: none
	// ByMCP first calls the environment's tool over MCP. After a failure it hangs until its context ends.
	ByMCP bool `json:"by_mcp"`
}

func agentComponents() []sdk.AgentComponent {
	attributes := slices.Concat(scriptAttributes(), sdk.AgentAttributes(), sdk.GatewayAttributes())
	body := schema.Block{Description: "Lets the policy use tools until it answers.", Attributes: append(attributes,
		schema.Integer("samples", "Conversations side by side.").Default(1),
		schema.Strings("raise", "Tasks on which it fails."),
		schema.Strings("silent", "Tasks on which it asks nothing."),
		schema.Strings("hang", "Tasks on which it does not return."),
		schema.Bool("swallow", "Whether it answers whatever fails.").Default(false),
		schema.Bool("late", "Whether it asks the model after the end.").Default(false),
		schema.Bool("over_http", "Whether it asks the endpoint of the episode.").Default(false),
		schema.String("says", "What it says to the endpoint behind the question."),
		schema.String("asks", "The model of the endpoint that it asks before the policy."),
		schema.Bool("by_mcp", "Whether it calls the environment's tool by MCP before it asks.").Default(false),
		schema.String("trust", "A certificate that the endpoint may have.").CanResume(),
		schema.String("heard", "A file for the third answer of the endpoint, after which it kills the host."),
	)}
	component := func(typ string, c sdk.AgentCapabilities) sdk.AgentComponent {
		return sdk.AgentComponent{
			Component:    sdk.Component{Type: typ, Description: "Lets the policy use tools until it answers.", Schema: body},
			Capabilities: c,
			New: func(_ context.Context, setup sdk.Setup) (sdk.Agent, error) {
				p := &player{}
				return p, setup.Decode(&p.config)
			},
		}
	}
	return []sdk.AgentComponent{
		component("scripted", sdk.AgentCapabilities{}),
		component("scripted_acting", sdk.AgentCapabilities{NeedsEnvironment: true, MaxConcurrent: 1}),
	}
}

// player is the agent.
type player struct {
	config                      agentConfig
	runs, asks, steps, answered atomic.Int64
	heard                       atomic.Int64
}

// Run implements sdk.Agent.
func (p *player) Run(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel,
	session sdk.AgentSession) (*sdk.AgentResponse, error) {
	p.config.at(fmt.Sprintf("run %d", p.runs.Add(1)))
	switch {
	case slices.Contains(p.config.Silent, req.Task.ID):
		answer := "I know it"
		return &sdk.AgentResponse{FinalAnswer: &answer}, nil
	case slices.Contains(p.config.Hang, req.Task.ID):
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if p.config.OverHTTP {
		answer, err := p.overHTTP(ctx, req)
		return &sdk.AgentResponse{FinalAnswer: &answer}, err
	}
	answers := make([]string, p.config.Samples)
	talk := chat.New(model)
	conversations, within := errgroup.WithContext(ctx)
	for i := range answers {
		first := talk.Prepare(chat.Request{Messages: req.Messages, Tools: req.Tools}) // in order
		conversations.Go(func() (err error) {
			answers[i], err = p.converse(within, talk, first, req, session)
			return err
		})
	}
	err := conversations.Wait()
	if p.config.Late {
		go requestUntilRejected(context.WithoutCancel(ctx), model, req)
	}
	switch {
	case err != nil && !p.config.Swallow:
		return nil, err
	case slices.Contains(p.config.Raise, req.Task.ID):
		return nil, errors.New("Traceback: nothing but trouble with " + p.config.Token)
	}
	p.config.at(fmt.Sprintf("answer %d", p.answered.Add(1)))
	answer := slices.Max(answers)
	return &sdk.AgentResponse{FinalAnswer: &answer}, nil
}

// requestUntilRejected sends requests until one is rejected, because the first ones may still arrive in time.
func requestUntilRejected(ctx context.Context, model sdk.AgentModel, req sdk.AgentRequest) {
	for {
		_, err := model.Generate(ctx, sdk.ModelRequest{Messages: req.Messages})
		if status.Code(err) == codes.PermissionDenied || errors.Is(err, sdk.ErrUnavailable) {
			return
		}
	}
}

// converse runs one conversation.
func (p *player) converse(ctx context.Context, talk *chat.Conversations, next *chat.Call, req sdk.AgentRequest,
	session sdk.AgentSession) (string, error) {
	messages, calls := slices.Clone(req.Messages), make([]string, len(req.Messages))
	for {
		reply, err := next.Do(ctx)
		if err != nil {
			return "", err
		}
		p.config.at(fmt.Sprintf("asked %d", p.asks.Add(1)))
		messages, calls = append(messages, reply.Message), append(calls, reply.CallID)
		if session == nil || len(reply.Message.ToolCalls) == 0 {
			return reply.Message.Content, nil
		}
		step, err := session.Step(ctx, sdk.AgentStep{CallID: reply.CallID})
		if err != nil {
			return "", err
		}
		p.config.at(fmt.Sprintf("stepped %d", p.steps.Add(1)))
		if step.Done {
			return reply.Message.Content, nil
		}
		for _, m := range step.Messages {
			messages, calls = append(messages, m), append(calls, "")
		}
		next = talk.Prepare(chat.Request{Messages: messages, Calls: calls, Tools: req.Tools})
	}
}

var _ sdk.Agent = (*player)(nil)
