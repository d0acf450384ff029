// Command text-game is a plugin of awhost: a castle with a treasure behind locked doors, and the reward for finding
// it.
//
//	castle         castle.go        the game: rooms, doors, keys and the player's actions; does not depend on awhost
//	layout         layout.go        builds a castle that can be won from a seed
//	environment    environment.go   episodes: many games at the same time, tools, snapshots
//	tasks          tasks.go         the tasks that the environment provides
//	reward         reward.go        scores a game from its snapshot
package main

import (
	"context"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

func main() { sdk.Serve(plugin()) }

// maxSessions bounds the memory for games: 1024 castles take a few megabytes.
const maxSessions = 1024

func plugin() sdk.Plugin {
	return sdk.Plugin{
		Name: "castle", Version: "1.0.0",
		Environments: []sdk.EnvironmentComponent{{
			Component: sdk.Component{
				Type:        "castle",
				Description: "A castle to explore in words: keys open doors, and a treasure lies behind the last one.",
				Schema: schema.Block{Attributes: []schema.Attribute{
					schema.Integer("max_actions", "maximum number of actions in an episode, which then ends").Default(60).Range(1,
						10_000).In("actions"),
				}},
				Metrics: []string{"actions", "mistakes", "won"},
			},
			Capabilities: sdk.EnvironmentCapabilities{
				MaxSessions: maxSessions, DeterministicUnderSeed: true, GroupSafe: true, Snapshot: true, Tasks: true,
			},
			New: newEnvironment,
		}},
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{
				Type:        "castle_treasure",
				Description: "1 for the treasure; before that at most a half, for doors that were opened.",
				Components:  []string{"won", "doors", "explored"},
			},
			Capabilities: sdk.RewardCapabilities{BatchSize: 64, Needs: []sdk.Need{sdk.NeedEnvironmentState}},
			New:          func(context.Context, sdk.Setup) (sdk.Reward, error) { return reward{}, nil },
		}},
	}
}
