package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
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
	command   *exec.Cmd // nil until started
	reaped    bool      // from here on the pid may belong to somebody else
	requested bool      // Kill was called
	exit      Exit      // complete, without lines, when done is closed

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
	return &Process{
		config:    config,
		handshake: newHandshake(),
		output:    &output{logger: config.Log.With(attrPlugin, config.Name), limit: config.Limits.LogBytes, now: time.Now},
		started:   make(chan struct{}),
		done:      make(chan struct{}),
		drained:   make(chan struct{}),
		finished:  make(chan struct{}),
		hurry:     make(chan struct{}),
		killed:    make(chan struct{}),
	}, nil
}

// prepare finds the program and builds the environment. goPlugin is the list that go-plugin prepared.
func (p *Process) prepare(goPlugin []string) (err error) {
	if p.program, err = p.config.program(); err != nil {
		return err
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
	if p.command != nil {
		return errors.New("it was started before: a process is started once, make a new one")
	}
	pipes, err := p.openStreams()
	if err != nil {
		p.output.finish()
		return err
	}
	command := &exec.Cmd{
		Path: p.program, Args: p.config.Command, Env: p.env, Dir: p.config.Dir,
		Stdin: pipes.stdin, Stdout: pipes.stdout, Stderr: pipes.stderr,
		SysProcAttr: processAttributes(p.config.Detachable),
	}
	startErr := make(chan error)
	go p.supervise(command, startErr)
	err = <-startErr
	pipes.closeChildEnds()
	if err != nil {
		pipes.closeOwnEnds()
		p.output.finish()
		return err
	}
	p.command, p.lifeline = command, pipes.lifeline
	p.exit = Exit{Name: p.config.Name, PID: command.Process.Pid}
	p.read(pipes)
	close(p.started)
	return nil
}

// supervise starts the process, waits for its end and cleans up. The kernel's death signal is tied to the thread that
// forked (golang/go#27505), so that this goroutine keeps its thread for as long as a managed process lives.
func (p *Process) supervise(command *exec.Cmd, startErr chan<- error) {
	if !p.config.Detachable {
		runtime.LockOSThread()
	}
	err := command.Start()
	startErr <- err
	if err == nil {
		<-p.started
		p.reap()
	}
	if !p.config.Detachable {
		runtime.UnlockOSThread()
	}
	if err == nil {
		p.finish()
	}
}

// reap waits for the leader and kills what is left of its group. Where it can, it does so while the leader is a zombie:
// until then neither its pid nor the group's id can be given to others.
func (p *Process) reap() {
	if awaitZombie(p.command.Process.Pid) {
		p.mu.Lock()
		defer p.mu.Unlock()
		killGroup(p.command.Process)
		_ = p.command.Wait() // the status is in ProcessState; no pipes are copied
	} else {
		_ = p.command.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		killGroup(p.command.Process)
	}
	p.reaped = true
	p.exit = exitOf(p.command.ProcessState, p.config.Name, p.config.LogFile, p.requested)
	close(p.done)
}

// drainWait is how long the end of a process waits for its last lines, when somebody else still holds its pipes.
const drainWait = time.Second

// finish runs after the end of the process. The readers end with the pipes: at once, or, when a grandchild that left
// the group holds them, with it or with Kill.
func (p *Process) finish() {
	p.lifeline.Close()
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
	if p.command == nil || p.reaped {
		return Identity{}, fmt.Errorf("identify %s: it does not run", p.config.Name)
	}
	return IdentityOf(p.exit.PID)
}

func (p *Process) hasStarted() bool {
	select {
	case <-p.started:
		return true
	default:
		return false
	}
}
