// Command bridge measures the cost of the framework bridge per turn, that is, per `generate` call with its response,
// plus the turn's share of the episode's two other frames.
//
//	go run ./bench/bridge                            about a minute on two cores
//	go run ./bench/bridge -concurrency 64 -turns 400000
//
// The server runs in this process, a worker (package bridgetest) in another one, over TCP on loopback. The handler and
// the worker respond at once, so only the costs of a policy and a host are missing. The baseline is printed next to it:
// the same program sends lines of the same length, at the same concurrency, and the other process sends back lines as
// long as a response, without parsing them.
//
// CPU time is read from the kernel for both processes. The program prints the measurements and never fails because of
// them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/internal/program"
	"github.com/awhost/awhost/internal/processes"
)

// options holds the flags.
type options struct {
	concurrency []int
	turns       int // measured turns
	perEpisode  int
	secured     bool
}

func main() { program.Main(run) }

func run(ctx context.Context, args []string) error {
	var o options
	flags := flag.NewFlagSet("bridge", flag.ContinueOnError)
	concurrency := flags.String("concurrency", "1,64,1024,4096", "`numbers` of episodes at a time, separated by commas")
	flags.IntVar(&o.turns, "turns", 100_000, "`turns` to measure for each of them; a fiftieth of it for one at a time")
	flags.IntVar(&o.perEpisode, "per-episode", 8, "`turns` of an episode")
	flags.BoolVar(&o.secured, "tls", false, "with TLS")
	worker := flags.String("worker", "", "only be the worker of an endpoint `file`")
	echo := flags.String("echo", "", "only send lines back to an `address`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case *worker != "":
		return work(ctx, *worker, os.Stdin)
	case *echo != "":
		return answerLines(*echo)
	}
	for text := range strings.SplitSeq(*concurrency, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return fmt.Errorf("-concurrency %q: use positive numbers separated by commas", *concurrency)
		}
		o.concurrency = append(o.concurrency, n)
	}
	if o.turns < 1 || o.perEpisode < 1 {
		return errors.New("-turns and -per-episode must be positive")
	}
	return measure(ctx, o, os.Stdout)
}

// measured is the result of one run.
type measured struct {
	turns, frames  int
	wall           time.Duration
	server, worker float64 // CPU seconds
}

func (m measured) String() string {
	perTurn := func(seconds float64) float64 { return 1e6 * seconds / float64(m.turns) }
	return fmt.Sprintf("%10.0f %10.0f %10.1f %10.1f %10.1f", float64(m.frames)/m.wall.Seconds(),
		float64(m.turns)/m.wall.Seconds(),
		perTurn(m.server), perTurn(m.worker), perTurn(m.server+m.worker))
}

func measure(ctx context.Context, o options, out io.Writer) error {
	fmt.Fprintf(out, "%s\n%d turns an episode, TLS: %t; CPU in microseconds a turn\n\n", machine.Describe(), o.perEpisode,
		o.secured)
	fmt.Fprintf(out, "%10s  %-8s %10s %10s %10s %10s %10s\n", "concurrent", "", "frames/s", "turns/s", "server", "worker",
		"together")
	for _, n := range o.concurrency {
		row := o
		if n == 1 {
			row.turns = max(o.perEpisode, o.turns/50) // turns are sequential
		}
		ours, err := measureBridge(ctx, row, n)
		if err != nil {
			return fmt.Errorf("%d concurrent episodes: %w", n, err)
		}
		bare, err := measureEcho(ctx, row, n)
		if err != nil {
			return fmt.Errorf("echo with %d lines at a time: %w", n, err)
		}
		fmt.Fprintf(out, "%10d  %-8s %s\n%10s  %-8s %s\n", n, "bridge", ours, "", "echo", bare)
	}
	return nil
}

// stopwatch measures the usage of two processes since it was started.
type stopwatch struct {
	start time.Time
	pids  [2]int
	cpu   [2]float64
}

func startWatch(other int) *stopwatch {
	w := &stopwatch{pids: [2]int{os.Getpid(), other}}
	w.cpu, w.start = w.used(), time.Now()
	return w
}

func (w *stopwatch) used() (out [2]float64) {
	for _, p := range processes.List() {
		for i, pid := range w.pids {
			if p.PID == pid {
				out[i] = p.CPU
			}
		}
	}
	return out
}

func (w *stopwatch) stop(turns, frames int) measured {
	wall, now := time.Since(w.start), w.used()
	return measured{turns: turns, frames: frames, wall: wall, server: now[0] - w.cpu[0], worker: now[1] - w.cpu[1]}
}
