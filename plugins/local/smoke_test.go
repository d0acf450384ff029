package local

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

func call(text string) *sdk.Message {
	return &sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "theirs", Name: "add", Arguments: text}}}
}

// say requests a scripted message.
func say(t *testing.T, ctx context.Context, r *rig, req sdk.EpisodeRequest, id string, m *sdk.Message,
	maxTokens int) *sdk.GenerateResponse {
	t.Helper()
	answer, err := r.adapter.Generate(ctx, sdk.GenerateRequest{
		EpisodeID: req.EpisodeID, Attempt: 1, CallID: id, Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "1+2="}},
		Tools: []sdk.Tool{{Name: "add"}}, Trainable: true, Sampling: sdk.Sampling{MaxTokens: maxTokens}, Scripted: m,
	})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestGenerate_SaysWhatAScriptSays(t *testing.T) {
	inEpisode(t, func(ctx context.Context, r *rig, req sdk.EpisodeRequest) {
		got := say(t, ctx, r, req, "c1", call(`{"a":1}`), 0)
		want := sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "call_2_0", Name: "add",
			Arguments: `{"a":1}`}}}
		if diff := cmp.Diff(want, got.Message); diff != "" {
			t.Errorf("message (-want +got):\n%s", diff)
		}
		if got.Finish != sdk.FinishToolCalls {
			t.Errorf("it ended by %s, want tool_calls", got.Finish)
		}
		c := r.kept(req.EpisodeID, got.Chain)
		trained := 0
		for i, id := range c.ids {
			if !c.trained[i] {
				continue
			}
			trained++
			if c.logprobs[i] >= 0 || c.logprobs[i] < -30 {
				t.Errorf("token %d has log-probability %v: want the policy's", id, c.logprobs[i])
			}
		}
		if trained != got.OutputTokens || trained == 0 {
			t.Errorf("%d of %d tokens are trained, want all", trained, got.OutputTokens)
		}
		// A message's limits apply, and a cut message is not a call.
		cut := say(t, ctx, r, req, "c2", call(`{"a":1}`), 9)
		if cut.Finish != sdk.FinishLength || cut.OutputTokens != 9 || len(cut.Message.ToolCalls) > 0 ||
			len(cut.Message.Malformed) != 1 {
			t.Errorf("cut after 9 tokens: %+v", cut)
		}
		if _, err := r.adapter.Generate(ctx, sdk.GenerateRequest{
			EpisodeID: req.EpisodeID, Attempt: 1, CallID: "c3", Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "x"}},
			Scripted: call("{"),
		}); err == nil || !strings.Contains(err.Error(), "the arguments of add are not JSON") {
			t.Errorf("arguments that are not JSON: %v", err)
		}
	})
}

// A smoke run must use the smallest policy with the block's context, and the plan must show it.
func TestTrain_SmokeIsSmall(t *testing.T) {
	r := newRig(t, map[string]any{
		"preset": "small", "warm_start": map[string]any{"dataset": demosAddress, "steps": 300},
	})
	r.host.datasets = map[string][]sdk.Task{demosAddress: demonstrationsOf(t, map[string]string{"a": "b"})}
	knobs := knobsOf(2, nil)
	plan, err := r.adapter.Plan(t.Context(), sdk.PlanRequest{Stages: []sdk.StagePlan{{Name: "only", Knobs: knobs}},
		Smoke: true})
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(plan.Notes, "\n"); !plan.Capabilities.Smoke || !strings.Contains(notes, "preset tiny") ||
		!strings.Contains(notes, "context 64") || !strings.Contains(notes, "warm start: 2 updates of 2 demonstrations") {
		t.Errorf("the plan says:\n%s", notes)
	}
	req := r.request(knobs)
	req.Smoke = true
	r.train(req, sdk.FinishedCompleted)
	updates := 0
	for _, e := range r.events {
		if e.Phase != nil && e.Phase.Name == "warm_start" {
			updates = e.Phase.Total
		}
	}
	if updates != smokeWarmStart {
		t.Errorf("%d updates of the warm start, want %d", updates, smokeWarmStart)
	}
	policy, err := tinylm.Load(r.checkpoints()[2].Path, tinylm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := tinylm.Tiny()
	want.MaxLen = 64
	if policy.Config() != want {
		t.Errorf("the policy is %+v, want %+v", policy.Config(), want)
	}
	// The next stage continues with it.
	next := r.request(knobs)
	next.Smoke, next.LaunchID, next.FirstStep, next.FromCheckpoint, next.CheckpointDir = true, "run/next", 3,
		r.checkpoints()[2].Path, t.TempDir()
	r.train(next, sdk.FinishedCompleted)
}
