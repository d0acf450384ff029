package sdktest_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
	"github.com/awhost/awhost/sdk/sdktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The tests of this file are examples for plugin authors: each serves a complete plugin over the real protocol.

// exact is a reward plugin.
var exact = sdk.Plugin{
	Name: "exact", Version: "1.0.0",
	Rewards: []sdk.RewardComponent{{
		Component: sdk.Component{
			Type: "exact", Description: "1 if the answer equals the ground truth.",
			Schema: schema.Block{Attributes: []schema.Attribute{schema.Bool("ignore_case",
				"whether case matters").Default(false)}},
		},
		Capabilities: sdk.RewardCapabilities{Needs: []sdk.Need{sdk.NeedGroundTruth}},
		New: func(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
			var r exactReward
			return &r, setup.Decode(&r)
		},
	}},
}

type exactReward struct {
	IgnoreCase bool `json:"ignore_case"`
}

// Score implements sdk.Reward.
func (r *exactReward) Score(_ context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	out := &sdk.ScoreResponse{}
	for _, item := range req.Items {
		var private struct {
			GroundTruth string `json:"ground_truth"`
		}
		if err := json.Unmarshal(item.Task.Private, &private); err != nil {
			out.Items = append(out.Items, sdk.Scored{Failure: &sdk.Failure{Class: sdk.FailureReward,
				Detail: "the task has no ground truth"}})
			continue
		}
		equal := item.FinalAnswer == private.GroundTruth || r.IgnoreCase &&
			strings.EqualFold(item.FinalAnswer, private.GroundTruth)
		scored := sdk.Scored{IsSuccess: &equal}
		if equal {
			scored.Score = 1
		}
		out.Items = append(out.Items, scored)
	}
	return out, nil
}

func TestReward(t *testing.T) {
	item := sdk.ScoreItem{FinalAnswer: "paris", Task: sdk.Task{ID: "capital",
		Private: json.RawMessage(`{"ground_truth":"Paris"}`)}}
	for name, test := range map[string]struct {
		config map[string]any
		want   float64
	}{
		"case matters by default": {nil, 0},
		"case is ignored":         {map[string]any{"ignore_case": true}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			reward := sdktest.Reward(t, exact, "exact", test.config)
			out, err := reward.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{item, {}}})
			if err != nil {
				t.Fatal(err)
			}
			if got := out.Items[0].Score; got != test.want {
				t.Errorf("score %v, want %v", got, test.want)
			}
			if out.Items[1].Failure == nil {
				t.Error("an item without a ground truth got a score")
			}
		})
	}
}

// doors is an environment plugin: one of two doors leads out.
var doors = sdk.Plugin{
	Name: "doors", Version: "1.0.0",
	Environments: []sdk.EnvironmentComponent{{
		Component:    sdk.Component{Type: "doors", Description: "One of two doors leads out."},
		Capabilities: sdk.EnvironmentCapabilities{DeterministicUnderSeed: true, GroupSafe: true},
		New:          func(context.Context, sdk.Setup) (sdk.Environment, error) { return doorsEnvironment{}, nil },
	}},
}

type doorsEnvironment struct{}

// Open implements sdk.Environment. An episode consists only of its seed, which determines the instance's name.
func (doorsEnvironment) Open(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	exit := []string{"left", "right"}[req.Seed%2]
	return &sdk.OpenResponse{InstanceID: exit, Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "left or right?"}},
		MaxTurns: 1}, nil
}

// Step implements sdk.Environment.
func (doorsEnvironment) Step(_ context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	reward := 0.0
	if req.Message.Content == req.InstanceID {
		reward = 1
	}
	return &sdk.StepResponse{TurnReward: &reward, Done: true}, nil
}

// Close implements sdk.Environment.
func (doorsEnvironment) Close(context.Context, sdk.CloseRequest) (*sdk.CloseResponse, error) {
	return &sdk.CloseResponse{}, nil
}

func TestEnvironment(t *testing.T) {
	environment := sdktest.Environment(t, doors, "doors", nil)
	opened, err := environment.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e1", Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	out, err := environment.Step(t.Context(), sdk.StepRequest{
		EpisodeID: "e1", InstanceID: opened.InstanceID, StepID: "1",
		Message: sdk.Message{Role: sdk.RoleAssistant, Content: "right"},
	})
	if err != nil || !out.Done || out.TurnReward == nil || *out.TurnReward != 1 {
		t.Errorf("step: %+v, %v", out, err)
	}
	if _, err := environment.Step(t.Context(), sdk.StepRequest{EpisodeID: "another", StepID: "1"}); !errors.Is(err,
		sdk.ErrSessionLost) {
		t.Errorf("a step of an episode that was not opened: %v", err)
	}
}

// once is an adapter plugin that requests one episode and then finishes.
var once = sdk.Plugin{
	Name: "once", Version: "1.0.0",
	Adapters: []sdk.AdapterComponent{{
		Component: sdk.Component{Type: "once", Description: "Asks for one episode."},
		New:       func(context.Context, sdk.Setup) (sdk.Adapter, error) { return onceAdapter{}, nil },
	}},
}

type onceAdapter struct{}

// Plan implements sdk.Adapter.
func (onceAdapter) Plan(context.Context, sdk.PlanRequest) (*sdk.PlanResponse, error) {
	return &sdk.PlanResponse{}, nil
}

// Train implements sdk.Adapter.
func (onceAdapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	result, err := host.RunEpisode(ctx, sdk.EpisodeRequest{EpisodeID: req.LaunchID + "/1", GroupID: "1", GroupSize: 1,
		Step: 1, Split: sdk.SplitTrain})
	if err != nil {
		return err
	}
	return emit(sdk.TrainEvent{Metrics: &sdk.MetricsEvent{Step: 1,
		Values: map[string]float64{"train/reward": *result.Reward}}})
}

// Generate implements sdk.Adapter.
func (onceAdapter) Generate(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	return nil, &sdk.GenerateError{Kind: sdk.GenerateEngine, Detail: "this adapter has no policy"}
}

// Control implements sdk.Adapter.
func (onceAdapter) Control(context.Context, sdk.ControlRequest) error { return nil }

// fakeHost scores every episode 0.5.
type fakeHost struct{ sdk.Host }

// RunEpisode implements sdk.Host.
func (fakeHost) RunEpisode(_ context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	reward := 0.5
	return &sdk.EpisodeResult{EpisodeID: req.EpisodeID, Outcome: sdk.OutcomeScored, Reward: &reward}, nil
}

func TestAdapter(t *testing.T) {
	adapter := sdktest.Adapter(t, once, "once", nil, fakeHost{})
	var got []sdk.TrainEvent
	if err := adapter.Train(t.Context(), sdk.TrainRequest{LaunchID: "l"}, nil, func(e sdk.TrainEvent) error {
		got = append(got, e)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Metrics.Values["train/reward"] != 0.5 || got[1].Finished.Outcome != sdk.FinishedCompleted {
		t.Errorf("events: %+v", got)
	}
}

var (
	_ sdk.Reward      = (*exactReward)(nil)
	_ sdk.Environment = doorsEnvironment{}
	_ sdk.Adapter     = onceAdapter{}
	_ sdk.Host        = fakeHost{}
)
