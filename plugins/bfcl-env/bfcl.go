// Package bfclenv is the plugin for the multi-turn part of the Berkeley Function Calling Leaderboard. It contains the
// environment, with both BFCL's own episode loop and EnvTuning's, and the rewards of both.
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
				Type: "bfcl",
				Description: "The Berkeley Function Calling Leaderboard's multi-turn environment: eight stateful " +
					"APIs and a user with several requests.",
				Schema:   environmentSchema(),
				Metrics:  []string{metricTurns, metricTurnsRight, metricCalls, metricExceptions},
				Validate: validateEnvironment,
			},
			Capabilities: sdk.EnvironmentCapabilities{
				DeterministicUnderSeed: true, GroupSafe: true, Snapshot: true, Tasks: true, MultiUserTurn: true,
				Needs: []sdk.Need{sdk.NeedGroundTruth, sdk.NeedFiles},
			},
			New: newEnvironment,
		}},
		Rewards: []sdk.RewardComponent{
			rewardOf("bfcl_official", "1 for an episode that passes BFCL's checkers, that is, if the state and "+
				"answers are correct after each turn.",
				[]string{componentTurns}, official),
			rewardOf("bfcl_format", "EnvTuning's reward for the first stages, from 0 to 2: it rewards correctly "+
				"formatted messages and calls without exceptions.",
				[]string{componentProgress, componentFormat, componentTools, componentCalled, componentRounds}, format),
			rewardOf("bfcl_progress", "EnvTuning's reward for the later stages: the fraction of solved turns.",
				[]string{componentFormat, componentTools, componentCalled, componentRounds}, progress),
		},
	}
}

func environmentSchema() schema.Block {
	return schema.Block{
		Description: "Model output is never executed, and the real file system is never accessed.",
		Attributes: []schema.Attribute{
			schema.Path("source", "BFCL's data: an installed bfcl-eval package, its wheel, a checkout of gorilla, "+
				"or a directory with the same files.").Require().Example("bfcl_eval-2026.3.23-py3-none-any.whl"),
			schema.String("profile", "Behavior of the functions: `v4`, the current leaderboard; `v3`, the "+
				"leaderboard before July 2025; `envtuning`, v3 with errors that include a remedy.").Enum("v4", "v3",
				"envtuning").Default("v4"),
			schema.String("mode", "Form of the calls: `tools`, native calls; `text`, calls as Python text; "+
				"`envtuning`, think, tool_call, and answer tags.").Enum("tools", "text", "envtuning").Default("tools"),
			schema.Strings("categories", "Task categories, each listed once.").Enum(data.Categories...).Default(data.Categories),
			schema.Number("held_out", "Fraction of each category for validation. With 0, every task is in both "+
				"splits.").Default(0.5).Range(0, 0.99),
			schema.Number("split_seed", "Seed for choosing the held-out tasks: an integer.").Default(1),
			schema.Number("step_limit", "Maximum number of call rounds per turn: an "+
				"integer.").Default(20).Range(1, 1000),
			schema.String("system_prompt", "System prompt, with {functions} for the function list; an empty string "+
				"means none. Default: a built-in prompt for text and envtuning, none for tools."),
			schema.Number("turns", "Maximum number of turns per task: an integer; 0 means "+
				"all.").Default(0).Range(0, 1000),
			schema.String("compatibility", "`corrected`: skipped turns are judged like all others, and nothing "+
				"leaks between episodes. `reference`: as in the reference programs, including their flaws.").Enum("corrected",
				"reference").Default("corrected"),
			schema.String("raising_tasks", "Handling of tasks whose ground truth raises an exception: `refuse` the "+
				"source, `leave_out` the tasks, or `play` them.").Enum(raisingRefuse, raisingLeaveOut,
				raisingPlay).Default(raisingRefuse),
		},
	}
}
