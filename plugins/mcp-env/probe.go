package mcpenv

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/plugins/mcp-env/internal/server"
	"github.com/awhost/awhost/plugins/mcp-env/internal/toolset"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/placeholder"
	"github.com/awhost/awhost/sdk/process"
)

// probe connects to the servers that it is allowed to contact, and returns the findings.
func probe(ctx context.Context, raw json.RawMessage, may sdk.Probe) sdk.ProbeResponse {
	var c config
	if err := sdk.DecodeConfig(raw, &c); err != nil {
		return sdk.ProbeResponse{Diagnostics: []sdk.Diagnostic{wrong("The configuration cannot be read", err.Error())}}
	}
	if len(c.Servers) == 0 {
		return sdk.ProbeResponse{Diagnostics: []sdk.Diagnostic{wrong("No server", errNoServer.Error())}}
	}
	names := c.names()
	asked := make([]probeResult, len(names))
	var asking sync.WaitGroup
	for i, name := range names {
		asking.Go(func() { asked[i] = c.Servers[name].ask(ctx, name, may) })
	}
	asking.Wait()
	var out sdk.ProbeResponse
	var servers []toolset.Server
	for i, name := range names {
		out.Diagnostics = append(out.Diagnostics, asked[i].found...)
		if asked[i].listed {
			servers = append(servers, toolset.Server{Name: name, Tools: asked[i].tools})
		}
	}
	out.Diagnostics = append(out.Diagnostics, c.processes()...)
	if len(servers) < len(names) {
		return out
	}
	offered, found := c.offer(servers)
	out.Tools, out.Diagnostics = offered, append(out.Diagnostics, found...)
	return out
}

// probeResult is the result of probing one server.
type probeResult struct {
	found  []sdk.Diagnostic
	tools  []server.Tool
	listed bool // tools is the server's list
}

func note(format string, args ...any) sdk.Diagnostic {
	return sdk.Diagnostic{Severity: sdk.SeverityNote, Summary: fmt.Sprintf(format, args...)}
}

// probeLimit limits how long a probe waits for a server. The host's limit for all servers together is one minute.
var probeLimit = 45 * time.Second

// ask connects to a server, lists its tools, and disconnects.
func (c serverConfig) ask(ctx context.Context, name string, may sdk.Probe) probeResult {
	out := probeResult{found: []sdk.Diagnostic{note("server %q: %s", name, c.isolation())}}
	if len(c.Command) > 0 && may != sdk.ProbeStart {
		out.found = append(out.found, note("server %q is not started by a plan: `awhost plan --connect` starts it, and "+
			"looks at its tools", name))
		out.found = append(out.found, c.missingProgram(name)...)
		return out
	}
	conn, end, err := c.try(ctx, name)
	if err != nil {
		out.found = append(out.found, c.unreachable(name, may, err))
		return out
	}
	defer end()
	out.tools, out.listed = conn.Tools(), true
	if err := c.checkMinTools(conn, name); err != nil {
		out.found = append(out.found, wrong("Too few tools", err.Error()+".", "server", name, "min_tools"))
	}
	out.found = append(out.found, note("server %q: %d tools (%s)", name, len(out.tools), conn.About()))
	if unused := conn.Unused(); len(unused) > 0 {
		out.found = append(out.found, note("server %q: its %s are not used", name, strings.Join(unused, ", ")))
	}
	return out
}

// missingProgram returns a warning if the program that starts the server does not exist. It may be installed before the
// run begins.
func (c serverConfig) missingProgram(name string) []sdk.Diagnostic {
	program := c.Command[0]
	if inside := inSessionDir.FindStringSubmatch(c.Dir); inside != nil {
		if path, ok := fromSpec(inside[1], 0, program); ok {
			program = path
		}
	}
	if _, err := exec.LookPath(program); err == nil || len(placeholder.Names(program)) > 0 {
		return nil
	}
	d := wrong("Missing program", fmt.Sprintf("The program %q of MCP server %q does not exist or cannot be executed. "+
		"Install it or correct command before the run begins.", c.Command[0], name), "server", name, "command")
	d.Severity = sdk.SeverityWarning
	return []sdk.Diagnostic{d}
}

