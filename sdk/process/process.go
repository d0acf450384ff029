// Package process starts a child process that cannot hang, leak or outlive its owner.
//
// It is the runner under go-plugin's client, in place of the stock one, which blocks on a stopped child, waits for
// grandchildren that hold a pipe, panics on an odd log line and leaves orphans:
//
//	p, err := process.New(process.Config{Name: "reward.gaia.answer", Command: []string{"/path/plugin"}, LogFile: "…/answer.log"})
//	client := goplugin.NewClient(&goplugin.ClientConfig{RunnerFunc: p.RunnerFunc(), SkipHostEnv: true, …})
//	…
//	<-p.Done()
//	fmt.Println(p.Exit()) // status or signal, the last lines of stderr, the head of a panic
//
// The child is in a process group of its own, so that a terminal's Ctrl-C is the owner's business and a kill reaches
// grandchildren. Its standard input is the lifeline: a pipe whose other end only the owner holds; end of file means that
// the owner is gone. On Linux the kernel also kills it when the owner dies. Its environment is an allow-list.
//
// The package must not know gRPC services. A guard for grandchildren in sessions of their own does not belong here
// but above: a process group cannot hold them.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin/runner"
)

// Config says what to start and how.
type Config struct {
	// Name is for messages and logs: the address of the block, or the plugin's name.
	Name string
	// Command is the program and its arguments.
	Command []string
	// Dir is the working directory; empty means the owner's.
	Dir string
	// Env is set in the child, on top of the allow-list.
	Env map[string]string
	// PassEnv are names that are passed on from the owner's environment, on top of the allow-list.
	PassEnv []string
	// LogFile receives everything that the child writes, raw; empty means nowhere.
	LogFile string
	// MaxLogBytes bounds the log file; 0 means 256 MiB. What is over is counted, not written.
	MaxLogBytes int64
	// Log receives parsed lines; nil drops them.
	Log *slog.Logger
	// Grace is how long a child may take to obey SIGTERM; 0 means 2 s.
	Grace time.Duration
}

const (
	defaultGrace       = 2 * time.Second
	defaultMaxLogBytes = 256 << 20
)

// Process is a child, started by go-plugin through RunnerFunc. It is started once.
type Process struct {
	config Config
	cmd    *exec.Cmd
	tail   *tail
	sink   *sink

	handshakeRead  *io.PipeReader
	handshakeWrite *io.PipeWriter
	lifeline       *os.File

	done     chan struct{} // closed when the child has been waited for
	waitErr  error
	killing  sync.Once
	killDone chan struct{}
}

// New prepares a child.
func New(config Config) (*Process, error) {
	if len(config.Command) == 0 {
		return nil, errors.New("start a process: the command is empty")
	}
	if config.Grace == 0 {
		config.Grace = defaultGrace
	}
	if config.MaxLogBytes == 0 {
		config.MaxLogBytes = defaultMaxLogBytes
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	sink, err := openSink(config.LogFile, config.MaxLogBytes)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", config.Name, err)
	}
	p := &Process{config: config, tail: &tail{}, sink: sink, done: make(chan struct{}), killDone: make(chan struct{})}
	p.handshakeRead, p.handshakeWrite = io.Pipe()
	return p, nil
}

// RunnerFunc is for goplugin.ClientConfig, which calls it once.
func (p *Process) RunnerFunc() func(hclog.Logger, *exec.Cmd, string) (runner.Runner, error) {
	return func(_ hclog.Logger, template *exec.Cmd, socketDir string) (runner.Runner, error) {
		cmd := exec.Command(p.config.Command[0], p.config.Command[1:]...)
		cmd.Dir = p.config.Dir
		cmd.Env = environment(p.config, template.Env, socketDir)
		p.cmd = cmd
		return p, nil
	}
}

