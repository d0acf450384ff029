// Package environmentreward is the reward plugin "environment": the score of an episode combines the environment's turn
// rewards, or, with type "environment_state", is a number from its final state.
//
//	reward "environment" "game" {
//	  combine = "sum"   # the default; "last" or "mean"
//	  none    = 0       # score of an episode without turn rewards; without it that is a failure
//	}
//
// The host records the turn rewards and passes them to every reward; this one combines them. It is a plugin like all
// other rewards, so that a spec can name, check, record, and weight it in the same way.
//
// The package does not depend on the host, trainers or the way episodes run.
package environmentreward

import (
	"context"
	"slices"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// combination selects how the turn rewards are combined.
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
				Description: "The environment's own rewards for an episode's turns.",
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
		Attributes: []schema.Attribute{
			schema.String("combine", "The score: the `sum` of the turns' rewards, the `last` one, or their `mean`.").
				Default(string(combineSum)).Enum(string(combineSum), string(combineLast), string(combineMean)),
			schema.Number("none", "Score of an episode without rewarded turns. Default: a failure."),
		},
	}
}

// config is the body of a reward "environment" block.
type config struct {
	Combine combination `json:"combine"`
	None    *float64    `json:"none"`
}

// reward scores items one by one. It keeps no state between calls.
type reward struct{ config config }

func newReward(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
	c := config{Combine: combineSum}
	if err := setup.Decode(&c); err != nil {
		return nil, err
	}
	return sdk.ScoredFunc((&reward{config: c}).scoreItem), nil
}

// scoreItem leaves IsSuccess empty, because the environment's author defines success, and a spec states it.
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

// scoreNone returns the result for an episode without turn rewards. The environment may never return any, in which case
// a default of 0 would silently train without a signal.
func (r *reward) scoreNone() sdk.Scored {
	if r.config.None == nil {
		return sdk.Scored{Failure: &sdk.Failure{
			Class: sdk.FailureReward,
			Detail: "the environment returned no reward for any turn of this episode: set none, such as none = 0, if this is " +
				"a valid result, or use another reward if the environment never returns one",
		}}
	}
	return sdk.Scored{Score: *r.config.None, Components: map[string]float64{
		"turns_rewarded": 0, "sum": 0, "last": 0, "mean": 0, "lowest": 0, "highest": 0,
	}}
}
