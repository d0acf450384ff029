package agent

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// spoken returns lines, followed by an error.
type spoken struct {
	*speaker
	err error
}

// Generate implements Model.
func (s spoken) Generate(ctx context.Context, req Request) (*Reply, error) {
	if len(s.asked) == len(s.lines) {
		return nil, s.err
	}
	return s.speaker.Generate(ctx, req)
}

// sized sets the token counts of a reply, and its finish reason.
func sized(reply Reply, prompt, output int, finish sdk.FinishReason) Reply {
	reply.PromptTokens, reply.OutputTokens, reply.Finish = prompt, output, finish
	return reply
}

// obedient requests messages, and lets their calls be executed, until an error ends it.
func obedient(wanted int) agentFunc {
	return func(
		ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, env sdk.AgentSession,
	) (*sdk.AgentResponse, error) {
		ask := sdk.ModelRequest{Messages: req.Messages, MaxTokens: wanted}
		for {
			reply, err := model.Generate(ctx, ask)
			if err != nil {
				return nil, err
			}
			step, err := env.Step(ctx, sdk.AgentStep{CallID: reply.CallID})
			if err != nil || step.Done || len(step.Messages) == 0 {
				return nil, err
			}
			ask.Chain, ask.Base, ask.Messages = reply.Chain, reply.ChainLength, step.Messages
		}
	}
}

// TestLimit_SaysWhatCutAConversation checks the limits of built-in agents and of plugins' agents.
func TestLimit_SaysWhatCutAConversation(t *testing.T) {
	add := says("", "add")
	const stop, length = sdk.FinishStop, sdk.FinishLength
	bound := func(reply Reply, name LimitName, value int) Reply {
		reply.Bound = &Limit{Name: name, Value: value}
		return reply
	}
	for name, c := range map[string]struct {
		settings PluginSettings
		wanted   int // tokens of a message requested by a plugin; 0: the case applies to both kinds of agents
		lines    []Reply
		err      error
		step     func(sdk.Message) (*sdk.StepResponse, error)
		want     *Limit
	}{
		"none": {lines: []Reply{says("4")}},
		"messages of the agent": {
			settings: PluginSettings{MaxTurns: 2}, lines: []Reply{add, add},
			want: &Limit{"max_turns", 2, "agent.test.agent", ""},
		},
		"messages of the agent, as many as the environment allows": {
			settings: PluginSettings{MaxTurns: 9}, lines: []Reply{add, add, add, add, add, add, add, add, add},
			want: &Limit{"max_turns", 9, "agent.test.agent", ""},
		},
		"messages that the environment allows": {
			lines: []Reply{add, add, add, add, add, add, add, add, add},
			want:  &Limit{Name: "environment_max_turns", Value: 9},
		},
		"another one of the environment's": {
			lines: []Reply{add}, want: &Limit{Name: "environment"},
			step: func(sdk.Message) (*sdk.StepResponse, error) {
				return &sdk.StepResponse{Done: true, Truncated: true}, nil
			},
		},
		"tokens of a message of the agent's": {
			settings: PluginSettings{MessageTokens: 7}, lines: []Reply{sized(add, 10, 7, length)},
			want: &Limit{"max_message_tokens", 7, "agent.test.agent", ""},
		},
		"tokens of a message, where nobody counts them": {
			settings: PluginSettings{MessageTokens: 7}, lines: []Reply{sized(add, 0, 0, length)},
			want: &Limit{"max_message_tokens", 7, "agent.test.agent", ""},
		},
		"tokens of a message of the train block's": {
			settings: PluginSettings{MessageTokens: 9, ResponseTokens: 90},
			lines:    []Reply{bound(sized(add, 10, 8, length), LimitMessageTokens, 8)},
			want:     &Limit{Name: "message_tokens", Value: 8},
		},
		"tokens of a message that a program has asked for": {
			settings: PluginSettings{MessageTokens: 9}, wanted: 6, lines: []Reply{sized(add, 10, 6, length)},
			want: &Limit{"request_max_tokens", 6, "agent.test.agent", ""},
		},
		"tokens of the conversation, between messages": {
			settings: PluginSettings{ResponseTokens: 30}, lines: []Reply{sized(add, 10, 5, stop), sized(add, 35, 5, stop)},
			want: &Limit{Name: "response_tokens", Value: 30},
		},
		"tokens of the conversation, within a message": {
			settings: PluginSettings{MessageTokens: 20, ResponseTokens: 30},
			lines:    []Reply{sized(add, 10, 18, stop), sized(add, 28, 12, length)},
			want:     &Limit{Name: "response_tokens", Value: 30},
		},
		"tokens of the conversation, of which results had some": {
			settings: PluginSettings{MessageTokens: 20, ResponseTokens: 30},
			lines:    []Reply{sized(add, 10, 10, stop), sized(add, 33, 7, length)},
			want:     &Limit{Name: "response_tokens", Value: 30},
		},
		"the context, within a message": {
			settings: PluginSettings{MessageTokens: 20, ResponseTokens: 300}, lines: []Reply{sized(add, 180, 12, length)},
			want: &Limit{Name: "context", Value: 192},
		},
		"the context, where nobody counts tokens": {lines: []Reply{sized(add, 0, 0, length)}, want: &Limit{Name: "context"}},
		"the context, between messages": {
			lines: []Reply{add}, err: &sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: "193 of 192 tokens"},
			want: &Limit{Name: "context", Detail: "193 of 192 tokens"},
		},
		"a message that ends the episode ends it, not its length": {
			lines: []Reply{func() Reply {
				r := sized(add, 1, 1, length)
				r.Ends = &sdk.Failure{Class: sdk.FailurePolicy}
				return r
			}()},
		},
	} {
		t.Run(name, func(t *testing.T) {
			check := func(kind string, result *Result, err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				diff := cmp.Diff(c.want, result.Limit)
				if diff != "" || (result.Limit != nil) != result.Finish.Truncated() {
					t.Errorf("%s: ended by %s (-want +got):\n%s", kind, result.Finish, diff)
				}
			}
			model := spoken{&speaker{lines: c.lines}, c.err}
			played, err := playWith(t, c.settings, model, &toolEnvironment{step: c.step}, obedient(c.wanted))
			check("plugin", played, err)
			if c.wanted > 0 {
				return
			}
			solver, err := NewReact(Settings{
				Name: "test.agent", MaxTurns: c.settings.MaxTurns, MessageTokens: c.settings.MessageTokens,
				ResponseTokens: c.settings.ResponseTokens,
			})
			if err != nil {
				t.Fatal(err)
			}
			played, err = solver.Run(t.Context(), Episode{
				ID: "e", Task: sdk.Task{ID: "t"}, Model: spoken{&speaker{lines: c.lines}, c.err},
				Environment: &toolEnvironment{step: c.step},
			})
			check("react", played, err)
		})
	}
}

