package rollout

import (
	"context"
	"errors"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/sdk"
)

// PluginAgent returns the agent of the plugin at an address. Its errors are the plugin's errors, except for those
// caused by the model or the environment. If the plugin dies, its episodes are retried. If it raises an error, its
// episodes fail.
func PluginAgent(address string, plugin *agent.Plugin) agent.Agent {
	return pluginAgent{address: address, plugin: plugin}
}

type pluginAgent struct {
	address string
	plugin  *agent.Plugin
}

// Run implements agent.Agent.
func (p pluginAgent) Run(ctx context.Context, episode agent.Episode) (*agent.Result, error) {
	result, err := p.plugin.Run(ctx, episode)
	var call *verdict.CallError
	if err != nil && !errors.As(err, &call) {
		err = &verdict.CallError{Class: sdk.FailureAgent, Address: p.address, Err: err}
	}
	return result, err
}

var _ agent.Agent = pluginAgent{}
