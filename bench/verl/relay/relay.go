// Package relay is the plugin for bench/verl: an adapter that trains nothing and has a process with verl's code run the
// agent loops, an environment with one tool, and a reward.
//
//	adapter "relay" "policy" {
//	  command     = ["python", "driver.py", "conversation.json", "scratch"]
//	  concurrency = ["1", "16"]
//	  …
//	}
//
// A step is one measurement: the calls alone, verl's loop, and awhost's loop, each with the same number of episodes.
// Only the last loop's episodes are host episodes: they use the framework bridge, as in adapter "verl", and the host's
// protocol, processes and journal. The measured values are step metrics (MetricConcurrency and the others).
package relay

import (
	"context"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// Plugin describes the plugin to sdk.Serve.
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name: "relay", Version: "1.0.0",
		Adapters: []sdk.AdapterComponent{{
			Component: sdk.Component{
				Type: "relay", Description: "Lets a process that runs verl's code request episodes; trains nothing.",
				Schema: schema.Block{Attributes: []schema.Attribute{
					schema.Strings("command", "what starts the driver").Require(),
					schema.String("pythonpath", "where it finds awhost's code for workers").Require(),
					schema.Strings("concurrency", "episodes at a time, in turn; a step for each").Require(),
					schema.Bool("profile", "write to the log where the driver's time goes").Default(false),
				}},
			},
			Capabilities: capabilities,
			New: func(_ context.Context, setup sdk.Setup) (sdk.Adapter, error) {
				a := &adapter{}
				return a, setup.Decode(&a.config)
			},
		}},
		Environments: []sdk.EnvironmentComponent{{
			Component: sdk.Component{
				Type: "relay", Description: "A single lookup tool.",
				Schema: schema.Block{Attributes: []schema.Attribute{schema.Number("turns",
					"assistant messages of an episode").Require().AtLeast(2)}},
			},
			Capabilities: sdk.EnvironmentCapabilities{DeterministicUnderSeed: true, GroupSafe: true},
			New:          newEnvironment,
		}},
		Rewards: []sdk.RewardComponent{{
			Component:    sdk.Component{Type: "relay", Description: "1 for the answer given in the script."},
			Capabilities: sdk.RewardCapabilities{BatchSize: 256, Needs: []sdk.Need{sdk.NeedTranscript}},
			New:          newReward,
		}},
	}
}

var capabilities = sdk.AdapterCapabilities{
	TokenCustody: "trainer", RowsPerEpisode: "many", Unscorable: "exact", GroupSemantics: true, GroupOfOne: "zero",
	Credit:        []string{"episode"},
	SamplingOwned: []string{"temperature", "max_tokens", "seed"}, Modalities: []string{"text"}, StepBarrier: true,
	Resume: true,
	Scale:  []string{"process"},
}
