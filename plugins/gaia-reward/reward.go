package gaiareward

import (
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
			New: sdk.ConfiguredReward(config{corrected}, config.score),
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

func (c config) score(item sdk.ScoreItem) (sdk.Scored, error) {
	text := scoredText(c.Compatibility, item)
	return answertext.Score(item.Task, func(truth any) (sdk.Scored, error) {
		verdict, err := judge(c.Compatibility, text, truth)
		return verdict.scored(), err
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
