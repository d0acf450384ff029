// Package spec evaluates specs: it converts HCL to the typed values that a run needs.
//
// It owns the language: blocks and their schemas, variables, locals, functions, references between blocks, secrets,
// training knobs, stages, and the expressions that combine several rewards into one number. It must not depend on
// processes, episodes or run directories. A SchemaSource provides the plugins' schemas.
//
//	head, problems := spec.Sniff("train.hcl")          // the plugins that the spec names
//	s, problems := spec.Load("train.hcl", spec.Options{Environ: os.LookupEnv, Schemas: catalog})
//	if problems.HasErrors() {
//		diag.WriteHuman(os.Stderr, problems, style)
//	}
//	train := s.Trains["quickstart"]
//	for _, stage := range train.Stages {
//		start(s.Blocks[stage.Agent].Config, stage.Knobs)
//	}
//
// Loading starts no process and writes nothing: it reads the files of the spec, files named by file() and
// templatefile() below its directory, and environment variables through Options.Environ.
package spec

import (
	"encoding/json"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/sdk"
)

// Options holds the inputs to an evaluation.
type Options struct {
	// Vars holds variable values by name, as set by `--var name=value`. They override all other sources.
	Vars map[string]string
	// VarFiles lists variable files in the order of their flags; later files override earlier ones. Paths are relative
	// to the working directory.
	VarFiles []string
	// Environ looks up an environment variable; nil means an empty environment. Values in a .env file next to the spec
	// have lower precedence.
	Environ func(name string) (string, bool)
	// Schemas provides the plugins' component types. May be nil.
	Schemas SchemaSource
	// Overrides holds the framework settings from `apply spec -- key=value`. They are copied to Knobs.Overrides in
	// every stage.
	Overrides map[string]string
	// ValuesLater suppresses errors about missing variable and environment values.
	ValuesLater bool
	// Version is compared with required_version; empty means sdk.Version.
	Version string
}

// SchemaSource provides the plugins' component types, as the catalog does.
type SchemaSource interface {
	// Component returns the description of an environment, reward or adapter component type.
	Component(kind, typ string) (*sdk.ComponentDescription, bool)
	// Types lists the component types of a kind.
	Types(kind string) []string
}

// SchemaSourceWithReason is a SchemaSource that explains why a type is unknown and what to do about it.
type SchemaSourceWithReason interface {
	SchemaSource
	// WhyUnknown returns nil if it has no explanation.
	WhyUnknown(kind, typ string) error
}

// Spec is an evaluated spec.
type Spec struct {
	Path      string            // as given by the caller
	Dir       string            // absolute; relative paths in the spec are relative to it
	Files     []string          // the files that were read as spec, absolute, in order
	Required  Requirements      //
	Variables []Variable        // sorted by name
	Blocks    map[string]*Block // by address: "environment.calculator.desk"
	Order     []string          // addresses of Blocks in the order of the spec
	Trains    map[string]*Train // by name
	Outputs   []*Output         // in the order of the spec
	Telemetry *Telemetry        // nil without a telemetry block
	Env       []string          // environment variables that the spec reads with env(), sorted
	Sources   diag.Sources      // the text of the files, for snippets
	secrets   []string
	env       *environment
}

// Getenv looks up an environment variable in the same way as env(), including the .env file next to the spec.
func (s *Spec) Getenv(name string) (string, bool) {
	if s.env == nil {
		return "", false
	}
	return s.env.lookup(name)
}

// Requirements lists what is required to evaluate a spec.
type Requirements struct {
	Version string                  // a constraint such as ">= 0.1"; empty: any
	Plugins map[string]PluginSource // by local name
}

// PluginSource is a plugin's source.
type PluginSource struct {
	Source  string     `cty:"source"`  // as written: a Go package directory, a Python package, a program
	Command []string   `cty:"command"` // starts a plugin in another language in the directory or the archive at Source
	Range   diag.Range // range of the entry
}

