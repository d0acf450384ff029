package verl

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/python"
	"github.com/awhost/awhost/sdk/schema"
)

// Devices that verl trains on.
const (
	deviceGPU = "gpu"
	deviceCPU = "cpu"
)

var configSchema = schema.Block{
	Description: "awhost starts verl's main_ppo and supplies its samples through an agent loop. verl's files are " +
		"not modified.",
	Attributes: slices.Concat([]schema.Attribute{
		schema.Path("python", "Python interpreter with verl. Default: the active environment's Python "+
			"(VIRTUAL_ENV), then python3 on PATH.").Example(".venv/bin/python"),
		schema.Path("config", "A verl YAML configuration, such as grpo_trainer.yaml. Its values are kept, and "+
			"awhost sets missing ones. A value that would break the run is an error.").Exist(),
		{Name: "overrides", Type: schema.TypeAny, Description: "Values of verl keys, checked against the installed " +
			"verl.", ExampleJSON: json.RawMessage(`{"actor_rollout_ref.rollout.tensor_model_parallel_size":2}`)},
		schema.String("engine", "The rollout engine. Default: vllm, unless `config` or `overrides` specifies "+
			"another engine.").Enum("vllm", "sglang", "trtllm"),
		schema.Integer("nodes", "Number of machines for the job. Default: 1.").AtLeast(1),
		schema.Integer("gpus_per_node", "GPUs per machine. Default: 8.").AtLeast(1),
		schema.String("device", "`gpu`, or `cpu` for trial runs with a tiny model: awhost then provides verl with a "+
			"CPU platform and sampler.").
			Default(deviceGPU).Enum(deviceGPU, deviceCPU),
		launch.Attribute("verl"),
	}, python.Formats(), []schema.Attribute{
		schema.Integer("tokens_every",
			"Interval in steps at which `awhost ui` can show the tokens of some groups, with their "+
				"log-probabilities at sampling. 0: never.").
			In("steps").Default(0).Range(0, 100000),
		schema.Duration("start_timeout", "Maximum time from verl's start until its workers report, which includes "+
			"the time to load the model and the engines.").Default("30m").CanResume(),
		schema.Duration("absence_timeout", "How long verl waits for awhost before its episodes fail, after awhost "+
			"or this adapter is killed.").Default("10m").CanResume(),
		launch.UnreachableTimeout(),
		schema.Duration("stop_timeout", "Grace period before verl is killed.").Default("30s").CanResume(),
	}),
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
