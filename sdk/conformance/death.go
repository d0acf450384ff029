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

// What to do about a plugin that never came up: the remedies of the checks are about plugins that do.
const (
	remedyCrash = "mend what its last lines say: its own code ended it before it served. Where it is no plugin at all, start from an SDK"
	remedyIdle  = "serve: the program has to go on until the host ends it (Go: sdk.Serve, Python: awhost.serve, called from what the command runs)"
	remedySlow  = "print the handshake first, and do what takes long, such as loading a model, in Configure"
)

// explainStart says of a plugin that did not come up why, what it wrote, line by line, and what to do. Of any other error it says
// the error; an empty remedy means that the check's own fits.
func explainStart(err error) (reason, remedy string) {
	var failed *process.StartError
	if !errors.As(err, &failed) {
		return err.Error(), ""
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
	return short.Error() + quoted("standard output", failed.FirstLines) + quoted("standard error", failed.LastLines), remedy
}

// shownLines is how many of the lines that a plugin wrote last a report shows: a traceback, or a panic of one goroutine.
const shownLines = 30

// quoted are the last lines of an output, below a line that says whose they are; empty where there are none.
func quoted(output string, lines []string) string {
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

// deathWait bounds the question whether a plugin still lives.
const deathWait = 5 * time.Second

// death says how one of the plugins of a check died that nobody had asked to; empty: all of them live. A connection that breaks says
// nothing of the panic behind it.
func (t *T) death() string {
	plugins := t.started
	if t.suite.running != nil {
		plugins = append([]*client.Plugin{t.suite.running}, plugins...)
	}
	for _, p := range plugins {
		exit := p.Exit()
		if exit == nil {
			ctx, cancel := context.WithTimeout(t.ctx, deathWait)
			err := p.Ping(ctx)
			cancel()
			if status.Code(err) == codes.Unavailable {
				errors.As(p.Explain(sdk.ErrUnavailable), &exit)
			}
		}
		if exit == nil || exit.Requested || exit.Signal == syscall.SIGKILL.String() { // as the suite itself kills
			continue
		}
		short := *exit
		short.LastLines = nil
		return "it died: " + short.Error() + quoted("standard error", exit.LastLines)
	}
	return ""
}
