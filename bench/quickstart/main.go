// Command quickstart measures the quick start: how well the policy learns, how long it takes, the total memory of all
// processes, and the time of each phase.
//
//	go run ./bench/quickstart                 five seeds, about two minutes each on two cores
//	go run ./bench/quickstart -seeds 1 -steps 5
//
// Each seed is compared with its own baseline, the same recipe in one process (see alone.go). The difference is the
// cost of running everything as plugins, on the same machine at the same time. The program first builds awhost; it
// works in temporary directories and removes them. docs/explain/performance.md explains the output and lists recorded
// results.
//
// The program prints the measurements and never fails because of them: a time-dependent measurement is not a test.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/internal/program"
)

// options holds the flags.
type options struct {
	spec     string
	seeds    []int
	steps    int // 0: the spec's
	plans    int
	awhost   string
	json     string
	baseline bool
	memory   string // a directory in memory; empty: no such run
}

func main() { program.Main(run) }

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	var o options
	var seeds string
	var alone bool
	flags.StringVar(&o.spec, "spec", "train.hcl", "`spec` to measure; the folder data next to it is used too")
	flags.StringVar(&seeds, "seeds", "1,2,3,4,5", "`seeds` to run, separated by commas")
	flags.IntVar(&o.steps, "steps", 0, "optimiser `steps`; 0: what the spec says")
	flags.IntVar(&o.plans, "plans", 10, "how often to time plan; 0: not at all")
	flags.StringVar(&o.awhost, "awhost", "", "`program` to measure, instead of building ./cmd/awhost")
	flags.StringVar(&o.json, "json", "", "write what was measured to a `file`, too")
	flags.BoolVar(&o.baseline, "baseline", true, "also run the same recipe in one process for each seed")
	flags.StringVar(&o.memory, "memory", memoryDir(),
		"`directory` in memory: run the first seed there, too, where fsync costs nothing; empty: do not")
	flags.BoolVar(&alone, "alone", false, "only run the recipe of the first seed in this process and print what it took")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if o.seeds, err = numbers(seeds); err != nil {
		return fmt.Errorf("-seeds %q: %w", seeds, err)
	}
	if alone {
		return printAlone(ctx, o)
	}
	return measure(ctx, o)
}

func numbers(list string) ([]int, error) {
	var out []int
	for _, text := range strings.Split(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// measure takes all requested measurements and prints each result as soon as it is available.
func measure(ctx context.Context, o options) error {
	scratch, err := os.MkdirTemp("", "awhost-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if o.awhost, err = awhost.Build(ctx, scratch, o.awhost); err != nil {
		return err
	}
	r := &report{Machine: machine.Describe(), Spec: o.spec}
	r.printHead(os.Stdout)
	if o.plans > 0 {
		if r.PlanSeconds, err = timePlan(ctx, o, filepath.Join(scratch, "plan")); err != nil {
			return err
		}
		r.printPlan(os.Stdout)
	}
	for i, seed := range o.seeds {
		if i > 0 {
			o.memory = ""
		}
		s, err := measureSeed(ctx, o, seed, scratch)
		if err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
		r.Seeds = append(r.Seeds, s)
		r.printSeed(os.Stdout, s)
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

func measureSeed(ctx context.Context, o options, seed int, scratch string) (*seedResult, error) {
	dir := filepath.Join(scratch, "seed-"+strconv.Itoa(seed))
	s := &seedResult{Seed: seed}
	var err error
	if s.Apply, err = measureApply(ctx, o, seed, dir); err != nil {
		return nil, err
	}
	if o.memory != "" {
		if s.InMemory, err = measureInMemory(ctx, o, seed); err != nil {
			return nil, err
		}
	}
	if o.baseline {
		s.Alone, err = startAlone(ctx, o, seed)
	}
	return s, errors.Join(err, os.RemoveAll(dir))
}

// seedResult is the result of one seed.
type seedResult struct {
	Seed  int          `json:"seed"`
	Apply *applyResult `json:"apply"`
	Alone *aloneResult `json:"alone,omitempty"`
	// InMemory is the same run in an in-memory directory.
	InMemory *applyResult `json:"in_memory,omitempty"`
}

// memoryDir returns an in-memory directory that all users may write to, if the system has one.
func memoryDir() string {
	const dir = "/dev/shm"
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return ""
	}
	return dir
}

// measureInMemory runs measureApply where fsync is free. The rest of the cost of the journal and commits is
// computation.
func measureInMemory(ctx context.Context, o options, seed int) (_ *applyResult, err error) {
	dir, err := os.MkdirTemp(o.memory, "awhost-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return measureApply(ctx, o, seed, filepath.Join(dir, "run"))
}
