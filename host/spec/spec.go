// Package spec turns what a person wrote into what a run needs: HCL in, typed values out.
//
// It owns the language: blocks and their schemas, variables, locals, functions, references between blocks, secrets,
// training knobs, stages, and the expressions that make one number of several rewards. It must not know processes,
// episodes or run directories; what a plugin accepts it learns from a SchemaSource.
//
//	head, problems := spec.Sniff("train.hcl")          // which plugins the spec names
//	s, problems := spec.Load("train.hcl", spec.Options{Environ: os.LookupEnv, Schemas: catalog})
//	if problems.HasErrors() {
//		diag.WriteHuman(os.Stderr, problems, style)
//	}
//	train := s.Trains["quickstart"]
//	for _, stage := range train.Stages {
//		start(s.Blocks[stage.Agent].Config, stage.Knobs)
//	}
//
// Loading runs nothing and writes nothing: it reads the files of the spec, what file() and templatefile() name below
// its directory, and environment variables through Options.Environ.
package spec

import (
	"encoding/json"
	"time"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/sdk"
)

// Options are what a spec is evaluated with.
type Options struct {
	// Vars are values of variables by name, as `--var name=value` gives them. They win over everything.
	Vars map[string]string
	// VarFiles are variable files in the order of their flags; a later one wins. Relative to the working directory.
	VarFiles []string
	// Environ looks up an environment variable; nil means that there are none. Values of a .env file beside the spec
	// are added to it, never put before it.
	Environ func(name string) (string, bool)
	// Schemas knows the component types of plugins. Nil knows none.
	Schemas SchemaSource
	// Overrides are framework settings of `apply spec -- key=value`; they end up in Knobs.Overrides of every stage.
	Overrides map[string]string
	// ValuesLater reports nothing about values that are yet to be given: of variables, and of the environment.
	ValuesLater bool
	// Version is what required_version is held against; empty means sdk.Version.
	Version string
}

// SchemaSource knows the component types of plugins: the catalog.
type SchemaSource interface {
	// Component returns what is known of a component type of kind environment, reward or adapter.
	Component(kind, typ string) (*sdk.ComponentDescription, bool)
	// Types lists the component types of a kind.
	Types(kind string) []string
}

// SchemaSourceWithReason is a SchemaSource that can tell why a type is not known, and what to do about it.
type SchemaSourceWithReason interface {
	SchemaSource
	// WhyUnknown returns nil when it has nothing to add.
	WhyUnknown(kind, typ string) error
}

// Spec is an evaluated spec.
type Spec struct {
	Path      string            // as it was named
	Dir       string            // absolute; relative paths in the spec are relative to it
	Files     []string          // the files that were read as spec, absolute, in order
	Required  Requirements      //
	Variables []Variable        // sorted by name
	Blocks    map[string]*Block // by address: "environment.calculator.desk"
	Order     []string          // addresses of Blocks as the spec has them
	Trains    map[string]*Train // by name
	Outputs   []*Output         // as the spec has them
	Telemetry *Telemetry        // nil: there is none
	Env       []string          // environment variables that the spec asks for by env(), sorted
	Sources   diag.Sources      // the text of the files, for snippets
	secrets   []string
	env       *environment
}

// Getenv looks up an environment variable as env() does, the .env file beside the spec included.
func (s *Spec) Getenv(name string) (string, bool) {
	if s.env == nil {
		return "", false
	}
	return s.env.lookup(name)
}

// Requirements is what a spec needs before it can be evaluated.
type Requirements struct {
	Version string                  // a constraint such as ">= 0.1"; empty: any
	Plugins map[string]PluginSource // by local name
}

// PluginSource says where a plugin comes from.
type PluginSource struct {
	Source string     // as written: a Go package directory, a Python package, a program
	Range  diag.Range // of the entry
}

// Variable is the value of a variable and where it came from.
type Variable struct {
	Name        string
	Description string
	Value       json.RawMessage // nil when the variable is sensitive
	Sensitive   bool
	Origin      string // "default", "env:AWHOST_VAR_steps", "file:prod.awvars", "flag"
	// Idle says that a flag gave the value that the variable has without it.
	Idle bool `json:"-"`
}

// Block is a component (environment, reward, adapter) or a dataset, model or agent.
type Block struct {
	Places
	Kind string // "environment"
	Type string // "calculator"
	Name string // "desk"
	// Config is the resolved body as canonical JSON: keys sorted, defaults filled in, references as addresses, paths
	// absolute, durations in Go's notation. An attribute without value and default is absent. It holds secrets by
	// value: show and store Redacted instead.
	Config json.RawMessage
	// Sensitive says where in Config the secrets are.
	Sensitive []SensitivePath
	// Refs are the addresses of the blocks that Config refers to, sorted.
	Refs []string
	// Server is one that the block needs, and that is started before its plugin; nil: none.
	Server *Server
	// Madness is what is looked for in the messages of an agent; nil: nothing.
	Madness *Madness
	// Notes say what became of files that the block imports, a sentence each, for plans.
	Notes []string

	portable  json.RawMessage // Config with the paths below the spec's directory relative to it
	resumable [][]string      // attributes that are not part of a run's identity
}

// Builtin says whether the host itself has the block's type; all others are plugins'.
func (b *Block) Builtin() bool {
	_, own := builtins[b.Kind][b.Type]
	return own
}

