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

// GuardConfig says for whom a guard is.
type GuardConfig struct {
	// Command is the program of the guard and its arguments: one that calls ServeGuard. The program has to be absolute;
	// /proc/self/exe is this very program, also when its file is gone. It must not contain secrets.
	Command []string
	// Run is the id of the run: unique everywhere, made of letters, digits, "-" and "_". The name of a run is none: two
	// directories may each have a run of that name.
	Run string
	// Incarnation counts the hosts that the run has had.
	Incarnation int
	// SocketDir is removed by the guard when the host has died; see NewSocketDir. May be empty.
	SocketDir string
	// LogFile gets lines about what the guard did after the host's death. It is made only then. May be empty.
	LogFile string
}

func (c GuardConfig) check() error {
	switch {
	case len(c.Command) == 0 || !filepath.IsAbs(c.Command[0]):
		return errors.New("its program is not named by an absolute path")
	case !validRun(c.Run):
		return fmt.Errorf("%q is no id of a run", c.Run)
	case c.LogFile != "" && !filepath.IsAbs(c.LogFile):
		return fmt.Errorf("its log file %s is not an absolute path", c.LogFile)
	}
	return nil
}

// Guard is the host's side of a guard: it starts processes as children of the guard, and the guard itself, again should
// it die. Its methods may be called from several goroutines.
type Guard struct {
	config GuardConfig
	mark   mark // without serial

	mu     sync.Mutex
	serial uint64
	link   *guardLink // to the guard of the moment, which may be dead
	closed bool
}

var errGuardClosed = errors.New("the guard of the run has been closed")

// StartGuard starts the guard of a run. From then on managed processes with it as Config.Guard are its children. Close
// it when they have ended. Guards work on Linux; elsewhere a Guard marks processes, and the host starts them.
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

// nextMark is the mark of the next process.
func (g *Guard) nextMark() mark {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.serial++
	m := g.mark
	m.serial = g.serial
	return m
}

// Close ends whatever the guard has started and is still there, and whatever carries the mark of this host, detachable
// processes excepted, and then the guard. It returns what it had to end: nothing, if every process was ended before. The
// end of ctx ends the patience with the guard. Nothing can be started afterwards.
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

// Leftover is a process that outlived whoever should have ended it, and was ended.
type Leftover struct {
	PID      int
	Program  string // as the kernel names it: up to 15 bytes; never its arguments, which may be secret
	Instance string // whose process it was; empty when it had cleared its environment
}

// String names it for people.
func (l Leftover) String() string {
	if l.Instance == "" {
		return fmt.Sprintf("process %d (%s)", l.PID, printable(l.Program))
	}
	return fmt.Sprintf("process %d (%s) of %s", l.PID, printable(l.Program), printable(l.Instance))
}

// mark is what processes carry in AWHOST_MARK. It names the run, the life of the host, and the start.
type mark struct {
	run         string
	incarnation int
	host        Identity
	serial      uint64 // counts the starts of this host
}

// String is the value of the variable: run/incarnation/host's pid/its start/pid namespace/serial.
func (m mark) String() string {
	return fmt.Sprintf("%s/%d/%d/%d/%s/%d", m.run, m.incarnation, m.host.PID, m.host.Started, m.host.Space, m.serial)
}

func validRun(id string) bool {
	return id != "" && strings.IndexFunc(id, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}
