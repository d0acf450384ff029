package server

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk/process"
)

const (
	readyPause   = 100 * time.Millisecond // between two checks during the start
	healthLimit  = 5 * time.Second        // for one response
	mostSilent   = 3                      // consecutive failed checks after which it counts as failed
	stopLimit    = time.Minute            // for the stop command
	grace        = 5 * time.Second        // between SIGTERM and SIGKILL
	firstBackOff = 500 * time.Millisecond
	mostBackOff  = 30 * time.Second
)

// healthPause is the interval between health checks of a ready server.
var healthPause = 5 * time.Second

// server is one server, across all of its processes.
type server struct {
	*spec.Server              // with the connection details filled in once they are known
	config       *spec.Server // as in the block; never changes
	details      *details     // of the newest process
	set          *Set
	name         string
	external     bool             // started and stopped by another process
	process      *process.Process // the newest; nil: none was started
	restarts     int
	begun        bool          // close has something to stop
	ended        bool          // close has succeeded
	over         chan struct{} // closed when watch has ended: then close may stop the server
}

// open starts the server unless it is already running.
func (v *server) open(ctx context.Context) error {
	if err := v.endLeft(ctx); err != nil {
		return err
	}
	if Serves(ctx, v.Server) {
		if v.Connection != "" {
			return fmt.Errorf("a server is already running at %s, but its connection details are reported only to "+
				"the process that started it: end the server, or put the details in the block and remove "+
				"connection", v.ReadyURL)
		}
		v.external = true
		v.serves(fmt.Sprintf("it is already running at %s and is used as it is", v.ReadyURL))
		return nil
	}
	if err := v.note(); err != nil {
		return err
	}
	v.begun = true
	if err := v.begin(ctx); err != nil {
		_ = v.close(context.WithoutCancel(ctx)) // the reason for the failed start is returned
		return err
	}
	v.serves("it is ready")
	return nil
}

// serves announces that the server is ready, with its URL for users if there is one.
func (v *server) serves(message string) {
	if v.ViewURL != "" {
		message += "; watch it at " + v.ViewURL
	}
	v.set.updates(Update{Level: slog.LevelInfo, Server: v.name, Message: message, ViewURL: v.ViewURL})
}

// begin runs the command until the server is ready.
func (v *server) begin(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, v.Timeout, fmt.Errorf("it was not ready within %s", v.Timeout))
	defer cancel()
	logged := make(chan struct{})
	var once sync.Once
	told := &details{names: v.config.Details}
	line := func(stream, text string) {
		if stream == process.Stdout {
			told.addLine(text)
		}
		if mark := v.config.ReadyLog; mark != "" && strings.Contains(text, mark) {
			once.Do(func() { close(logged) })
		}
	}
	p, err := v.launch(ctx, v.Command, v.Dir, line)
	if err != nil {
		return err
	}
	v.process, v.details, v.Server = p, told, v.config
	if v.ReadyLog == "" {
		once.Do(func() { close(logged) })
	}
	return v.awaitReady(ctx, logged)
}

func (v *server) launch(
	ctx context.Context, command []string, dir string, line func(stream, line string),
) (*process.Process, error) {
	options := v.set.options
	config := process.Config{
		Name: v.name, Instance: v.name, Run: options.Run, Command: command, Dir: dir, Env: v.Env,
		Redact: options.Redact, Line: line, Grace: grace, Guard: options.Guard,
	}
	if options.LogFile != nil {
		config.LogFile = options.LogFile(v.name)
	}
	if options.Log != nil {
		config.Log = options.Log(v.name)
	}
	p, err := process.New(config)
	if err != nil {
		return nil, err
	}
	return p, p.Start(ctx)
}

// awaitReady waits until the server is ready. A command that has exited successfully may have started it in the
// background.
func (v *server) awaitReady(ctx context.Context, logged <-chan struct{}) error {
	done := v.process.Done()
	tick := time.NewTicker(readyPause)
	defer tick.Stop()
	for {
		select {
		case <-done:
			done = nil
			if exit := v.process.Exit(); exit.Code != 0 || exit.Signal != "" {
				return exit
			}
			if !isClosed(logged) {
				return fmt.Errorf("%q exited without writing %q", strings.Join(v.Command, " "), v.ReadyLog)
			}
			if missing := v.details.missing(); missing != "" {
				return fmt.Errorf("%q ended%s", strings.Join(v.Command, " "), missing)
			}
		case <-ctx.Done():
			return fmt.Errorf("%w%s%s", context.Cause(ctx), v.missing(logged), v.lastOutput())
		case <-tick.C:
			ready, err := v.ready(ctx, logged)
			if ready || err != nil {
				return err
			}
		}
	}
}

// ready reports whether the server is ready. A response may come from another server, which is also the reason why this
// one is about to fail.
func (v *server) ready(ctx context.Context, logged <-chan struct{}) (bool, error) {
	if !isClosed(logged) || !v.details.complete() {
		return false, nil
	}
	connected, _, err := v.config.Connected(json.RawMessage("{}"), v.details.result())
	if err != nil {
		return false, err
	}
	v.Server = connected
	return (v.ReadyURL == "" || answers(ctx, v.ReadyURL)) && !v.failed(), nil
}