// SensitivePath says where a secret is and where it came from.
type SensitivePath struct {
	Path   []string `json:"path"`   // from the block inwards; list indices as decimal numbers
	Origin string   `json:"origin"` // "env:OPENAI_API_KEY", "var:token", "spec"
}

// Places remembers where the parts of a block were written.
type Places struct {
	Address string     // "dataset.jsonl.train", "train.quickstart", "train.quickstart.stage.full"
	Header  diag.Range // of the block's first line
	context string     // `dataset "jsonl" "train"`, for snippets
	ranges  map[string]diag.Range
}

// Train is what `awhost apply` runs.
type Train struct {
	Places
	Name string
	// Settings are those of the train block itself. What counts for an episode are the settings of its stage.
	Settings
	// Policy is the address of the model block to start from; empty: the adapter's own.
	Policy string
	// Stages are run in order, each starting from the one before. There is always one: without stage blocks it is
	// named "main".
	Stages []*Stage
	// HostAbsenceTimeout ends a detached trainer when no host came back.
	HostAbsenceTimeout time.Duration
	// MaxRestarts bounds the restarts of each plugin over the run.
	MaxRestarts int
	// DirMode is the mode of the run's folders, in octal, "0750"; empty: the umask decides.
	DirMode string
	// Gateway is where agents on other machines are served; nil: nowhere.
	Gateway *Gateway
	// Tracking is where numbers go besides the run directory.
	Tracking Tracking
}

// Tracking is where the host writes the numbers of a run besides the run directory.
type Tracking struct {
	TensorBoard bool `json:"tensorboard"`
	Generations int  `json:"generations"` // episodes of each validation that are written as text
	// Trackers are those that a program in the user's Python writes to: wandb, swanlab, mlflow.
	Trackers   []string `json:"trackers,omitempty"`
	Python     string   `json:"python,omitempty"`     // an absolute path or the name of a program
	Project    string   `json:"project,omitempty"`    // empty: the name of the train block
	Experiment string   `json:"experiment,omitempty"` // empty: the name of the run
	Offline    bool     `json:"offline,omitempty"`
	// CloseTimeout bounds the wait for all of them at the end of a run.
	CloseTimeout time.Duration `json:"-"` // resolvedTracking has it in words
}

// Any reports whether numbers go anywhere.
func (t Tracking) Any() bool { return t.TensorBoard || len(t.Trackers) > 0 }

// Gateway is where programs on other machines reach the policy. Its files are absolute paths.
type Gateway struct {
	Listen      string `json:"listen"`
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
	Host        string `json:"host,omitempty"`
}

// Stage is a part of a training run.
type Stage struct {
	Places
	Name  string
	Index int // from 0
	// Settings are those of the train block with the stage's own put over them, attribute by attribute and block by
	// block: a block of the stage replaces the block of the same name.
	Settings
	// AdvanceWhen ends the stage early; it is asked after each validation. Nil: never.
	AdvanceWhen *Expression
	// Carry says what the stage takes over from the one before.
	Carry Carry
}

// Carry says what a stage takes over from the one before.
type Carry string

// The ways to carry on.
const (
	CarryWeightsAndOptimizer Carry = "weights+optimizer"
	CarryWeights             Carry = "weights"
)

// Settings are what train and its stages have in common. Addresses are empty where nothing is given.
type Settings struct {
	Agent      string   // address of an agent block, or of a swarm
	Trained    []string // addresses of the agents that are trained; nil: all
	Dataset    string   // address of a dataset block
	Validation string   // address of a dataset block; empty: no validation
	Adapter    string   // address of an adapter block; of one type in all stages
	// Reward makes the episode's number of what the rewards say.
	Reward *Expression
	// Success says what counts as solved. Nil: the is_success of the only reward.
	Success *Expression
	// Knobs are complete, with defaults; Knobs.Set lists what the user wrote, in train or in the stage.
	Knobs sdk.Knobs
	// Concurrency is how many episodes run at a time.
	Concurrency int
	// EpisodeTimeout bounds an episode's active time.
	EpisodeTimeout time.Duration
	// ReconnectGrace is how long an episode waits for a caller that went away.
	ReconnectGrace time.Duration
	// MinGroup is how many siblings a group-relative reward needs; nil: all.
	MinGroup *int
	// OverlongPenalty is taken off a truncated episode's reward where limits.overlong is "penalise".
	OverlongPenalty float64
	// OnFailure says for every class but INFRASTRUCTURE what follows from a failure.
	OnFailure map[sdk.FailureClass]FailurePolicy
	// CircuitBreaker stops a run in which too many episodes fail.
	CircuitBreaker CircuitBreaker
	// Sensitive says where secrets are, as paths in the train block: {"env", "WANDB_API_KEY"}.
	Sensitive []SensitivePath
}

// FailurePolicy is what follows from failures of one class.
type FailurePolicy struct {
	Actions []sdk.FailureAction // in order of preference
	Budget  int                 // most retries of one episode
	Set     bool                // the user wrote it; otherwise it is the default
}

// CircuitBreaker stops a run when more than FailedFraction of the last Window episodes failed and at least
// MinEpisodes are over. A fraction of 1 never trips.
type CircuitBreaker struct {
	FailedFraction float64
	Window         int
	MinEpisodes    int
	Set            bool // the user wrote it; otherwise it is the default
}
