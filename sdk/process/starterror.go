package process

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// StartError explains why a process did not become a running plugin. It unwraps to ErrStartTimeout, ErrExited,
// ErrNotAPlugin, or ErrCutHandshake, and to the Exit if there is one.
type StartError struct {
	Name       string
	Reason     error
	Program    string
	Timeout    time.Duration // for ErrStartTimeout
	State      string        // of the process at the timeout: "stopped", "sleeping", …; may be empty
	Exit       *Exit         // for ErrExited
	FirstLines []string      // of standard output, instead of the handshake
	LastLines  []string      // of standard error
	LogFile    string
}

// Error returns one line with the failure, the process's last output, and the remedy.
func (e *StartError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "start %s: %s", e.Name, e.description())
	writeLastLines(&b, "standard output", e.FirstLines, "")
	writeLastLines(&b, "last lines", e.LastLines, e.LogFile)
	return b.String()
}

func (e *StartError) description() string {
	switch {
	case errors.Is(e.Reason, ErrStartTimeout):
		state := ""
		if e.State != "" {
			state = " (the process is " + e.State + ")"
		}
		return fmt.Sprintf("no handshake within %s%s: serve before slow work such as loading a model", e.Timeout, state)
	case errors.Is(e.Reason, ErrCutHandshake):
		return "its handshake lacks the final bar: print 1|1|unix|PATH|grpc| and a newline"
	case e.Exit != nil && e.Exit.PanicHead != "":
		return fmt.Sprintf("it exited with %s before the handshake: %s", e.Exit.status(), summaryOf(e.Exit.PanicHead))
	case e.Exit != nil && e.Exit.Code == 0:
		return fmt.Sprintf("it exited with status 0 and no handshake: is %s an awhost plugin? `%s describe` must answer",
			e.Program, e.Program)
	case e.Exit != nil:
		return fmt.Sprintf("it exited with %s before the handshake", e.Exit.status())
	}
	return fmt.Sprintf("no handshake among its output: is %s an awhost plugin? `%s describe` must answer", e.Program,
		e.Program)
}

// Unwrap returns the reason for errors.Is and the exit for errors.As.
func (e *StartError) Unwrap() []error {
	if e.Exit == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Exit}
}

// StartError explains why go-plugin's client failed to start a plugin. If the process caused the failure, the result is
// a *StartError; otherwise, it is err with the plugin's name. Nil stays nil.
func (p *Process) StartError(err error) error {
	if err == nil || err == p.startErr {
		return err // already complete
	}
	if why := p.diagnose(context.Background()); why != nil {
		return why
	}
	return fmt.Errorf("start %s: %w", p.config.Name, err)
}

// exitWait is how long a process has to exit after closing its standard output. After that, it is considered running.
const exitWait = 3 * time.Second

// diagnose returns the reason for a missing handshake, or nil if there was a handshake or one may still arrive. The
// reason is determined only once, so that the kill after a failed start does not become the reason.
func (p *Process) diagnose(ctx context.Context) *StartError {
	if !p.hasStarted() || !p.handshake.failed() {
		return nil
	}
	p.diagnosisOnce.Do(func() { p.diagnosis = p.findDiagnosis(ctx) })
	return p.diagnosis
}

func (p *Process) findDiagnosis(ctx context.Context) *StartError {
	e := &StartError{
		Name: p.config.Name, Reason: p.handshake.failure, Program: p.program,
		Timeout: p.config.StartTimeout, State: p.handshake.state, LogFile: p.config.LogFile,
	}
	if errors.Is(e.Reason, ErrNotAPlugin) {
		if exit := p.awaitExit(ctx, exitWait); exit != nil && !exit.Requested {
			e.Reason, e.Exit = ErrExited, exit
		}
	}
	e.FirstLines, e.LastLines = p.output.firstLines(), p.output.lastLines()
	if cut := p.handshake.truncated; cut != "" && !slices.Contains(e.FirstLines, cut) { // stored a moment later
		e.FirstLines = append(e.FirstLines, shorten(cut, maxHeadLineBytes))
	}
	return e
}

func (p *Process) awaitExit(ctx context.Context, limit time.Duration) *Exit {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-p.done:
	case <-ctx.Done():
	}
	return p.Exit()
}

var _ error = (*StartError)(nil)
