package awhost

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/awhost/awhost/host/event"
)

// Init accepts the plugins of the spec in dir, which is its train.hcl unless an argument names another.
func Init(ctx context.Context, program, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, append([]string{"init"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("awhost init: %w\n%s", err, out)
	}
	return nil
}

// Observer observes a run's host process and its events.
type Observer interface {
	Started(pid int) // of the host, before any event
	Take(event.Event)
}

// Apply runs the training with the spec in dir to its end and passes the events to the observer. It returns the state
// of the host process, including the usage of all its descendants. A run that does not complete returns an error that
// contains the run's standard error.
func Apply(ctx context.Context, program, dir string, watching Observer, args ...string) (*os.ProcessState, error) {
	return follow(ctx, program, dir, watching, append([]string{"apply", "--json"}, args...)...)
}

// Resume works like Apply for the newest run in dir.
func Resume(ctx context.Context, program, dir string, watching Observer) (*os.ProcessState, error) {
	return follow(ctx, program, dir, watching, "resume", "--json")
}

func follow(ctx context.Context, program, dir string, watching Observer, args ...string) (*os.ProcessState, error) {
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	// An interrupt lets the host shut down cleanly.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Dir, cmd.Stderr = dir, &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	watching.Started(cmd.Process.Pid)
	followErr := Follow(stdout, watching.Take)
	if followErr != nil {
		_, _ = io.Copy(io.Discard, stdout) // the process blocks until its output is read
	}
	if err := errors.Join(followErr, cmd.Wait()); err != nil {
		return nil, fmt.Errorf("awhost %s: %w\n%s", args[0], err, stderr.Bytes())
	}
	return cmd.ProcessState, nil
}

// Follow reads the events of `apply --json` to the end, and returns an error unless the run completed.
func Follow(in io.Reader, take func(event.Event)) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), 16<<20)
	finished := false
	for lines.Scan() {
		var e event.Event
		var unknown *event.UnknownKindError
		switch err := json.Unmarshal(lines.Bytes(), &e); {
		case errors.As(err, &unknown):
			continue
		case err != nil:
			return fmt.Errorf("read an event: %w", err)
		}
		if end, ok := e.Payload.(event.RunFinished); ok {
			finished = true
			if end.Outcome != event.RunCompleted {
				return fmt.Errorf("the run ended as %s: %s", end.Outcome, end.Reason)
			}
		}
		take(e)
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if !finished {
		return errors.New("the run ended without the event run_finished")
	}
	return nil
}