// Variable is a variable's value and its origin.
type Variable struct {
	Name        string
	Description string
	Value       json.RawMessage // nil if the variable is sensitive
	Sensitive   bool
	Origin      string // "default", "env:AWHOST_VAR_steps", "file:prod.awvars", "flag"
	// Idle is set if a flag set the variable to the value that it would have without the flag.
	Idle bool `json:"-"`
}

// Block is a component (environment, reward, adapter) or a dataset, model or agent.
type Block struct {
	Places
	Kind string // "environment"
	Type string // "calculator"
	Name string // "desk"
	// Config is the resolved body as canonical JSON: keys sorted, defaults included, references as addresses, paths
	// absolute, durations in Go's notation. An attribute that has neither a value nor a default is omitted. It contains
	// secret values, so show and store Redacted instead.
	Config json.RawMessage
	// Sensitive lists the secrets in Config.
	Sensitive []SensitivePath
	// Refs holds the sorted addresses of the blocks that Config refers to.
	Refs []string
	// Server is a server that the block needs and that is started before its plugin. May be nil.
	Server *Server
	// Madness configures the checks for an agent's messages. May be nil.
	Madness *Madness
	// Notes describes the files that the block imports, one sentence each, for plans.
	Notes []string

	portable  json.RawMessage // Config with the paths below the spec's directory relative to it
	resumable [][]string      // attributes that are not part of a run's identity
}

// Builtin reports whether the block's type is part of the host. All other types come from plugins.
func (b *Block) Builtin() bool {
	_, own := builtins[b.Kind][b.Type]
	return own
}

// PassEnv returns the names in the block's attributes pass_env and api_key_env: variables of the host's environment or
// the .env file that the block's plugin receives. An attribute that the plugin defines with another type names none.
func (b *Block) PassEnv() []string {
	var config map[string]json.RawMessage
	var names []string
	var key string
	if json.Unmarshal(b.Config, &config) != nil {
		return nil
	}
	if json.Unmarshal(config["pass_env"], &names) != nil {
		names = nil
	}
	// A plugin's default must not name a variable of the user.
	if b.Wrote("api_key_env") && json.Unmarshal(config["api_key_env"], &key) == nil {
		names = append(names, key)
	}
	return names
}

// SensitivePath is a secret's path and origin.
type SensitivePath struct {
	Path   []string `json:"path"`   // from the block inwards; list indices as decimal numbers
	Origin string   `json:"origin"` // "env:OPENAI_API_KEY", "var:token", "spec"
}

// Places holds the source ranges of a block's parts.
type Places struct {
	Address string     // "dataset.jsonl.train", "train.quickstart", "train.quickstart.stage.full"
	Header  diag.Range // range of the block's first line
	context string     // `dataset "jsonl" "train"`, for snippets
	ranges  map[string]diag.Range
}

// Train is a train block, the unit that `awhost apply` runs.
type Train struct {
	Places
	Name string
	// Settings holds the train block's own settings. Episodes use the settings for their stage.
	Settings
	// Policy is the address of the initial model's block; if empty, the adapter's default is used.
	Policy string
	// Start is the name of the train block from whose last checkpoint the policy starts, and whose Policy it has; empty:
	// none.
	Start string
	start hcl.Traversal
	// Stages run in order, each starting from the result of the previous one. There is always at least one: without
	// stage blocks it is named "main".
	Stages []*Stage
	// HostAbsenceTimeout ends a detached trainer if no host reconnects.
	HostAbsenceTimeout time.Duration
	// MaxRestarts limits the number of restarts of each plugin during the run.
	MaxRestarts int
	// DirMode is the octal mode of the run's directories, such as "0750"; if empty, the umask applies.
	DirMode string
	// Gateway is the listener for agents on other machines. May be nil.
	Gateway *Gateway
	// Tracking configures metric destinations other than the run directory.
	Tracking Tracking
	// Expectations decide the exit code of a completed run.
	Expectations []Expectation
	// Scan selects how finished conversations are scanned.
	Scan Scan
}

