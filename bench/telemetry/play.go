package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/telemetry"
	"github.com/awhost/awhost/host/telemetry/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process/heap"
)

// burst is the number of episodes that end together, and pause is the time between two bursts. Without pauses, the
// policy, which responds instantly, would fill any queue, and dropped spans cost nothing.
const (
	burst = 64
	pause = 40 * time.Millisecond
)

// heapRoom equals the value in awhost.
const heapRoom = 24 << 20

// play plays episodes and prints the results.
func play(ctx context.Context, o options, role string) error {
	heap.Pace(heapRoom)
	asked := settings.Settings{}
	switch role {
	case roleMetrics:
		asked.Metrics = &settings.Metrics{Listen: "127.0.0.1:0"}
	case roleTraces:
		asked.Traces = &settings.Traces{Endpoint: o.url, Sample: 1}
	}
	lost := 0
	t := telemetry.New(telemetry.Config{Settings: asked, Version: "bench", Run: "bench"})
	t.Start(ctx, func(p event.Payload) {
		if w, warns := p.(event.Warning); warns {
			lost = max(lost, w.Count)
		}
	})
	for n := range o.episodes {
		t.EpisodeEnded(episode(ctx, t.Tracer(), "bench/t000001/g"+strconv.Itoa(n), o.turns))
		if role == roleTraces && n%burst == 0 {
			time.Sleep(pause) // uses no CPU
		}
	}
	t.Close(ctx)
	fmt.Printf("%d spans lost\n", lost)
	return nil
}

// episode returns an episode in the engine's format.
func episode(ctx context.Context, tracer rollout.Tracer, id string, turns int) *rollout.EpisodeRecord {
	reward, solved := 0.5, true
	e := &rollout.EpisodeRecord{
		AttemptRecord: rollout.AttemptRecord{
			EpisodeID: id, Attempt: 1, TaskID: "task-7", Started: time.Now(),
			Slot: rollout.Slot{Stage: "full", Split: sdk.SplitTrain, Step: 1, Group: "g0001"},
			Parties: rollout.Parties{
				Agent: "agent.react.solver", Environment: "environment.calculator.desk", Model: "adapter.local.grpo",
			},
		},
		Outcome: sdk.OutcomeScored, Reward: &reward, IsSuccess: &solved,
		Scores: []rollout.ScoreRecord{{Address: "reward.exact.answer", Scored: sdk.Scored{Score: 0.5}}},
	}
	for n := range turns {
		callID := id + "/1." + strconv.Itoa(n+1)
		add := sdk.ToolCall{ID: "call_1", Name: "add", Arguments: `{"a":1,"b":2}`}
		message := sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{add}}
		took(ctx, tracer, e, rollout.Wait{
			For: rollout.WaitGenerate, Address: "adapter.local.grpo", Call: "Generate", ID: callID,
		}, nil, message)
		result := sdk.Message{Role: sdk.RoleTool, ToolCallID: "call_1", Content: "3"}
		took(ctx, tracer, e, rollout.Wait{
			For: rollout.WaitEnvironment, Address: "environment.calculator.desk", Call: "Step", ID: callID,
		}, []sdk.Message{message}, result)
		e.Turns = append(e.Turns, rollout.TurnRecord{
			CallID: callID, Agent: "solver", Chain: "c1", Seed: 7, Finish: sdk.FinishToolCalls,
			PromptTokens: 100, OutputTokens: 20,
			Model: time.Second, Environment: time.Millisecond,
		})
	}
	e.Ended = time.Now()
	return e
}

// took records a call, as the engine does for a tracer.
func took(
	ctx context.Context, tracer rollout.Tracer, e *rollout.EpisodeRecord, call rollout.Wait, asked []sdk.Message,
	answered sdk.Message,
) {
	if tracer == nil {
		return
	}
	call.Since = time.Now()
	call.About = &rollout.Exchange{Asked: asked, Answered: []sdk.Message{answered}}
	tracer.Under(ctx, e.EpisodeID, e.Attempt, call)
	e.Waits = append(e.Waits, rollout.Waited{Wait: call, Until: time.Now()})
}
