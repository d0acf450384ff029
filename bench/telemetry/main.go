// Command telemetry measures the cost of observing a turn: its metrics and its spans.
//
//	go run ./bench/telemetry                             about a minute on two cores
//	go run ./bench/telemetry -episodes 2000 -turns 5
//
// A process plays episodes of turns with one tool call each, in the engine's format: it records the waits of an
// episode, and calls a tracer before each call. It does so three times, in separate processes: without an observer,
// which is the baseline; with Prometheus metrics; and with a trace collector. The collector is another process, which
// reads requests and responds to them. CPU time is the kernel's value for the playing process, including all threads
// and the export. Two runs, one with one episode in ten and one with all episodes, separate the cost of a turn from the
// cost of a process.
//
// The program prints the figures and never fails because of them.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/internal/program"
)

// options holds the flags.
type options struct {
	episodes int
	turns    int // of each
	url      string
}

func main() { program.Main(run) }

// The measured roles.
const (
	roleNone    = "nobody"
	roleMetrics = "metrics"
	roleTraces  = "traces"
)

// targets is the maximum cost of a turn above the baseline, in microseconds.
var targets = map[string]float64{roleMetrics: 2, roleTraces: 25}

func run(ctx context.Context, args []string) error {
	var o options
	flags := flag.NewFlagSet("telemetry", flag.ContinueOnError)
	flags.IntVar(&o.episodes, "episodes", 20000, "`episodes` that are played")
	flags.IntVar(&o.turns, "turns", 10, "`turns` of each episode")
	flags.StringVar(&o.url, "url", "", "of the collector, for the processes that this program starts")
	role := flags.String("role", "", "role of a process that this program starts: collector, nobody, metrics or traces")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch *role {
	case "collector":
		return collect()
	case roleNone, roleMetrics, roleTraces:
		return play(ctx, o, *role)
	}
	return measure(ctx, o)
}

// measure compares the three roles.
func measure(ctx context.Context, o options) error {
	fmt.Println(machine.Describe())
	fmt.Printf("%d episodes of %d turns with a tool call each\n\n", o.episodes, o.turns)
	url, stop, err := program.Serve(ctx, "-role", "collector")
	if err != nil {
		return err
	}
	defer stop()
	o.url = url
	fmt.Printf("%-8s %12s %14s %8s  %s\n", "", "CPU µs/turn", "over baseline", "target", "at the end")
	baseline := 0.0
	for _, role := range []string{roleNone, roleMetrics, roleTraces} {
		turn, said, err := perTurn(ctx, role, o)
		if err != nil {
			return err
		}
		if role == roleNone {
			baseline = turn
			fmt.Printf("%-8s %12.2f\n", role, turn)
			continue
		}
		fmt.Printf("%-8s %12.2f %14.2f %8.0f  %s\n", role, turn, turn-baseline, targets[role], said)
	}
	return nil
}

// perTurn returns the cost of a turn in the given role, in microseconds, without the process's fixed cost.
func perTurn(ctx context.Context, role string, o options) (micros float64, said string, err error) {
	few := o
	few.episodes = max(1, o.episodes/10)
	short, _, err := child(ctx, role, few)
	if err != nil {
		return 0, "", err
	}
	long, said, err := child(ctx, role, o)
	if err != nil {
		return 0, "", err
	}
	return float64((long - short).Microseconds()) / float64((o.episodes-few.episodes)*o.turns), said, nil
}

// child runs this program in a role until it exits, and returns its CPU time and output.
func child(ctx context.Context, role string, o options) (cpu time.Duration, said string, err error) {
	cmd, err := program.Self(ctx, "-role", role, "-url", o.url,
		"-episodes", strconv.Itoa(o.episodes), "-turns", strconv.Itoa(o.turns))
	if err != nil {
		return 0, "", err
	}
	out, err := cmd.Output()
	if err != nil {
		return 0, "", fmt.Errorf("%s: %w", role, err)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), strings.TrimSpace(string(out)), nil
}

// collect receives traces and discards them.
func collect() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/v1/traces\n", listener.Addr())
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/x-protobuf")
	})
	return (&http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}).Serve(listener)
}
