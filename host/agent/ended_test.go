package agent

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// mad returns a message that ends the episode.
func mad(text string, tools ...string) Reply {
	reply := says(text, tools...)
	reply.Ends = &sdk.Failure{Class: sdk.FailurePolicy, Detail: "nonsense"}
	return reply
}

func TestPlugin_AMessageEndsTheEpisode(t *testing.T) {
	for _, test := range []struct {
		name   string
		asksOn bool
		answer string
	}{
		{"and it answers", false, "what I have"},
		{"and it asks on", true, "hm"},
	} {
		model, env := &speaker{lines: []Reply{says("", "add"), mad("hm", "shout")}}, &toolEnvironment{}
		result, err := playWith(t, PluginSettings{}, model, env, func(
			ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, env sdk.AgentSession,
		) (*sdk.AgentResponse, error) {
			first, err := model.Generate(ctx, sdk.ModelRequest{Messages: req.Messages})
			if err != nil {
				return nil, err
			}
			step, err := env.Step(ctx, sdk.AgentStep{CallID: first.CallID})
			if err != nil {
				return nil, err
			}
			next := sdk.ModelRequest{Chain: first.Chain, Base: first.ChainLength, Messages: step.Messages}
			last, err := model.Generate(ctx, next)
			if err != nil {
				return nil, err
			}
			step, err = env.Step(ctx, sdk.AgentStep{CallID: last.CallID})
			if err != nil || !step.Done || len(step.Messages) > 0 {
				t.Errorf("%s: the environment answers %+v, %v", test.name, step, err)
			}
			own := &sdk.Message{ToolCalls: []sdk.ToolCall{{ID: "own", Name: "add", Arguments: "{}"}}}
			step, err = env.Step(ctx, sdk.AgentStep{Message: own})
			if err != nil || !step.Done || len(step.Messages) > 0 {
				t.Errorf("%s: the environment answers its own step with %+v, %v", test.name, step, err)
			}
			if test.asksOn {
				_, err := model.Generate(ctx, sdk.ModelRequest{Messages: req.Messages})
				if !errors.Is(err, sdk.ErrLease) || ctx.Err() == nil {
					t.Errorf("%s: it is told %v, and its call goes on: %v", test.name, err, ctx.Err() == nil)
				}
			}
			answer := "what I have"
			return &sdk.AgentResponse{FinalAnswer: &answer}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		answer, _ := result.FinalAnswer()
		if answer != test.answer || result.Finish != FinishMadness || result.Failure == nil {
			t.Errorf("%s: %q, %s, %v", test.name, answer, result.Finish, result.Failure)
		}
		if len(model.asked) != 2 || len(env.steps) != 1 {
			t.Errorf("%s: %d messages were sampled, and %d steps taken", test.name, len(model.asked), len(env.steps))
		}
		want := []string{"user: q", "assistant: ", "tool: done", "assistant: hm"}
		if diff := cmp.Diff(want, texts(result.Messages)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Another member's message ends the episode while this agent waits for a reply: the agent adds no message and has not
// failed.
func TestPlugin_AnotherOnesMessageEndsTheEpisode(t *testing.T) {
	over := &EndedError{Why: &sdk.Failure{Class: sdk.FailurePolicy, Detail: "nonsense"}}
	result, err := playWith(t, PluginSettings{}, refusing{over}, &toolEnvironment{}, func(
		ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession,
	) (*sdk.AgentResponse, error) {
		_, err := model.Generate(ctx, sdk.ModelRequest{Messages: req.Messages})
		return nil, err
	})
	if err != nil || result.Failure != over.Why || result.Finish != FinishMadness {
		t.Errorf("%+v, %v", result, err)
	}
}

// refusing is a model that always returns an error.
type refusing struct{ err error }

// Generate implements Model.
func (r refusing) Generate(context.Context, Request) (*Reply, error) { return nil, r.err }
