package mcpenv

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/mcp-env/internal/mcptest"
	"github.com/awhost/awhost/sdk"
)

// probed returns the result of a probe, one line per diagnostic: severity, place, text.
func probed(t *testing.T, config map[string]any, may sdk.Probe) []string {
	t.Helper()
	defaults := map[string]any{"session": "episode", "warm": 1, "min_tools": 1,
		"connect_timeout": "10s", "call_timeout": "10s", "idle_timeout": "10s"}
	for _, s := range config["server"].(map[string]any) {
		for name, value := range defaults {
			if _, said := s.(map[string]any)[name]; !said {
				s.(map[string]any)[name] = value
			}
		}
	}
	raw, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, d := range probe(t.Context(), raw, may).Diagnostics {
		line := string(d.Severity) + " " + strings.Join(d.Path, ".") + ": " + d.Summary
		if d.Severity != sdk.SeverityNote {
			line += ": " + strings.SplitAfter(d.Detail, ": ")[0]
		}
		lines = append(lines, line)
	}
	return lines
}

func TestProbe(t *testing.T) {
	command, env := mcptest.Stdio(mcptest.Legacy)
	started := func() map[string]any { return map[string]any{"command": command, "env": env} }
	served := mcptest.HTTP(t, mcptest.Modern)
	running := func() map[string]any { return map[string]any{"url": served.URL, "session": "shared"} }
	ownSession := `note : server "web": each episode has a session of its own over HTTP; ` +
		`whether the server keeps them apart is up to it`
	desk := map[string]any{"desk": started(), "web": running()}
	closed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer closed.Close()
	few := map[string]any{"url": served.URL, "session": "shared", "min_tools": 10}
	const (
		isolated = `note : server "desk": each episode has its own process from its first call; 1 started ahead of need; ` +
			`all work in .`
		shared  = `note : server "web": all episodes share one session`
		product = "up to {{episodes}} episodes x 1 servers = {{episodes*1}} processes, plus 1 to list tools, to wait for " +
			"episodes, and shared; "
		starting = "episodes start at most 8 at the same time"
		nine     = ` 9 tools (mcptest 1.2.3, MCP `
		rival    = "has a tool of that name, too: in the prompts of runs without it is "
	)
	for name, c := range map[string]struct {
		may    sdk.Probe
		config map[string]any
		want   []string
	}{
		"asking starts nothing": {
			sdk.ProbeAsk, map[string]any{"server": desk, "tools": []string{"no/such"}},
			[]string{
				isolated, "note : server \"desk\" is not started by a plan: " +
					"`awhost plan --connect` starts it, and looks at its tools",
				shared, `note : server "web":` + nine + `2026-07-28)`,
				"note : " + product + starting,
			},
		},
		"a program that does not exist": {
			sdk.ProbeAsk, map[string]any{"server": map[string]any{"desk": map[string]any{"command": []string{"mcp-nosuch"}}}},
			[]string{
				isolated, "note : server \"desk\" is not started by a plan: " +
					"`awhost plan --connect` starts it, and looks at its tools",
				`warning server.desk.command: Missing program: The program "mcp-nosuch" of MCP server "desk" does not exist ` +
					"or cannot be executed. Install it or correct command before the run begins.",
				"note : " + product + starting,
			},
		},
		"a program with an episode's path": {
			sdk.ProbeAsk, map[string]any{"server": map[string]any{
				"desk": map[string]any{"command": []string{"{{session.dir}}/run"}},
			}},
			[]string{
				isolated, "note : server \"desk\" is not started by a plan: " +
					"`awhost plan --connect` starts it, and looks at its tools",
				"note : " + product + starting,
			},
		},
		"connecting tells the names": {
			sdk.ProbeStart, map[string]any{
				"server": desk, "tools": []string{"*/add", "desk/who"}, "max_sessions": 9,
			},
			[]string{
				isolated, `note : server "desk":` + nine + `2025-11-25)`,
				shared, `note : server "web":` + nine + `2026-07-28)`,
				"note : at most 10 server processes; " + starting, // 9 sessions, and the process started in advance
				"note : agents are offered 3 tools",
				"note : desk/add is offered as desk__add, since server web " + rival + "add",
				"note : desk/who is offered as desk__who, since server web " + rival + "who",
				"note : web/add is offered as web__add, since server desk " + rival + "add",
				"note : at most 9 episodes at a time",
			},
		},
		"a pattern without a tool": {
			sdk.ProbeAsk, map[string]any{"server": map[string]any{"web": running()}, "tools": []string{"web/ad"}},
			[]string{shared, `note : server "web":` + nine + `2026-07-28)`,
				`error : Tools that do not fit: "web/ad" matches no tool: `},
		},
		"a call of its own without a tool": {
			sdk.ProbeAsk, map[string]any{
				"server": map[string]any{"web": running()}, "setup": []any{map[string]any{"tool": "web/reset"}},
			},
			[]string{shared, `note : server "web":` + nine + `2026-07-28)`,
				"error : Tools that do not fit: there is no tool web/reset, which is to be called: "},
		},
		"too few tools": {
			sdk.ProbeAsk, map[string]any{"server": map[string]any{"web": few}},
			[]string{shared, `error server.web.min_tools: Too few tools: MCP server "web" (mcptest 1.2.3, ` +
				`MCP 2026-07-28) lists 9 tools, and min_tools = 10.`,
				`note : server "web":` + nine + `2026-07-28)`, "note : agents are offered 9 tools"},
		},
		"one that may come up later": {
			sdk.ProbeAsk, map[string]any{"server": map[string]any{"web": map[string]any{"url": "http://127.0.0.1:1/mcp"}}},
			[]string{ownSession,
				`warning server.web.url: MCP server does not answer: connect with MCP server "web" at http://127.0.0.1:1/mcp: `},
		},
		"one that wants a token": {
			sdk.ProbeAsk, map[string]any{"server": map[string]any{"web": map[string]any{"url": closed.URL}}},
			[]string{ownSession, `error server.web.headers: MCP server wants other headers: MCP server "web" refuses ` +
				`requests (401): `},
		},
		"one that does not start": {
			sdk.ProbeStart, map[string]any{"server": map[string]any{"desk": map[string]any{"command": []string{"false"}}}},
			[]string{isolated, `error server.desk.command: MCP server does not answer: connect with MCP server "desk": `,
				"note : " + product + starting},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, probed(t, c.config, c.may)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A hanging server is a warning before the host's limit, whatever its limits in a run.
func TestProbe_WaitsForNobodyForLong(t *testing.T) {
	over := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	defer hangs.Close()
	defer close(over)
	defer func(before time.Duration) { probeLimit = before }(probeLimit)
	probeLimit = 300 * time.Millisecond
	config := map[string]any{"server": map[string]any{"web": map[string]any{"url": hangs.URL, "connect_timeout": "10m"}}}
	lines := probed(t, config, sdk.ProbeAsk)
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "warning server.web.url: MCP server does not answer") {
		t.Errorf("%q", lines)
	}
}
