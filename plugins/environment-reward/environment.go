// Package environmentreward is the reward plugin "environment": the score of an episode is what its environment gave
// for the turns, or, with type "environment_state", a number of what it shows at the end.
//
//	reward "environment" "game" {
//	  combine = "sum"   # the default; "last" or "mean"
//	  none    = 0       # of an episode in which no turn had a reward; without it that is a failure
//	}
//
// The host has the turn rewards on record and hands them to every reward; this one adds them up. It is a plugin as all
// other rewards are, so that a spec names, checks and records it as those, and expressions can weigh it against them.
//
// The package knows nothing of the host, of trainers or of how episodes run.
package environmentreward

import (
	"context"
	"slices"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// combination says which number the rewards of the turns come to.
type combination string

const (
	combineSum  combination = "sum"
	combineLast combination = "last"
	combineMean combination = "mean"
)

// Plugin describes the plugin: rewards of the types "environment" and "environment_state".
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "environment",
		Version: "0.1.0",
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{
				Type:        "environment",
				Description: "What the environment itself gave for the turns of an episode.",
				Schema:      configSchema(),
				Components:  []string{"turns_rewarded", "sum", "last", "mean", "lowest", "highest"},
			},
			Capabilities: sdk.RewardCapabilities{BatchSize: 256},
			New:          newReward,
		}, stateComponent()},
	}
}

func configSchema() schema.Block {
	return schema.Block{
		Description: "Makes one number of the rewards that the environment gave for single turns.",
		Attributes: []schema.Attribute{
			schema.String("combine", "which number: the `sum` of the turns' rewards, the `last` one, or their `mean`").
				Default(string(combineSum)).Enum(string(combineSum), string(combineLast), string(combineMean)),
			schema.Number("none", "the score of an episode in which no turn had a reward. Default: it is a failure"),
		},
	}
}

// config is the body of a reward "environment" block.
type config struct {
	Combine combination `json:"combine"`
	None    *float64    `json:"none"`
}

// reward combines the turns of one item after the other; it keeps nothing between calls.
type reward struct{ config config }

func newReward(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
	c := config{Combine: combineSum}
	if err := setup.Decode(&c); err != nil {
		return nil, err
	}
	return sdk.ScoredFunc((&reward{config: c}).scoreItem), nil
}

// scoreItem leaves IsSuccess empty: the environment's author defines what a success is, and a spec states it.
func (r *reward) scoreItem(item sdk.ScoreItem) sdk.Scored {
	turns := item.TurnRewards
	if len(turns) == 0 {
		return r.scoreNone()
	}
	sum := 0.0
	for _, turn := range turns {
		sum += turn
	}
	numbers := map[string]float64{
		"turns_rewarded": float64(len(turns)), "sum": sum, "last": turns[len(turns)-1], "mean": sum / float64(len(turns)),
		"lowest": slices.Min(turns), "highest": slices.Max(turns),
	}
	return sdk.Scored{Score: numbers[string(r.config.Combine)], Components: numbers}
}

// scoreNone answers for an episode without turn rewards: the environment may give none ever, and then 0 would train on
// nothing without a word.
func (r *reward) scoreNone() sdk.Scored {
	if r.config.None == nil {
		return sdk.Scored{Failure: &sdk.Failure{
			Class: sdk.FailureReward,
			Detail: "the environment gave no turn of this episode a reward: " +
				"set none, such as none = 0, if that is a result, or use another reward if it never gives one",
		}}
	}
	return sdk.Scored{Score: *r.config.None, Components: map[string]float64{
		"turns_rewarded": 0, "sum": 0, "last": 0, "mean": 0, "lowest": 0, "highest": 0,
	}}
}
