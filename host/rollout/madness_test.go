package rollout

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/madness"
	"github.com/awhost/awhost/sdk"
)

// watched returns checks of a member's messages for nonsense and wrong calls.
func watched(t testing.TB, then Consequence, reward *float64) *MadnessBinding {
	t.Helper()
	checks := []madness.Check{madness.Nonsense, madness.WrongToolCall}
	rules, err := madness.New(madness.ProfileAwhost, checks)
	if err != nil {
		t.Fatal(err)
	}
	return &MadnessBinding{Rules: rules, Checks: checks, Then: then, Reward: reward}
}

// inNoForm returns checks with a finding in every message.
func inNoForm() *MadnessBinding {
	checks := []madness.Check{madness.Format}
	rules, err := madness.New(madness.ProfileAwhost, checks)
	if err != nil {
		panic(err)
	}
	return &MadnessBinding{Rules: rules, Checks: checks, Then: ThenCount}
}

// babble returns a policy hook that writes a template marker in addition to its first call, and then answers.
func babble(p *fakePolicy) func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	return func(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
		if req.Chain != "" || req.Scripted != nil {
			return nil, nil
		}
		return p.say(req, sdk.Message{
			Content: "so <|im_start|>", ToolCalls: []sdk.ToolCall{{ID: "c", Name: "add", Arguments: "{}"}},
		}), nil
	}
}

// madEnd is the result of an episode with a mad message.
type madEnd struct {
	Outcome sdk.Outcome
	Finish  agent.Finish
	Class   sdk.FailureClass
	Turns   int
	Reward  string // "rewards": the rewards' own value
	Masked  bool
	Trained bool
	Draw    int
}

func TestMadness_WhatFollows(t *testing.T) {
	minus := -1.0
	scored := madEnd{Outcome: sdk.OutcomeScored, Finish: agent.FinishDone, Turns: 2, Reward: "rewards", Trained: true}
	ended := madEnd{Outcome: sdk.OutcomeScored, Finish: agent.FinishMadness, Turns: 1, Reward: "rewards", Trained: true}
	replaced := func(e madEnd) madEnd { e.Reward = "-1"; return e }
	for _, test := range []struct {
		name       string
		then       Consequence
		reward     *float64
		validation bool
		policy     []sdk.FailureAction
		want       madEnd
	}{
		{name: "count", then: ThenCount, want: scored},
		{name: "count, with a reward", then: ThenCount, reward: &minus, want: replaced(scored)},
		{name: "end", then: ThenEnd, want: ended},
		{name: "end, with a reward", then: ThenEnd, reward: &minus, want: replaced(ended)},
		{name: "mask", then: ThenMask, want: madEnd{
			Outcome: sdk.OutcomeFailed, Finish: agent.FinishMadness, Class: sdk.FailurePolicy, Turns: 1, Masked: true,
		}},
		{name: "end, where a failure of the policy is sampled again", then: ThenEnd,
			policy: []sdk.FailureAction{sdk.ActionRetry, sdk.ActionMask}, want: madEnd{
				Outcome: sdk.OutcomeFailed, Finish: agent.FinishMadness, Class: sdk.FailurePolicy, Turns: 1, Masked: true, Draw: 1,
			}},
		{name: "count in validation", then: ThenCount, reward: &minus, validation: true, want: untrained(scored)},
		{name: "end in validation", then: ThenEnd, reward: &minus, validation: true, want: untrained(ended)},
		{name: "mask in validation", then: ThenMask, validation: true, want: untrained(scored)},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig()
			r.policy.before = babble(r.policy)
			r.setup.Madness = map[string]*MadnessBinding{"react.solver": watched(t, test.then, test.reward)}
			if test.policy != nil {
				r.setup.Policy = DefaultPolicy()
				r.setup.Policy[sdk.FailurePolicy] = ClassPolicy{Actions: test.policy, Budget: 1}
			}
			req := sample(1, 0, 0)
			if test.validation {
				req = probe(0)
			}
			result := r.start(t).run(t, req)
			record := r.sink.last(t)
			if diff := cmp.Diff(test.want, madEndOf(record, result)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			want := []madness.Finding{{
				Check: madness.Nonsense, Reason: madness.ReasonMarker, Part: madness.PartContent, Offset: 3,
				Near: "so <|im_start|>",
			}}
			if diff := cmp.Diff(want, record.Turns[0].Findings); diff != "" {
				t.Errorf("on record (-want +got):\n%s", diff)
			}
			if len(record.Messages) < 2 || record.Messages[1].Content != "so <|im_start|>" || record.Sampled[0] != 1 {
				t.Errorf("the message is not on record: %+v", record.Messages)
			}
		})
	}
}

