// Package mcpcheck checks an MCP server against the requirements for an "mcp" environment: `awhost plugin test --mcp`.
//
//	report, err := mcpcheck.Verify(ctx, mcpcheck.Config{Command: []string{"node", "server.js"}})
//	report.Conforms() // no MUST check failed
//
// Tools are called with made-up arguments, and only if their annotations mark them as read-only (readOnlyHint) or
// Config names them. The report has the same format as for plugins.
package mcpcheck

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/awhost/awhost/plugins/mcp-env/internal/server"
	"github.com/awhost/awhost/sdk/conformance"
)

// Config describes the server under test: a Command or a URL.
type Config struct {
	Command []string
	URL     string
	Headers map[string]string
	// Write and Read are calls, in the form TOOL{…}, that test whether sessions are separate: a change made by Write in
	// one session must not be visible to Read in another. Both or none.
	Write, Read string
	Calls       int           // of the check with many calls; 0: 1,000
	Timeout     time.Duration // limit of a start or a call; 0: a minute
	Playing     func(check *conformance.Check, component string)
}

// suite is a server under test.
type suite struct {
	Config
	results []conformance.Result
	failed  map[string]bool // failed checks
	conn    *server.Conn    // nil: no connection
	timed   []timed         // the read-only tools, the fastest first
}

// timed is a tool that was called once, with the duration of the call.
type timed struct {
	tool    server.Tool
	elapsed time.Duration
}

// errSkip is the reason why a check was skipped.
type errSkip struct{ why string }

func (e *errSkip) Error() string { return e.why }

func skip(format string, args ...any) error { return &errSkip{fmt.Sprintf(format, args...)} }

// check is one rule and its implementation.
type check struct {
	conformance.Check
	verify func(ctx context.Context, s *suite) error
}

// Checks returns the rules in the order in which they are run.
func Checks() []conformance.Check {
	var out []conformance.Check
	for _, c := range checks {
		out = append(out, c.Check)
	}
	return out
}

// Verify plays the checks. An error concerns the configuration.
func Verify(ctx context.Context, config Config) (*conformance.Report, error) {
	s := &suite{Config: config, failed: map[string]bool{}}
	switch {
	case (len(s.Command) == 0) == (s.URL == ""):
		return nil, errors.New("name a server: its command, or its URL")
	case (s.Write == "") != (s.Read == ""):
		return nil, errors.New("--write and --read must be used together: one changes what the other shows")
	}
	for _, call := range []string{s.Write, s.Read} {
		if _, _, err := parseCall(call); err != nil {
			return nil, err
		}
	}
	if s.Timeout == 0 {
		s.Timeout = time.Minute
	}
	if s.Calls == 0 {
		s.Calls = 1000
	}
	report := &conformance.Report{Command: s.Command}
	for i := range checks {
		if ctx.Err() != nil {
			break
		}
		s.run(ctx, &checks[i])
	}
	if s.conn != nil {
		report.Plugin, report.Version, _ = strings.Cut(s.conn.About(), " ")
		s.conn.Close()
	}
	for i := range s.results {
		s.results[i].Component = strings.TrimSpace("MCP server " + report.Plugin + " " + report.Version)
	}
	report.Results = s.results
	return report, ctx.Err()
}

func (s *suite) run(ctx context.Context, c *check) {
	if s.Playing != nil {
		s.Playing(&c.Check, "the server")
	}
	result := conformance.Result{Check: &c.Check, Status: conformance.Passed}
	err := s.needs(c)
	if err == nil {
		err = c.verify(ctx, s)
	} else {
		s.failed[c.ID] = true // for checks that depend on it
	}
	var skipped *errSkip
	switch {
	case errors.As(err, &skipped):
		result.Status, result.Reason = conformance.Skipped, skipped.why
	case err != nil:
		result.Status, result.Reason, result.Remedy = conformance.Failed, err.Error(), c.Remedy
		s.failed[c.ID] = true
	}
	s.results = append(s.results, result)
}

func (s *suite) needs(c *check) error {
	for _, id := range c.After {
		if s.failed[id] {
			return skip("%s failed", id)
		}
	}
	return nil
}

// connect opens a separate session.
func (s *suite) connect(ctx context.Context, session string) (*server.Conn, error) {
	return server.Connect(ctx, server.Config{
		Name: "under test", Command: s.Command, URL: s.URL, Headers: s.Headers,
		Connect: s.Timeout, Call: s.Timeout, Idle: s.Timeout, Log: slog.New(slog.DiscardHandler),
	}, session)
}

// readOnly returns the tools that may be called.
func (s *suite) readOnly() ([]server.Tool, error) {
	var out []server.Tool
	for _, t := range s.conn.Tools() {
		if t.ReadOnly {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return nil, skip("no tool is declared read-only (readOnlyHint), so none is called")
	}
	return out, nil
}

// parseCall splits TOOL{…} into name and arguments.
func parseCall(text string) (tool, arguments string, err error) {
	if text == "" {
		return "", "", nil
	}
	tool, rest, _ := strings.Cut(text, "{")
	if tool == "" || !strings.HasSuffix(text, "}") {
		return "", "", fmt.Errorf(`%q is not a call: write TOOL{"name": "value"}`, text)
	}
	return tool, "{" + rest, nil
}
