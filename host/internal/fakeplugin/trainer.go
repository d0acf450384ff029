package fakeplugin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// trainerConfig is the body of the adapter block.
type trainerConfig struct {
	script
	Dataset    string            `json:"dataset"`   // streamed before the first step, as in a warm start
	Misbehave  []string          `json:"misbehave"` // see trainer.does
	Codec      string            `json:"codec"`     // named in responses, with itself as the digest
	Refuse     []string          `json:"refuse"`    // knobs that Plan rejects
	Config     string            `json:"config"`    // its own configuration: the number of steps
	Options    map[string]string `json:"options"`
	ObjectTo   []string          `json:"object_to"`    // paths of the block or of a knob that Plan reports as wrong
	Require    []string          `json:"require"`      // requirements reported as not met
	Complain   []string          `json:"complain"`     // attributes that ValidateConfig reports
	Unscorable string            `json:"unscorable"`   // capability
	Groups     bool              `json:"groups"`       // capability
	GroupOfOne string            `json:"group_of_one"` // capability
	TrainsAll  bool              `json:"trains_all"`   // capability
	Barrier    bool              `json:"barrier"`      // capability
	// SamplingOwned is a capability. The messages show the template arguments if it includes them.
	SamplingOwned []string `json:"sampling_owned"`
	Every         int      `json:"checkpoint_every"`
	Remote        bool     `json:"remote_checkpoints"` // capability; see remote.go
}

func trainerComponent() sdk.AdapterComponent {
	return sdk.AdapterComponent{
		Component: sdk.Component{
			Type: "scripted", Description: "A trainer whose weights are a digest.",
			Schema: schema.Block{Description: "A trainer whose weights are a digest.", Attributes: append(scriptAttributes(),
				schema.Reference("dataset", "dataset", "Demonstrations."),
				schema.Strings("misbehave", "What it does wrong."),
				schema.String("codec", "The codec that reads its messages.").CanResume(),
				schema.Strings("refuse", "Knobs that it refuses."),
				schema.String("config", "Its own configuration: the number of steps."),
				schema.Strings("object_to", "Paths of attributes or knobs that its plan finds wrong."),
				schema.StringMap("options", "Nothing to it."),
				schema.Strings("require", "Requirements that are not met."),
				schema.Strings("complain", "Attributes that it complains about."),
				schema.String("unscorable", "What it can do with a sample without a number.").Default("exact"),
				schema.String("group_of_one", "What it makes of the only sample of a group with a number.").Default("zero"),
				schema.Bool("groups", "Whether it keeps groups together.").Default(true),
				schema.Bool("trains_all", "Whether it trains all that was sampled.").Default(false),
				schema.Strings("sampling_owned", "The sampling settings that it supports.").Default([]string{"temperature"}),
				schema.Bool("barrier", "Whether it asks at step boundaries.").Default(true),
				schema.Bool("remote_checkpoints", "Whether its checkpoints have data elsewhere.").Default(false),
				schema.Integer("checkpoint_every", "Steps from one checkpoint to the next.").Default(1),
			)},
			Validate: complaints,
		},
		Capabilities: capabilities(trainerConfig{Unscorable: "exact", GroupOfOne: "zero", Groups: true, Barrier: true,
			Remote: true}),
		New: func(_ context.Context, setup sdk.Setup) (sdk.Adapter, error) {
			t := &trainer{setup: setup, samples: map[string]*sample{}}
			if err := setup.Decode(&t.config); err != nil {
				return nil, err
			}
			t.config.at("configure")
			return t, nil
		},
	}
}

// complaints returns ValidateConfig's diagnostics: one error for each attribute in complain.
func complaints(_ context.Context, config json.RawMessage) []sdk.Diagnostic {
	var c struct {
		Complain []string `json:"complain"`
	}
	if err := json.Unmarshal(config, &c); err != nil {
		return []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "Unreadable", Detail: err.Error()}}
	}
	var out []sdk.Diagnostic
	for _, name := range c.Complain {
		out = append(out, sdk.Diagnostic{
			Severity: sdk.SeverityError, Summary: "Wrong " + name, Detail: "Write something else.", Path: []string{name},
		})
	}
	return out
}

func capabilities(c trainerConfig) sdk.AdapterCapabilities {
	return sdk.AdapterCapabilities{
		TokenCustody: "trainer", RowsPerEpisode: "one", Unscorable: c.Unscorable, GroupSemantics: c.Groups,
		GroupOfOne: c.GroupOfOne, Credit: []string{"episode"},
		TrainsAll:     c.TrainsAll,
		SamplingOwned: c.SamplingOwned, Modalities: []string{"text"}, Resume: true, StepBarrier: c.Barrier, Serve: true,
		Scale: []string{"process"}, RemoteCheckpoints: c.Remote,
	}
}