func untrained(e madEnd) madEnd { e.Trained = false; return e }

func madEndOf(r *EpisodeRecord, result *sdk.EpisodeResult) madEnd {
	e := madEnd{Outcome: r.Outcome, Finish: r.Finish, Turns: len(r.Turns), Masked: r.Masked, Draw: r.Draw}
	if r.Failure != nil {
		e.Class = r.Failure.Class
	}
	switch {
	case r.Reward != nil && *r.Reward == -1:
		e.Reward = "-1"
	case r.Reward != nil && *r.Reward == r.Scores[0].Score:
		e.Reward = "rewards"
	}
	for _, c := range result.Chains {
		e.Trained = e.Trained || c.Train
	}
	return e
}

// One of two episodes is mad, so the rate of each check is one half.
func TestMadness_Rates(t *testing.T) {
	r := newRig()
	mad := babble(r.policy)
	r.policy.before = func(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
		if strings.HasPrefix(req.EpisodeID, "s1-g0") {
			return mad(ctx, req)
		}
		return nil, nil
	}
	r.setup.Madness = map[string]*MadnessBinding{"react.solver": watched(t, ThenCount, nil)}
	r.start(t)
	r.run(t, sample(1, 0, 0))
	r.run(t, sample(1, 1, 0))
	got := r.boundary(1, false).Train.Metrics
	maps.DeleteFunc(got, func(name string, _ float64) bool { return !strings.HasPrefix(name, "agent/") })
	want := map[string]float64{
		"agent/madness_rate": 0.5, "agent/madness_rate/nonsense": 0.5, "agent/madness_rate/wrong_toolcall": 0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Scripted messages of a smoke run and auxiliary calls are not checked.
func TestMadness_PassesOver(t *testing.T) {
	r := newRig()
	r.policy.before = babble(r.policy)
	r.setup.Madness = map[string]*MadnessBinding{"react.solver": watched(t, ThenEnd, nil)}
	r.setup.Auxiliary = func(member string) bool { return member == "react.solver" }
	r.start(t).run(t, sample(1, 0, 0))
	if got := r.sink.last(t); got.Finish != agent.FinishDone || got.Turns[0].Findings != nil {
		t.Errorf("%s, %+v", got.Finish, got.Turns[0].Findings)
	}
	r.setup.Auxiliary = nil
	s := &stage{StageSetup: r.setup}
	m := &model{run: &episode{stage: s}}
	said := &sdk.GenerateResponse{Message: sdk.Message{Content: "<|im_start|>"}}
	if got := m.findings(agent.Request{Member: "react.solver"}, said, &said.Message); got != nil {
		t.Errorf("of a script: %+v", got)
	}
	if got := m.findings(agent.Request{Member: "react.solver/planner"}, said, nil); len(got) != 1 {
		t.Errorf("of a part of the agent: %+v", got)
	}
}

// A plugin's agent that sends further requests is refused as if its lease had ended, and its call ends. The policy
// receives no further request.
func TestMadness_NothingIsSampledAfterTheEnd(t *testing.T) {
	r := newRig()
	r.policy.before = babble(r.policy)
	r.setup.Environment = nil
	r.setup.Madness = map[string]*MadnessBinding{"test.agent": watched(t, ThenEnd, nil)}
	refused := make(chan error, 1)
	player, err := agent.NewPlugin(agent.PluginSettings{Name: "test.agent"}, stubborn{refused})
	if err != nil {
		t.Fatal(err)
	}
	r.setup.Agent = PluginAgent("agent.test.a", player)
	r.start(t).run(t, sample(1, 0, 0))
	got := r.sink.last(t)
	if err := <-refused; !errors.Is(err, sdk.ErrLease) {
		t.Errorf("it was told %v", err)
	}
	if asked := len(r.policy.seen); asked != 1 || len(got.Turns) != 1 {
		t.Errorf("%d were asked for, and %d are on record", asked, len(got.Turns))
	}
	if got.Finish != agent.FinishMadness || got.Outcome != sdk.OutcomeScored {
		t.Errorf("%s, %s, %v", got.Finish, got.Outcome, got.Failure)
	}
	if got.FinalAnswer != "so <|im_start|>" || got.WallClock {
		t.Errorf("the answer is %q; by the clock: %v", got.FinalAnswer, got.WallClock)
	}
}

// stubborn repeats its request after every refusal, and answers nevertheless.
type stubborn struct{ refused chan<- error }

// Run implements sdk.Agent.
func (s stubborn) Run(
	ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession,
) (*sdk.AgentResponse, error) {
	for {
		if _, err := model.Generate(ctx, sdk.ModelRequest{Messages: req.Messages}); err != nil {
			s.refused <- err
			<-ctx.Done()
			answer := "42"
			return &sdk.AgentResponse{FinalAnswer: &answer}, nil
		}
	}
}

// pair holds two concurrent conversations. One is mad while the other waits for its message.
type pair struct{ release chan struct{} }

// Run implements sdk.Agent.
func (p pair) Run(
	ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession,
) (*sdk.AgentResponse, error) {
	slow := make(chan error, 1)
	go func() {
		_, err := model.Generate(ctx, sdk.ModelRequest{Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "slow"}}})
		slow <- err
	}()
	<-p.release // the request is in progress
	_, err := model.Generate(ctx, sdk.ModelRequest{Messages: req.Messages})
	p.release <- struct{}{}
	return &sdk.AgentResponse{}, errors.Join(err, <-slow)
}

