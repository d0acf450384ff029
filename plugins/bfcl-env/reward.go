package bfclenv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/tuning"
	"github.com/awhost/awhost/sdk"
)

// Components of the rewards.
const (
	componentTurns    = "turns_right" // share of the entry's turns
	componentProgress = "progress"
	componentFormat   = "format_reward"
	componentTools    = "tool_call_reward"
	componentCalled   = "is_tool_call"
	componentRounds   = "total_interaction_rounds"
)

// judge returns the score of an episode's final state.
type judge func(end summary) sdk.Scored

func rewardOf(typ, description string, components []string, j judge) sdk.RewardComponent {
	return sdk.RewardComponent{
		Component:    sdk.Component{Type: typ, Description: description, Components: components},
		Capabilities: sdk.RewardCapabilities{BatchSize: 256, Needs: []sdk.Need{sdk.NeedEnvironmentState}},
		New:          func(context.Context, sdk.Setup) (sdk.Reward, error) { return reward{j}, nil },
	}
}

type reward struct{ judge judge }

// Score implements sdk.Reward.
func (r reward) Score(_ context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	out := &sdk.ScoreResponse{Items: make([]sdk.Scored, len(req.Items))}
	for i, item := range req.Items {
		end, err := endOf(item)
		if err != nil {
			out.Items[i].Failure = &sdk.Failure{Class: sdk.FailureReward, Detail: err.Error()}
			continue
		}
		out.Items[i] = r.judge(end)
	}
	return out, nil
}

func endOf(item sdk.ScoreItem) (summary, error) {
	var end summary
	if len(item.State) == 0 {
		return end, errors.New("there is no state of the environment: these rewards judge episodes of an environment of type bfcl")
	}
	if err := json.Unmarshal(item.State, &end); err != nil || end.Entry == "" {
		return end, fmt.Errorf("the state is not one of an environment of type bfcl (%v)", err)
	}
	return end, nil
}

func official(end summary) sdk.Scored {
	valid := end.Verdict.Valid
	out := sdk.Scored{IsSuccess: &valid, Components: map[string]float64{componentTurns: float64(end.TurnsRight) / float64(max(1, end.Turns))}}
	if valid {
		out.Score = 1
	}
	return out
}

func format(end summary) sdk.Scored {
	r := tuning.FormatReward(end.Scores)
	components := parts(r)
	components[componentProgress] = r.Progress
	return scored(end, r, components)
}

func progress(end summary) sdk.Scored {
	turns := end.Turns
	if end.Reference {
		turns = 0 // only reached turns
	}
	r := tuning.ProgressReward(end.Scores, turns)
	return scored(end, r, parts(r))
}

func scored(end summary, r tuning.Reward, components map[string]float64) sdk.Scored {
	if end.Scores == nil {
		return sdk.Scored{Failure: &sdk.Failure{
			Class: sdk.FailureReward, Detail: `the episode has no scores of messages: these rewards go with mode = "envtuning"`,
		}}
	}
	valid := end.Verdict.Valid
	return sdk.Scored{Score: r.Score, Components: components, IsSuccess: &valid}
}

func parts(r tuning.Reward) map[string]float64 {
	called := 0.0
	if r.CalledTool {
		called = 1
	}
	return map[string]float64{componentFormat: r.Format, componentTools: r.Tools, componentCalled: called,
		componentRounds: float64(r.Rounds)}
}

var _ sdk.Reward = reward{}
