// Package settings says everything about a verl run that can be said before it starts: which verl is installed, which
// of its configuration keys are set to what and by whom, what contradicts what, and the file that makes it so.
//
// It reads the installed files and starts nothing: no Python runs and no torch is imported. It must not know how a run
// is launched or how episodes get their tokens.
//
//	installed, err := settings.Find(".venv/bin/python")
//	resolved, err := settings.Resolve(settings.Request{Installed: installed, Knobs: stage.Knobs, Needs: needs, …})
//	os.WriteFile("awhost.yaml", resolved.File, 0o600)
//
// The merge and its precedence are framework.Settings.
package settings

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/python"
)

// Request is everything that the settings of a stage may depend on.
type Request struct {
	Installed   *Installed
	Stage       string // for messages
	Knobs       sdk.Knobs
	Config      []ConfigFile               // the adapter's `config`
	Overrides   map[string]json.RawMessage // the adapter's `overrides`; a key may begin with + or ++
	Needs       Needs
	Layers      []Layer
	Data        sdk.DataSummary
	StepsBefore int                                     // where verl's step counter stands when the stage begins
	VisibleGPUs int                                     // of the machine at hand; negative: nobody has looked, or the run is elsewhere
	ReadModel   func(path string) (python.Model, error) // looks at the policy, as python.ReadModel does; nil: nobody looks
	Smoke       bool                                    // two steps of a tiny model on a CPU: nothing is learned
	CPU         bool                                    // short rows of a tiny model: as many as possible at once
	Elsewhere   bool                                    // verl runs on machines whose files may be others
}

// ConfigFile is a YAML file that the user wrote for verl.
type ConfigFile struct {
	Name string // for origins: grpo_trainer.yaml
	Text []byte
}

// Needs are the values that awhost's run depends on. Empty ones are left out.
type Needs struct {
	AgentLoop       string   // the name that the loop has in AgentLoopConfig
	AgentLoopConfig string   // absolute path
	Model           string   // path or name of the policy
	TrainFiles      []string // absolute paths
	ValidationFiles []string
	CheckpointDir   string // absolute
	ResumeFrom      string // …/global_step_N; empty: from scratch
	HydraDir        string // where Hydra writes what it composed; absolute
}

// Layer is a further source of values.
type Layer struct {
	Origin string // for the plan: "cpu harness"
	Level  framework.Level
	Yields bool           // of owned values: a user's other value gives way without an error
	Values map[string]any // as in framework.Normal; keys without +
}

// Generation is one of verl's two trainers. They differ in what a rollout may return.
type Generation string

// The generations.
const (
	V0 Generation = "v0" // RayPPOTrainer: one row per rollout
	V1 Generation = "v1" // with TransferQueue: several rows
)

// Resolved is the configuration of a stage. Its values include verl's defaults.
type Resolved struct {
	*framework.Settings
	Version      string
	Generation   Generation
	Module       string             // what python -m runs
	Keys         []sdk.EffectiveKey // all that are set, and those that knobs name, by key
	Engine       string             // verl's training engine; empty: its default
	File         []byte             // the configuration that Hydra reads, on top of verl's own
	Knobs        []sdk.KnobMapping
	Env          map[string]string // of the knob env; for verl's process and its workers
	Requirements []sdk.Requirement
	Diagnostics  []sdk.Diagnostic
	Notes        []string
	GPUs         int // that the run takes; 0: unknown
	Step         framework.Step
}

// Int returns the value of a key as a whole number, or 0.
func (r *Resolved) Int(key string) int {
	n, _ := r.Settings.Int(key)
	return n
}

// Section is Value for a mapping, with the keys below it that are set one by one.
func (r *Resolved) Section(key string) map[string]any {
	out := map[string]any{}
	if whole, _ := r.Value(key); whole != nil {
		whole, _ := whole.(map[string]any)
		maps.Copy(out, whole)
	}
	for _, below := range r.Settings.Keys() {
		name, ok := strings.CutPrefix(below, key+".")
		if value, known := r.Value(below); ok && known {
			out[name] = value
		}
	}
	return out
}
