// Package serveplugin is the plugin "serve": an agent that is a user's running service, which is called once per
// episode.
//
//	agent "serve" "mine" {
//	  url = "http://127.0.0.1:8900/episodes"
//	}
//
// The service receives one POST with the task and the endpoints of the policy and the tools, and answers when the
// episode has ended. request.go defines both formats, and agent.go defines the failure classes. The package does not
// depend on the host, runs or trainers.
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
				Type: "serve", Description: "Your own running service, which gets one request for each episode.",
				Schema: configSchema(), Validate: validate,
			},
			New: func(_ context.Context, setup sdk.Setup) (sdk.Agent, error) { return newAgent(setup) },
		}},
	}
}
