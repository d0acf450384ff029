package countdownreward

import (
	"context"

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
			New: newReward,
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

// reward scores items one by one. It keeps no state between calls.
type reward struct{ config config }

func newReward(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
	c := config{FormatScore: publishedFormatScore, Compatibility: corrected}
	if err := setup.Decode(&c); err != nil {
		return nil, err
	}
	return sdk.ScoredFunc((&reward{config: c}).scoreItem), nil
}

func (r *reward) scoreItem(item sdk.ScoreItem) sdk.Scored {
	p, err := problemOf(item.Task)
	if err != nil {
		return sdk.Scored{Failure: failf("%v", err)}
	}
	var v verdict
	var failure *sdk.Failure
	if r.config.Compatibility == reference {
		v, failure = judgeAsReference(item.FinalAnswer, p)
	} else {
		v, failure = judge(r.config.Form, item.FinalAnswer, p)
	}
	if failure != nil {
		return sdk.Scored{Failure: failure}
	}
	success := v.correct()
	return sdk.Scored{
		Score:     v.score(r.config.FormatScore),
		IsSuccess: &success,
		Components: map[string]float64{
			"extracted": sdk.Flag(v.Extracted), "readable": sdk.Flag(v.Readable),
			"numbers": sdk.Flag(v.Numbers), "target": sdk.Flag(v.Target),
		},
	}
}
