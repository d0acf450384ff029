package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// commandTimeout bounds one command of Slurm.
const commandTimeout = 60 * time.Second

// runner runs a command with an input and returns its standard output.
type runner func(ctx context.Context, input, name string, args ...string) (string, error)

// commandError is a command that said no.
type commandError struct {
	name string
	said string
	err  error
}

// Error implements error.
func (e *commandError) Error() string {
	if e.said == "" {
		return fmt.Sprintf("%s: %v", e.name, e.err)
	}
	return fmt.Sprintf("%s: %s", e.name, e.said)
}

// Unwrap gives what the command ended with.
func (e *commandError) Unwrap() error { return e.err }

// commands runs Slurm's commands on this machine.
func commands(conf string) runner {
	return func(ctx context.Context, input, name string, args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, commandTimeout)
		defer cancel()
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.WaitDelay, cmd.Stdin = time.Second, strings.NewReader(input)
		if conf != "" {
			cmd.Env = append(os.Environ(), "SLURM_CONF="+conf)
		}
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		switch {
		case err == nil:
			return stdout.String(), nil
		case errors.Is(err, exec.ErrNotFound):
			return "", fmt.Errorf("%s is not on PATH: load the module that brings Slurm's commands: %w", name, err)
		case ctx.Err() != nil:
			return "", fmt.Errorf("%w: %s took longer than %s", ErrUnreachable, name, commandTimeout)
		}
		failed := &commandError{name: name, said: lastWords(stderr.String()), err: err}
		if passes(failed.said) {
			return "", fmt.Errorf("%w: %w", ErrUnreachable, failed)
		}
		return "", failed
	}
}

// passing are words of Slurm's commands by which they say that the controller does not answer now.
var passing = []string{
	"Unable to contact slurm controller", "Socket timed out", "Connection refused", "Connection timed out", "Communication connection failure",
	"Zero Bytes were transmitted", "Transport endpoint is not connected", "temporarily unable", "temporarily unavailable", "Unable to establish",
	"Slurm backup controller in standby", "No route to host", "Munge decode failed", "Failed to connect to",
}

func passes(said string) bool {
	for _, words := range passing {
		if strings.Contains(said, words) {
			return true
		}
	}
	return false
}
