// Command verl measures awhost's cost per turn on top of a call to verl's engine, and compares it with verl's own agent
// loop.
//
//	go run ./bench/verl -python .venv/bin/python        a Python with verl; some ten minutes on two cores
//	go run ./bench/verl -python .venv/bin/python -concurrency 64 -rounds 2
//
// It runs `awhost apply` with real plugin processes. The adapter (package relay) starts a process with verl's code
// (driver.py), in which two agent loops run the same conversation. One is verl's built-in tool agent with a Python
// function as its tool. The other is awhost's loop for verl, whose episodes are run by the host, with a tool in an
// environment process: over the framework bridge to the adapter, from there to the host, to the environment and the
// reward, and into the journal. The program checks that both produce the same tokens.
//
// In both, a function with precomputed token IDs replaces the engine, and Ray is not used, so only the loops are
// measured. The cost of these calls is also measured separately.
//
// CPU time is read from the kernel for each process. The program prints the figures and never fails because of them.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/internal/program"
	"github.com/awhost/awhost/bench/verl/relay"
	"github.com/awhost/awhost/sdk"
)

//go:embed driver.py
var driverText []byte

// options holds the flags.
type options struct {
	python      string
	concurrency []int
	rounds      int
	episodes    int // per measurement
	turns       int // per episode
	profile     bool
	awhost      string
	self        string // this program, which is also the plugin
	root        string // of the sources
}

func main() {
	if awhost.IsPlugin(os.Args) {
		sdk.Serve(relay.Plugin())
	}
	program.Main(run)
}

func run(ctx context.Context, args []string) error {
	var o options
	flags := flag.NewFlagSet("verl", flag.ContinueOnError)
	flags.StringVar(&o.python, "python", ".venv/bin/python", "a `Python` that has verl")
	concurrency := flags.String("concurrency", "1,16,128,512", "`numbers` of episodes at a time, separated by commas")
	flags.IntVar(&o.rounds, "rounds", 5, "how `often` each of them is measured, after once for warming up")
	flags.IntVar(&o.episodes, "episodes", 512, "`episodes` of each measurement, a multiple of 8")
	flags.IntVar(&o.turns, "turns", 9, "assistant `messages` of an episode, at least 2: tool calls and the answer")
	flags.BoolVar(&o.profile, "profile", false, "write to the run's log of the adapter where the driver's time goes; figures are worthless then")
	flags.StringVar(&o.awhost, "awhost", "", "`program` to measure, instead of building ./cmd/awhost")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if o.concurrency, err = awhost.Numbers(*concurrency); err != nil {
		return fmt.Errorf("-concurrency %q: %w", *concurrency, err)
	}
	if o.episodes < groupSize || o.episodes%groupSize != 0 || o.turns < 2 || o.rounds < 1 {
		return fmt.Errorf("-episodes has to be a multiple of %d, -turns at least 2 and -rounds at least 1", groupSize)
	}
	return measure(ctx, o)
}

func measure(ctx context.Context, o options) (err error) {
	scratch, err := os.MkdirTemp("", "awhost-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if o, err = o.complete(ctx, scratch); err != nil {
		return err
	}
	r := report{out: os.Stdout, turns: o.turns, episodes: o.episodes, rounds: o.rounds}
	r.printHead(machine.Describe())
	steps, err := measureApply(ctx, o, scratch)
	if err != nil {
		return err
	}
	r.print(o.concurrency, steps)
	return nil
}

// complete locates the programs and the sources.
func (o options) complete(ctx context.Context, scratch string) (_ options, err error) {
	// The path is not resolved: a virtual environment's Python is a symbolic link, and finds its environment by its
	// path.
	if o.python, err = filepath.Abs(o.python); err != nil {
		return o, err
	}
	if _, err := os.Stat(o.python); err != nil {
		return o, fmt.Errorf("-python: %w: name a Python that has verl, such as $(.ci/frameworks/env verl-0.9.1)/bin/python",
			err)
	}
	if o.self, err = os.Executable(); err != nil {
		return o, err
	}
	if o.root, err = awhost.Root(ctx); err != nil {
		return o, err
	}
	o.awhost, err = awhost.Build(ctx, scratch, o.awhost)
	return o, err
}
