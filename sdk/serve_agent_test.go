package sdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// agentFunc is an agent made of a function.
type agentFunc func(context.Context, sdk.AgentRequest, sdk.AgentModel, sdk.AgentSession) (*sdk.AgentResponse, error)

func (f agentFunc) Run(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel,
	session sdk.AgentSession) (*sdk.AgentResponse, error) {
	return f(ctx, req, model, session)
}

func serveAgent(t *testing.T, f agentFunc) sdk.Agent {
	t.Helper()
	return sdktest.Agent(t, sdk.Plugin{Name: "test", Version: "1.0.0", Agents: []sdk.AgentComponent{{
		Component: sdk.Component{Type: "fake"},
		New:       func(context.Context, sdk.Setup) (sdk.Agent, error) { return f, nil },
	}}}, "fake", nil)
}

// modelFunc is a policy made of a function.
type modelFunc func(context.Context, sdk.ModelRequest) (*sdk.ModelReply, error)

func (f modelFunc) Generate(ctx context.Context, req sdk.ModelRequest) (*sdk.ModelReply, error) {
	return f(ctx, req)
}

// stepFunc is an environment made of a function.
type stepFunc func(context.Context, sdk.AgentStep) (*sdk.StepResponse, error)

func (f stepFunc) Step(ctx context.Context, step sdk.AgentStep) (*sdk.StepResponse, error) {
	return f(ctx, step)
}

