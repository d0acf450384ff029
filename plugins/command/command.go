// Package commandplugin is the plugin "command": an agent that is a user's program, started once per episode.
//
//	agent "command" "coder" {
//	  preset      = "codex"
//	  sandbox     = "none"
//	  template    = "repository"
//	  environment = environment.mcp.tracker
//	}
//
// The program receives the policy as an endpoint of the OpenAI and Anthropic protocols, the tools of the environment
// as an MCP server, and the task as a file. Its output is the answer. One file for each part:
//
//	attributes.go  the attributes of a block
//	config.go      the decoded block, and the diagnostics of validate and plan
//	preset.go      the known programs
//	agent.go       an episode: the program, and the environment's turns
//	answer.go      the result of a program
//	folder.go      an episode's folders, and their template
//	placeholders.go the values of {{NAME}}: environment, command and files of the program
//	program.go     a program from its start to its end, with its limits
//	sandbox.go     its sandbox
//	collect.go     kept results of its folder: the difference from the template, chosen files
//
// The package does not depend on the host, runs or trainers.
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
				Type: "command", Description: "Your own program, such as a coding harness, started for each episode.",
				Schema: configSchema(), Validate: validate, Probe: probe,
			},
			New: func(_ context.Context, setup sdk.Setup) (sdk.Agent, error) { return newAgent(setup) },
		}},
	}
}
