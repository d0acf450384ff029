package rollout

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/sdk"
)

// cutAt makes the policy's messages end at a number of tokens.
func cutAt(tokens int) func(*rig) {
	return func(r *rig) {
		r.policy.before = func(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
			resp := r.policy.say(req, sdk.Message{Content: "12"})
			resp.Finish, resp.OutputTokens = sdk.FinishLength, tokens
			return resp, nil
		}
	}
}

// solving replaces the agent by one with other settings.
func solving(settings agent.Settings) func(*rig) {
	return func(r *rig) {
		solver, err := agent.NewReact(settings)
		if err != nil {
			panic(err)
		}
		r.setup.Agent = solver
	}
}

func TestLimit_IsOnRecord(t *testing.T) {
	const name = "react.solver"
	broken := &sdk.Failure{Class: sdk.FailureEnvironment, Detail: "broken"}
	full := func(fromBase int) func(*rig) {
		return func(r *rig) {
			r.policy.before = func(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
				if req.Base >= fromBase {
					return nil, &sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: "193 of 192 tokens"}
				}
				return nil, nil
			}
		}
	}
	trained := func(r *rig) { r.setup.Sampling.MaxTokens = 60 }
	served := func(most int) func(*rig) {
		return func(r *rig) {
			r.setup.Served = map[string]*ServedBinding{name: {
				GeneratorBinding: GeneratorBinding{Address: "model.openai.big", Generator: r.policy}, MaxTokens: most,
			}}
		}
	}
	for _, row := range []struct {
		name    string
		change  func(*rig)
		outcome sdk.Outcome // empty: truncated
		want    *agent.Limit
	}{
		{name: "none", change: func(*rig) {}, outcome: sdk.OutcomeScored},
		{
			name: "message_tokens", change: both(cutAt(60), trained), want: &agent.Limit{Name: "message_tokens", Value: 60},
		},
		{
			name:   "message_tokens, masked",
			change: both(cutAt(60), trained, func(r *rig) { r.setup.Overlong = OverlongMask }),
			want:   &agent.Limit{Name: "message_tokens", Value: 60},
		},
		{
			name:   "max_message_tokens is the lower one",
			change: both(cutAt(40), trained, solving(agent.Settings{Name: name, MessageTokens: 40})),
			want:   &agent.Limit{Name: "max_message_tokens", Value: 40, Of: "agent.react.solver"},
		},
		{
			name:   "message_tokens is the lower one",
			change: both(cutAt(60), trained, solving(agent.Settings{Name: name, MessageTokens: 70})),
			want:   &agent.Limit{Name: "message_tokens", Value: 60},
		},
		{
			name:   "response_tokens",
			change: both(cutAt(30), trained, solving(agent.Settings{Name: name, ResponseTokens: 30})),
			want:   &agent.Limit{Name: "response_tokens", Value: 30},
		},
		{
			name: "max_turns", change: solving(agent.Settings{Name: name, MaxTurns: 1}),
			want: &agent.Limit{Name: "max_turns", Value: 1, Of: "agent.react.solver"},
		},
		{name: "the environment's", want: &agent.Limit{Name: "environment"}, change: func(r *rig) {
			r.env.onStep = func(context.Context, sdk.StepRequest) (*sdk.StepResponse, error) {
				return &sdk.StepResponse{Done: true, Truncated: true}, nil
			}
		}},
		{
			name: "the context, within a message", change: both(cutAt(20), trained),
			want: &agent.Limit{Name: "context", Value: 30},
		},
		{
			name: "the context, after a turn", change: full(1),
			want: &agent.Limit{Name: "context", Detail: "193 of 192 tokens"},
		},
		{
			name: "the context, at the prompt", change: full(0),
			want: &agent.Limit{Name: "context", Detail: "193 of 192 tokens"},
		},
		{
			name: "the context, of an agent that does not notice", want: &agent.Limit{Name: "context"},
			change: both(full(0), func(r *rig) {
				r.setup.Agent = spy(func(ctx context.Context, e agent.Episode) (*agent.Result, error) {
					_, err := e.Model.Generate(ctx, agent.Request{Member: name})
					return nil, err
				})
			}),
		},
		{
			name: "max_tokens of a served model", change: both(cutAt(50), trained, served(50)),
			want: &agent.Limit{Name: "max_tokens", Value: 50, Of: "model.openai.big"},
		},
		{
			name: "message_tokens of a served model", change: both(cutAt(60), trained, served(0)),
			want: &agent.Limit{Name: "message_tokens", Value: 60},
		},
		{
			name:   "one that cut an episode whose scoring failed",
			change: both(cutAt(60), trained, onScore(times(always, broken))), outcome: sdk.OutcomeDropped,
			want: &agent.Limit{Name: "message_tokens", Value: 60},
		},
		{
			name: "none, where the environment failed after a message was cut", outcome: sdk.OutcomeDropped,
			change: both(cutAt(60), trained, func(r *rig) {
				r.setup.Agent = spy(func(ctx context.Context, e agent.Episode) (*agent.Result, error) {
					_, err := e.Model.Generate(ctx, agent.Request{Member: name})
					if err == nil {
						err = &verdict.CallError{Class: sdk.FailureEnvironment, Address: "environment.fake.e", Err: broken}
					}
					cut := &agent.Limit{Name: agent.LimitMessageTokens, Value: 60}
					return &agent.Result{Finish: agent.FinishLength, Limit: cut}, err
				})
			}),
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig()
				row.change(r)
				r.start(t)
				r.run(t, sample(1, 1, 0))
				got := r.sink.last(t)
				if row.outcome == "" {
					row.outcome = sdk.OutcomeTruncated
				}
				if diff := cmp.Diff(row.want, got.Limit); diff != "" || got.Outcome != row.outcome {
					t.Errorf("outcome %s, finish %s (-want +got):\n%s", got.Outcome, got.Finish, diff)
				}
			})
		})
	}
}