// TestLimit_OfAProgramThatTakesItForAnError checks that the limit reported by the model is kept, whatever the program
// returns.
func TestLimit_OfAProgramThatTakesItForAnError(t *testing.T) {
	full := &sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: "193 of 192 tokens"}
	result, err := playWith(t, PluginSettings{}, spoken{&speaker{}, full}, &toolEnvironment{}, func(
		ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession,
	) (*sdk.AgentResponse, error) {
		_, _ = model.Generate(ctx, sdk.ModelRequest{Messages: req.Messages})
		return nil, &sdk.Failure{Class: sdk.FailureAgent, Detail: "it exited with status 1"}
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&Limit{Name: LimitContext, Detail: full.Detail}, result.Limit); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A request that the adapter cannot serve ends neither the agent's call nor the episode. An agent that ends without
// another message has failed for that reason.
func TestUnserved_IsTheAgentsToAnswer(t *testing.T) {
	refusal := &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: "no stop strings"}
	for _, again := range []bool{true, false} {
		replies := &speaker{lines: []Reply{{Message: sdk.Message{Content: "3"}}}}
		model := &onceRefused{Model: spoken{replies, nil}, err: refusal}
		result, err := playWith(t, PluginSettings{}, model, &toolEnvironment{}, func(
			ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession,
		) (*sdk.AgentResponse, error) {
			ask := sdk.ModelRequest{Messages: req.Messages}
			if _, err := model.Generate(ctx, ask); !errors.Is(err, refusal) || ctx.Err() != nil {
				t.Errorf("the agent gets %v, and its call ends with %v", err, ctx.Err())
			}
			if again {
				if _, err := model.Generate(ctx, ask); err != nil {
					t.Errorf("the next request: %v", err)
				}
			}
			return nil, nil
		})
		if again && (err != nil || len(result.Sampled) != 1) || !again && !errors.Is(err, refusal) {
			t.Errorf("another request %t: %v, %+v", again, err, result)
		}
	}
}

// onceRefused refuses the first request.
type onceRefused struct {
	Model
	err error
}

func (o *onceRefused) Generate(ctx context.Context, req Request) (*Reply, error) {
	if err := o.err; err != nil {
		o.err = nil
		return nil, err
	}
	return o.Model.Generate(ctx, req)
}

var _ Model = spoken{}
