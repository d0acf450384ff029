// Command peers compares awhost's cost per turn with its peers: the same task, the same fake engine, and the same
// measurement.
//
//	go run ./bench/peers                                    about 40 minutes on two cores, and 3 more the first time
//	go run ./bench/peers -systems client,awhost -concurrency 100 -runs 1 -failures=false
//
// An episode has two turns: the engine responds to a question with a tool call, and to the tool's result with the
// answer. It takes 50 ms for each message. Every system runs the task with its own loop, tool, and reward, as its
// driver in a directory here describes. The first time, the program installs each system from a lock file with hashes.
// A system that needs something that the machine lacks prints "not here" and the reason.
//
// CPU time is the sum over all processes of a system, between 20 % and 90 % of the turns (see account.go). The engine
// runs in this program and does not count. The delay that a system adds is the time from a tool call to the request
// with its result. A row whose run was cut off, ended early, or did not score each episode has no ratio. Then the
// program kills each system's environment, and lets its reward raise exceptions, and counts the scored episodes.
//
// The program needs Linux but not root. It prints the figures and never fails because of them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/internal/program"
)

// options holds the flags.
type options struct {
	systems     []*system
	concurrency []int
	runs        int
	scale       float64
	limit       time.Duration // of a run
	latency     time.Duration // of a message
	failures    bool
	awhost      string
	json        string

	root    string // of the sources
	scratch string // directory, removed at the end
	cache   string // directory, kept: environments and logs
	path    string // PATH
}

func main() { program.Main(run) }

func run(ctx context.Context, args []string) error {
	var names []string
	for _, s := range systems() {
		names = append(names, s.name)
	}
	o := options{path: os.Getenv("PATH")}
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	chosen := flags.String("systems", strings.Join(names, ","), "`names` of systems, separated by commas")
	concurrency := flags.String("concurrency", "10,100,1000", "`numbers` of concurrent episodes, separated by commas")
	flags.IntVar(&o.runs, "runs", 3, "`runs` of each row; 0: only the faults")
	flags.Float64Var(&o.scale, "scale", 1, "`multiplier` of the number of episodes")
	flags.DurationVar(&o.limit, "limit", 150*time.Second, "maximum `duration` of a run")
	flags.DurationVar(&o.latency, "latency", 50*time.Millisecond, "`duration` of a message of the engine")
	flags.BoolVar(&o.failures, "failures", true, "also kill environments, and let rewards raise exceptions")
	flags.StringVar(&o.awhost, "awhost", "", "`program` to measure, instead of building ./cmd/awhost")
	flags.StringVar(&o.json, "json", "", "also write the measurements to a `file`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for name := range strings.SplitSeq(*chosen, ",") {
		i := slices.Index(names, name)
		if i < 0 {
			return fmt.Errorf("-systems: unknown system %q: use %s", name, strings.Join(names, ", "))
		}
		o.systems = append(o.systems, systems()[i])
	}
	var err error
	if o.concurrency, err = awhost.Numbers(*concurrency); err != nil {
		return fmt.Errorf("-concurrency %q: %w", *concurrency, err)
	}
	if o.runs < 0 || o.scale <= 0 {
		return errors.New("-runs has to be at least 0, and -scale above 0")
	}
	return measure(ctx, o)
}

// episodes returns the number of episodes of a run.
func (o options) episodes(s *system, concurrency int) int {
	n := 2000
	switch {
	case concurrency <= 10:
		n = 200
	case concurrency <= 100:
		n = 1000
	}
	return max(concurrency, int(o.scale*s.episodes*float64(n)))
}

func (o options) logs() string { return filepath.Join(o.cache, "logs") }

// mostEpisodes returns the largest number of episodes of any run.
func (o options) mostEpisodes() (most int) {
	for _, s := range o.systems {
		for _, n := range o.concurrency {
			most = max(most, o.episodes(s, n))
		}
	}
	return most
}

// measure takes all requested measurements and prints each result as soon as it is available.
func measure(ctx context.Context, o options) (err error) {
	if o.root, err = awhost.Root(ctx); err != nil {
		return err
	}
	if o.scratch, err = os.MkdirTemp("", "awhost-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(o.scratch)
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	o.cache = filepath.Join(cache, "awhost-bench")
	if err := os.MkdirAll(o.logs(), 0o755); err != nil {
		return err
	}
	if o.awhost, err = awhost.Build(ctx, o.scratch, o.awhost); err != nil {
		return err
	}
	missing := map[string]string{} // by system
	for _, s := range o.systems {
		if err := s.prepare(ctx, o); errors.Is(err, errNotHere) {
			missing[s.name] = err.Error()
		} else if err != nil {
			return err
		}
	}
	if err := adoptOrphans(); err != nil { // from here, each child of this program belongs to a run
		return err
	}
	var r report
	r.printMachine(os.Stdout, o)
	if o.runs > 0 {
		if err := r.measureRows(ctx, o, missing, os.Stdout); err != nil {
			return err
		}
	}
	if o.failures {
		if err := r.measureFailures(ctx, o, os.Stdout); err != nil {
			return err
		}
	}
	if o.json == "" {
		return nil
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(o.json, append(text, '\n'), 0o644)
}

// measureRows measures every system that is not missing with every number of concurrent episodes.
func (r *report) measureRows(ctx context.Context, o options, missing map[string]string, w io.Writer) error {
	r.printHead(w)
	for _, n := range o.concurrency {
		for _, s := range o.systems {
			row := &row{System: s.title, Version: s.version(o), Concurrency: n, Episodes: o.episodes(s, n)}
			if row.NotHere = missing[s.name]; row.NotHere == "" {
				if err := row.measure(ctx, o, s); err != nil {
					return fmt.Errorf("%s, %d concurrent episodes: %w", s.name, n, err)
				}
			}
			r.Rows = append(r.Rows, row)
			r.printRow(w, row)
		}
	}
	return nil
}

// measure takes all runs of a row. A run with a problem is the last.
func (r *row) measure(ctx context.Context, o options, s *system) error {
	for range o.runs {
		m, err := measureRun(ctx, o, s, job{concurrency: r.Concurrency, episodes: r.Episodes}, "")
		if err != nil {
			return err
		}
		r.Runs = append(r.Runs, m)
		if m.Problem != "" {
			break
		}
	}
	r.Load = machine.Describe().Load
	return nil
}
