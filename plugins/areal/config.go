package areal

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/framework/stage"
	"github.com/awhost/awhost/sdk/python"
	"github.com/awhost/awhost/sdk/schema"
)

// name is the name of the framework, in messages.
const name = "AReaL"

// deviceCPU is the device of trial runs.
const deviceCPU = "cpu"

var configSchema = schema.Block{
	Description: "awhost starts AReaL's PPOTrainer as a single controller and supplies its samples through a " +
		"workflow or an agent. AReaL is not patched.",
	Attributes: slices.Concat(stage.Merging(name, `{"sglang.mem_fraction_static":0.8}`), []schema.Attribute{
		schema.Path("source", "A checkout of AReaL to use instead of the installed package.").Example("../AReaL"),
		schema.String("mode", "How AReaL gets its samples: `workflow`, awhost's ledger stores the tokens; `agent`, "+
			"AReaL's OpenAI proxy stores them, and `tokens_every` shows none; `auto`, the plan shows the choice and the "+
			"reason.").Default(modeAuto).Enum(modeAuto, modeWorkflow, modeAgent),
		schema.String("scheduler", "The scheduler for AReaL's workers. Default: from `config`, else `local`.").
			Enum(schedulers...),
		schema.String("actor", "AReaL's trainer backend: engine and parallelism. Default: FSDP on half of the "+
			"GPUs.").Example("megatron:d2p2t2"),
		schema.String("rollout", "AReaL's rollout backend: engine and parallelism. Default: SGLang on the other "+
			"half.").Example("sglang:d2t2"),
		schema.Integer("max_staleness", "Maximum age of a sample in weight versions when it is trained; 0 makes training "+
			"synchronous. Default: from `config`, else 0.").AtLeast(0),
		schema.Path("shared_folder", "A directory shared by all machines of the job, for AReaL's checkpoints, "+
			"weights, and names. Default: the plugin's directory in the run."),
		schema.Integer("max_context", "The policy's context window. Default: from its "+
			"config.json.").In("tokens").AtLeast(16),
	}, python.Formats(), stage.Attributes(name, "60s")),
	Blocks: launch.Blocks(name, false),
}

// config is the block of the spec. Its JSON names are those of configSchema.
type config struct {
	Python       string          `json:"python"`
	Source       string          `json:"source"`
	Config       string          `json:"config"`
	Overrides    json.RawMessage `json:"overrides"`
	Mode         string          `json:"mode"`
	Scheduler    string          `json:"scheduler"`
	Nodes        int             `json:"nodes"`
	GPUsPerNode  int             `json:"gpus_per_node"`
	Actor        string          `json:"actor"`
	Rollout      string          `json:"rollout"`
	MaxStaleness *int            `json:"max_staleness"` // versions of the weights
	Device       string          `json:"device"`
	SharedFolder string          `json:"shared_folder"`
	ToolFormat   string          `json:"tool_format"`
	Reasoning    string          `json:"reasoning_format"`
	MaxContext   int             `json:"max_context"`  // tokens; 0: the policy's
	TokensEvery  int             `json:"tokens_every"` // steps; 0: never
	launch.Placement
}

// smoke is the same trainer for a smoke run: on the CPU of this machine, with nothing elsewhere.
func (c config) smoke() config {
	c.Device, c.Scheduler, c.Nodes, c.GPUsPerNode, c.Actor, c.Rollout = deviceCPU, "local", 1, 1, "", ""
	c.SharedFolder, c.Launch, c.Bridge, c.Ray, c.Slurm = "", launch.KindProcess, nil, nil, nil
	return c
}

func (c config) cpu() bool { return c.Device == deviceCPU }

// backends are those of the trainer and of the rollouts, where AReaL's own configuration does not name them.
func (c config) backends() (actor, rollout string) {
	half := 1
	if !c.cpu() {
		half = max(1, c.Nodes*c.GPUsPerNode/2)
	}
	actor, rollout = c.Actor, c.Rollout
	if actor == "" {
		actor = fmt.Sprintf("fsdp:d%d", half)
	}
	if rollout == "" {
		rollout = fmt.Sprintf("sglang:d%d", half)
	}
	return actor, rollout
}

var duration = launch.Duration

// validate says what the schema cannot. Attributes that are not known yet are absent.
func validate(_ context.Context, raw json.RawMessage) []sdk.Diagnostic {
	var c config
	if err := sdk.DecodeConfig(raw, &c); err != nil {
		return []sdk.Diagnostic{problem("Unreadable configuration", err.Error())}
	}
	if c.cpu() && c.Scheduler != "" && c.Scheduler != "local" {
		return []sdk.Diagnostic{problem("CPU run on a cluster",
			"device = \"cpu\" supports only one machine. Set scheduler = "+
				"\"local\".", "scheduler")}
	}
	return nil
}

func problem(summary, detail string, path ...string) sdk.Diagnostic {
	return sdk.Diagnostic{Severity: sdk.SeverityError, Summary: summary, Detail: detail, Path: path}
}
