package server

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/awhost/awhost/sdk/process"
)

// childGrace is how long a server may take to end by itself when its standard input has ended.
const childGrace = 2 * time.Second

// child is a server that was started here.
type child struct {
	process *process.Process
	in      *os.File // this side's end of its standard input
	out     *boundedLines
}

// startChild starts the server of a config, and returns the transport to it.
func startChild(ctx context.Context, c Config) (*child, stdio, error) {
	inside, in, err := os.Pipe()
	if err != nil {
		return nil, stdio{}, fmt.Errorf("start MCP server %q: %w", c.Name, err)
	}
	out, outside, err := os.Pipe()
	if err != nil {
		inside.Close()
		in.Close()
		return nil, stdio{}, fmt.Errorf("start MCP server %q: %w", c.Name, err)
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
		return nil, stdio{}, err
	}
	silent := io.NopCloser(strings.NewReader("")) // standard error is the process's
	lines := &boundedLines{ReadCloser: out}
	return &child{process: p, in: in, out: lines}, stdio{transport.NewIO(lines, in, silent)}, nil
}

// instance names the process in what is left behind: this plugin's own name and the server's.
func instance(name string) string {
	if own := os.Getenv(process.EnvInstance); own != "" {
		return own + " (" + name + ")"
	}
	return name
}

// end closes the server's standard input, waits for it, and kills what is left of it.
func (c *child) end(wait time.Duration) {
	c.in.Close()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-c.process.Done():
	case <-timer.C:
	}
	_ = c.process.Kill(context.Background()) // bounded; the kernel may hold a process for longer
	c.out.Close()
}

// said is how the server ended, or what it wrote last on standard error; for messages. A server whose output has ended
// gets a moment to end itself.
func (c *child) said() string {
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
	return "it wrote on standard error: " + strings.Join(lines[max(0, len(lines)-mostLines):], " | ")
}

// mostLines bounds what a message quotes of standard error.
const mostLines = 5
