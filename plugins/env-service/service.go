// Package envservice is the environment "env_service": AgentJet's environment service, an HTTP server that provides a
// world written by other authors.
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
				Description: "A world served by AgentJet's environment service, with its own tasks and evaluation.",
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
		Description: "It is an HTTP service with the calls create, step, evaluate, release, get_info, and " +
			"get_env_profile: see docs/guides/env-service.md.",
		Attributes: []schema.Attribute{
			schema.String("url", "URL of the service.").Require().Example("http://127.0.0.1:8080").CanResume(),
			schema.String("env_type", "Name of the world.").Require().Example("appworld"),
			{
				Name: "params", Type: schema.TypeAny, Description: "Object sent as params with create, step, and " +
					"get_info.",
			},
			{
				Name: "evaluate_params", Type: schema.TypeAny, Description: "Object sent as params with evaluate. " +
					"Default: `params`.",
			},
			schema.String("train_split", "The service's name for the training tasks.").Default("train"),
			schema.String("validation_split", "The service's name for the validation tasks.").Default("dev"),
			schema.StringMap("headers", "Headers for every request, such as Authorization.").CanResume(),
			schema.Bool("info", "Whether rewards receive the result of get_info in the environment's state.").Default(false),
			schema.Integer("max_turns", "Maximum number of assistant messages per episode; 0 means no "+
				"limit.").Default(0).AtLeast(0),
			schema.Integer("max_sessions", "Maximum concurrent episodes; 0 means no limit.").Default(0).AtLeast(0).CanResume(),
			schema.Duration("connect_timeout", "How long to retry repeatable calls if the service is "+
				"unreachable.").Default("30s").CanResume(),
			schema.Duration("create_timeout", "Maximum duration of create, get_info, and "+
				"get_env_profile.").Default("5m").CanResume(),
			schema.Duration("step_timeout", "Maximum duration of step.").Default("5m").CanResume(),
			schema.Duration("evaluate_timeout", "Maximum duration of evaluate.").Default("5m").CanResume(),
		},
	}
}