// try connects to a server. Its private directory is removed by end, or by other processes if this one is killed.
func (c serverConfig) try(ctx context.Context, name string) (conn *server.Conn, end func(), err error) {
	folder, err := process.NewSocketDir()
	if err != nil {
		return nil, nil, err
	}
	config, err := c.launch(c.reach(name, slog.New(slog.DiscardHandler)), folder, nil)
	if err == nil {
		config.Connect = min(config.Connect, probeLimit)
		conn, err = server.Connect(ctx, config, "")
	}
	if err != nil {
		return nil, nil, errors.Join(err, process.RemoveSocketDir(folder))
	}
	return conn, func() {
		conn.Close()
		_ = process.RemoveSocketDir(folder) // a later process removes leftovers
	}, nil
}

// processes reports the maximum number of concurrent server processes.
func (c config) processes() []sdk.Diagnostic {
	each, others := 0, 0
	for _, s := range c.Servers {
		switch {
		case len(s.Command) == 0:
		case s.Session == sessionShared:
			others++
		default:
			each, others = each+1, others+max(1, s.Warm)
		}
	}
	if each == 0 {
		return nil
	}
	most := fmt.Sprintf("up to {{episodes}} episodes x %d servers = {{episodes*%d}} processes, plus %d to list tools, "+
		"to wait for episodes, and shared", each, each, others)
	if c.MaxSessions > 0 {
		most = fmt.Sprintf("at most %d server processes", each*c.MaxSessions+others)
	}
	return []sdk.Diagnostic{note("%s; episodes start at most %d at the same time", most, maxConcurrentStarts)}
}

// isolation describes the state that episodes share.
func (c serverConfig) isolation() string {
	switch {
	case c.Session == sessionShared:
		return "all episodes share one session"
	case len(c.Command) > 0:
		const text = "each episode has its own process from its first call; %d started ahead of need%s"
		return fmt.Sprintf(text, c.Warm, c.place())
	default:
		return "each episode has a session of its own over HTTP; whether the server keeps them apart is up to it"
	}
}

// place describes where processes work, and which elements of the command are paths in the spec's directory.
func (c serverConfig) place() string {
	inside := inSessionDir.FindStringSubmatch(c.Dir)
	if inside == nil {
		return "; all work in " + cmp.Or(c.Dir, ".")
	}
	text := "; each works in a private folder"
	for i, word := range c.Command {
		if path, ok := fromSpec(inside[1], i, word); ok {
			text += fmt.Sprintf("; %q is %s", word, path)
		}
	}
	return text
}

// unreachable returns an error, or a warning if the server may start before it is needed.
func (c serverConfig) unreachable(name string, may sdk.Probe, err error) sdk.Diagnostic {
	attribute := "url"
	if len(c.Command) > 0 {
		attribute = "command"
	}
	if server.Unauthorized(err) {
		return wrong("MCP server wants other headers",
			fmt.Sprintf("MCP server %q refuses requests (401): write what it wants into headers, or look whether the key "+
				"there is still good.", name), "server", name, "headers")
	}
	d := wrong("MCP server does not answer", sdk.DescribeError(err)+".", "server", name, attribute)
	if answered := (*server.WrongAnswer)(nil); may != sdk.ProbeStart && !errors.As(err, &answered) {
		d.Severity = sdk.SeverityWarning
		d.Detail += " It has to when the run begins."
	}
	return d
}

// offer returns the tools that agents will be offered, once all tools are listed.
func (c config) offer(servers []toolset.Server) ([]sdk.Tool, []sdk.Diagnostic) {
	set, err := c.choose(servers)
	if err != nil {
		return nil, []sdk.Diagnostic{wrong("Tools that do not fit", err.Error()+".")}
	}
	found := []sdk.Diagnostic{note("agents are offered %d tools", len(set.Offered()))}
	for _, t := range set.Renamed() {
		found = append(found, note("%s is offered as %s, %s", t.Key(), t.Shown, t.Reason))
	}
	if c.MaxSessions > 0 {
		found = append(found, note("at most %d episodes at a time", c.MaxSessions))
	}
	return agentTools(set), found
}
