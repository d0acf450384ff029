package mcpenv

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/plugins/mcp-env/internal/server"
	"github.com/awhost/awhost/plugins/mcp-env/internal/toolset"
	"github.com/awhost/awhost/sdk"
)

// The values of session.
const (
	sessionEpisode = "episode"
	sessionShared  = "shared"
)

// config is the body of an environment "mcp" block.
type config struct {
	Import      string                  `json:"import"` // resolved by the host: its servers are among Servers
	Tools       []string                `json:"tools"`
	Deny        []string                `json:"deny"`
	GroundTruth bool                    `json:"ground_truth"`
	MaxTurns    int                     `json:"max_turns"`
	MaxSessions int                     `json:"max_sessions"`
	MaxResult   int                     `json:"max_result_tokens"`
	Servers     map[string]serverConfig `json:"server"`
	Setup       []callConfig            `json:"setup"`
	State       []callConfig            `json:"state"`
	Teardown    []callConfig            `json:"teardown"`
}

type serverConfig struct {
	Command       []string          `json:"command"`
	Env           map[string]string `json:"env"`
	Dir           string            `json:"cwd"`
	URL           string            `json:"url"`
	Headers       map[string]string `json:"headers"`
	Session       string            `json:"session"`
	SessionHeader string            `json:"session_header"`
	Warm          int               `json:"warm"`
	MinTools      int               `json:"min_tools"`
	Connect       string            `json:"connect_timeout"`
	Call          string            `json:"call_timeout"`
	Idle          string            `json:"idle_timeout"`
}

// callConfig is a call that awhost makes itself.
type callConfig struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Name      string          `json:"name"` // of a state; empty: the tool
}

// key returns the name of a state call's result for rewards.
func (c callConfig) key() string { return cmp.Or(c.Name, c.Tool) }

// names returns the server names in the order in which their tools are offered.
func (c config) names() []string { return slices.Sorted(maps.Keys(c.Servers)) }

// own returns the calls that awhost makes itself.
func (c config) own() []callConfig { return slices.Concat(c.Setup, c.State, c.Teardown) }

func (c config) choice() toolset.Choice {
	choice := toolset.Choice{Allow: c.Tools, Deny: c.Deny}
	for _, call := range c.own() {
		choice.Hidden = append(choice.Hidden, call.Tool)
	}
	return choice
}

// choose selects the offered tools from all listed ones.
func (c config) choose(servers []toolset.Server) (*toolset.Set, error) {
	for _, call := range c.own() {
		of, name, _ := strings.Cut(call.Tool, "/")
		i := slices.IndexFunc(servers, func(s toolset.Server) bool { return s.Name == of })
		if i < 0 || !slices.ContainsFunc(servers[i].Tools, func(t server.Tool) bool { return t.Name == name }) {
			return nil, fmt.Errorf("there is no tool %s, which is to be called: there are %s", call.Tool, toolset.Names(servers))
		}
	}
	return toolset.New(servers, c.choice())
}

// checkMinTools checks that a server lists at least min_tools tools.
func (c serverConfig) checkMinTools(conn *server.Conn, name string) error {
	if listed := len(conn.Tools()); listed < c.MinTools {
		return fmt.Errorf("MCP server %q (%s) lists %d tools, and min_tools = %d", name, conn.About(), listed, c.MinTools)
	}
	return nil
}

// reach returns the connection settings for a server. launch adds the settings that differ between processes.
func (c serverConfig) reach(name string, log *slog.Logger) server.Config {
	return server.Config{
		Name: name, Command: c.Command,
		URL: c.URL, Headers: c.Headers, SessionHeader: c.SessionHeader,
		Connect: duration(c.Connect), Call: duration(c.Call), Idle: duration(c.Idle), Log: log.With("server", name),
	}
}

// duration parses a duration that validate has checked.
func duration(text string) time.Duration {
	d, _ := time.ParseDuration(text)
	return d
}

// validate checks rules that the schema cannot express. It does not start any servers or send any requests.
func validate(_ context.Context, raw json.RawMessage) []sdk.Diagnostic {
	var c config
	if err := sdk.DecodeConfig(raw, &c); err != nil {
		return []sdk.Diagnostic{wrong("The configuration cannot be read", err.Error())}
	}
	var problems []sdk.Diagnostic
	for _, name := range c.names() {
		problems = append(problems, c.Servers[name].problems(name)...)
	}
	for attribute, patterns := range map[string][]string{"tools": c.Tools, "deny": c.Deny} {
		for _, p := range patterns {
			if err := c.checkPattern(p); err != nil {
				problems = append(problems, wrong("Wrong pattern", err.Error(), attribute))
			}
		}
	}
	for attribute, calls := range map[string][]callConfig{"setup": c.Setup, "state": c.State, "teardown": c.Teardown} {
		for i, call := range calls {
			if at, err := c.checkCall(call); err != nil {
				problems = append(problems, wrong("Wrong call", err.Error(), attribute, strconv.Itoa(i), at))
			}
		}
	}
	problems = append(problems, c.equalNames()...)
	if c.GroundTruth && !slices.ContainsFunc(c.own(), callConfig.usesPrivate) {
		problems = append(problems, sdk.Diagnostic{
			Severity: sdk.SeverityWarning, Summary: "ground_truth without use", Path: []string{attributeTruth},
			Detail: "no call of setup, state or teardown has {{task.private.NAME}} in its arguments: leave ground_truth out.",
		})
	}
	slices.SortStableFunc(problems, func(a, b sdk.Diagnostic) int {
		return strings.Compare(strings.Join(a.Path, "."), strings.Join(b.Path, "."))
	})
	return problems
}