// trainer is the adapter.
type trainer struct {
	config trainerConfig
	setup  sdk.Setup

	mu      sync.Mutex
	samples map[string]*sample // open episodes
	drained bool
	serves  bool // without training
	weights weights
}

// weights holds the trained weights, which are also the content of a checkpoint.
type weights struct {
	Step      int    `json:"step"`
	Content   string `json:"content"`   // digest of everything trained on
	Optimizer string `json:"optimizer"` // the same, since the optimizer was reset
}

func (w weights) digest() string { return hash(fmt.Sprintf("%+v", w)) }

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// reported returns the metrics of a step for "report NAME FIRST then LATER from STEP".
func (t *trainer) reported(step int) map[string]float64 {
	out := map[string]float64{}
	for _, what := range t.config.Misbehave {
		var name string
		var first, later float64
		var from int
		if _, err := fmt.Sscanf(what, "report %s %g then %g from %d", &name, &first, &later, &from); err != nil {
			continue
		}
		if out[name] = first; step >= from {
			out[name] = later
		}
	}
	return out
}

// does reports whether the script requests a particular misbehavior.
func (t *trainer) does(what string) bool { return slices.Contains(t.config.Misbehave, what) }

// Plan implements sdk.Adapter.
func (t *trainer) Plan(_ context.Context, req sdk.PlanRequest) (*sdk.PlanResponse, error) {
	t.config.at("plan")
	if t.does("fail to plan") {
		return nil, errors.New("the GPUs are on fire")
	}
	out := &sdk.PlanResponse{Capabilities: capabilities(t.config), Notes: []string{"weights are a digest"}}
	for _, stage := range req.Stages {
		for _, knob := range stage.Knobs.Set {
			mapping := sdk.KnobMapping{Knob: knob, Key: "scripted." + knob}
			if slices.Contains(t.config.Refuse, knob) {
				mapping = sdk.KnobMapping{Knob: knob, Refused: "it has no such thing"}
			}
			out.Knobs = append(out.Knobs, mapping)
		}
		if stage.Knobs.Steps == nil && t.config.Config != "" {
			out.Knobs = append(out.Knobs, sdk.KnobMapping{Knob: "steps", Key: "length"})
			out.Effective = append(out.Effective,
				sdk.EffectiveKey{Key: "length", ValueJSON: json.RawMessage(t.config.Config), Origin: "config"})
		}
		prompts, err := json.Marshal(sdk.ValueOr(stage.Knobs.Batch.Prompts, 2))
		if err != nil {
			return nil, err
		}
		out.Effective = append(out.Effective,
			sdk.EffectiveKey{Key: stage.Name + "/prompts", ValueJSON: prompts, Origin: "batch.prompts"},
			sdk.EffectiveKey{Key: stage.Name + "/weights", ValueJSON: json.RawMessage(`"digest"`), Origin: "default"})
	}
	if t.config.Token != "" {
		out.Files = []sdk.PlannedFile{{Path: "config-" + t.config.Token + ".yaml",
			Content: []byte("token: " + t.config.Token + "\n")}}
		out.Commands = []sdk.PlannedCommand{{Argv: []string{"train", "--token", t.config.Token},
			Env: map[string]string{"TOKEN": t.config.Token, "DEVICES": ""}}}
		out.Notes = append(out.Notes, "it will say "+t.config.Token)
		out.Effective = append(out.Effective, sdk.EffectiveKey{Key: "token",
			ValueJSON: json.RawMessage(`"` + t.config.Token + `"`), Origin: "config"})
	}
	for _, path := range t.config.ObjectTo {
		out.Diagnostics = append(out.Diagnostics, sdk.Diagnostic{
			Severity: sdk.SeverityError, Summary: "Wrong setting", Detail: path + " will not do.",
			Path: strings.Split(path, "."),
		})
	}
	for _, kind := range t.config.Require {
		out.Requirements = append(out.Requirements, sdk.Requirement{Kind: kind, Detail: "There is no " + kind + ". Get one."})
	}
	return out, nil
}

// Control implements sdk.Adapter.
func (t *trainer) Control(_ context.Context, req sdk.ControlRequest) error {
	if req.Action != sdk.ControlDrain {
		return fmt.Errorf("control: %s is not scripted", req.Action)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drained = true
	return nil
}

func (t *trainer) isDrained() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.drained
}

// load reads the weights from a checkpoint.
func (w *weights) load(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "weights.json"))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, w)
}

// save durably writes a checkpoint.
func (w *weights) save(dir string) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "weights.json"))
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

var _ sdk.Adapter = (*trainer)(nil)
