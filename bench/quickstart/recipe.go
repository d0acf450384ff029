package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/plugins/calculator"
	formatreward "github.com/awhost/awhost/plugins/format-reward"
	gaiareward "github.com/awhost/awhost/plugins/gaia-reward"
	"github.com/awhost/awhost/plugins/local"
	"github.com/awhost/awhost/sdk"
)

// recipe is a spec with its components in this process.
type recipe struct {
	name          string
	stage         *spec.Stage
	agent         agentBody
	adapter       sdk.Adapter
	adapterConfig json.RawMessage
	environment   sdk.Environment
	rewards       map[string]sdk.Reward // by address
	data          map[string]*dataset.Dataset
	train         *dataset.Dataset
	validation    *dataset.Dataset
}

// agentBody is what of an agent block matters here.
type agentBody struct {
	MaxTurns int `json:"max_turns"`
}

func bundledPlugins() []sdk.Plugin {
	return []sdk.Plugin{calculator.Plugin(), formatreward.Plugin(), gaiareward.Plugin(), local.Plugin()}
}

// loadRecipe takes specs like the quick start's: one train block of one stage, with validation, and bundled plugins.
func loadRecipe(ctx context.Context, path string, vars map[string]string) (*recipe, error) {
	bundled := map[string]catalog.Bundled{}
	for _, p := range bundledPlugins() {
		bundled[p.Name] = catalog.Bundled{Description: p.Describe()}
	}
	c, err := catalog.Open(catalog.Config{Bundled: bundled})
	if err != nil {
		return nil, err
	}
	s, problems := spec.Load(path, spec.Options{Vars: vars, Environ: os.LookupEnv, Schemas: c})
	if problems.HasErrors() {
		return nil, errors.Join(fmt.Errorf("load %s", path), diag.WriteHuman(os.Stderr, problems, diag.Style{}))
	}
	r := &recipe{rewards: map[string]sdk.Reward{}, data: map[string]*dataset.Dataset{}}
	for name, train := range s.Trains {
		r.name, r.stage = name, train.Stages[0]
		if len(s.Trains) > 1 || len(train.Stages) > 1 || r.stage.Validation == "" {
			return nil, fmt.Errorf("load %s: the baseline takes specs with one train block, one stage and validation", path)
		}
	}
	if r.stage == nil {
		return nil, fmt.Errorf("load %s: it has no train block", path)
	}
	if err := r.newComponents(ctx, s); err != nil {
		return nil, err
	}
	r.train, r.validation = r.data[r.stage.Dataset], r.data[r.stage.Validation]
	return r, nil
}

func (r *recipe) close() {
	for _, d := range r.data {
		_ = d.Close() // read-only
	}
}

func openDataset(b *spec.Block) (*dataset.Dataset, error) {
	config, err := dataset.Decode(b.Type, b.Config)
	if err != nil {
		return nil, err
	}
	return dataset.Open(config)
}

func newEnvironment(ctx context.Context, typ string, setup sdk.Setup) (sdk.Environment, error) {
	for _, p := range bundledPlugins() {
		for _, c := range p.Environments {
			if c.Type == typ {
				return c.New(ctx, setup)
			}
		}
	}
	return nil, errNotBundled
}

func newReward(ctx context.Context, typ string, setup sdk.Setup) (sdk.Reward, error) {
	for _, p := range bundledPlugins() {
		for _, c := range p.Rewards {
			if c.Type == typ {
				return c.New(ctx, setup)
			}
		}
	}
	return nil, errNotBundled
}

func newAdapter(ctx context.Context, typ string, setup sdk.Setup) (sdk.Adapter, error) {
	for _, p := range bundledPlugins() {
		for _, c := range p.Adapters {
			if c.Type == typ {
				return c.New(ctx, setup)
			}
		}
	}
	return nil, errNotBundled
}

var errNotBundled = errors.New("the baseline has bundled plugins only")
