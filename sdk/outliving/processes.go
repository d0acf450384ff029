// Package outliving is for adapters whose trainers outlive them (sdk.AdapterWithRecover): the trainer as a process of this machine
// (Processes), and the files by which a later life of the adapter finds out how far it is (Append, Lines, Replace).
//
//	identity, err := processes.Start(outliving.Command{LaunchID: id, Argv: argv, Env: env, Dir: dir, LogFile: log})
//	err = outliving.Replace(record, state)            // with the identity, before anybody relies on it
//	… the plugin is killed and started again …
//	identity, err = processes.Find(id)                // where the record came too late
//	exit, over := processes.Exit(identity)
//	err = processes.Stop(ctx, id, identity, patience)
//
// It must not know what it starts. How a process is detached and found is package process's business.
package outliving

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/awhost/awhost/sdk/ownerfile"
	"github.com/awhost/awhost/sdk/process"
)

const (
	// interval is how often a process is looked at that is not our child, or is being ended.
	interval = 100 * time.Millisecond
	// killWait bounds the wait for a process that was killed. Only the kernel can hold one longer.
	killWait = 5 * time.Second
	// remembered is of how many children that are over the exit status is kept.
	remembered = 64
)

// ErrNone says that a launch has no process.
var ErrNone = errors.New("there is no such process")

// Command is a trainer to be started.
type Command struct {
	LaunchID string // the mark by which it is found again
	Argv     []string
	Env      []string // all of it
	Dir      string
	LogFile  string // gets what it prints, at its end
}

// Exit is how a process ended.
type Exit struct {
	Known  bool // the rest is: only a parent gets to know
	Code   int  // -1: by a signal
	Signal string
}

// Processes starts trainers, each in a session of its own, and finds them again by identity or by the mark of the launch. It is safe
// for concurrent use.
type Processes struct {
	mu       sync.Mutex
	children map[process.Identity]*child // those that this life has started; a pid alone may be another's by now
	ended    []*child                    // those of them that are over, oldest first
	stopping sync.Mutex
}

// child is a process that we have started, whose exit status we get.
type child struct {
	identity process.Identity
	over     chan struct{}
	exit     Exit // once over is closed
}

// Start starts a process that outlives this one.
func (p *Processes) Start(c Command) (process.Identity, error) {
	identity, err := p.start(c)
	if err != nil {
		return identity, fmt.Errorf("start a process: %w", err)
	}
	return identity, nil
}

func (p *Processes) start(c Command) (identity process.Identity, err error) {
	if len(c.Argv) == 0 {
		return identity, errors.New("its command is empty: it needs a program")
	}
	log, err := ownerfile.Append(c.LogFile)
	if err != nil {
		return identity, err
	}
	defer log.Close()
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = c.Env, c.Dir, log, log
	if err := process.Detach(cmd, c.LaunchID); err != nil {
		return identity, err
	}
	if err := cmd.Start(); err != nil {
		return identity, err
	}
	identity, err = process.IdentityOf(cmd.Process.Pid)
	if errors.Is(err, os.ErrProcessDone) { // in an instant: Exit tells how
		identity, err = process.Identity{PID: cmd.Process.Pid}, nil
	}
	if err != nil {
		_ = cmd.Process.Kill()
		return identity, errors.Join(err, cmd.Wait())
	}
	started := &child{identity: identity, over: make(chan struct{})}
	p.mu.Lock()
	if p.children == nil {
		p.children = map[process.Identity]*child{}
	}
	p.children[identity] = started
	p.mu.Unlock()
	go func() { // it ends with the process or with us
		started.exit = exitOf(cmd.Wait(), cmd.ProcessState)
		p.bury(started)
		close(started.over)
	}()
	return identity, nil
}

// bury keeps the exit of a child that is over, and forgets the oldest where there are too many.
func (p *Processes) bury(c *child) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = append(p.ended, c)
	if len(p.ended) <= remembered {
		return
	}
	if oldest := p.ended[0]; p.children[oldest.identity] == oldest {
		delete(p.children, oldest.identity)
	}
	p.ended = slices.Delete(p.ended, 0, 1)
}

func exitOf(err error, state *os.ProcessState) Exit {
	if state == nil {
		return Exit{} // Wait failed, with err: nothing is known
	}
	out := Exit{Known: true, Code: state.ExitCode()}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && err != nil && status.Signaled() {
		out.Signal = status.Signal().String()
	}
	return out
}

// Find finds a launch's process by its mark; without one the error is ErrNone.
func (p *Processes) Find(launchID string) (process.Identity, error) {
	found, err := process.FindMarked(launchID)
	if err != nil || len(found) == 0 {
		return process.Identity{}, errors.Join(fmt.Errorf("%w: launch %s has no process", ErrNone, launchID), err)
	}
	return found[0], nil
}

// Exit says how a process ended, if it is over. How is known of our own children only, and of the last that are over.
func (p *Processes) Exit(id process.Identity) (exit Exit, over bool) {
	p.mu.Lock()
	c := p.children[id]
	p.mu.Unlock()
	if c == nil {
		return Exit{}, !process.Alive(id)
	}
	select {
	case <-c.over:
		return c.exit, true
	default:
		return Exit{}, false
	}
}

// Await waits until a process is over, or ctx is.
func (p *Processes) Await(ctx context.Context, id process.Identity) (Exit, error) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		if exit, over := p.Exit(id); over {
			return exit, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return Exit{}, context.Cause(ctx)
		}
	}
}

// Stop ends a process and all that carries the mark of its launch. Within the patience it may do so by itself, asked first as a person
// would, by an interrupt, and then to terminate; without patience it is killed at once. The end of ctx is the end of the patience.
func (p *Processes) Stop(ctx context.Context, launchID string, id process.Identity, patience time.Duration) error {
	p.stopping.Lock()
	defer p.stopping.Unlock()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		if _, over := p.Exit(id); over || patience <= 0 {
			break
		}
		_ = syscall.Kill(-id.PID, signal) // gone in this moment: nothing to do
		if p.awaitFor(ctx, id, patience) {
			break
		}
	}
	ctx = context.WithoutCancel(ctx)
	// Whatever is left, daemons of the trainer among it, carries the mark of the launch.
	if _, err := process.EndLaunch(ctx, launchID); err != nil && !errors.Is(err, process.ErrNoMarks) {
		return fmt.Errorf("end process %d: %w", id.PID, err)
	}
	if _, over := p.Exit(id); !over && process.Alive(id) {
		_ = syscall.Kill(-id.PID, syscall.SIGKILL)
	}
	if !p.awaitFor(ctx, id, killWait) {
		return fmt.Errorf("end process %d: it is still there %s after SIGKILL: the kernel holds it", id.PID, killWait)
	}
	return nil
}

func (p *Processes) awaitFor(ctx context.Context, id process.Identity, patience time.Duration) (over bool) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := p.Await(ctx, id)
	return err == nil
}
