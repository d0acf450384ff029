// Package local is the embedded trainer: an adapter plugin that trains a small policy on a CPU, completely.
//
// It owns the way from episodes to weights: it asks the host for episodes, samples every assistant message with its
// own policy, keeps the token ids, and updates the weights by GRPO after an optional warm start by behaviour cloning.
// It exists so that everything around a trainer is real on a laptop and in CI; it is not a framework for large models.
//
// The numeric core is in the packages below (tinylm, grpo, tokenizer), which know nothing of plugins. This package
// must not know the host: it speaks the protocol like any other adapter.
package local

import (
	"context"
	"encoding/json"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// Plugin describes the plugin to sdk.Serve.
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name: "local", Version: sdk.Version,
		Adapters: []sdk.AdapterComponent{{
			Component: sdk.Component{
				Type:        "local",
				Description: "The embedded trainer: a small byte-level transformer, behaviour cloning and GRPO, on the CPU.",
				Schema:      configSchema,
				Metrics:     metricNames,
				Validate:    validate,
			},
			Capabilities: capabilities(tinylm.Tiny().MaxLen),
			New: func(_ context.Context, setup sdk.Setup) (sdk.Adapter, error) {
				var c config
				if err := setup.Decode(&c); err != nil {
					return nil, err
				}
				return newAdapter(c, setup.Log)
			},
		}},
	}
}

var configSchema = schema.Block{
	Description: "Trains a small policy inside a process of awhost. Needs nothing but a CPU.",
	Attributes: []schema.Attribute{
		schema.String("preset", "Size of the policy: tiny has 115,520 weights, small 357,024 and is about three times slower.").
			Default("tiny").Enum("tiny", "small"),
		schema.Number("context", "Context window; longer windows cost time and memory.").In("tokens").Default(192).Range(32, 1024),
	},
	Blocks: []schema.NestedBlock{
		{Name: "warm_start", Nesting: schema.Single, Block: schema.Block{
			Description: "Behaviour cloning before the first step. Its result is commit 0.",
			Attributes: []schema.Attribute{
				schema.Reference("dataset", "dataset", "Demonstrations: rows with `messages` in which the assistant is imitated.").Require(),
				schema.Number("steps", "Updates.").Default(400).Range(1, 100000),
				schema.Number("batch", "Demonstrations per update.").Default(16).Range(1, 4096),
				schema.Number("learning_rate", "Peak of the learning rate, after 20 steps of warm-up.").Default(2e-3).Range(0, 1),
			},
		}},
		{Name: "health", Nesting: schema.Single, Block: schema.Block{
			Description: "When training stops by itself, with the reason.",
			Attributes: []schema.Attribute{
				schema.Number("min_entropy", "Stop when the entropy per token stays below this for `patience` steps while episodes fail. 0 turns it off.").
					In("nats").Default(0.002).AtLeast(0),
				schema.Number("patience", "Steps that a bad sign must last.").In("steps").Default(5).Range(1, 10000),
			},
		}},
	},
}

// config is the block of the spec. Its JSON names are those of configSchema.
type config struct {
	Preset    string     `json:"preset"`
	Context   int        `json:"context"`
	WarmStart *warmStart `json:"warm_start"`
	Health    *health    `json:"health"`
}

type warmStart struct {
	Dataset      string  `json:"dataset"`
	Steps        int     `json:"steps"`
	Batch        int     `json:"batch"`
	LearningRate float64 `json:"learning_rate"`
}

type health struct {
	MinEntropy float64 `json:"min_entropy"`
	Patience   int     `json:"patience"`
}

func (c config) model() (tinylm.Config, error) {
	model, err := tinylm.Preset(c.Preset)
	model.MaxLen = c.Context
	return model, err
}

func validate(_ context.Context, raw json.RawMessage) []sdk.Diagnostic {
	var c config
	if err := sdk.DecodeConfig(raw, &c); err != nil {
		return []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "Unreadable configuration", Detail: err.Error()}}
	}
	if c.Preset == "" || c.Context == 0 {
		return nil // not known yet
	}
	model, err := c.model()
	if err == nil {
		err = model.Validate()
	}
	if err != nil {
		return []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "Impossible policy", Detail: err.Error(), Path: []string{"context"}}}
	}
	return nil
}

func capabilities(context int) sdk.AdapterCapabilities {
	return sdk.AdapterCapabilities{
		TokenCustody: "trainer", RowsPerEpisode: "many", BehaviourLogprobs: true, PerTokenVersions: true,
		Unscorable: "exact", GroupSemantics: true, Credit: []string{"episode"},
		SamplingOwned: []string{"temperature", "top_p", "top_k", "max_tokens", "seed"}, Modalities: []string{"text"},
		MaxContext: context, Resume: true, LiveMetrics: true, Evaluate: true, StepBarrier: true, Smoke: true, Scale: []string{"process"},
	}
}
