package process

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// startSpec is a program that is ready to be started.
type startSpec struct {
	Path   string // absolute
	Args   []string
	Env    []string
	Dir    string // the starter's when empty
	Limits Limits

	stdin, stdout, stderr *os.File
	extra                 []*os.File // from descriptor 3 on
	attributes            func(*syscall.SysProcAttr)
}

// child is a running process for whoever answers for it.
type child interface {
	pid() int
	// await returns when the process has ended and nothing is left of its group.
	await() ended
	// terminate asks the group to end; kill ends it. Neither does anything once await may return, because from then on
	// the ids may be others'.
	terminate()
	kill()
}

// ended is how a child ended.
type ended struct {
	code   int    // exit status; -1 when a signal ended it
	signal string // that ended it
	// guardLost says that the process was ended because its guard died.
	guardLost bool
	leftovers []Leftover // processes of it that had left its group, and were ended
}

// ownChild is a child of this process.
type ownChild struct {
	command *exec.Cmd

	mu     sync.Mutex
	reaped bool // from here on the pid may belong to somebody else
}

// startOwn starts a child of this process. On Linux a managed one dies with the thread that calls this
// (golang/go#27505), which therefore has to be locked until the child has ended.
func startOwn(spec startSpec, detachable bool) (*ownChild, error) {
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
	c := &ownChild{command: command}
	if err := setLimits(c.pid(), spec.Limits); err != nil {
		c.kill()
		c.await()
		return nil, err
	}
	return c, nil
}

func (c *ownChild) pid() int { return c.command.Process.Pid }

// await waits for the leader and kills what is left of its group. Where it can, it does so while the leader is a
// zombie: until then neither its pid nor the group's id can be given to others.
func (c *ownChild) await() ended {
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

func (c *ownChild) terminate() { c.signal(terminateGroup) }

func (c *ownChild) kill() { c.signal(killGroup) }

// signal does something to the group, unless the process is reaped.
func (c *ownChild) signal(send func(*os.Process)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.reaped {
		send(c.command.Process)
	}
}

var _ child = (*ownChild)(nil)
