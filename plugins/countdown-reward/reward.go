package countdownreward

import (
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
	"github.com/awhost/awhost/sdk/schema"
)

// Plugin describes the plugin: one reward of type "countdown".
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "countdown",
		Version: "0.1.0",
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{
				Type:        "countdown",
				Description: "1 if the expression in the answer reaches the target with the given numbers.",
				Schema:      configSchema(),
				Components:  []string{"extracted", "readable", "numbers", "target"},
				Validate: answertext.Reproduces("compatibility", string(reference),
					map[string]string{"answer_form": string(answertext.Boxed)}),
			},
			Capabilities: sdk.RewardCapabilities{
				BatchSize: 256, Needs: []sdk.Need{sdk.NeedGroundTruth}, TruthOptional: true,
			},
			New: sdk.ConfiguredReward(config{FormatScore: publishedFormatScore, Compatibility: corrected}, config.score),
		}},
	}
}

// publishedFormatScore is the format score that AgentJet uses.
const publishedFormatScore = 0.1

func configSchema() schema.Block {
	return schema.Block{
		Description: "The expression must use each of the task's nums once and reach its target.",
		Attributes: []schema.Attribute{
			schema.Number("format_score", "Score for a wrong expression.").
				Default(publishedFormatScore).Range(0, 1),
			schema.String("compatibility", "`corrected` follows the rules of the game and compares exactly. `reference` "+
				"reproduces the scores of AgentJet's judge.").
				Default(string(corrected)).Enum(string(corrected), string(reference)),
			answertext.FormAttribute(),
		},
	}
}

// config is the body of a reward "countdown" block.
type config struct {
	FormatScore   float64         `json:"format_score"`
	Compatibility compatibility   `json:"compatibility"`
	Form          answertext.Form `json:"answer_form"`
}

func (c config) score(item sdk.ScoreItem) (sdk.Scored, error) {
	p, err := problemOf(item.Task)
	if err != nil {
		return sdk.Scored{}, err
	}
	var v verdict
	if c.Compatibility == reference {
		v, err = judgeAsReference(item.FinalAnswer, p)
	} else {
		v, err = judge(c.Form, item.FinalAnswer, p)
	}
	success := v.correct()
	return sdk.Scored{
		Score:     v.score(c.FormatScore),
		IsSuccess: &success,
		Components: map[string]float64{
			"extracted": sdk.Flag(v.Extracted), "readable": sdk.Flag(v.Readable),
			"numbers": sdk.Flag(v.Numbers), "target": sdk.Flag(v.Target),
		},
	}, err
}
