// Package commandplugin is the plugin "command": an agent that is a program of the user's, started once per episode.
//
//	agent "command" "coder" {
//	  preset      = "codex"
//	  sandbox     = "none"
//	  template    = "repository"
//	  environment = environment.mcp.tracker
//	}
//
// The program gets the policy as an endpoint of OpenAI's protocol and Anthropic's, the tools of the environment as an
// MCP server, and the task as a file; its answer is what it prints. How it is done, one file each:
//
//	attributes.go  what a block may say
//	config.go      what it says, and what validate and plan can say of that
//	preset.go      the programs that are known
//	agent.go       an episode: the program, and the environment's turns
//	answer.go      what becomes of a program's answer
//	folder.go      an episode's folders, and the template that they begin with
//	fill.go        what stands for {{NAME}}: environment, command and files of the program
//	program.go     a program from its start to its end, with its limits
//	fence.go       its sandbox: what it may reach
//	collect.go     what is kept of its folder: the difference from the template, chosen files
//
// The package knows nothing of the host, of runs or of trainers.
package commandplugin

import (
	"context"

	"github.com/awhost/awhost/sdk"
)

// Plugin describes the plugin.
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "command",
		Version: "0.1.0",
		Agents: []sdk.AgentComponent{{
			Component: sdk.Component{
				Type: "command", Description: "A program of your own, a coding harness for example, started for each episode.",
				Schema: configSchema(), Validate: validate, Probe: probe,
			},
			New: func(_ context.Context, setup sdk.Setup) (sdk.Agent, error) { return newAgent(setup) },
		}},
	}
}
