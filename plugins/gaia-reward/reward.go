package gaiareward

import (
	"context"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
	"github.com/awhost/awhost/sdk/schema"
)

// Plugin describes the plugin: one reward of type "gaia".
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "gaia",
		Version: "0.1.0",
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{
				Type: "gaia",
				Description: "1 if an episode's <answer> equals the ground truth under the rules of the GAIA " +
					"benchmark, otherwise 0.",
				Schema:     configSchema(),
				Components: []string{"extracted", "exact", "numeric", "list"},
			},
			Capabilities: sdk.RewardCapabilities{
				BatchSize:  256,
				Needs:      []sdk.Need{sdk.NeedGroundTruth, sdk.NeedTranscript},
				TruthTypes: []string{"string", "number", "boolean"},
			},
			New: newReward,
		}},
	}
}

func configSchema() schema.Block {
	return schema.Block{
		Description: "The text in `<answer>` is compared as a number, a list, or a string.",
		Attributes: []schema.Attribute{
			schema.String("compatibility", "`corrected` gives no credit for injected, empty, or meaningless answers. "+
				"`reference` reproduces AWorld's verdicts exactly.").
				Default(string(corrected)).Enum(string(corrected), string(reference)),
		},
	}
}

// config is the body of a reward "gaia" block.
type config struct {
	Compatibility compatibility `json:"compatibility"`
}

// reward scores items one by one. It keeps no state between calls.
type reward struct {
	mode compatibility
}

func newReward(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
	c := config{Compatibility: corrected}
	if err := setup.Decode(&c); err != nil {
		return nil, err
	}
	return sdk.ScoredFunc((&reward{mode: c.Compatibility}).scoreItem), nil
}

func (r *reward) scoreItem(item sdk.ScoreItem) sdk.Scored {
	text := scoredText(r.mode, item)
	return answertext.Score(item.Task, func(truth any) sdk.Scored {
		verdict, failure := judge(r.mode, text, truth)
		if failure != nil {
			return sdk.Scored{Failure: failure}
		}
		return verdict.scored()
	})
}

// scored converts the verdict to numbers. An episode is a success if its score is 1.
func (v verdict) scored() sdk.Scored {
	success := v.Correct
	return sdk.Scored{
		Score:     sdk.Flag(v.Correct),
		IsSuccess: &success,
		Components: map[string]float64{
			"extracted": sdk.Flag(v.Extracted),
			"exact":     sdk.Flag(v.Exact),
			"numeric":   sdk.Flag(v.Numeric),
			"list":      sdk.Flag(v.List),
		},
	}
}
