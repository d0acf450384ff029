// Package oneprocess runs a spec in the calling process: the same trainer, agent loop, environment and rewards, without
// a host, journal, supervision, retries or events. Benchmarks compare it with a real run.
//
//	recipe, err := oneprocess.Load(ctx, "train.hcl", oneprocess.Config{Plugins: plugins})
//	defer recipe.Close()
//	result, err := recipe.Train(ctx, emit)
//
// Seeds are drawn differently than by the host, so the weights differ from a real run. Time, memory use and learning
// success are comparable.
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

// Config configures Load.
type Config struct {
	Plugins []sdk.Plugin      // whose components the spec may use
	Vars    map[string]string // of the spec
	// Wire puts the protocol between the parts: gRPC over memory, without TLS or sockets. Otherwise they are called
	// directly.
	Wire bool
	// Boundary is called after each trainer step, before the next one. It may be nil.
	Boundary func(step int, so Counts)
}

// Counts holds a trainer's totals so far.
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
	validation    *dataset.Dataset // nil: no validation
	host          *host
	served        []*sdk.InProcess
}

// agentBody is the relevant part of an agent block.
type agentBody struct {
	MaxTurns int `json:"max_turns"`
}

// Load loads a spec like the quick start's: one train block with one stage, and only plugins from config.
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
			return nil, fmt.Errorf("load %s: the baseline supports only specs with one train block that has one "+
				"stage", path)
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

// Close releases the data and the components.
func (r *Recipe) Close() {
	for _, d := range r.data {
		_ = d.Close() // read-only
	}
	for _, in := range r.served {
		in.Close()
	}
}

// newComponents creates the components of the recipe in this process.
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

// newComponent creates one component, which is either called directly or served.
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

// serve serves a component over the protocol.
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
		Kind: sdk.ComponentKind(b.Kind), Type: b.Type, Config: b.Config, RunID: "alone", Incarnation: 1,
		HostSocket: "in-process",
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

// plugin returns the plugin that serves a block.
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
