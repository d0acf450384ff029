// Package envservice is the environment "env_service": AgentJet's environment service, an HTTP server with a world by
// other authors.
//
//	environment "env_service" "world" {
//	  url      = "http://127.0.0.1:8080"
//	  env_type = "appworld"
//	}
//
// Each attempt at an episode has a separate instance there. One file for each part:
//
//	config.go       the block
//	probe.go        information for a plan
//	environment.go  episodes: open, step, snapshot, close
//	session.go      one episode: its instance, turns and evaluation
//	tasks.go        the service's list of tasks
//	message.go      messages and tools in the service's format
//	ledger.go       instances that may be open at the service
//	client.go       the calls: what is repeated, and what an error means
//	answer.go       the meaning of HTTP answers
//
// The package does not depend on the host, trainers or tokens.
package envservice

import (
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// The metrics at the end of an episode.
const (
	metricSteps      = "steps"       // messages of the agent that the service accepted
	metricSilent     = "silent"      // of these, messages without an answer
	metricStepReward = "step_reward" // the sum of the rewards of single steps
)

// Plugin describes the plugin: the environment "env_service".
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "env_service",
		Version: "0.1.0",
		Environments: []sdk.EnvironmentComponent{{
			Component: sdk.Component{
				Type:        "env_service",
				Description: "A world behind AgentJet's environment service, with its tasks and its evaluation.",
				Schema:      configSchema(),
				Metrics:     []string{metricSteps, metricSilent, metricStepReward},
				Validate:    validate,
				Probe:       probe,
			},
			Capabilities: sdk.EnvironmentCapabilities{GroupSafe: true, Snapshot: true, Tasks: true, MultiUserTurn: true},
			New:          newEnvironment,
		}},
	}
}

func configSchema() schema.Block {
	return schema.Block{
		Description: "A service over HTTP with the calls create, step, evaluate, release, get_info and get_env_profile: " +
			"docs/guides/env-service.md.",
		Attributes: []schema.Attribute{
			schema.String("url", "where the service is").Require().Example("http://127.0.0.1:8080").CanResume(),
			schema.String("env_type", "which of its worlds").Require().Example("appworld"),
			{
				Name: "params", Type: schema.TypeAny, Description: "an object that goes as params with create, step and " +
					"get_info; which members a world knows is up to it",
			},
			{
				Name: "evaluate_params", Type: schema.TypeAny, Description: "an object that goes as params with evaluate; " +
					"default: params",
			},
			schema.String("train_split", "what the service calls the tasks to train on").Default("train"),
			schema.String("validation_split", "what it calls those to validate with").Default("dev"),
			schema.StringMap("headers", "headers of every request, such as Authorization").CanResume(),
			schema.Bool("info", "whether rewards find what get_info says in the environment's state").Default(false),
			schema.Integer("max_turns", "most assistant messages in an episode; 0 means any number").Default(0).AtLeast(0),
			schema.Integer("max_sessions", "most episodes open at a time; 0 means any number").Default(0).AtLeast(0).CanResume(),
			schema.Duration("connect_timeout", "how long a service that does not answer is waited for, where the call may be "+
				"made again").Default("30s").CanResume(),
			schema.Duration("create_timeout", "longest time of create, get_info and get_env_profile").Default("5m").CanResume(),
			schema.Duration("step_timeout", "longest time of step").Default("5m").CanResume(),
			schema.Duration("evaluate_timeout", "longest time of evaluate").Default("5m").CanResume(),
		},
	}
}
