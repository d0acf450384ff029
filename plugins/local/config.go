package local

import (
	"context"
	"encoding/json"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

var configSchema = schema.Block{
	Attributes: []schema.Attribute{
		schema.String("preset", "Size of the policy: tiny has 115,520 weights; small has 357,024 and is about three times "+
			"slower.").
			Default("tiny").Enum("tiny", "small"),
		schema.Integer("context", "Context window; longer windows cost time and memory.").In("tokens").Default(192).Range(32,
			1024),
		schema.Integer("tokens_every",
			"Interval in steps at which `awhost ui` can show the tokens of a group, with their log-probabilities "+
				"and advantages. 0: never.").
			In("steps").Default(1).Range(0, 100000),
	},
	Blocks: []schema.NestedBlock{
		{Name: "warm_start", Nesting: schema.Single, Block: schema.Block{
			Description: "Behavior cloning before the first step. Its result is commit 0.",
			Attributes: []schema.Attribute{
				schema.Reference("dataset", "dataset", "Demonstrations: rows with `messages`. The policy is trained "+
					"on their assistant messages.").Require(),
				schema.Integer("steps", "Updates.").Default(400).Range(1, 100000),
				schema.Integer("batch", "Demonstrations per update.").Default(16).Range(1, 4096),
				schema.Number("learning_rate", "Peak learning rate, after 20 steps of warm-up.").Default(2e-3).Range(0, 1),
			},
		}},
		{Name: "health", Nesting: schema.Single, Block: schema.Block{
			Description: "Conditions under which training stops early, with the reason.",
			Attributes: []schema.Attribute{
				schema.Number("min_entropy", "Stop if the entropy per token stays below this for `patience` steps while episodes "+
					"fail. 0 disables the check.").
					In("nats").Default(0.002).AtLeast(0),
				schema.Integer("patience", "Number of steps for which a condition must "+
					"persist.").In("steps").Default(5).Range(1, 10000),
			},
		}},
	},
}

// config is the block in the spec. Its JSON names match configSchema.
type config struct {
	Preset  string `json:"preset"`
	Context int    `json:"context"` // tokens
	// TokensEvery is the interval, in steps, at which a group's tokens are reported; 0 means never.
	TokensEvery int              `json:"tokens_every"`
	WarmStart   *warmStartConfig `json:"warm_start"`
	Health      *healthConfig    `json:"health"`
}

type warmStartConfig struct {
	Dataset      string  `json:"dataset"` // address
	Steps        int     `json:"steps"`
	Batch        int     `json:"batch"`
	LearningRate float64 `json:"learning_rate"`
}

type healthConfig struct {
	MinEntropy float64 `json:"min_entropy"` // nats per token
	Patience   int     `json:"patience"`    // steps
}

// defaultHealth holds the default attribute values of the block, for a spec that does not contain it.
var defaultHealth = healthConfig{MinEntropy: 0.002, Patience: 5}

func (c config) health() healthConfig {
	if c.Health == nil {
		return defaultHealth
	}
	return *c.Health
}

// model returns the shape of the policy.
func (c config) model() (tinylm.Config, error) {
	model, err := tinylm.Preset(c.Preset)
	if err != nil {
		return model, err
	}
	model.MaxLen = c.Context
	return model, model.Validate()
}

// validate checks the rules that the schema cannot express. Attributes with unknown values are absent.
func validate(_ context.Context, raw json.RawMessage) []sdk.Diagnostic {
	var c config
	if err := sdk.DecodeConfig(raw, &c); err != nil {
		return []sdk.Diagnostic{problem("Unreadable configuration", err.Error())}
	}
	if c.Preset == "" || c.Context == 0 {
		return nil
	}
	if _, err := c.model(); err != nil {
		return []sdk.Diagnostic{problem("Impossible policy", err.Error())}
	}
	return nil
}

func problem(summary, detail string, path ...string) sdk.Diagnostic {
	return sdk.Diagnostic{Severity: sdk.SeverityError, Summary: summary, Detail: detail, Path: path}
}
