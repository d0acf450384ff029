package bfclenv

import (
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
type judge func(end summary) (sdk.Scored, error)

func rewardOf(typ, description string, components []string, j judge) sdk.RewardComponent {
	return sdk.RewardComponent{
		Component:    sdk.Component{Type: typ, Description: description, Components: components},
		Capabilities: sdk.RewardCapabilities{BatchSize: 256, Needs: []sdk.Need{sdk.NeedEnvironmentState}},
		New: sdk.ConfiguredReward(struct{}{}, func(_ struct{}, item sdk.ScoreItem) (sdk.Scored, error) {
			end, err := endOf(item)
			if err != nil {
				return sdk.Scored{}, err
			}
			return j(end)
		}),
	}
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

func official(end summary) (sdk.Scored, error) {
	valid := end.Verdict.Valid
	turns := float64(end.TurnsRight) / float64(max(1, end.Turns))
	return sdk.Scored{Score: sdk.Flag(valid), IsSuccess: &valid, Components: map[string]float64{componentTurns: turns}}, nil
}

func format(end summary) (sdk.Scored, error) {
	r := tuning.FormatReward(end.Scores)
	scored, err := scored(end, r)
	if err == nil {
		scored.Components[componentProgress] = r.Progress
	}
	return scored, err
}

func progress(end summary) (sdk.Scored, error) {
	turns := end.Turns
	if end.Reference {
		turns = 0 // only reached turns
	}
	return scored(end, tuning.ProgressReward(end.Scores, turns))
}

func scored(end summary, r tuning.Reward) (sdk.Scored, error) {
	if end.Scores == nil {
		return sdk.Scored{}, errors.New(`the episode has no scores of messages: these rewards go with mode = "envtuning"`)
	}
	valid := end.Verdict.Valid
	return sdk.Scored{Score: r.Score, IsSuccess: &valid, Components: map[string]float64{
		componentFormat: r.Format, componentTools: r.Tools, componentCalled: sdk.Flag(r.CalledTool),
		componentRounds: float64(r.Rounds),
	}}, nil
}
