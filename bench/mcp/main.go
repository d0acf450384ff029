// Command mcp measures the cost of a tool call in an environment "mcp", compared with mcp-go's client alone.
//
//	go run ./bench/mcp                               about two minutes on two cores
//	go run ./bench/mcp -episodes 100 -calls 5
//
// One server over HTTP, built with mcp-go, runs in a separate process. Another process opens all episodes at once and
// makes each episode's calls sequentially: once with mcp-go's client, on which the environment is based, and once with
// the environment, over its protocol in memory, as a plugin serves it. Each episode has a separate session in both
// cases. CPU time and peak resident memory are the kernel's values for that process, without the server. Two runs, one
// with one call and one with all calls, separate the cost of an episode from the cost of a call.
//
// The program prints the figures and never fails because of them.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/awhost/awhost/bench/internal/machine"
	"github.com/awhost/awhost/bench/internal/program"
)

// options holds the flags.
type options struct {
	episodes int // open concurrently
	calls    int // of each
	url      string
}

func main() { program.Main(run) }

func run(ctx context.Context, args []string) error {
	var o options
	flags := flag.NewFlagSet("mcp", flag.ContinueOnError)
	flags.IntVar(&o.episodes, "episodes", 1000, "`episodes` that are open at a time")
	flags.IntVar(&o.calls, "calls", 20, "`calls` of each episode")
	flags.StringVar(&o.url, "url", "", "of the server, for the processes that this program starts")
	role := flags.String("role", "", "what a process that this program starts does: server, mcp-go or environment")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch *role {
	case "server":
		return serve()
	case roleAlone:
		return play(ctx, o, &alone{url: o.url})
	case roleEnvironment:
		e, err := newEnvironment(ctx, o.url)
		if err != nil {
			return err
		}
		defer e.close()
		return play(ctx, o, e)
	}
	return measure(ctx, o)
}

// The measured roles.
const (
	roleAlone       = "mcp-go"
	roleEnvironment = "environment"
)

// used is a process's resource usage.
type used struct {
	cpu  time.Duration // user and system
	wall time.Duration
	rss  int64 // bytes, peak
}

// measure compares the two roles.
func measure(ctx context.Context, o options) error {
	fmt.Println(machine.Describe())
	fmt.Printf("%d episodes at a time over one server, %d calls each\n\n", o.episodes, o.calls)
	url, stop, err := program.Serve(ctx, "-role", "server")
	if err != nil {
		return err
	}
	defer stop()
	o.url = url
	fmt.Printf("%-12s %14s %14s %10s %8s\n", "", "CPU ms/episode", "CPU ms/call", "MB", "seconds")
	var perCall, memory [2]float64
	for i, role := range []string{roleAlone, roleEnvironment} {
		few := o
		few.calls = 1
		short, err := child(ctx, role, few)
		if err != nil {
			return err
		}
		long, err := child(ctx, role, o)
		if err != nil {
			return err
		}
		call := (long.cpu - short.cpu).Seconds() * 1000 / float64(o.episodes*(o.calls-1))
		episode := short.cpu.Seconds()*1000/float64(o.episodes) - call
		perCall[i], memory[i] = call, float64(long.rss)/(1<<20)
		fmt.Printf("%-12s %14.3f %14.3f %10.0f %8.1f\n", role, episode, call, memory[i], long.wall.Seconds())
	}
	fmt.Printf("\nThe environment takes %.2f times the CPU of a call, and %.2f times the memory.\n",
		perCall[1]/perCall[0], memory[1]/memory[0])
	return nil
}

// child runs this program in a role until it exits.
func child(ctx context.Context, role string, o options) (used, error) {
	cmd, err := program.Self(ctx, "-role", role, "-url", o.url,
		"-episodes", strconv.Itoa(o.episodes), "-calls", strconv.Itoa(o.calls))
	if err != nil {
		return used{}, err
	}
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return used{}, fmt.Errorf("%s: %w", role, err)
	}
	out := used{cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), wall: time.Since(began)}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		out.rss = usage.Maxrss << 10
	}
	return out, nil
}

// serve runs the server, which has twenty tools, one of which is called.
func serve() error {
	s := server.NewMCPServer("bench", "1", server.WithToolCapabilities(false))
	for i := range 20 {
		tool := mcp.NewTool(fmt.Sprintf("add_%d", i), mcp.WithDescription("Adds two numbers."),
			mcp.WithNumber("a"), mcp.WithNumber("b"))
		s.AddTool(tool, func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(fmt.Sprint(r.GetFloat("a", 0) + r.GetFloat("b", 0))), nil
		})
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	handler := server.NewStreamableHTTPServer(s)
	return (&http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}).Serve(listener)
}

// arguments returns the arguments for the n-th call.
func arguments(n int) json.RawMessage { return json.RawMessage(fmt.Sprintf(`{"a":%d,"b":2}`, n)) }

// result returns the expected result of the n-th call.
func result(n int) string { return strconv.Itoa(n + 2) }
