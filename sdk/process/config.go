package process

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Config says what to run and under which policy. Name and Command are required.
type Config struct {
	Name     string // for messages, for example "plugin calculator"
	Instance string // unique in the run, for example "environment.main"; Name when empty. Becomes AWHOST_INSTANCE
	Run      string // id of the run. Becomes AWHOST_RUN
	// Command is the program and its arguments. A bare program name is looked up in the host's PATH; a relative path
	// is relative to the host's working directory, not to Dir.
	Command []string
	Dir     string // working directory; the host's when empty

	// Env is set on top of the allow-list. Names that belong to the process contract are refused.
	Env map[string]string
	// OnlyEnv leaves the allow-list out: nothing of the host's environment is handed on but PassEnv and the contract.
	OnlyEnv bool
	// PassEnv names variables of the host that are handed on; unset ones are left out.
	PassEnv []string

	// ExtraFiles are handed on as the descriptors 3, 4 and so on: pipes for a process that a plugin starts for itself, or
	// a lock that lasts as long as the process. The caller keeps its own and closes them. A process that outlives its host
	// gets none.
	ExtraFiles []*os.File

	// Stdin and Stdout are the process's standard input and output where somebody else speaks with it there, a client of
	// MCP for example; nil: a lifeline, and a stream whose lines are logged. Both or none. The caller keeps its own ends,
	// and closes these after the start. A managed process only.
	Stdin, Stdout *os.File

	SocketDir string // where the plugin makes its unix socket, see NewSocketDir; go-plugin's own directory when empty

	// LogFile gets every line of standard error and standard output as it came, appended. Required if Detachable.
	LogFile string
	// Redact takes what nobody may read out of a line before it goes to LogFile; nil leaves lines as they came. A
	// detachable process writes its log file itself.
	Redact func(line string) string
	// Line hears every line as it came on Stdout or standard error, whatever is kept of it, before anybody can see the
	// process end. It must not block; calls come side by side for the two streams. Nil: nobody does.
	Line func(stream, line string)
	// Log gets the parsed lines; plain lines without a level are Debug. Nil discards them.
	Log *slog.Logger

	StartTimeout time.Duration // until the handshake line; 30 s when zero
	Grace        time.Duration // between SIGTERM and SIGKILL; 5 s when zero, none when negative

	// Detachable lets the process outlive the host. It then gets AWHOST_DETACHABLE=1: the end of its standard input
	// tells it that the host is gone, and what to do about it is its own decision.
	Detachable bool

	Limits Limits

	// Attributes changes how the system starts the process: in namespaces of its own, for example. A managed process
	// without a guard only. May be nil.
	Attributes func(*syscall.SysProcAttr)

	// Guard starts a managed process in the host's stead and answers for all that it leaves behind; nil: nobody does.
	Guard *Guard
}

// Limits bound what a process may use. Zero means the default.
type Limits struct {
	// LogBytes bounds what is kept of the output, in the log file and for Log alike; 256 MiB by default, no bound
	// when negative. What is dropped is counted, and the last lines are always kept. A detachable process writes its
	// log file itself, so that only Log is bounded.
	LogBytes int64
	// OpenFiles and AddressSpaceBytes are resource limits (RLIMIT_NOFILE, RLIMIT_AS), Linux only; unchanged by default.
	OpenFiles         uint64
	AddressSpaceBytes uint64
}

const (
	defaultStartTimeout = 30 * time.Second
	defaultGrace        = 5 * time.Second
	defaultLogBytes     = 256 << 20

	maxExtraFiles = 8
)

func (c Config) withDefaults() Config {
	if c.Instance == "" {
		c.Instance = c.Name
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.StartTimeout == 0 {
		c.StartTimeout = defaultStartTimeout
	}
	if c.Grace == 0 {
		c.Grace = defaultGrace
	}
	c.Grace = max(c.Grace, 0)
	if c.Limits.LogBytes == 0 {
		c.Limits.LogBytes = defaultLogBytes
	}
	return c
}

func (c Config) check() error {
	switch {
	case c.Name == "":
		return errors.New("the process has no name")
	case len(c.Command) == 0 || c.Command[0] == "":
		return errors.New("no command is given")
	case len(c.ExtraFiles) > 0 && c.Detachable:
		return errors.New("extra files go to a managed process only")
	case (c.Stdin == nil) != (c.Stdout == nil):
		return errors.New("standard input and output are the caller's both, or none is")
	case c.Stdin != nil && c.Detachable:
		return errors.New("a detachable process has no standard input and output of its caller's")
	case c.Attributes != nil && (c.Guard != nil || c.Detachable):
		return errors.New("attributes of the system's are for a managed process without a guard")
	case len(c.ExtraFiles) > maxExtraFiles:
		return fmt.Errorf("%d extra files are given, %d are possible", len(c.ExtraFiles), maxExtraFiles)
	case c.Detachable && c.LogFile == "":
		return errors.New("a detachable process needs a log file: its pipes would break when the host ends")
	}
	if c.SocketDir != "" {
		if err := checkSocketPath(c.SocketDir); err != nil {
			return err
		}
	}
	return nil
}

// program returns the absolute path of the program: exec would take a relative one as relative to Dir.
func (c Config) program() (string, error) {
	name := c.Command[0]
	if !strings.ContainsRune(name, filepath.Separator) {
		found, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("find program %q: %w", name, errors.Unwrap(err))
		}
		name = found
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return "", fmt.Errorf("find program %q: %w", name, err)
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("find program: %w", err)
	}
	return path, nil
}
