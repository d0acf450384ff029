// Package calculator is the quick-start plugin: an environment with a desk calculator, and a reward for its correct
// use.
//
//	environment "calculator" "desk" {}
//	reward "calculator" "shape" {}
//
// A task asks "17+25=". The agent calls a tool (add, sub, mul, or mod) with {"a":17,"b":25}, sees "42", and answers
// <answer>42</answer>. One file for each part:
//
//	environment.go   episodes: open, step, snapshot, close
//	session.go       one episode's state
//	question.go      the question of a task
//	tasks.go         the environment's own tasks
//	reward.go        the score of an episode
//	transcript.go    the evidence in an episode's messages
//
// The environment never sees the ground truth. The reward determines the expected call from the question, so that a
// task only needs its ground truth. It relies only on the transcript, so that it also works on recorded episodes.
//
// The package does not depend on the host, trainers, or tokens.
package calculator

import (
	"github.com/awhost/awhost/plugins/calculator/internal/arithmetic"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// Plugin describes the plugin: an environment and a reward, both of type "calculator".
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "calculator",
		Version: "0.1.0",
		Environments: []sdk.EnvironmentComponent{{
			Component: sdk.Component{
				Type:        "calculator",
				Description: "A desk calculator: arithmetic questions and a tool for each operation.",
				Schema:      environmentSchema(),
				Metrics:     []string{metricCalls, metricCallsOK, metricToolOK, metricArgsOK},
				Validate:    validateEnvironment,
				Probe:       probe,
			},
			Capabilities: sdk.EnvironmentCapabilities{DeterministicUnderSeed: true, GroupSafe: true, Snapshot: true,
				Tasks: true},
			New: newEnvironment,
		}},
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{
				Type:        "calculator",
				Description: "1 for the right tool, the right arguments, and the exact answer; partial scores otherwise.",
				Schema:      rewardSchema(),
				Components:  []string{componentCall, componentTool, componentArguments, componentAnswer},
			},
			Capabilities: sdk.RewardCapabilities{
				BatchSize: 256,
				Needs:     []sdk.Need{sdk.NeedGroundTruth, sdk.NeedTranscript},
			},
			New: sdk.ConfiguredReward(rewardConfig{Shaped: true}, rewardConfig.score),
		}},
	}
}

func environmentSchema() schema.Block {
	return schema.Block{
		Attributes: []schema.Attribute{
			schema.Strings("operations", "Tools to offer: add, sub, mul, mod.").Default(operationNames(arithmetic.Operations())),
			schema.Integer("max_turns", "Maximum number of assistant messages per episode.").Default(4).Range(1, 1000),
			schema.Integer("max_sessions", "Maximum concurrent episodes; 0 means no limit.").Default(0).AtLeast(0).CanResume(),
		},
	}
}

func rewardSchema() schema.Block {
	return schema.Block{
		Description: "The first tool call and the final `<answer>` count.",
		Attributes: []schema.Attribute{
			schema.Bool("shaped", "Whether an unsuccessful episode scores 0.1 for a call that ran, 0.2 for the "+
				"right tool, and 0.2 for the right arguments. Otherwise it scores 0.").Default(true),
		},
	}
}

func operationNames(operations []arithmetic.Operation) []string {
	names := make([]string, 0, len(operations))
	for _, o := range operations {
		names = append(names, o.Name())
	}
	return names
}
