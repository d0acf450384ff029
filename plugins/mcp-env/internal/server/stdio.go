package server

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/awhost/awhost/sdk/process"
)

// childGrace is how long a server has to exit after its standard input is closed.
const childGrace = 2 * time.Second

// child is a server process started by this package.
type child struct {
	process *process.Process
	in      *os.File // write end of its standard input
	out     *os.File // read end of its standard output
}

// startChild starts the server described by a config and returns the transport for it.
func startChild(ctx context.Context, c Config, exceeded *atomic.Bool) (*child, tappedStdio, error) {
	inside, in, err := os.Pipe()
	if err != nil {
		return nil, tappedStdio{}, fmt.Errorf("start MCP server %q: %w", c.Name, err)
	}
	out, outside, err := os.Pipe()
	if err != nil {
		inside.Close()
		in.Close()
		return nil, tappedStdio{}, fmt.Errorf("start MCP server %q: %w", c.Name, err)
	}
	defer inside.Close()
	defer outside.Close()
	p, err := process.New(process.Config{
		Name: "MCP server " + c.Name, Instance: instance(c.Name), Run: os.Getenv(process.EnvRun),
		Command: c.Command, Dir: c.Dir, Env: c.Env, Stdin: inside, Stdout: outside, Log: c.Log, Grace: childGrace,
	})
	if err == nil {
		err = p.Start(ctx)
	}
	if err != nil {
		in.Close()
		out.Close()
		return nil, tappedStdio{}, err
	}
	silent := io.NopCloser(strings.NewReader("")) // the process reads standard error itself
	lines := &boundedLines{ReadCloser: out, exceeded: exceeded}
	return &child{process: p, in: in, out: out}, tappedStdio{transport.NewIO(lines, in, silent)}, nil
}

// instance returns the process's name in reports of leftover processes: this plugin's own instance and the server's
// name.
func instance(name string) string {
	if own := os.Getenv(process.EnvInstance); own != "" {
		return own + " (" + name + ")"
	}
	return name
}

// end closes the server's standard input, waits for the server to exit, and kills any remaining processes.
func (c *child) end(wait time.Duration) {
	c.in.Close()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-c.process.Done():
	case <-timer.C:
	}
	_ = c.process.Kill(context.Background()) // bounded; the kernel may keep a process longer
	c.out.Close()
}

// describeExit describes how the server exited, or returns its last lines on standard error, for use in messages. A
// server whose output has ended is given a moment to exit.
func (c *child) describeExit() string {
	const moment = 100 * time.Millisecond
	select {
	case <-c.process.Done():
	case <-time.After(moment):
	}
	if exit := c.process.Exit(); exit != nil {
		return exit.Error()
	}
	lines := c.process.LastLines()
	if len(lines) == 0 {
		return ""
	}
	return "it wrote on standard error: " + strings.Join(lines[max(0, len(lines)-maxLines):], " | ")
}

// maxLines limits the number of standard error lines that are quoted.
const maxLines = 5
