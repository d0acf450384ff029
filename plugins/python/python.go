// Package pythonplugin is the plugin "python": it runs a user's own Python file, unpackaged, in the user's own Python.
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
// The function gets what it names among its parameters, of what awhost knows of an episode (values.go), and returns a
// number or a dict; an agent gets the task, the model and the tools. A reward written for verl runs as it is. How it is done, one file each:
//
//	find.go          which Python
//	source.go        the user's file
//	check.go         what validate and plan can say of it without running it
//	values.go        an episode as a function's arguments
//	solution.go      an episode's text, as verl gives it to a reward
//	chat.go          messages in the chat format of OpenAI
//	reward.go        the reward
//	agent.go         the agent: play.go is one episode of it, hall.go the processes in which they are played
//	pool.go, worker.go   the processes that serve it: batches, timeouts, deaths
//	internal/interpreter the process, and its Python side
//
// The user's code runs in processes of its own, so that whatever it does ends in a failure of the item that it did it to.
// It is run by apply, score and their like only: validate and plan read the file and run nothing of it. The package knows
// nothing of the host, of runs or of trainers.
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
			rewardComponent("python", "A function of your own in a Python file, called for each episode.", sdk.NeedGroundTruth, sdk.NeedTranscript),
			rewardComponent("python_state", "As python, and the function may ask for environment_state: the environment has to show its state.",
				sdk.NeedGroundTruth, sdk.NeedTranscript, sdk.NeedEnvironmentState),
		},
		Agents: []sdk.AgentComponent{agentComponent()},
	}
}
