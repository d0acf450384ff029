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
	"errors"
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
			New:          sdk.ConfiguredReward(config{Combine: combineSum}, config.score),
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

// score leaves IsSuccess empty, because the environment's author defines success, and a spec states it.
func (c config) score(item sdk.ScoreItem) (sdk.Scored, error) {
	turns := item.TurnRewards
	if len(turns) == 0 {
		return c.scoreNone()
	}
	sum := 0.0
	for _, turn := range turns {
		sum += turn
	}
	numbers := map[string]float64{
		"turns_rewarded": float64(len(turns)), "sum": sum, "last": turns[len(turns)-1], "mean": sum / float64(len(turns)),
		"lowest": slices.Min(turns), "highest": slices.Max(turns),
	}
	return sdk.Scored{Score: numbers[string(c.Combine)], Components: numbers}, nil
}

// scoreNone returns the result for an episode without turn rewards. The environment may never return any, in which case
// a default of 0 would silently train without a signal.
func (c config) scoreNone() (sdk.Scored, error) {
	if c.None == nil {
		return sdk.Scored{}, errors.New("the environment returned no reward for any turn of this episode: set none, such " +
			"as none = 0, if this is a valid result, or use another reward if the environment never returns one")
	}
	return sdk.Scored{Score: *c.None, Components: map[string]float64{
		"turns_rewarded": 0, "sum": 0, "last": 0, "mean": 0, "lowest": 0, "highest": 0,
	}}, nil
}
