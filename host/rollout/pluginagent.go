package rollout

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/sdk"
)

// PluginAgent is the agent of the plugin at an address. Its errors are the plugin's, unless they are those of the model
// or the environment: when it dies its episodes are tried again, when it raises they have failed.
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

// arrange brings what was recorded into an order that does not depend on which call was faster: the conversations by the
// seeds of their first messages, each from its beginning.
func (r *AttemptRecord) arrange() {
	if len(r.Chains) < 2 {
		return
	}
	first := map[string]uint64{}
	for i := range r.Turns {
		t := &r.Turns[i]
		if _, ok := first[t.Chain]; !ok {
			first[t.Chain] = t.Seed
		}
	}
	slices.SortStableFunc(r.Chains, func(a, b ChainRecord) int { return cmp.Compare(first[a.Chain], first[b.Chain]) })
	slices.SortStableFunc(r.Turns, func(a, b TurnRecord) int { return cmp.Compare(first[a.Chain], first[b.Chain]) })
	place := map[string]int{}
	for i := range r.Turns {
		place[r.Turns[i].CallID] = i - len(r.Turns) // before those of the agent's own steps
	}
	slices.SortStableFunc(r.TurnRewards, func(a, b sdk.TurnReward) int { return cmp.Compare(place[a.CallID], place[b.CallID]) })
}

// addMetrics adds numbers under a prefix.
func (r *AttemptRecord) addMetrics(prefix string, metrics map[string]float64) {
	if len(metrics) == 0 {
		return
	}
	if r.Metrics == nil {
		r.Metrics = make(map[string]float64, len(metrics))
	}
	for name, value := range metrics {
		r.Metrics[prefix+name] += value
	}
}

var _ agent.Agent = pluginAgent{}
