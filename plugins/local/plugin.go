// Package local is the embedded trainer: an adapter plugin that trains a small policy completely on a CPU.
//
// It owns everything between the episodes and the weights. It requests episodes from the host, samples every assistant
// message with its own policy, keeps the token IDs, and updates the weights with GRPO after an optional warm start by
// behavior cloning. It makes it possible to test everything around a trainer on a laptop and in CI. It is not a
// framework for large models.
//
// The numeric core is in the subpackages (tinylm, grpo, tokenizer), which do not depend on plugins. This package must
// not depend on the host: it uses the protocol like any other adapter.
//
// # The phases of a stage
//
//	Train      adapter.go     one stage at a time; Control, Evaluate and Stop find it here
//	start      start.go       the policy: from a checkpoint, or from scratch with a warm start (warmstart.go)
//	step       train.go       rollouts, update, metrics, checkpoint; then the boundary, where the host decides
//	rollouts   rollout.go     RunEpisode for every sample; meanwhile the host calls Generate (generate.go)
//	Generate   generate.go    extends a chain of tokens (chain.go) of an open episode (episode.go)
//	batch      batch.go       the rows of the update, and the use of every sample
//	checkpoint checkpoint.go  the state with which a resumed stage reproduces the same bits
//
// Without training, serve.go samples from a checkpoint, and export.go converts one for other programs.
//
// A test serves the plugin in-process and acts as the host:
//
//	host := &scriptedHost{}
//	adapter := sdktest.Adapter(t, local.Plugin(), "local", map[string]any{"preset": "tiny"}, host)
//	err := adapter.Train(ctx, sdk.TrainRequest{LaunchID: "l1", Stage: "full", FirstStep: 1, Knobs: knobs}, nil, emit)
package local

import (
	"context"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process/heap"
)

// Plugin describes the plugin to sdk.Serve.
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name: "local", Version: sdk.Version,
		Adapters: []sdk.AdapterComponent{{
			Component: sdk.Component{
				Type: "local",
				Description: "The embedded trainer: a small byte-level transformer, with behavior cloning and GRPO, " +
					"on the CPU.",
				Schema:   configSchema,
				Metrics:  metricNames,
				Validate: validate,
			},
			Capabilities: capabilities(tinylm.Tiny().MaxLen),
			New: func(_ context.Context, setup sdk.Setup) (sdk.Adapter, error) {
				heap.SaveMemory() // most of its memory is live, and collections take 1 % of its time
				var c config
				if err := setup.Decode(&c); err != nil {
					return nil, err
				}
				return newAdapter(c, setup.Dir)
			},
		}},
	}
}

func capabilities(context int) sdk.AdapterCapabilities {
	return sdk.AdapterCapabilities{
		TokenCustody: "trainer", RowsPerEpisode: "many", BehaviourLogprobs: true, PerTokenVersions: true,
		Unscorable: "exact", GroupSemantics: true, GroupOfOne: "zero", Credit: []string{"episode"},
		SamplingOwned: []string{"temperature", "top_p", "top_k", "max_tokens", "seed"}, Modalities: []string{"text"},
		MaxContext: context, Resume: true, LiveMetrics: true, Evaluate: true, StepBarrier: true, Smoke: true,
		Scale: []string{"process"},
		Serve: true, ExportFormats: []string{formatHuggingFace},
	}
}
