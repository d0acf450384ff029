//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/awhost/awhost/plugins/calculator"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// plays maps names to the programs of plugins/NAME.
var plays = map[string]func(){
	"gated":  func() { sdk.Serve(gatedPlugin()) },
	"faulty": func() { sdk.Serve(faultyPlugin()) },
	"paying": func() { sdk.Serve(payingPlugin()) },
	// Invalid or faulty plugins. Those with a valid description are accepted, and fail when they start.
	"stranger": func() { fmt.Println("usage: stranger FILE") },
	"mute":     func() { syscall.Pause() },
	"future":   func() { describeOnly("future", `["2"]`) },
	"skewed": func() {
		describeOnly("skewed", `[1]`)
		fmt.Println("1|2|unix|/nowhere|grpc|")
		syscall.Pause()
	},
	"dying": func() {
		describeOnly("dying", `[1]`)
		fmt.Fprintln(os.Stderr, "no module named torch")
		os.Exit(3)
	},
	"hanging": func() {
		describeOnly("hanging", `[1]`)
		fmt.Fprintln(os.Stderr, "loading 70B weights")
		syscall.Pause()
	},
	"silent": func() { describeOnly("silent", `[1]`) },
	"noisy": func() {
		if len(os.Args) == 1 {
			fmt.Println("loading torch …")
		}
		sdk.Serve(noisyPlugin())
	},
}

// describeOnly answers `PROGRAM describe` as the plugin of a reward.
func describeOnly(name, versions string) {
	if len(os.Args) > 1 && os.Args[1] == "describe" {
		fmt.Printf(`{"name":%q,"version":"1.0.0","protocolVersions":%s,"components":[{"kind":"COMPONENT_KIND_REWARD","type":%q,"reward":{}}]}`, name, versions, name)
		os.Exit(0)
	}
}

func noisyPlugin() sdk.Plugin {
	return sdk.Plugin{Name: "noisy", Version: "1.0.0", Rewards: []sdk.RewardComponent{{
		Component: sdk.Component{Type: "noisy", Description: "Is worth nothing."},
		New:       func(context.Context, sdk.Setup) (sdk.Reward, error) { return worthless{}, nil },
	}}}
}

// worthless is a reward that always returns 0.
type worthless struct{}

// Score implements sdk.Reward.
func (worthless) Score(_ context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	return &sdk.ScoreResponse{Items: make([]sdk.Scored, len(req.Items))}, nil
}

// plain are the capabilities of a wrapped calculator.
var plain = sdk.EnvironmentCapabilities{DeterministicUnderSeed: true, GroupSafe: true}

// gatedPlugin returns a calculator with a gate, so that a script can act during a chosen episode.
func gatedPlugin() sdk.Plugin {
	p := calculator.Plugin()
	desk := p.Environments[0]
	desk.Type, desk.Validate, desk.Capabilities = "gated", nil, plain
	desk.Schema = schema.Block{Description: "A calculator behind a gate.", Attributes: []schema.Attribute{
		schema.Path("gate", "directory: `open` in it opens the gate, `reached` says that somebody waits").Require(),
		schema.Number("after", "training episodes that pass before").Require(),
	}}
	inner := desk.New
	desk.New = func(ctx context.Context, setup sdk.Setup) (sdk.Environment, error) {
		var g gated
		if err := setup.Decode(&g); err != nil {
			return nil, err
		}
		setup.Config = []byte("{}")
		environment, err := inner(ctx, setup)
		g.Environment = environment
		return &g, err
	}
	return sdk.Plugin{Name: "gated", Version: "1.0.0", Environments: []sdk.EnvironmentComponent{desk}}
}

// gated is an environment whose episodes wait at their first step.
type gated struct {
	sdk.Environment `json:"-"`
	Gate            string `json:"gate"`
	After           int64  `json:"after"`

	opened atomic.Int64
}

// Open implements sdk.Environment.
func (g *gated) Open(ctx context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	if req.Split == sdk.SplitTrain {
		g.opened.Add(1)
	}
	return g.Environment.Open(ctx, req)
}

// Step implements sdk.Environment.
func (g *gated) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	if g.opened.Load() > g.After {
		if err := g.pass(ctx); err != nil {
			return nil, err
		}
	}
	return g.Environment.Step(ctx, req)
}

// pass waits until the gate is open.
func (g *gated) pass(ctx context.Context) error {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		_, err := os.Stat(filepath.Join(g.Gate, "open"))
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.WriteFile(filepath.Join(g.Gate, "reached"), nil, 0o644); err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// faultyPlugin returns a calculator that fails in Step, and a reward that fails in Score.
func faultyPlugin() sdk.Plugin {
	config := schema.Block{Description: "Breaks.", Attributes: []schema.Attribute{
		schema.String("fault", "how").Require().Enum("exit", "panic", "hang", "error", "nan"),
		schema.Path("once", "break only while this file is missing; it is made before"),
		schema.String("token", "a secret that is told to everybody").Secret(),
	}}
	desk := calculator.Plugin().Environments[0]
	desk.Type, desk.Schema, desk.Validate, desk.Capabilities = "faulty", config, nil, plain
	inner := desk.New
	desk.New = func(ctx context.Context, setup sdk.Setup) (sdk.Environment, error) {
		f, err := newFault(setup)
		if err != nil {
			return nil, err
		}
		setup.Config = []byte("{}")
		environment, err := inner(ctx, setup)
		return &faultyEnvironment{environment, f}, err
	}
	return sdk.Plugin{
		Name: "faulty", Version: "1.0.0", Environments: []sdk.EnvironmentComponent{desk},
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{Type: "faulty", Description: "Breaks.", Schema: config},
			New: func(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
				f, err := newFault(setup)
				return faultyReward{f}, err
			},
		}},
	}
}

// fault describes how and when a component fails.
type fault struct {
	Kind  string `json:"fault"`
	Once  string `json:"once"`
	Token string `json:"token"`
}

func newFault(setup sdk.Setup) (*fault, error) {
	f := &fault{}
	err := setup.Decode(f)
	if f.Token != "" {
		fmt.Fprintln(os.Stderr, "the token is", f.Token)
		setup.Log.Warn("the token is "+f.Token, "token", f.Token)
	}
	return f, err
}

// strike fails according to the fault, if it applies.
func (f *fault) strike(ctx context.Context) error {
	if f.Once != "" {
		if _, err := os.Stat(f.Once); err == nil {
			return nil
		}
		if err := os.WriteFile(f.Once, nil, 0o644); err != nil {
			return err
		}
	}
	switch f.Kind {
	case "exit":
		fmt.Fprintln(os.Stderr, "the simulator lost its license")
		os.Exit(7)
	case "panic":
		panic("index out of range in the simulator")
	case "hang":
		<-ctx.Done()
		return ctx.Err()
	case "error":
		return fmt.Errorf("the simulator said no to %s", f.Token)
	}
	return nil
}

type faultyEnvironment struct {
	sdk.Environment
	fault *fault
}

// Step implements sdk.Environment.
func (f *faultyEnvironment) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	if err := f.fault.strike(ctx); err != nil {
		return nil, err
	}
	return f.Environment.Step(ctx, req)
}

type faultyReward struct{ fault *fault }

// Score implements sdk.Reward.
func (f faultyReward) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	if err := f.fault.strike(ctx); err != nil {
		return nil, err
	}
	return worthless{}.Score(ctx, req)
}

var (
	_ sdk.Environment = (*gated)(nil)
	_ sdk.Environment = (*faultyEnvironment)(nil)
	_ sdk.Reward      = faultyReward{}
)