// Tracking configures where the host writes a run's metrics in addition to the run directory.
type Tracking struct {
	TensorBoard bool `json:"tensorboard"`
	Generations int  `json:"generations"` // number of episodes of each validation that are written as text
	// Trackers lists the trackers whose data is written by a program in the user's Python: wandb, swanlab, mlflow.
	Trackers   []string `json:"trackers,omitempty"`
	Python     string   `json:"python,omitempty"`     // an absolute path or the name of a program
	Project    string   `json:"project,omitempty"`    // empty: the name of the train block
	Experiment string   `json:"experiment,omitempty"` // empty: the name of the run
	Offline    bool     `json:"offline,omitempty"`
	// CloseTimeout limits the wait for all trackers at the end of a run.
	CloseTimeout time.Duration `json:"-"` // resolvedTracking holds it as a string
}

// Any reports whether metrics are written anywhere.
func (t Tracking) Any() bool { return t.TensorBoard || len(t.Trackers) > 0 }

// Gateway is the listener through which programs on other machines can reach the policy. Its file paths are absolute.
type Gateway struct {
	Listen      string `json:"listen"`
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
	Host        string `json:"host,omitempty"`
}

// Stage is part of a training run.
type Stage struct {
	Places
	Name  string
	Index int // from 0
	// Settings holds the train block's settings, overridden by the stage's settings attribute by attribute and block by
	// block: a block in the stage replaces the block with the same name.
	Settings
	// AdvanceWhen ends the stage early. It is evaluated after each validation. Nil: never.
	AdvanceWhen *Expression
	// Carry selects the state that is carried over from the previous stage.
	Carry Carry
}

// Carry selects the state that a stage carries over from the previous one.
type Carry string

// The supported values.
const (
	CarryWeightsAndOptimizer Carry = "weights+optimizer"
	CarryWeights             Carry = "weights"
)

// Settings holds the settings that train and its stages share. Addresses that are not set are empty.
type Settings struct {
	Agent      string   // address of an agent block, or of a swarm
	Trained    []string // addresses of the trained agents; nil: all
	Dataset    string   // address of a dataset block
	Validation string   // address of a dataset block; empty: no validation
	Adapter    string   // address of an adapter block; all stages use the same type
	// Reward computes an episode's reward from the results of the reward blocks.
	Reward *Expression
	// Success defines when an episode counts as solved. If nil, the is_success of the only reward is used.
	Success *Expression
	// Knobs is complete, including defaults. Knobs.Set lists the knobs that the user set, in train or in the stage.
	Knobs sdk.Knobs
	// TemplateKwargs holds arguments of the policy's chat template.
	TemplateKwargs map[string]any
	// Concurrency is the number of episodes that run concurrently.
	Concurrency int
	// EpisodeTimeout limits an episode's active time.
	EpisodeTimeout time.Duration
	// ReconnectGrace is how long an episode waits for a disconnected caller.
	ReconnectGrace time.Duration
	// MinGroup is the number of siblings that a group-relative reward needs; nil means all of them.
	MinGroup *int
	// OverlongPenalty is subtracted from a truncated episode's reward if limits.overlong is "penalise".
	OverlongPenalty float64
	// OnFailure holds the policies for failures in every class except INFRASTRUCTURE.
	OnFailure map[sdk.FailureClass]FailurePolicy
	// CircuitBreaker stops a run if too many episodes fail.
	CircuitBreaker CircuitBreaker
	// Findings defines what follows the findings of a rule, by its id. Other rules warn.
	Findings map[string]FindingPolicy
	// Sensitive lists the secrets as paths in the train block, such as {"env", "WANDB_API_KEY"}.
	Sensitive []SensitivePath
}

// FailurePolicy defines the reaction to failures in one class.
type FailurePolicy struct {
	Actions []sdk.FailureAction // in order of preference
	Budget  int                 // maximum number of retries of one episode
	Set     bool                // set by the user; otherwise it is the default
}

// CircuitBreaker stops a run if more than FailedFraction of the last Window episodes failed and at least MinEpisodes
// have ended. With a fraction of 1, it never stops a run.
type CircuitBreaker struct {
	FailedFraction  float64
	ForeignFraction float64 // of episodes whose tool calls are in a format that the codec does not read
	Window          int
	MinEpisodes     int
	Set             bool // set by the user; otherwise it is the default
}
