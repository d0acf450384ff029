// Package areal is the adapter for AReaL: it starts AReaL's own PPOTrainer as single controller, lets its rollout workers ask
// the host for episodes, and the host decide after each step.
//
//	Plan        plan.go       what AReaL would be given, checked against the installed version (internal/settings)
//	mode        mode.go       agent or workflow mode, and why
//	Train       train.go      one stage: files (files.go), bridge, process, end
//	Recover     record.go     what a later life of the adapter goes on from; reports.go: what the host has been told
//	relay       relay.go      what AReaL's workers ask for and its driver reports, filled in and handed on
//	ledger      uses.go       what became of each episode, for the record of a step
//	smoke       smoke.go      the same on a CPU, with a tiny random model and a script
//	breaker     breaker.go    ends a run in which every episode fails, which AReaL alone would go on with for ever
//	metrics     metrics.go    AReaL's numbers by awhost's names
//	export      export.go     a checkpoint as a model for others
//	end         diagnose.go   what AReaL's log says of why it ended
//
// The Python side is in shim: the driver and the workflows. standin is a stand-in for SGLang's server, for smoke runs and
// tests on a CPU.
//
// Who owns tokens: in workflow mode the rollout worker, which samples with AReaL's engine and keeps the ledger; in agent mode
// AReaL's own proxy. They never leave AReaL.
package areal

import (
	"context"

	"github.com/awhost/awhost/plugins/areal/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// Plugin describes the plugin to sdk.Serve.
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name: "areal", Version: sdk.Version,
		Adapters: []sdk.AdapterComponent{{
			Component: sdk.Component{
				Type: "areal",
				Description: "Trains with AReaL (1.0.4 and 2.0) using GRPO, with FSDP, Megatron, or Archon, and " +
					"SGLang or vLLM.",
				Schema:   configSchema,
				Metrics:  metricNames,
				Validate: validate,
				Probe: framework.Prober(func(ctx context.Context, c config) ([]*framework.Configuration, error) {
					return settings.Configure(ctx, c.Python, c.Source)
				}),
			},
			Capabilities: described(),
			New: func(_ context.Context, setup sdk.Setup) (sdk.Adapter, error) {
				var c config
				if err := setup.Decode(&c); err != nil {
					return nil, err
				}
				return newAdapter(c, setup), nil
			},
		}},
	}
}
