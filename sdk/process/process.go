package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"
)

// Process is one child process, which is started once and ended once. Its methods may be called from several
// goroutines.
type Process struct {
	config    Config
	program   string // absolute; set by prepare
	env       []string
	output    *output
	handshake *handshake

	mu        sync.Mutex
	child     child    // nil until started
	identity  Identity // of the child; zero if it ended before it could be identified
	requested bool     // Kill was called
	exit      Exit     // complete, without lines, when done is closed

	lifeline *os.File
	streams  []io.Closer // the sources of the readers
	readers  sync.WaitGroup

	started  chan struct{} // closed when the process runs
	done     chan struct{} // closed when it is gone and reaped
	drained  chan struct{} // closed when the readers have read all output
	finished chan struct{} // closed when this process holds nothing of it any more

	killOnce   sync.Once
	graceEnded chan struct{} // closed to end the grace period
	graceOnce  sync.Once
	killed     chan struct{} // closed when Kill has finished
	killErr    error         // set before killed closes

	startErr      error // of a program that could not be started; set by start
	diagnosisOnce sync.Once
	diagnosis     *StartError
}

// New creates a process from a configuration; an error is a configuration error. A process that was never started needs
// no close.
func New(config Config) (*Process, error) {
	config = config.withDefaults()
	if err := config.check(); err != nil {
		return nil, fmt.Errorf("start %s: %w", config.Name, err)
	}
	p := &Process{
		config:     config,
		handshake:  newHandshake(),
		output:     newOutput(config.Log.With(attrPlugin, config.Name), config.Limits.LogBytes, config.Redact),
		started:    make(chan struct{}),
		done:       make(chan struct{}),
		drained:    make(chan struct{}),
		finished:   make(chan struct{}),
		graceEnded: make(chan struct{}),
		killed:     make(chan struct{}),
	}
	p.output.line = config.Line
	return p, nil
}

// prepare finds the program and builds the environment. goPlugin is the list prepared by go-plugin.
func (p *Process) prepare(goPlugin []string) (err error) {
	if p.program, err = p.config.program(); err != nil {
		return err
	}
	if p.config.Dir == "" && p.config.Guard != nil { // the guard works in another directory
		if p.config.Dir, err = os.Getwd(); err != nil {
			return err
		}
	}
	p.env, err = environment(p.config, os.Environ(), goPlugin)
	return err
}

// launch starts the process and its goroutines. These end when the process and its pipes end, or with Kill at the
// latest.
func (p *Process) launch(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.requested {
		return errors.New("stopped before it was started")
	}
	if p.child != nil {
		return errors.New("already started: create a new process")
	}
	pipes, err := p.openStreams()
	if err != nil {
		p.output.finish()
		return err
	}
	startErr := make(chan error)
	go p.supervise(startSpec{
		Path: p.program, Args: p.config.Command, Env: p.env, Dir: p.config.Dir, Limits: p.config.Limits,
		stdin: pipes.stdin, stdout: pipes.stdout, stderr: pipes.stderr, extra: p.config.ExtraFiles,
		attributes: p.config.Attributes,
	}, startErr)
	err = <-startErr
	pipes.closeChildEnds()
	if err != nil {
		pipes.closeOwnEnds()
		p.output.finish()
		return err
	}
	p.lifeline = pipes.lifeline
	p.exit = Exit{Name: p.config.Name, PID: p.child.pid()}
	p.read(pipes)
	close(p.started)
	return nil
}

// supervise starts the process, waits for it to end, and cleans up. It sets child and identity for launch, which holds
// the lock until this has been done.
func (p *Process) supervise(spec startSpec, startErr chan<- error) {
	if p.starter() == startManaged {
		// The kernel's death signal is tied to the thread that forked (golang/go#27505).
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	var err error
	p.child, p.identity, err = p.startChild(spec)
	startErr <- err
	if err != nil {
		return
	}
	<-p.started
	p.reap()
	p.finish()
}

// starter is the parent of a process and the policy for it.
type starter int

const (
	startManaged starter = iota
	startDetachable
	startByGuard
)

// starter returns the starter. A detachable process is started by the host, because the guard ends its own children.
func (p *Process) starter() starter {
	switch {
	case p.config.Detachable:
		return startDetachable
	case p.config.Guard != nil:
		return startByGuard
	}
	return startManaged
}

func (p *Process) startChild(spec startSpec) (child, Identity, error) {
	if p.config.Guard != nil {
		spec.Env = append(spec.Env, EnvMark+"="+p.config.Guard.nextMark().String())
	}
	who := p.starter()
	if who == startByGuard {
		return p.config.Guard.start(spec)
	}
	c, err := startDirect(spec, who == startDetachable)
	if err != nil {
		return nil, Identity{}, err
	}
	id, _ := identify(c.pid()) // a zombie by now: it does not run
	return c, id, nil
}

// reap waits for the child to end.
func (p *Process) reap() {
	e := p.child.await()
	for _, l := range e.leftovers {
		p.output.logger.Warn("ended " + l.String() + ", which it left behind")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.exit = Exit{
		Name: p.config.Name, PID: p.exit.PID, Code: e.code, Signal: e.signal, GuardLost: e.guardLost,
		LogFile: p.config.LogFile, Requested: p.requested,
	}
	close(p.done)
}

// drainWait limits the wait for a process's last lines if another process still holds its pipes.
const drainWait = time.Second

// finish runs after the process has ended. The readers end with the pipes: immediately or, if the pipes are held by a
// grandchild that left the group, with that grandchild or with Kill.
func (p *Process) finish() {
	closeFiles(p.lifeline)
	readersDone := make(chan struct{})
	go func() {
		p.readers.Wait()
		close(readersDone)
	}()
	timer := time.NewTimer(drainWait)
	defer timer.Stop()
	select {
	case <-readersDone:
	case <-timer.C:
	}
	p.handshake.fail(ErrNotAPlugin)
	close(p.drained)
	<-readersDone
	p.closeStreams()
	p.output.finish()
	p.removeSocket()
	close(p.finished)
}

// Done returns a channel that is closed when the process has ended. It remains open if the process never ran.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit returns how the process exited, or nil while it is running or if it never ran. After the process has ended, Exit
// waits up to a second for its last lines.
func (p *Process) Exit() *Exit {
	select {
	case <-p.done:
	default:
		return nil
	}
	<-p.drained
	return p.status()
}

// status returns the exit information with the lines received so far.
func (p *Process) status() *Exit {
	p.mu.Lock()
	e := p.exit
	p.mu.Unlock()
	e.LastLines = p.output.lastLines()
	if e.Code != 0 && !e.Requested {
		e.PanicHead = p.output.panicHead()
	}
	return &e
}

// LastLines returns up to 200 of the last lines from standard error, in printable form, from oldest to newest.
func (p *Process) LastLines() []string { return p.output.lastLines() }

// PID returns the process ID, or 0 before the process has started. It is retained after the process has ended, when it
// may belong to another process; use Identity to find a process again.
func (p *Process) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit.PID
}

// Identity returns an identity that remains unique after the process has ended. It returns an error if the process is
// not running.
func (p *Process) Identity() (Identity, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.done:
		return Identity{}, fmt.Errorf("identify %s: not running", p.config.Name)
	default:
	}
	if p.identity == (Identity{}) {
		return Identity{}, fmt.Errorf("identify %s: not running", p.config.Name)
	}
	return p.identity, nil
}

func (p *Process) hasStarted() bool {
	select {
	case <-p.started:
		return true
	default:
		return false
	}
}
