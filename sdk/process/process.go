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

// Process is one child process: started once, ended once. Its methods may be called from several goroutines.
type Process struct {
	config    Config
	program   string // absolute; set by prepare
	env       []string
	output    *output
	handshake *handshake

	mu        sync.Mutex
	child     child    // nil until started
	identity  Identity // of the child; zero if it ended before it could be told
	requested bool     // Kill was called
	exit      Exit     // complete, without lines, when done is closed

	lifeline *os.File
	streams  []io.Closer // what the readers read
	readers  sync.WaitGroup

	started  chan struct{} // closed when the process runs
	done     chan struct{} // closed when it is gone and reaped
	drained  chan struct{} // closed when the readers have all that was written
	finished chan struct{} // closed when nothing of it is left in this process

	killOnce  sync.Once
	hurry     chan struct{} // closed when the grace period is to end
	hurryOnce sync.Once
	killed    chan struct{} // closed when Kill is through
	killErr   error         // set before killed closes

	startErr      error // of a program that could not be run; set by start
	diagnosisOnce sync.Once
	diagnosis     *StartError
}

// New describes a process; an error is one of the configuration. Nothing has to be closed before the start.
func New(config Config) (*Process, error) {
	config = config.withDefaults()
	if err := config.check(); err != nil {
		return nil, fmt.Errorf("start %s: %w", config.Name, err)
	}
	p := &Process{
		config:    config,
		handshake: newHandshake(),
		output:    newOutput(config.Log.With(attrPlugin, config.Name), config.Limits.LogBytes, config.Redact),
		started:   make(chan struct{}),
		done:      make(chan struct{}),
		drained:   make(chan struct{}),
		finished:  make(chan struct{}),
		hurry:     make(chan struct{}),
		killed:    make(chan struct{}),
	}
	p.output.line = config.Line
	return p, nil
}

// prepare finds the program and builds the environment. goPlugin is the list that go-plugin prepared.
func (p *Process) prepare(goPlugin []string) (err error) {
	if p.program, err = p.config.program(); err != nil {
		return err
	}
	if p.config.Dir == "" && p.config.Guard != nil { // which works in another directory
		if p.config.Dir, err = os.Getwd(); err != nil {
			return err
		}
	}
	p.env, err = environment(p.config, os.Environ(), goPlugin)
	return err
}

// launch starts the process and the goroutines that belong to it. They end when the process and its pipes end, at the
// latest with Kill.
func (p *Process) launch(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.requested {
		return errors.New("it was stopped before it was started")
	}
	if p.child != nil {
		return errors.New("it was started before: a process is started once, make a new one")
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

// supervise starts the process, waits for its end and cleans up. It sets child and identity, for launch, which waits
// with the lock until it has.
func (p *Process) supervise(spec startSpec, startErr chan<- error) {
	if p.starts() == ownManaged {
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

// starter says who starts a process, and under which policy.
type starter int

const (
	ownManaged starter = iota
	ownDetachable
	byGuard
)

// starts decides it. A detachable process is the host's: the guard ends all that it has started.
func (p *Process) starts() starter {
	switch {
	case p.config.Detachable:
		return ownDetachable
	case p.config.Guard != nil:
		return byGuard
	}
	return ownManaged
}

func (p *Process) startChild(spec startSpec) (child, Identity, error) {
	if p.config.Guard != nil {
		spec.Env = append(spec.Env, EnvMark+"="+p.config.Guard.nextMark().String())
	}
	who := p.starts()
	if who == byGuard {
		return p.config.Guard.start(spec)
	}
	c, err := startOwn(spec, who == ownDetachable)
	if err != nil {
		return nil, Identity{}, err
	}
	id, _ := identify(c.pid()) // a zombie by now: it does not run
	return c, id, nil
}

// reap waits for the end of the child.
func (p *Process) reap() {
	e := p.child.await()
	for _, l := range e.leftovers {
		p.output.logger.Warn("ended " + l.String() + ", which it had left behind")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.exit = Exit{
		Name: p.config.Name, PID: p.exit.PID, Code: e.code, Signal: e.signal, GuardLost: e.guardLost, LogFile: p.config.LogFile, Requested: p.requested,
	}
	close(p.done)
}

// drainWait is how long the end of a process waits for its last lines, when somebody else still holds its pipes.
const drainWait = time.Second

// finish runs after the end of the process. The readers end with the pipes: at once, or, when a grandchild that left
// the group holds them, with it or with Kill.
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

// Done is closed when the process is gone. It stays open when the process never ran.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit says how the process ended; nil while it lives and when it never ran. After the end it waits up to a second for
// the last lines.
func (p *Process) Exit() *Exit {
	select {
	case <-p.done:
	default:
		return nil
	}
	<-p.drained
	return p.status()
}

// status is the exit with the lines that are there by now.
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

// LastLines returns up to 200 lines that the process wrote last on standard error, printable, oldest first.
func (p *Process) LastLines() []string { return p.output.lastLines() }

// PID is the process id; 0 before the start. It stays after the end, when it may belong to somebody else: use
// Identity to find a process again.
func (p *Process) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit.PID
}

// Identity names the process beyond the life of its pid. It is an error when the process does not run.
func (p *Process) Identity() (Identity, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.done:
		return Identity{}, fmt.Errorf("identify %s: it does not run", p.config.Name)
	default:
	}
	if p.identity == (Identity{}) {
		return Identity{}, fmt.Errorf("identify %s: it does not run", p.config.Name)
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