// Start implements runner.Runner.
func (p *Process) Start(context.Context) error {
	pipes, err := newPipes()
	if err != nil {
		return fmt.Errorf("start %s: %w", p.config.Name, err)
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = pipes.stdin.child, pipes.stdout.child, pipes.stderr.child
	isolate(p.cmd)
	started := make(chan error, 1)
	go p.startAndWait(started)
	err = <-started
	pipes.closeChildEnds()
	if err != nil {
		pipes.closeOwnEnds()
		close(p.done)
		p.sink.release()
		return fmt.Errorf("start %s: %w", p.config.Name, err)
	}
	p.lifeline = pipes.stdin.own
	p.sink.retain(2)
	go p.readStdout(pipes.stdout.own)
	go p.readStderr(pipes.stderr.own)
	p.sink.release()
	return nil
}

// Wait implements runner.Runner. It returns when the child has exited, whoever still holds its pipes.
func (p *Process) Wait(context.Context) error {
	<-p.done
	return p.waitErr
}

// Kill implements runner.Runner: SIGTERM to the group, then, after the grace, SIGKILL to the group, also when its leader
// is gone. A stopped child is woken first. It returns when the child has been waited for.
func (p *Process) Kill(context.Context) error {
	p.killing.Do(func() {
		defer close(p.killDone)
		p.kill()
	})
	<-p.killDone
	return nil
}

// reapTimeout bounds the wait for a child that was sent SIGKILL: it can only be stuck in the kernel.
const reapTimeout = 5 * time.Second

func (p *Process) kill() {
	if p.lifeline == nil { // never started
		return
	}
	_ = p.lifeline.Close()
	terminateGroup(p.cmd.Process)
	select {
	case <-p.done:
	case <-time.After(p.config.Grace):
	}
	killGroup(p.cmd.Process)
	select {
	case <-p.done:
	case <-time.After(reapTimeout):
	}
}

// Done is closed when the child has exited.
func (p *Process) Done() <-chan struct{} { return p.done }

// PID is 0 before the start.
func (p *Process) PID() int {
	if p.cmd == nil || p.cmd.Process == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

// Exit says how the child ended. Nil while it runs.
func (p *Process) Exit() *Exit {
	select {
	case <-p.done:
	default:
		return nil
	}
	e := &Exit{Name: p.config.Name, LogFile: p.config.LogFile, LastLines: p.tail.last(), PanicHead: p.tail.panicHead()}
	if p.cmd != nil && p.cmd.ProcessState != nil {
		e.Code = p.cmd.ProcessState.ExitCode()
		if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			e.Signal = status.Signal().String()
		}
	}
	return e
}

// LastLines are the last lines of standard error.
func (p *Process) LastLines() []string { return p.tail.last() }

// Exit is how a child ended.
type Exit struct {
	Name      string
	Code      int    // -1 when a signal ended it
	Signal    string // "killed"
	LastLines []string
	PanicHead []string // from the line that starts a panic or a traceback on
	LogFile   string
}

// shownLines bounds the lines in an error message.
const shownLines = 8

// Error implements error.
func (e *Exit) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s exited with code %d", e.Name, e.Code)
	if e.Signal != "" {
		b.Reset()
		fmt.Fprintf(&b, "%s was ended by signal: %s", e.Name, e.Signal)
	}
	lines := e.PanicHead
	if len(lines) > shownLines {
		lines = lines[:shownLines]
	}
	if lines == nil {
		lines = e.LastLines[max(0, len(e.LastLines)-shownLines):]
	}
	for _, line := range lines {
		b.WriteString("\n  | " + line)
	}
	if e.LogFile != "" {
		b.WriteString("\n  all of it: " + e.LogFile)
	}
	return b.String()
}

// Stdout implements runner.Runner: the handshake line and nothing else.
func (p *Process) Stdout() io.ReadCloser { return p.handshakeRead }

// Stderr implements runner.Runner: nothing, because this package reads it.
func (p *Process) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

// Name implements runner.Runner.
func (p *Process) Name() string { return p.config.Name }

// ID implements runner.Runner.
func (p *Process) ID() string { return fmt.Sprint(p.PID()) }

// Diagnose implements runner.Runner: what go-plugin adds to its message about a bad handshake.
func (p *Process) Diagnose(context.Context) string {
	lines := p.tail.last()
	if len(lines) == 0 {
		return "it wrote nothing on standard error"
	}
	return "its last lines: " + strings.Join(lines[max(0, len(lines)-shownLines):], " | ")
}

// PluginToHost implements runner.Runner.
func (p *Process) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

// HostToPlugin implements runner.Runner.
func (p *Process) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}

var _ runner.Runner = (*Process)(nil)
