package conformance

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
)

// Remedies for a plugin that never started: the checks' own remedies are for plugins that did.
const (
	remedyCrash = "fix the error in its last lines: its own code ended the plugin before it served. If it is not a " +
		"plugin, start from an SDK"
	remedyIdle = "serve: the program has to run until the host ends it (Go: sdk.Serve, Python: awhost.serve, " +
		"called by the program that the command starts)"
	remedySlow = "print the handshake first, and do slow work, such as loading a model, in Configure"
)

// explainStart returns the reason why a plugin did not start, with its output line by line, and a remedy. For any other
// error, it returns the error's text. An empty remedy means that the check's own remedy applies.
func explainStart(err error) (reason, remedy string) {
	var failed *process.StartError
	if !errors.As(err, &failed) {
		return sdk.DescribeError(err), ""
	}
	switch {
	case errors.Is(failed.Reason, process.ErrStartTimeout):
		remedy = remedySlow
	case failed.Exit != nil && failed.Exit.Code == 0:
		remedy = remedyIdle
	case failed.Exit != nil:
		remedy = remedyCrash
	}
	short := *failed
	short.FirstLines, short.LastLines = nil, nil
	return short.Error() + outputSection("standard output", failed.FirstLines) + outputSection("standard error",
			failed.LastLines),
		remedy
}

// shownLines limits the last output lines in a report: enough for a traceback, or for the panic of one goroutine.
const shownLines = 30

// outputSection returns the last lines of an output below a heading, or "" without lines.
func outputSection(output string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	head := "its " + output + ":"
	if len(lines) > shownLines {
		lines = lines[len(lines)-shownLines:]
		head = fmt.Sprintf("the last %d lines of its %s:", shownLines, output)
	}
	var out strings.Builder
	out.WriteString("\n" + head)
	for _, line := range lines {
		out.WriteString("\n  " + strings.TrimRight(line, "\n"))
	}
	return out.String()
}

// exitWait limits the wait for a plugin to exit.
const exitWait = 5 * time.Second

// crashReport returns how one of the check's plugins exited unexpectedly, or "" if all are still running. The error
// from a broken connection does not show the panic that caused it.
func (t *T) crashReport() string {
	plugins := t.started
	if t.suite.running != nil {
		plugins = append([]*client.Plugin{t.suite.running}, plugins...)
	}
	for _, p := range plugins {
		exit := p.Exit()
		if exit == nil {
			ctx, cancel := context.WithTimeout(t.ctx, exitWait)
			err := p.Ping(ctx)
			cancel()
			if status.Code(err) == codes.Unavailable {
				errors.As(p.Explain(sdk.ErrUnavailable), &exit)
			}
		}
		if exit == nil || exit.Requested || exit.Signal == syscall.SIGKILL.String() { // the suite uses SIGKILL itself
			continue
		}
		short := *exit
		short.LastLines = nil
		return "it crashed: " + short.Error() + outputSection("standard error", exit.LastLines)
	}
	return ""
}
