// Command turn measures awhost's cost per turn, that is, per assistant message with all related work, and whether that
// cost or the memory use grows.
//
//	go run ./bench/turn                                 about ten minutes on two cores
//	go run ./bench/turn -concurrency 10,1000 -episodes 5000 -memory 0
//	go run ./bench/turn -growth                         how the cost grows with text, tools, and turns (see growth.go)
//
// It runs `awhost apply` on a real spec with real plugin processes: an adapter whose policy answers at once (see
// package policy), and the calculator as environment and as reward. CPU time is read from the kernel for each of the
// run's processes, between two step boundaries, so that startup and shutdown do not count. The baseline is the same
// loop in one process: once with direct function calls between the parts, and once with the protocol between them.
//
// The program prints the figures and never fails because of them: a time-dependent figure is not a test.
// docs/explain/performance.md explains the output and lists recorded figures.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/internal/program"
	"github.com/awhost/awhost/bench/turn/policy"
	"github.com/awhost/awhost/sdk"
)

// options holds the flags.
type options struct {
	concurrency []int
	episodes    int // measured, for each concurrency
	memory      int // episodes of the run that measures memory; 0: no such run
	memoryAt    int // its concurrency
	turns       int // of an episode
	step        int // episodes of a step
	awhost      string
	self        string // this program, which also serves the adapter plugin
	json        string
	baseline    bool
}

func main() {
	if awhost.IsPlugin(os.Args) {
		sdk.Serve(policy.Plugin())
	}
	program.Main(run)
}

func run(ctx context.Context, args []string) error {
	o := options{step: 2000}
	flags := flag.NewFlagSet("turn", flag.ContinueOnError)
	concurrency := flags.String("concurrency", "10,32,100,320,1000",
		"`numbers` of episodes at a time, separated by commas")
	flags.IntVar(&o.episodes, "episodes", 20000, "`episodes` to measure for each of them")
	flags.IntVar(&o.memory, "memory", 100000, "`episodes` of the run in which memory is watched; 0: no such run")
	flags.IntVar(&o.memoryAt, "memory-concurrency", 100, "how many `episodes` at a time in that run")
	flags.IntVar(&o.turns, "turns", 2, "assistant `messages` of an episode, at least 2")
	flags.IntVar(&o.step, "step", o.step, "`episodes` of a step, a multiple of 8")
	flags.StringVar(&o.awhost, "awhost", "", "`program` to measure, instead of building ./cmd/awhost")
	flags.StringVar(&o.json, "json", "", "write what was measured to a `file`, too")
	flags.BoolVar(&o.baseline, "baseline", true, "run the same loop in one process, too")
	growth := flags.Bool("growth", false, "measure how the cost grows, instead")
	alone := flags.String("alone", "", "only run the spec in a `directory` in this process: the baseline")
	lastStep := flags.Int("last-step", 0, "with -alone: the last `step` that is measured")
	wire := flags.Bool("wire", false, "with -alone: with the protocol between the parts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *alone != "" {
		return printAlone(ctx, *alone, *lastStep, *wire)
	}
	var err error
	if o.concurrency, err = awhost.Numbers(*concurrency); err != nil {
		return fmt.Errorf("-concurrency %q: %w", *concurrency, err)
	}
	if o.step < groupSize || o.step%groupSize != 0 || o.turns < 2 {
		return fmt.Errorf("-step has to be a multiple of %d, and -turns at least 2", groupSize)
	}
	return measure(ctx, o, *growth)
}

// scenario returns a run with the episodes that the flags describe.
func (o options) scenario(concurrency, episodes int) scenario {
	return scenario{concurrency: concurrency, episodes: episodes, turns: o.turns, step: o.step}
}

// measure runs all requested measurements and prints each result when it is available.
func measure(ctx context.Context, o options, growth bool) (err error) {
	scratch, err := os.MkdirTemp("", "awhost-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if o.awhost, err = awhost.Build(ctx, scratch, o.awhost); err != nil {
		return err
	}
	if o.self, err = os.Executable(); err != nil {
		return err
	}
	if growth {
		return measureGrowth(ctx, o, scratch, os.Stdout)
	}
	r := &report{Machine: machine.Describe(), Turns: o.turns}
	r.printHead(os.Stdout)
	for _, n := range o.concurrency {
		row, err := measureRow(ctx, o, scratch, n)
		if err != nil {
			return fmt.Errorf("%d concurrent episodes: %w", n, err)
		}
		r.Rows = append(r.Rows, row)
		r.printRow(os.Stdout, row)
	}
	if o.memory > 0 {
		if r.Memory, err = measureApply(ctx, o, scratch, o.scenario(o.memoryAt, o.memory)); err != nil {
			return fmt.Errorf("%d episodes: %w", o.memory, err)
		}
		r.printMemory(os.Stdout)
	}
	r.printSummary(os.Stdout)
	if o.json == "" {
		return nil
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(o.json, append(text, '\n'), 0o644)
}

func measureRow(ctx context.Context, o options, scratch string, concurrency int) (*row, error) {
	s := o.scenario(concurrency, o.episodes)
	out := &row{Concurrency: concurrency}
	var err error
	if out.Apply, err = measureApply(ctx, o, scratch, s); err != nil || !o.baseline {
		return out, err
	}
	if out.Called, err = startAlone(ctx, o, scratch, s, false); err != nil {
		return nil, err
	}
	out.Wire, err = startAlone(ctx, o, scratch, s, true)
	return out, err
}
