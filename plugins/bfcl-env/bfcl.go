// Package bfclenv is the plugin for the multi-turn part of the Berkeley Function Calling Leaderboard. It contains the
// environment, with BFCL's own episode loop and EnvTuning's, and the rewards of both.
//
//	environment "bfcl" "desk" { source = "bfcl_eval-2026.3.23-py3-none-any.whl" }
//	reward "bfcl_official" "valid" {}
//
// BFCL's data is never part of this program: `source` names it. The files:
//
//	config.go        the configuration of a block, and the data that it names
//	environment.go   episodes: open, step, snapshot, close
//	native.go        BFCL's loop: calls, as tools or as text, until the model stops
//	tuned.go         EnvTuning's loop: think, then call or answer, in tags
//	tools.go         the function documents that a model receives
//	tasks.go         the tasks, and their split
//	reward.go        the rewards
//
// The functions and the checks are in internal: py (Python's values), api (the classes), backend (their instances),
// expr (Python's expressions), decode (model outputs), check (the checkers), tuning (EnvTuning's dialogue), entry and
// data (the records).
package bfclenv

import (
	"github.com/awhost/awhost/plugins/bfcl-env/internal/data"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// Plugin describes the plugin.
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "bfcl",
		Version: "0.1.0",
		Environments: []sdk.EnvironmentComponent{{
			Component: sdk.Component{
				Type:        "bfcl",
				Description: "The multi-turn environment of the Berkeley Function Calling Leaderboard: eight APIs with state, and a user who asks several times.",
				Schema:      environmentSchema(),
				Metrics:     []string{metricTurns, metricTurnsRight, metricCalls, metricExceptions},
				Validate:    validateEnvironment,
			},
			Capabilities: sdk.EnvironmentCapabilities{
				DeterministicUnderSeed: true, GroupSafe: true, Snapshot: true, Tasks: true, MultiUserTurn: true,
				Needs: []sdk.Need{sdk.NeedGroundTruth, sdk.NeedFiles},
			},
			New: newEnvironment,
		}},
		Rewards: []sdk.RewardComponent{
			rewardOf("bfcl_official", "1 for an episode that BFCL's checkers call valid: state and answers are right after each turn.",
				[]string{componentTurns}, official),
			rewardOf("bfcl_format", "EnvTuning's reward of the first stages: messages in the format and calls without exceptions, from 0 to 2.",
				[]string{componentProgress, componentFormat, componentTools, componentCalled, componentRounds}, format),
			rewardOf("bfcl_progress", "EnvTuning's reward of the later stages: the share of the turns that were solved.",
				[]string{componentFormat, componentTools, componentCalled, componentRounds}, progress),
		},
	}
}

func environmentSchema() schema.Block {
	return schema.Block{
		Description: "Tasks and functions of BFCL. Nothing that a model writes is ever evaluated, and nothing reaches the real file system.",
		Attributes: []schema.Attribute{
			schema.Path("source", "where BFCL's data is: an installed bfcl-eval package, its wheel, a checkout of gorilla, or a folder with the same files").Require().Example("bfcl_eval-2026.3.23-py3-none-any.whl"),
			schema.String("profile", "which program the functions behave like: v4, the leaderboard of today; v3, that of before July 2025; envtuning, v3 with errors that say what to do").Enum("v4", "v3", "envtuning").Default("v4"),
			schema.String("mode", "how it is played: tools, with native calls; text, with calls as Python text; envtuning, with think, tool_call and answer tags").Enum("tools", "text", "envtuning").Default("tools"),
			schema.Strings("categories", "the kinds of tasks, each once").Enum(data.Categories...).Default(data.Categories),
			schema.Number("held_out", "the share of each category that is for validation; 0: every task is in both splits").Default(0.5).Range(0, 0.99),
			schema.Number("split_seed", "decides which tasks are held out: a whole number").Default(1),
			schema.Number("step_limit", "rounds of calls in a turn after which BFCL's loop gives up: a whole number").Default(20).Range(1, 1000),
			schema.String("system_prompt", "what a model is told first, with {functions} where they are to be listed; \"\" tells it nothing. Default: a text of ours for text and envtuning, nothing for tools"),
			schema.Number("turns", "play only this many turns of a task, from the first on: for trying things out; a whole number, 0 plays all").Default(0).Range(0, 1000),
			schema.String("compatibility", "corrected: a turn that was skipped is judged with all others, and nothing leaks between episodes; reference: as the reference programs have it, flaws included").Enum("corrected", "reference").Default("corrected"),
			schema.String("raising_tasks", "tasks whose ground truth raises an exception, which no known release has: refuse the source, leave_out, or play").Enum(raisingRefuse, raisingLeaveOut, raisingPlay).Default(raisingRefuse),
		},
	}
}