// equalNames finds state results that rewards could not distinguish.
func (c *config) equalNames() (problems []sdk.Diagnostic) {
	seen := map[string]bool{}
	for i, call := range c.State {
		if seen[call.key()] {
			problems = append(problems, wrong("Two results under one name", fmt.Sprintf("rewards would find only the last of "+
				"the results under %q: give the calls names of their own, such as name = \"before\"", call.key()),
				"state", strconv.Itoa(i), "tool"))
		}
		seen[call.key()] = true
	}
	return problems
}

func wrong(summary, detail string, path ...string) sdk.Diagnostic {
	return sdk.Diagnostic{Severity: sdk.SeverityError, Summary: summary, Detail: detail, Path: path}
}

func (c serverConfig) problems(name string) []sdk.Diagnostic {
	var problems []sdk.Diagnostic
	add := func(attribute, summary, detail string) {
		problems = append(problems, wrong(summary, fmt.Sprintf("Server %q: %s.", name, detail), "server", name, attribute))
	}
	if name == "" || strings.ContainsAny(name, "/*?[\\") {
		add("", "Wrong name of a server", `patterns "server/tool" name it: write letters, digits, "-" and "_"`)
	}
	switch {
	case len(c.Command) == 0 && c.URL == "":
		add("command", "A server that cannot be reached", "write its command, or its url")
	case len(c.Command) > 0 && c.URL != "":
		add("url", "A server that is reached in two ways", "write its command or its url, not both")
	case c.URL != "":
		if err := checkURL(c.URL); err != nil {
			add("url", "Wrong url", err.Error())
		}
	case c.Command[0] == "":
		add("command", "Wrong command", "the program has no name")
	}
	if c.URL == "" && (len(c.Headers) > 0 || c.SessionHeader != "") {
		add("headers", "Headers without HTTP", "headers and session_header are of a server with a url")
	}
	// Server files may contain them, so this is not an error.
	if c.URL != "" && (len(c.Env) > 0 || c.Warm > 1) {
		detail := fmt.Sprintf("Server %q has a url: its env and its warm do nothing.", name)
		d := wrong("What only a started server has", detail, "server", name, "url")
		d.Severity = sdk.SeverityWarning
		problems = append(problems, d)
	}
	if c.URL == "" {
		for at, text := range c.texts() {
			if err := c.checkText(at, text); err != nil {
				add(at, "Wrong placeholder", err.Error())
			}
		}
	}
	for _, limit := range []struct{ attribute, value string }{
		{"connect_timeout", c.Connect}, {"call_timeout", c.Call}, {"idle_timeout", c.Idle},
	} {
		if limit.value != "" && duration(limit.value) <= 0 {
			add(limit.attribute, "A limit that nothing keeps", limit.attribute+" is a time of more than 0")
		}
	}
	return problems
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" { // may contain a secret: not quoted
		return errors.New("this is no URL of a web server: write http://HOST:PORT/PATH")
	}
	return nil
}

// checkPattern checks that a pattern is valid and names an existing server.
func (c config) checkPattern(pattern string) error {
	if err := sdk.CheckToolPattern(pattern); err != nil {
		return err
	}
	if of, _, _ := strings.Cut(pattern, "/"); !strings.ContainsAny(of, "*?[") {
		return c.checkServer(of)
	}
	return nil
}

func (c config) checkServer(name string) error {
	if _, ok := c.Servers[name]; !ok {
		return fmt.Errorf("there is no server %q: choose from %s", name, strings.Join(c.names(), ", "))
	}
	return nil
}

// checkCall returns the first mistake in a call, and its attribute.
func (c config) checkCall(call callConfig) (attribute string, err error) {
	of, tool, _ := strings.Cut(call.Tool, "/")
	if of == "" || tool == "" {
		return "tool", fmt.Errorf(`%q names no tool: write "server/tool"`, call.Tool)
	}
	if err := c.checkServer(of); err != nil {
		return "tool", err
	}
	_, err = parseArguments(call.Arguments, func(name string) error { return checkPlaceholder(name, c.GroundTruth) })
	if err == nil && call.usesPrivate() && c.Servers[of].Session == sessionShared {
		err = fmt.Errorf("%s gets what is private of a task, and all episodes share server %q: write session = %q there",
			call.Tool, of, sessionEpisode)
	}
	return "arguments", err
}

// usesPrivate reports whether a call's arguments use the private part of a task.
func (c callConfig) usesPrivate() bool {
	private := false
	_, _ = parseArguments(c.Arguments, func(name string) error { // checkCall reports invalid arguments
		part, _, _ := ofTask(name)
		private = private || part == partPrivate
		return nil
	})
	return private
}

var errNoServer = errors.New("no server is configured: write a server block")