func TestAgent_ReachesModelAndEnvironment(t *testing.T) {
	repeat, answer, reward, success := 3, "42", 0.5, true
	request := sdk.AgentRequest{
		EpisodeID: "e1", Task: task(), Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "?"}},
		Tools: []sdk.Tool{{Name: "add", Parameters: json.RawMessage(`{"type":"object"}`)}}, HasEnvironment: true, MaxTurns: 4,
		Place: "00ab", Deadline: 1e9,
	}
	asked := sdk.ModelRequest{
		Member: "planner", Chain: "c1", Base: 2, Messages: request.Messages, Tools: request.Tools, MaxTokens: 7,
		Stop: []string{"\n"}, Repeat: &repeat,
	}
	said := sdk.ModelReply{
		CallID: "e1/1.1", Message: sdk.Message{Role: sdk.RoleAssistant, Content: "hm",
			ToolCalls: []sdk.ToolCall{{ID: "a", Name: "add", Arguments: "{}"}}},
		Finish: sdk.FinishToolCalls, PromptTokens: 3, OutputTokens: 2, Chain: "c1", ChainLength: 4,
	}
	own := sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "b", Name: "add", Arguments: "{}"}}}
	stepped := sdk.StepResponse{Messages: []sdk.Message{{Role: sdk.RoleTool, ToolCallID: "a", Content: "1"}}, Done: true,
		Tools: request.Tools, ToolsChanged: true}
	agent := serveAgent(t, func(ctx context.Context, got sdk.AgentRequest, model sdk.AgentModel,
		session sdk.AgentSession) (*sdk.AgentResponse, error) {
		want := request
		want.Task.Private = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
		reply, err := model.Generate(ctx, asked)
		if err != nil {
			return nil, err
		}
		if diff := cmp.Diff(&said, reply); diff != "" {
			t.Errorf("reply (-want +got):\n%s", diff)
		}
		for _, step := range []sdk.AgentStep{{CallID: reply.CallID}, {Message: &own}} {
			out, err := session.Step(ctx, step)
			if err != nil {
				return nil, err
			}
			if diff := cmp.Diff(&stepped, out); diff != "" {
				t.Errorf("step (-want +got):\n%s", diff)
			}
		}
		return &sdk.AgentResponse{FinalAnswer: &answer, Reward: &reward, IsSuccess: &success,
			Metadata: json.RawMessage(`{"a":1}`), Metrics: map[string]float64{"m": 1}}, nil
	})
	var steps []sdk.AgentStep
	out, err := agent.Run(t.Context(), request, modelFunc(func(_ context.Context, req sdk.ModelRequest) (*sdk.ModelReply,
		error) {
		if diff := cmp.Diff(asked, req); diff != "" {
			t.Errorf("asked (-want +got):\n%s", diff)
		}
		return &said, nil
	}), stepFunc(func(_ context.Context, step sdk.AgentStep) (*sdk.StepResponse, error) {
		steps = append(steps, step)
		return &stepped, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := &sdk.AgentResponse{FinalAnswer: &answer, Reward: &reward, IsSuccess: &success,
		Metadata: json.RawMessage(`{"a":1}`), Metrics: map[string]float64{"m": 1}}
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("response (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]sdk.AgentStep{{CallID: "e1/1.1"}, {Message: &own}}, steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// Errors of the model and the environment must reach the agent, and through it its caller, unchanged.
func TestAgent_ErrorsKeepTheirType(t *testing.T) {
	for name, err := range map[string]error{
		"context full": &sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: "d"},
		"failure":      &sdk.Failure{Class: sdk.FailureEnvironment, Detail: "d", Retryable: true},
		"lost":         sdk.ErrSessionLost,
		"gone":         sdk.ErrUnavailable,
	} {
		t.Run(name, func(t *testing.T) {
			agent := serveAgent(t, func(ctx context.Context, _ sdk.AgentRequest, model sdk.AgentModel,
				session sdk.AgentSession) (*sdk.AgentResponse, error) {
				if session != nil {
					t.Error("got a session without an environment")
				}
				_, err := model.Generate(ctx, sdk.ModelRequest{})
				return nil, err
			})
			_, got := agent.Run(t.Context(), sdk.AgentRequest{EpisodeID: "e"},
				modelFunc(func(context.Context, sdk.ModelRequest) (*sdk.ModelReply, error) { return nil, err }), nil)
			var failure, wantFailure *sdk.Failure
			var generate, wantGenerate *sdk.GenerateError
			switch {
			case errors.As(err, &wantFailure):
				if !errors.As(got, &failure) || *failure != *wantFailure {
					t.Errorf("got %v", got)
				}
			case errors.As(err, &wantGenerate):
				if !errors.As(got, &generate) || *generate != *wantGenerate {
					t.Errorf("got %v", got)
				}
			case !errors.Is(got, err):
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestAgent_RejectsInvalidResponses(t *testing.T) {
	nan := math.NaN()
	for name, response := range map[string]sdk.AgentResponse{
		"a reward that is not a number":  {Reward: &nan},
		"a metric that is not a number":  {Metrics: map[string]float64{"m": nan}},
		"metadata that is not an object": {Metadata: json.RawMessage(`[1]`)},
	} {
		t.Run(name, func(t *testing.T) {
			agent := serveAgent(t, func(context.Context, sdk.AgentRequest, sdk.AgentModel, sdk.AgentSession) (*sdk.AgentResponse,
				error) {
				return &response, nil
			})
			_, err := agent.Run(t.Context(), sdk.AgentRequest{EpisodeID: "e"}, modelFunc(nil), nil)
			var failure *sdk.Failure
			if !errors.As(err, &failure) || failure.Class != sdk.FailureAgent {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestLeases(t *testing.T) {
	var leases sdk.Leases
	entered, release := make(chan struct{}), make(chan struct{})
	model := modelFunc(func(ctx context.Context, req sdk.ModelRequest) (*sdk.ModelReply, error) {
		if req.Member == "slow" {
			close(entered)
			<-ctx.Done() // ends with the lease
			<-release
			return nil, ctx.Err()
		}
		return &sdk.ModelReply{CallID: "1"}, nil
	})
	id, end := leases.Grant(t.Context(), "agent.a.x", model, nil)
	if _, err := leases.Generate(t.Context(), "agent.a.x", id, sdk.ModelRequest{}); err != nil {
		t.Errorf("the holder is refused: %v", err)
	}
	if _, err := leases.Generate(t.Context(), "agent.b.y", id, sdk.ModelRequest{}); !errors.Is(err, sdk.ErrLease) {
		t.Errorf("another plugin: %v", err)
	}
	if _, err := leases.Generate(t.Context(), "agent.a.x", id+"0", sdk.ModelRequest{}); !errors.Is(err, sdk.ErrLease) {
		t.Errorf("an invented lease: %v", err)
	}
	if _, err := leases.Step(t.Context(), "agent.a.x", id, sdk.AgentStep{}); err == nil ||
		!strings.Contains(err.Error(), "no environment") {
		t.Errorf("a step without an environment: %v", err)
	}
	slow, ended := make(chan error, 1), make(chan struct{})
	go func() {
		_, err := leases.Generate(t.Context(), "agent.a.x", id, sdk.ModelRequest{Member: "slow"})
		slow <- err
	}()
	receive(t, "the slow call", entered)
	go func() { defer close(ended); end() }()
	close(release)
	receive(t, "the end of the lease", ended)
	receive(t, "the slow call's end", slow)
	if _, err := leases.Generate(t.Context(), "agent.a.x", id, sdk.ModelRequest{}); !errors.Is(err, sdk.ErrLease) {
		t.Errorf("a call after the end: %v", err)
	}
	if got := leases.Refused(); got != 3 {
		t.Errorf("%d calls were refused, want 3", got)
	}
}

var (
	_ sdk.Agent        = agentFunc(nil)
	_ sdk.AgentModel   = modelFunc(nil)
	_ sdk.AgentSession = stepFunc(nil)
)
