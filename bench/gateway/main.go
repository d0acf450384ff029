// Command gateway measures the cost of a turn on the gateway: a program requests a message over HTTP and receives it.
//
//	go run ./bench/gateway                            about three minutes on two cores
//	go run ./bench/gateway -concurrency 1000 -turns 40000 -bytes 78000 -stream
//
// The gateway runs in a separate process, with a policy that answers after 50 ms and a journal that records each
// answer. An episode is a lease: seven tool calls, each with the whole conversation so far, and a final answer. The
// baseline of each row is measured right after it: the same load on a bare HTTP server that waits the same time and
// sends the same bytes, without parsing the request.
//
// CPU time and peak resident memory are measured for the serving process. The program prints the figures and never
// fails because of them.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/internal/program"
)

// options holds the flags.
type options struct {
	concurrency []int
	turns       int
	bytes       []int
	latency     time.Duration
	stream      bool
	profile     string
}

func main() {
	program.Main(func(ctx context.Context, args []string) error { return run(ctx, args, os.Stdout) })
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var o options
	flags := flag.NewFlagSet("gateway", flag.ContinueOnError)
	concurrency := flags.String("concurrency", "50,100,200,400,1000",
		"`numbers` of episodes at a time, separated by commas")
	sizes := flags.String("bytes", "0,78000", "`bytes` of the first request, separated by commas; 0: a short prompt")
	flags.IntVar(&o.turns, "turns", 40_000, "`turns` to measure for each of them")
	flags.DurationVar(&o.latency, "latency", 50*time.Millisecond, "how long the policy takes")
	flags.BoolVar(&o.stream, "stream", false, "ask for streams")
	flags.StringVar(&o.profile, "profile", "", "write the gateway's CPU profile to a `file`")
	serving := flags.String("serve", "", "only serve: `gateway` or bare")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *serving != "" {
		return serve(*serving, o, os.Stdin, out)
	}
	var err error
	if o.concurrency, err = numbers("concurrency", *concurrency, 1); err != nil {
		return err
	}
	if o.bytes, err = numbers("bytes", *sizes, 0); err != nil {
		return err
	}
	if o.turns < turnsPerEpisode {
		return fmt.Errorf("-turns has to be at least %d, an episode", turnsPerEpisode)
	}
	return measure(ctx, o, out)
}

func numbers(flag, list string, least int) (out []int, _ error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < least {
			return nil, fmt.Errorf("-%s %q: use numbers of at least %d, separated by commas", flag, list, least)
		}
		out = append(out, n)
	}
	return out, nil
}

func measure(ctx context.Context, o options, out io.Writer) error {
	fmt.Fprintf(out, "%s\nlatency %s, %d turns an episode, streams: %t\n", machine.Describe(), o.latency, turnsPerEpisode,
		o.stream)
	for _, size := range o.bytes {
		fmt.Fprintf(out, "\n%10s  %-8s %9s %8s %12s %10s %9s %9s %8s\n", "concurrent", "", "body", "turns/s", "CPU-s/1,000",
			"ns/byte", "p50 ms", "p99 ms", "MiB")
		for _, n := range o.concurrency {
			for _, kind := range []string{servesGateway, servesBare} {
				m, err := measureOne(ctx, o, kind, n, size)
				if err != nil {
					return fmt.Errorf("%s, %d at a time: %w", kind, n, err)
				}
				fmt.Fprintf(out, "%10d  %-8s %s\n", n, kind, m)
			}
		}
	}
	return nil
}
