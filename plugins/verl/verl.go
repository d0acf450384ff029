// Package verl is the adapter for verl: it starts verl's own main_ppo, lets its workers ask the host for episodes, and
// reads from verl's files how training goes.
//
//	Plan        plan.go       what verl would be given, checked against the installed version (internal/settings)
//	Train       train.go      one stage: files, bridge, process, end
//	files       files.go      dataset rows without content, the agent loop's entry; shim.go unpacks the Python code
//	job         launchers.go  where verl runs (sdk/framework/launch); diagnose.go explains failures
//	episodes    episodes.go   what verl's workers ask for, filled in and relayed
//	steps       steps.go      verl's steps, read from its metrics (tail.go), and the host's answer to each
//	checkpoints checkpoints.go  export.go has verl write one for others
//
// The Python side is in shim: an agent loop for verl's workers, and the CPU platform for smoke runs and tests.
//
// Who owns tokens: the worker. It samples with verl's own engine and keeps the ledger; tokens never leave it.
package verl

import (
	"context"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// Plugin describes the plugin to sdk.Serve.
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name: "verl", Version: sdk.Version,
		Adapters: []sdk.AdapterComponent{{
			Component: sdk.Component{
				Type: "verl",
				Description: "Trains with verl (0.7.1, 0.8, and 0.9) on GPUs, using the PPO family of algorithms " +
					"with FSDP or Megatron.",
				Schema: configSchema,
				Probe: framework.Prober(func(ctx context.Context, c config) ([]*framework.Configuration, error) {
					installed, err := settings.Configure(ctx, c.Python)
					if err != nil {
						return nil, err
					}
					return []*framework.Configuration{installed.Configuration}, nil
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
