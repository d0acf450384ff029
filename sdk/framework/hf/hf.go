// Package hf is the kit of adapters for frameworks whose trainer is a transformers.Trainer with groups of samples. An
// adapter is a table of its framework, and a Python package that connects the trainer with awhost_bridge.hf:
//
//	func Plugin() sdk.Plugin { return hf.Plugin(hf.Framework{Name: "trl", Class: "trl.GRPOConfig", …}) }
//
//	hf.go       the table of a framework, and the block of the spec
//	fields.go   the fields of a stage: the spec, the user's own, awhost's
//	installed.go  the versions and the dataclasses of an installation
//	plan.go     the plan
//	train.go    a stage on sdk/framework/stage, and the export of a checkpoint
//
// It must not know any framework.
package hf

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/framework/stage"
	"github.com/awhost/awhost/sdk/python"
	"github.com/awhost/awhost/sdk/schema"
)

// Framework is the table of a framework. The maps are by the names of fields.
type Framework struct {
	Name         string // type of the adapter; its trainer is the Python package awhost_NAME
	Title        string // in messages
	Description  string
	Package      string     // distribution
	Marker       string     // file of an installation
	Class        string     // full name of the dataclass with its fields
	Trainer      string     // full name of the class whose methods Hook gets; may be empty
	Tested       []byte     // as in framework.Framework
	Versions     []Versions // the first one is the framework's
	Packages     []string   // further distributions that the trainer imports
	Python       fs.FS      // with the package awhost_NAME
	Config       string     // description of the attribute config
	Example      any        // of config
	LoRA         bool       // the block has lora, with the fields of PEFT's LoraConfig; otherwise tuner_type decides
	Unscorable   string     // as in the capabilities
	Constraints  bool       // awhost's sampler applies decoding constraints
	Refused      map[string]string
	Owned        []Owned
	Defaults     map[string]any // awhost's
	Required     map[string]any
	CPU          map[string]any // defaults with device = "cpu", and values of a smoke run
	Smoke        map[string]any // further values in a smoke run, if the framework has the fields
	ChatTemplate func(*framework.Settings) python.ChatTemplate
	// Hook describes how the trainer gets rows, from its methods' parameters by name; nil: in one way only.
	Hook func(methods map[string][]string) (string, error)
}

// Versions are the versions of a distribution that an adapter supports.
type Versions struct {
	Package     string
	From, Below framework.Release
}

// Owned is the reason why a user cannot set fields, with the prefixes of their names. "NAME=" is a whole name.
type Owned struct {
	Why      string
	Prefixes []string
}

func (f Framework) schema() schema.Block {
	optional := func(name, description string, example any) schema.Attribute {
		return schema.Attribute{Name: name, Type: schema.TypeAny, Description: description}.Example(example)
	}
	own := []schema.Attribute{
		schema.Path("python", "The Python that has "+f.Title+".").Require().Example(".venv/bin/python"),
		schema.String("device", "`gpu`, or `cpu` for a tiny model.").Default("gpu").Enum("gpu", "cpu"),
		schema.Integer("processes", "Number of processes that train, each on a GPU with the whole model.").Default(1).
			AtLeast(1),
		optional("config", f.Config, f.Example),
	}
	if f.LoRA {
		own = append(own, optional("lora", "Fields of PEFT's `LoraConfig`. Without it, all weights are trained.",
			map[string]any{"r": 16, "target_modules": "all-linear"}))
	}
	return schema.Block{
		Description: f.Description,
		Attributes: slices.Concat(own, []schema.Attribute{
			schema.Duration("patience", "How long a forward pass waits for episodes that may request another message. Equal "+
				"runs have equal results if it suffices.").Default("1s"),
			schema.Integer("sampling_rows", "Maximum number of messages sampled at once.").Default(256).AtLeast(1),
		}, python.Formats(), stage.Attributes(theTrainer, "30s")),
		Blocks: launch.Blocks(theTrainer, false),
	}
}

// theTrainer is the framework in descriptions, which are equal for all frameworks.
const theTrainer = "the trainer"

// config is the block of the spec.
type config struct {
	Python          string          `json:"python"`
	Device          string          `json:"device"`
	Processes       int             `json:"processes"`
	Config          json.RawMessage `json:"config"`
	LoRA            json.RawMessage `json:"lora"`
	Patience        string          `json:"patience"`
	SamplingRows    int             `json:"sampling_rows"`
	ToolFormat      string          `json:"tool_format"`
	ReasoningFormat string          `json:"reasoning_format"`
	TokensEvery     int             `json:"tokens_every"`
	launch.Placement
}

// object reads an attribute that holds fields. It returns nil if the attribute is not set.
func object(raw json.RawMessage) (map[string]any, error) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	value, err := framework.FromJSON(raw)
	if err != nil {
		return nil, err
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is not an object", raw)
	}
	return fields, nil
}

// validate checks that the attributes with fields are objects.
func validate(_ context.Context, raw json.RawMessage) (out []sdk.Diagnostic) {
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) != nil {
		return nil // the schema reports it
	}
	for _, name := range []string{"config", "lora"} {
		if _, err := object(given[name]); err != nil {
			out = append(out, wrong("No fields in "+name, "Write them as an object: "+name+" = { NAME = VALUE }.", name))
		}
	}
	return out
}

func wrong(summary, detail string, path ...string) sdk.Diagnostic {
	return sdk.Diagnostic{Severity: sdk.SeverityError, Summary: summary, Detail: detail, Path: path}
}

// adapter trains one stage at a time.
type adapter struct {
	stage.Adapter
	Framework
	config config
}

func (a *adapter) site(smoke bool) launch.Site {
	site := launch.Site{Placement: a.config.Placement, Framework: a.Title, Nodes: 1, Reserve: true, Smoke: smoke}
	if a.config.Device == "gpu" && !smoke {
		site.GPUs = a.config.Processes
	}
	return site
}

const (
	constraints = "decoding_constraints" // a capability
	exported    = "hf"                   // the format of exports: a directory that transformers loads
)

func (f Framework) capabilities() sdk.AdapterCapabilities {
	out := sdk.AdapterCapabilities{
		TokenCustody: "shim", RowsPerEpisode: "one", BehaviourLogprobs: true, Unscorable: f.Unscorable,
		GroupSemantics: true, GroupOfOne: "zero", Credit: []string{"episode"},
		Modalities: []string{"text"}, Resume: true, LiveMetrics: true, StepBarrier: true, Recover: true, Smoke: true,
		ExportFormats: []string{exported}, Scale: []string{launch.KindProcess, launch.KindRay, launch.KindSlurm},
		SamplingOwned: []string{"temperature", "top_p", "top_k", "max_tokens", "stop", "chat_template_kwargs"},
	}
	if f.Constraints {
		out.SamplingOwned = append(out.SamplingOwned, constraints)
	}
	return out
}

// Plugin describes an adapter's plugin to sdk.Serve.
func Plugin(f Framework) sdk.Plugin {
	return sdk.Plugin{Name: f.Name, Version: sdk.Version, Adapters: []sdk.AdapterComponent{{
		Component: sdk.Component{Type: f.Name, Description: f.Description, Schema: f.schema(), Validate: validate,
			Probe: framework.Prober(f.configure)},
		Capabilities: f.capabilities(),
		New: func(_ context.Context, setup sdk.Setup) (sdk.Adapter, error) {
			a := &adapter{Framework: f}
			a.Init(f.Title, setup)
			return a, setup.Decode(&a.config)
		},
	}}}
}
