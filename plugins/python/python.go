// Package pythonplugin is the plugin "python". It runs a user's own Python file, unpackaged, with the user's own Python
// interpreter.
//
//	reward "python" "theirs" {
//	  file = "rewards.py"
//	  name = "gaia_reward_func"
//	}
//
//	agent "python" "mine" {
//	  file        = "agents.py"
//	  name        = "solve"
//	  environment = environment.calculator.desk
//	}
//
// A reward's function names the values of an episode that it needs as parameters (values.go), and returns a number or a
// dict. An agent receives the task, the model and the tools. A reward written for verl runs unchanged. The files:
//
//	find.go          selects the Python
//	source.go        the user's file
//	check.go         checks of validate and plan without running the file
//	values.go        an episode as a function's arguments
//	solution.go      an episode's text, as verl passes it to a reward
//	chat.go          messages in OpenAI's chat format
//	reward.go        the reward
//	agent.go         the agent: episode.go is one episode, processpool.go the pool of its processes
//	workerpool.go, worker.go the processes that score items: batches, timeouts, ended processes
//	internal/interpreter the process, and its Python side
//
// The user's code runs in separate processes, so that any fault becomes a failure of the affected item. Only apply,
// score and similar commands run it: validate and plan read the file without running it. The package does not depend
// on the host, runs or trainers.
package pythonplugin

import (
	"github.com/awhost/awhost/sdk"
)

// Plugin describes the plugin.
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "python",
		Version: "0.1.0",
		Rewards: []sdk.RewardComponent{
			rewardComponent("python", "Your own function in a Python file, called for each episode.", sdk.NeedGroundTruth,
				sdk.NeedTranscript),
			rewardComponent("python_state", "Like python, except that the function may also request "+
				"environment_state, for which the environment must provide its state.",
				sdk.NeedGroundTruth, sdk.NeedTranscript, sdk.NeedEnvironmentState),
		},
		Agents: []sdk.AgentComponent{agentComponent()},
	}
}
