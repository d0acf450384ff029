package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/awhost/awhost/sdk/outliving"
	"github.com/awhost/awhost/sdk/process"
)

// Process starts jobs as processes of this machine, each in a session of its own, found again by identity or by the mark of
// the launch.
type Process struct{ processes outliving.Processes }

// NewProcess makes a launcher.
func NewProcess() *Process { return &Process{} }

// Start starts a process with our environment and that of the job.
func (p *Process) Start(_ context.Context, j Job) (Handle, error) {
	identity, err := p.processes.Start(outliving.Command{
		LaunchID: j.LaunchID, Argv: j.Argv, Env: append(os.Environ(), localEnv(j.Env)...), Dir: j.Dir, LogFile: j.LogFile,
	})
	if err != nil {
		return Handle{}, err
	}
	return *ProcessHandle(j, identity), nil
}

// ProcessHandle returns the handle of a process that was started for a job.
func ProcessHandle(j Job, identity process.Identity) *Handle {
	h := newHandle(KindProcess, j)
	h.Process = &identity
	return &h
}

// localEnv is the environment of a job as a list.
func localEnv(env map[string]string) []string {
	out := make([]string, 0, len(env))
	for name, value := range env {
		if own := os.Getenv(name); name == pythonPath && own != "" {
			value += string(os.PathListSeparator) + own
		}
		out = append(out, name+"="+value)
	}
	return out
}

const pythonPath = "PYTHONPATH"

// Find finds a launch's process by its mark.
func (p *Process) Find(_ context.Context, j Job) (Handle, error) {
	identity, err := p.processes.Find(j.LaunchID)
	if errors.Is(err, outliving.ErrNone) {
		return Handle{}, fmt.Errorf("%w: %w", ErrNone, err)
	}
	if err != nil {
		return Handle{}, err
	}
	return *ProcessHandle(j, identity), nil
}

// Status says whether the process lives. The exit status is known of our own children only.
func (p *Process) Status(_ context.Context, h Handle) (Status, error) {
	exit, over := p.processes.Exit(*h.Process)
	switch {
	case !over:
		return Status{State: Running}, nil
	case !exit.Known:
		return Status{State: Ended}, nil
	case exit.Signal != "":
		return ended(exit.Code, "signal: "+exit.Signal), nil
	}
	return ended(exit.Code, ""), nil
}

// Stop ends the process and what it has started: first as a person would, by an interrupt, so that Ray takes its processes
// down.
func (p *Process) Stop(ctx context.Context, h Handle, patience time.Duration) error {
	return p.processes.Stop(ctx, h.Launch, *h.Process, patience)
}
