package verl

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/framework/stage"
	"github.com/awhost/awhost/sdk/python"
	"github.com/awhost/awhost/sdk/schema"
)

// deviceCPU is the device of trial runs.
const deviceCPU = "cpu"

var configSchema = schema.Block{
	Description: "awhost starts verl's main_ppo and supplies its samples through an agent loop. verl's files are " +
		"not modified.",
	Attributes: slices.Concat(
		stage.Merging("verl", `{"actor_rollout_ref.rollout.tensor_model_parallel_size":2}`),
		[]schema.Attribute{schema.String("engine", "The rollout engine. Default: vllm, unless `config` or `overrides` "+
			"specifies another engine.").Enum("vllm", "sglang", "trtllm")},
		python.Formats(), stage.Attributes("verl", "30s"),
	),
	Blocks: launch.Blocks("verl", true),
}

// config is the block of the spec. Its JSON names are those of configSchema.
type config struct {
	Python      string          `json:"python"`
	Config      string          `json:"config"`
	Overrides   json.RawMessage `json:"overrides"`
	Engine      string          `json:"engine"`
	Nodes       int             `json:"nodes"`
	GPUsPerNode int             `json:"gpus_per_node"`
	Device      string          `json:"device"`
	ToolFormat  string          `json:"tool_format"`
	Reasoning   string          `json:"reasoning_format"`
	TokensEvery int             `json:"tokens_every"` // steps; 0: never
	launch.Placement
}

// What the sizes are where the spec leaves them open: the schema has no default for them, so that what it says is told from what it does not.
const (
	defaultEngine      = "vllm"
	defaultNodes       = 1
	defaultGPUsPerNode = 8
)

func (c config) nodes() int       { return cmp.Or(c.Nodes, defaultNodes) }
func (c config) gpusPerNode() int { return cmp.Or(c.GPUsPerNode, defaultGPUsPerNode) }

// layers are the attributes that are keys of verl. One that the spec sets is a value of the spec.
func (c config) layers() []settings.Layer {
	attribute := func(name, key string, value any, set bool) settings.Layer {
		out := settings.Layer{Origin: "awhost", Level: framework.Default, Values: map[string]any{key: value}}
		if set {
			out.Origin, out.Level = name, framework.Spec
		}
		return out
	}
	return []settings.Layer{
		attribute("engine", "actor_rollout_ref.rollout.name", cmp.Or(c.Engine, defaultEngine), c.Engine != ""),
		attribute("nodes", "trainer.nnodes", c.nodes(), c.Nodes > 0),
		attribute("gpus_per_node", "trainer.n_gpus_per_node", c.gpusPerNode(), c.GPUsPerNode > 0),
	}
}

func (c config) cpu() bool { return c.Device == deviceCPU }