func TestMadness_AnEndAmongOthersIsOfTheClock(t *testing.T) {
	r := newRig()
	mad, release := babble(r.policy), make(chan struct{})
	r.policy.before = func(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
		if req.Messages[0].Content != "slow" {
			return mad(ctx, req)
		}
		release <- struct{}{}
		<-release
		return nil, nil
	}
	r.setup.Environment = nil
	r.setup.Madness = map[string]*MadnessBinding{"test.agent": watched(t, ThenEnd, nil)}
	player, err := agent.NewPlugin(agent.PluginSettings{Name: "test.agent"}, pair{release})
	if err != nil {
		t.Fatal(err)
	}
	r.setup.Agent = PluginAgent("agent.test.a", player)
	r.start(t).run(t, sample(1, 0, 0))
	if got := r.sink.last(t); !got.WallClock || got.Finish != agent.FinishMadness || len(got.Turns) != 2 {
		t.Errorf("by the clock: %v, %s, %d turns, %v", got.WallClock, got.Finish, len(got.Turns), got.Failure)
	}
}

// relay sends a request for one member, and then for another.
type relay struct{ then *error }

// Run implements agent.Agent.
func (r relay) Run(ctx context.Context, episode agent.Episode) (*agent.Result, error) {
	ask := func(member string) (*agent.Reply, error) {
		question := []sdk.Message{{Role: sdk.RoleUser, Content: "q"}}
		return episode.Model.Generate(ctx, agent.Request{Member: member, Messages: question})
	}
	first, err := ask("react.solver")
	if err != nil {
		return &agent.Result{}, err
	}
	_, *r.then = ask("react.other")
	return &agent.Result{Finish: agent.FinishMadness, Failure: first.Ends}, nil
}

// A member of a swarm without its own checks is also refused.
func TestMadness_EndsTheEpisodeForAllMembers(t *testing.T) {
	r := newRig()
	r.policy.before = babble(r.policy)
	r.setup.Environment = nil
	r.setup.Madness = map[string]*MadnessBinding{"react.solver": watched(t, ThenEnd, nil)}
	var told error
	r.setup.Agent = relay{&told}
	r.start(t).run(t, sample(1, 0, 0))
	var ended *agent.EndedError
	if !errors.As(told, &ended) || ended.Why.Class != sdk.FailurePolicy {
		t.Errorf("the other one is told %v", told)
	}
	if n := len(r.policy.seen); n != 1 {
		t.Errorf("%d messages were sampled", n)
	}
}
