// Package oneprocess runs a spec in the calling process: the same trainer, agent loop, environment and rewards, without
// host, journal, supervision, retries and events. It is what benchmarks put beside a real run.
//
//	recipe, err := oneprocess.Load(ctx, "train.hcl", oneprocess.Config{Plugins: plugins})
//	defer recipe.Close()
//	result, err := recipe.Train(ctx, emit)
//
// Seeds are drawn in another way than the host draws them, so that weights differ from those of a run; what compares is
// time, memory and how well it learns.
package oneprocess

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// Config says what to load with.
type Config struct {
	Plugins []sdk.Plugin      // whose components the spec may use
	Vars    map[string]string // of the spec
	// Wire puts the protocol between the parts: gRPC over memory, without TLS and sockets. Else they are called.
	Wire bool
	// Boundary is called when the trainer has finished a step, before it goes on. It may be nil.
	Boundary func(step int, so Counts)
}

// Counts are what a trainer has had so far.
type Counts struct {
	Episodes int
	Turns    int // assistant messages
}

// Recipe is a spec with its components in this process.
type Recipe struct {
	config        Config
	name          string
	stage         *spec.Stage
	agent         agentBody
	adapter       sdk.Adapter
	adapterConfig json.RawMessage
	environment   sdk.Environment
	rewards       map[string]sdk.Reward // by address
	data          map[string]*dataset.Dataset
	train         *dataset.Dataset
	validation    *dataset.Dataset // nil: there is none
	host          *host
	served        []*sdk.InProcess
}

// agentBody is what of an agent block matters here.
type agentBody struct {
	MaxTurns int `json:"max_turns"`
}

// Load takes specs like the quick start's: one train block of one stage, and nothing but the plugins of config.
func Load(ctx context.Context, path string, config Config) (_ *Recipe, err error) {
	s, err := read(path, config)
	if err != nil {
		return nil, err
	}
	r := &Recipe{config: config, rewards: map[string]sdk.Reward{}, data: map[string]*dataset.Dataset{}}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	for name, train := range s.Trains {
		r.name, r.stage = name, train.Stages[0]
		if len(s.Trains) > 1 || len(train.Stages) > 1 {
			return nil, fmt.Errorf("load %s: the baseline takes specs with one train block of one stage", path)
		}
	}
	if r.stage == nil {
		return nil, fmt.Errorf("load %s: it has no train block", path)
	}
	r.host = newHost(r)
	if err := r.newComponents(ctx, s); err != nil {
		return nil, err
	}
	r.train, r.validation = r.data[r.stage.Dataset], r.data[r.stage.Validation]
	r.host.prepare()
	return r, nil
}

func read(path string, config Config) (*spec.Spec, error) {
	bundled := map[string]catalog.Bundled{}
	for _, p := range config.Plugins {
		bundled[p.Name] = catalog.Bundled{Description: p.Describe()}
	}
	c, err := catalog.Open(catalog.Config{Bundled: bundled})
	if err != nil {
		return nil, err
	}
	s, problems := spec.Load(path, spec.Options{Vars: config.Vars, Environ: os.LookupEnv, Schemas: c})
	if problems.HasErrors() {
		return nil, errors.Join(fmt.Errorf("load %s", path), diag.WriteHuman(os.Stderr, problems, diag.Style{}))
	}
	return s, nil
}

// Close ends what Load has opened and served.
func (r *Recipe) Close() {
	for _, d := range r.data {
		_ = d.Close() // read-only
	}
	for _, in := range r.served {
		in.Close()
	}
}

// newComponents makes the plugins of the recipe, in this process.
func (r *Recipe) newComponents(ctx context.Context, s *spec.Spec) error {
	for _, address := range s.Reachable(r.name) {
		b := s.Blocks[address]
		var err error
		switch b.Kind {
		case "environment", "reward", "adapter":
			err = r.newComponent(ctx, b, address)
		case "agent":
			err = json.Unmarshal(b.Config, &r.agent)
		case "dataset":
			r.data[address], err = openDataset(b)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", address, err)
		}
	}
	return nil
}

func openDataset(b *spec.Block) (*dataset.Dataset, error) {
	config, err := dataset.Decode(b.Type, b.Config)
	if err != nil {
		return nil, err
	}
	return dataset.Open(config)
}

// newComponent makes one of them, called or served.
func (r *Recipe) newComponent(ctx context.Context, b *spec.Block, address string) (err error) {
	if b.Kind == "adapter" {
		r.adapterConfig = b.Config
	}
	if r.config.Wire {
		return r.serve(ctx, b, address)
	}
	setup := sdk.Setup{Config: b.Config, RunID: "alone", Incarnation: 1, Log: slog.New(slog.DiscardHandler)}
	for _, p := range r.config.Plugins {
		for _, c := range p.Environments {
			if b.Kind == "environment" && c.Type == b.Type {
				r.environment, err = c.New(ctx, setup)
				return err
			}
		}
		for _, c := range p.Rewards {
			if b.Kind == "reward" && c.Type == b.Type {
				r.rewards[address], err = c.New(ctx, setup)
				return err
			}
		}
		for _, c := range p.Adapters {
			if b.Kind == "adapter" && c.Type == b.Type {
				r.adapter, err = c.New(ctx, setup)
				return err
			}
		}
	}
	return errors.New("the baseline does not have its plugin")
}

// serve puts the protocol before a component.
func (r *Recipe) serve(ctx context.Context, b *spec.Block, address string) error {
	p, err := r.plugin(b)
	if err != nil {
		return err
	}
	in, err := sdk.ServeInProcess(p, r.host, nil)
	if err != nil {
		return err
	}
	r.served = append(r.served, in)
	problems, err := in.Configure(ctx, sdk.ConfigureRequest{
		Kind: sdk.ComponentKind(b.Kind), Type: b.Type, Config: b.Config, RunID: "alone", Incarnation: 1, HostSocket: "in-process",
	})
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		return &sdk.ConfigError{Diagnostics: problems}
	}
	switch b.Kind {
	case "environment":
		r.environment = sdk.RemoteEnvironment(in.Conn, address)
	case "reward":
		r.rewards[address] = sdk.RemoteReward(in.Conn)
	case "adapter":
		r.adapter = sdk.RemoteAdapter(in.Conn)
	}
	return nil
}

// plugin finds the plugin that serves a block.
func (r *Recipe) plugin(b *spec.Block) (sdk.Plugin, error) {
	for _, p := range r.config.Plugins {
		for _, c := range p.Describe().Components {
			if string(c.Kind) == b.Kind && c.Type == b.Type {
				return p, nil
			}
		}
	}
	return sdk.Plugin{}, errors.New("the baseline does not have its plugin")
}
