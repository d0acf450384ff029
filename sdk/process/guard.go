package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// GuardConfig describes the host and run that a guard works for.
type GuardConfig struct {
	// Command is the guard's program and its arguments. The program must call ServeGuard and be absolute; /proc/self/exe
	// is this program, even if its file is gone. It must not contain secrets.
	Command []string
	// Run is the id of the run: globally unique, made of letters, digits, "-" and "_". The name of a run is not
	// suitable: two directories may each have a run of that name.
	Run string
	// Incarnation counts the hosts of the run.
	Incarnation int
	// SocketDir is removed by the guard when the host has exited; see NewSocketDir. May be empty.
	SocketDir string
	// LogFile gets lines about the guard's actions after the host's exit. It is created only then. May be empty.
	LogFile string
}

func (c GuardConfig) check() error {
	switch {
	case len(c.Command) == 0 || !filepath.IsAbs(c.Command[0]):
		return errors.New("its program is not an absolute path")
	case !validRun(c.Run):
		return fmt.Errorf("invalid run id %q", c.Run)
	case c.LogFile != "" && !filepath.IsAbs(c.LogFile):
		return fmt.Errorf("its log file %s is not an absolute path", c.LogFile)
	}
	return nil
}

// Guard is the host's side of a guard. It starts processes as children of the guard, and restarts the guard if it
// exits. Its methods may be called from several goroutines.
type Guard struct {
	config GuardConfig
	mark   mark // without serial

	mu     sync.Mutex
	serial uint64
	link   *guardLink // to the current guard, which may have exited
	closed bool
}

var errGuardClosed = errors.New("the guard of the run has been closed")

// StartGuard starts the guard of a run. From then on managed processes with it as Config.Guard are its children.
// Close it when they have ended. Guards work on Linux; elsewhere a Guard marks processes, and the host starts them.
func StartGuard(ctx context.Context, config GuardConfig) (*Guard, error) {
	if err := config.check(); err != nil {
		return nil, fmt.Errorf("start the guard: %w", err)
	}
	host, err := IdentityOf(os.Getpid())
	if err != nil {
		return nil, fmt.Errorf("start the guard: %w", err)
	}
	g := &Guard{config: config, mark: mark{run: config.Run, incarnation: config.Incarnation, host: host}}
	if err := g.open(ctx); err != nil {
		return nil, fmt.Errorf("start the guard: %w", err)
	}
	return g, nil
}

// nextMark returns the mark for the next process.
func (g *Guard) nextMark() mark {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.serial++
	m := g.mark
	m.serial = g.serial
	return m
}

// Close ends the guard's remaining processes and all processes with the mark of this host, except detachable
// processes, and then the guard. It returns the processes that it had to end: none, if every process had ended
// before. The end of ctx stops waiting for the guard. Afterwards no process can be started.
func (g *Guard) Close(ctx context.Context) ([]Leftover, error) {
	g.mu.Lock()
	link, closed := g.link, g.closed
	g.closed = true
	g.mu.Unlock()
	if closed || link == nil {
		return nil, nil
	}
	return link.close(ctx)
}

// Leftover is a process that outlived its owner and was ended.
type Leftover struct {
	PID      int
	Program  string // the kernel's name of the program: up to 15 bytes; never its arguments, which may be secret
	Instance string // the instance that it belonged to; empty if it had cleared its environment
}

// String returns a readable description.
func (l Leftover) String() string {
	if l.Instance == "" {
		return fmt.Sprintf("process %d (%s)", l.PID, printable(l.Program))
	}
	return fmt.Sprintf("process %d (%s) of %s", l.PID, printable(l.Program), printable(l.Instance))
}

// mark is the value of AWHOST_MARK in processes. It identifies the run, the host process, and the start.
type mark struct {
	run         string
	incarnation int
	host        Identity
	serial      uint64 // counts the starts of this host
}

// String returns the variable's value: run/incarnation/host's pid/its start/pid namespace/serial.
func (m mark) String() string {
	return fmt.Sprintf("%s/%d/%d/%d/%s/%d", m.run, m.incarnation, m.host.PID, m.host.Started, m.host.Space, m.serial)
}

func validRun(id string) bool {
	return id != "" && strings.IndexFunc(id, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}
