package process

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// startSpec is a program that is ready to start.
type startSpec struct {
	Path   string // absolute
	Args   []string
	Env    []string
	Dir    string // the starter's if empty
	Limits Limits

	stdin, stdout, stderr *os.File
	extra                 []*os.File // from descriptor 3 on
	attributes            func(*syscall.SysProcAttr)
}

// child is a running process.
type child interface {
	pid() int
	// await returns when the process has ended and its process group is empty.
	await() ended
	// terminate sends SIGTERM to the group, and kill kills it. Neither does anything once await may return, because
	// from then on the ids may belong to other processes.
	terminate()
	kill()
}

// ended describes how a child ended.
type ended struct {
	code   int    // exit status; -1 if a signal ended it
	signal string // the signal that ended it
	// guardLost reports that the process was ended because its guard exited.
	guardLost bool
	leftovers []Leftover // its processes that had left its group, and were ended
}

// directChild is a child of this process.
type directChild struct {
	command *exec.Cmd

	mu     sync.Mutex
	reaped bool // from here on the pid may belong to another process
}

// startDirect starts a child of this process. On Linux, a managed child dies with the thread that calls this function
// (golang/go#27505), so the thread must be locked until the child has ended.
func startDirect(spec startSpec, detachable bool) (*directChild, error) {
	attributes := processAttributes(detachable)
	if spec.attributes != nil {
		spec.attributes(attributes)
	}
	command := &exec.Cmd{
		Path: spec.Path, Args: spec.Args, Env: spec.Env, Dir: spec.Dir,
		Stdin: spec.stdin, Stdout: spec.stdout, Stderr: spec.stderr, ExtraFiles: spec.extra,
		SysProcAttr: attributes,
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	c := &directChild{command: command}
	if err := setLimits(c.pid(), spec.Limits); err != nil {
		c.kill()
		c.await()
		return nil, err
	}
	return c, nil
}

func (c *directChild) pid() int { return c.command.Process.Pid }

// await waits for the leader and kills the rest of its group. If possible, it does so while the leader is a zombie,
// because until it is reaped neither its PID nor the group's ID can be reused.
func (c *directChild) await() ended {
	if awaitZombie(c.pid()) {
		c.mu.Lock()
		defer c.mu.Unlock()
		killGroup(c.command.Process)
		_ = c.command.Wait() // the status is in ProcessState; no pipes are copied
	} else {
		_ = c.command.Wait()
		c.mu.Lock()
		defer c.mu.Unlock()
		killGroup(c.command.Process)
	}
	c.reaped = true
	return ended{code: c.command.ProcessState.ExitCode(), signal: signalOf(c.command.ProcessState)}
}

func (c *directChild) terminate() { c.signal(terminateGroup) }

func (c *directChild) kill() { c.signal(killGroup) }

// signal calls send with the process unless the process has been reaped.
func (c *directChild) signal(send func(*os.Process)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.reaped {
		send(c.command.Process)
	}
}

var _ child = (*directChild)(nil)
