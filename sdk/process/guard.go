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

// GuardConfig describes the host and the run for which a guard works.
type GuardConfig struct {
	// Command is the guard's program and its arguments. The program must call ServeGuard and its path must be absolute;
	// /proc/self/exe is this program, even if its file has been deleted. It must not contain secrets.
	Command []string
	// Run is the run's ID, which is globally unique and consists of letters, digits, "-" and "_". A run's name is not
	// suitable, because two directories may each contain a run with that name.
	Run string
	// Incarnation counts the run's hosts.
	Incarnation int
	// SocketDir is removed by the guard when the host has exited; see NewSocketDir. May be empty.
	SocketDir string
	// LogFile receives lines about what the guard does after the host has exited. It is created only then. May be
	// empty.
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

// Guard is the host's side of the connection. It starts processes as children of the guard and restarts the guard if it
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

// StartGuard starts a run's guard. From then on, managed processes that use it as Config.Guard are its children. Close
// it after they have ended. Guards work on Linux; on other systems, a Guard marks processes, and the host starts them.
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

// Close ends the guard's remaining processes and all processes with this host's mark, except detachable processes, and
// then ends the guard. It returns the processes that it had to end: none, if every process had ended before. When ctx
// is done, it stops waiting for the guard. After that, no process can be started.
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

// Leftover is a process that outlived its owner and had to be ended.
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

// mark is the value of AWHOST_MARK that processes carry. It identifies the run, the host process, and the start of the
// process.
type mark struct {
	run         string
	incarnation int
	host        Identity
	serial      uint64 // counts the starts of this host
}

// String returns the variable's value: run/incarnation/host's PID/its start/PID namespace/serial.
func (m mark) String() string {
	return fmt.Sprintf("%s/%d/%d/%d/%s/%d", m.run, m.incarnation, m.host.PID, m.host.Started, m.host.Space, m.serial)
}

func validRun(id string) bool {
	return id != "" && strings.IndexFunc(id, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}
