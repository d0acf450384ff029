package rollout

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// An episode whose first attempt fails at its first step records the time of each call, in both attempts.
func TestSpansAreWhereTheTimeWent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		calls := 0
		r.policy.before = func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
			time.Sleep(4 * time.Second)
			return nil, nil
		}
		r.env.onStep = func(context.Context, sdk.StepRequest) (*sdk.StepResponse, error) {
			time.Sleep(time.Second)
			if calls++; calls == 1 {
				return nil, &sdk.Failure{Class: sdk.FailureInfrastructure, Detail: "not now"}
			}
			return nil, nil
		}
		r.setup.Rewards[0].Reward = rewardFunc(func(ctx context.Context, item sdk.ScoreItem) (sdk.Scored, error) {
			time.Sleep(2 * time.Second)
			return answerValue(ctx, item)
		})
		r.start(t)
		result := r.run(t, sample(1, 1, 0))
		record := r.sink.last(t)
		var got []string
		for _, s := range record.Spans {
			if s.Took > 0 {
				got = append(got, fmt.Sprintf("%s %s %s in attempt %d: %v from %v",
					s.Part, s.Name, s.CallID, s.Attempt, s.Took, s.At.Sub(record.Began)))
			}
		}
		if diff := cmp.Diff(wantSpans, got); diff != "" {
			t.Error(diff)
		}
		want := sdk.Timings{Model: 12 * time.Second, Environment: 3 * time.Second, Reward: 2 * time.Second}
		if diff := cmp.Diff(want, result.Timings); diff != "" {
			t.Error(diff)
		}
	})
}

var wantSpans = []string{
	"model react.solver s1-g1-0/1.1 in attempt 1: 4s from 0s",
	"environment add s1-g1-0/1.1 in attempt 1: 1s from 4s",
	"model react.solver s1-g1-0/2.1 in attempt 2: 4s from 5s",
	"environment add s1-g1-0/2.1 in attempt 2: 1s from 9s",
	"model react.solver s1-g1-0/2.2 in attempt 2: 4s from 10s",
	"environment  s1-g1-0/2.2 in attempt 2: 1s from 14s",
	"reward reward.fake.r  in attempt 0: 2s from 15s",
}

// A step's span is named after the tools that its message calls, other spans after the environment's call. Names have
// a limited length.
func TestNamesOfSteps(t *testing.T) {
	for want, calls := range map[string][]string{
		"": {}, "add": {"add"}, "add, mul": {"add", "mul"},
		"a_tool_with_a_long_name, a_tool_with_a_long_name, …": {
			"a_tool_with_a_long_name", "a_tool_with_a_long_name", "a_tool_with_a_long_name",
		},
	} {
		var message sdk.Message
		for _, name := range calls {
			message.ToolCalls = append(message.ToolCalls, sdk.ToolCall{Name: name})
		}
		if got := toolsOf("Open", []sdk.Message{message}); got != want {
			t.Errorf("%v: %q, want %q", calls, got, want)
		}
	}
	if got := toolsOf("Open", nil); got != "Open" {
		t.Errorf("the call is named %q", got)
	}
}