// missing describes the sign of readiness that is missing.
func (v *server) missing(logged <-chan struct{}) string {
	if !isClosed(logged) {
		return fmt.Sprintf("; it has not written %q (ready_log)", v.ReadyLog)
	}
	if missing := v.details.missing(); missing != "" {
		return missing
	}
	return "; no response from " + v.ReadyURL + " (ready_url)"
}

// failed reports whether the process has exited with an error.
func (v *server) failed() bool {
	exit := v.process.Exit()
	return exit != nil && (exit.Code != 0 || exit.Signal != "")
}

func (v *server) lastOutput() string {
	const most = 3
	lines := v.process.LastLines()
	if len(lines) == 0 {
		return ""
	}
	return "; its last output: " + strings.Join(lines[max(0, len(lines)-most):], " | ")
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Serves reports whether the server is already running.
func Serves(ctx context.Context, c *spec.Server) bool {
	return c.ReadyURL != "" && !strings.Contains(c.ReadyURL, "{{") && answers(ctx, c.ReadyURL)
}

var client = &http.Client{Timeout: healthLimit, Transport: &http.Transport{DisableKeepAlives: true}}

// answers reports whether a server responds at a URL with any status below 500: an MCP endpoint rejects GET.
func answers(ctx context.Context, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode < http.StatusInternalServerError
}

// watch restarts the server after a failure, until the set ends.
func (v *server) watch() {
	defer close(v.over)
	for !v.external {
		why := v.awaitFailure(v.set.life)
		for why != nil {
			if v.restarts >= v.set.options.MaxRestarts {
				if v.set.options.Failed != nil {
					v.set.options.Failed(v.Address, fmt.Errorf("the server of %s has exited after %d restarts: %w",
						v.Address, v.restarts, why))
				}
				return
			}
			why = v.restart(v.set.life, why)
		}
		if v.set.life.Err() != nil {
			return
		}
	}
}

// awaitFailure waits until the server fails and returns the reason, or returns nil when the set ends.
func (v *server) awaitFailure(ctx context.Context) error {
	done := v.process.Done()
	var tick <-chan time.Time
	if v.Health != "" {
		ticker := time.NewTicker(healthPause)
		defer ticker.Stop()
		tick = ticker.C
	}
	for silent := 0; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-done:
			exit := v.process.Exit()
			if exit.Code != 0 || exit.Signal != "" {
				return exit
			}
			done = nil // the server runs in the background
		case <-tick:
			if silent++; answers(ctx, v.Health) {
				silent = 0
			}
			if silent == mostSilent && ctx.Err() == nil {
				return fmt.Errorf("no response from %s, %d times", v.Health, mostSilent)
			}
		}
	}
}

// restart stops what remains of the server and starts it again. It returns the start error, or nil, even when the set
// ends.
func (v *server) restart(ctx context.Context, why error) error {
	v.restarts++
	v.set.notify(slog.LevelWarn, v.name, "restarting it (restart %d of %d): %v",
		v.restarts, v.set.options.MaxRestarts, why)
	if err := v.halt(context.WithoutCancel(ctx)); err != nil {
		v.set.notify(slog.LevelWarn, v.name, "end its remaining processes: %v", err)
	}
	pause := min(firstBackOff<<min(v.restarts-1, 10), mostBackOff)
	select {
	case <-time.After(pause):
	case <-ctx.Done():
		return nil
	}
	err := v.begin(ctx)
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	v.serves("it is ready again")
	if v.set.keep(v) && v.set.options.Moved != nil {
		v.set.options.Moved(v.Address)
	}
	return nil
}

// halt runs the stop command and ends the process.
func (v *server) halt(ctx context.Context) error {
	var err error
	if len(v.Stop) > 0 {
		err = v.runStop(ctx, v.Stop, v.Dir)
	}
	if v.process != nil {
		_ = v.process.Kill(ctx) // time-limited; the kernel may keep a process longer
	}
	return err
}

func (v *server) runStop(ctx context.Context, command []string, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, stopLimit)
	defer cancel()
	p, err := v.launch(ctx, command, dir, nil)
	if err != nil {
		return err
	}
	select {
	case <-p.Done():
	case <-ctx.Done():
		_ = p.Kill(context.WithoutCancel(ctx))
		return fmt.Errorf("%q did not end within %s", strings.Join(command, " "), stopLimit)
	}
	if exit := p.Exit(); exit.Code != 0 || exit.Signal != "" {
		return exit
	}
	return nil
}

// close stops the server permanently, if this host has started it.
func (v *server) close(ctx context.Context) error {
	if !v.begun || v.ended {
		return nil
	}
	if err := v.halt(ctx); err != nil {
		return fmt.Errorf("end the server for %s: %w", v.Address, err) // its record is kept
	}
	v.ended = true
	return v.forget()
}
