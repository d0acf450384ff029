// Package serveplugin is the plugin "serve": an agent that is a running service of the user's, asked once per episode.
//
//	agent "serve" "mine" {
//	  url = "http://127.0.0.1:8900/episodes"
//	}
//
// The service gets one POST with the task, the policy's endpoint and the tools', and answers when the episode is over:
// request.go is what is said in both directions, agent.go who is to blame where nothing good comes back. The package
// knows nothing of the host, of runs or of trainers.
package serveplugin

import (
	"context"

	"github.com/awhost/awhost/sdk"
)

// Plugin describes the plugin.
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "serve",
		Version: "0.1.0",
		Agents: []sdk.AgentComponent{{
			Component: sdk.Component{
				Type: "serve", Description: "A running service of your own, which gets one request for each episode.",
				Schema: configSchema(), Validate: validate,
			},
			New: func(_ context.Context, setup sdk.Setup) (sdk.Agent, error) { return newAgent(setup) },
		}},
	}
}
