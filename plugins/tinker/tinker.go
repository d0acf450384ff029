// Package tinker is the adapter for servers that speak Tinker's API, which sample and train on their own GPUs. The
// trainer is a Python process of the user with the package tinker: shim/awhost_tinker, on awhost_bridge's StageDriver.
//
//	tinker.go  the block of the spec
//	plan.go    the settings of a stage, from the spec's knobs
//	train.go   one stage, on sdk/framework/stage: the files and the command of the trainer
//	delete.go  the deletion of a state from the server
//
// The trainer owns the tokens. The server owns the weights: a checkpoint is a directory with the URI of a state.
package tinker

import (
	"context"
	"embed"
	"slices"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/framework/stage"
	"github.com/awhost/awhost/sdk/python"
	"github.com/awhost/awhost/sdk/schema"
)

//go:embed shim/awhost_tinker/*.py
var shim embed.FS

var configSchema = schema.Block{
	Description: "A server that speaks Tinker's API samples and trains a LoRA adapter; this machine needs no GPU.",
	Attributes: slices.Concat([]schema.Attribute{
		schema.Path("python", "Python 3.11 or newer with the package tinker.").Require().Example(".venv/bin/python"),
		schema.String("base_url", "URL of the server. Default: Tinker's own service.").Example("http://127.0.0.1:8000"),
		schema.String("api_key_env", "Environment variable with the server's key.").Require().Example("TINKER_API_KEY"),
		schema.String("base_model", "The server's name of the model. Default: the policy's path.").Example("Qwen/Qwen3-8B"),
		schema.Integer("lora_rank", "Rank of the LoRA adapter.").Default(32).AtLeast(1),
		schema.String("loss", "The server's loss function. `importance_sampling` does not clip.").Default("ppo").
			Enum("ppo", "importance_sampling"),
		schema.Duration("busy_timeout", "Maximum time for a request, with repeats while the server limits their rate "+
			"(HTTP 429).").Default("15m").CanResume(),
	}, python.Formats(), stage.Attributes(name, "30s")),
	Blocks: launch.Blocks(name, false),
}

// config is the block of the spec, and part of the trainer's input.
type config struct {
	Python          string       `json:"python"`
	BaseURL         string       `json:"base_url"`
	APIKeyEnv       string       `json:"api_key_env"`
	BaseModel       string       `json:"base_model"`
	LoRARank        int          `json:"lora_rank"`
	Loss            string       `json:"loss"`
	BusyTimeout     sdk.Duration `json:"busy_timeout"`
	ToolFormat      string       `json:"tool_format"`
	ReasoningFormat string       `json:"reasoning_format"`
	TokensEvery     int          `json:"tokens_every"`
	launch.Placement
}

// name is the trainer's name in messages.
const name = "the trainer"

// adapter trains one stage at a time.
type adapter struct {
	stage.Adapter
	config config
}

func (a *adapter) command() []string { return []string{a.config.Python, "-u", "-m", "awhost_tinker"} }

func (a *adapter) site(smoke bool) launch.Site {
	return launch.Site{Placement: a.config.Placement, Framework: name, Nodes: 1, Smoke: smoke}
}

var capabilities = sdk.AdapterCapabilities{
	TokenCustody: "shim", RowsPerEpisode: "one", BehaviourLogprobs: true, Unscorable: "exact", GroupSemantics: true,
	GroupOfOne: "zero", Credit: []string{"episode"}, Modalities: []string{"text"}, Resume: true, LiveMetrics: true,
	StepBarrier: true, Recover: true, Smoke: true, RemoteCheckpoints: true,
	Scale:         []string{launch.KindProcess, launch.KindRay, launch.KindSlurm},
	SamplingOwned: []string{"temperature", "top_p", "top_k", "max_tokens", "seed", "chat_template_kwargs"},
}

// Plugin describes the plugin to sdk.Serve.
func Plugin() sdk.Plugin {
	return sdk.Plugin{Name: "tinker", Version: sdk.Version, Adapters: []sdk.AdapterComponent{{
		Component: sdk.Component{
			Type: "tinker", Description: "Trains with LoRA on a server that speaks Tinker's API.", Schema: configSchema,
		},
		Capabilities: capabilities,
		New: func(_ context.Context, setup sdk.Setup) (sdk.Adapter, error) {
			a := &adapter{}
			a.Init(name, setup)
			return a, setup.Decode(&a.config)
		},
	}}}
}
