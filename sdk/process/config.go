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

// Config describes the program to run and its policy. Name and Command are required.
type Config struct {
	Name     string // for messages, for example "plugin calculator"
	Instance string // unique in the run, for example "environment.main"; Name if empty. Becomes AWHOST_INSTANCE
	Run      string // id of the run. Becomes AWHOST_RUN
	// Command is the program and its arguments. A bare program name is looked up in the host's PATH; a relative path
	// is relative to the host's working directory, not to Dir.
	Command []string
	Dir     string // working directory; the host's if empty

	// Env is added to the allow-list. Names that belong to the process contract are rejected.
	Env map[string]string
	// OnlyEnv drops the allow-list: of the host's environment only PassEnv and the contract are passed on.
	OnlyEnv bool
	// PassEnv names variables of the host to pass on; unset ones are left out.
	PassEnv []string

	// ExtraFiles are passed on as the file descriptors 3, 4 and so on: pipes for a process that a plugin starts for
	// itself, or a lock that is held until the process ends. The caller keeps and closes its own files. A process that
	// outlives its host gets none.
	ExtraFiles []*os.File

	// Stdin and Stdout are the process's standard input and output, if another component uses them, for example an MCP
	// client. Nil means a lifeline, and a stream whose lines are logged. Set both or neither. The caller keeps its own
	// ends, and closes these after the start. Only for managed processes.
	Stdin, Stdout *os.File

	SocketDir string // directory for the plugin's unix socket, see NewSocketDir; go-plugin's own directory if empty

	// LogFile gets every line of standard error and standard output unchanged, appended. Required if Detachable.
	LogFile string
	// Redact removes secrets from a line before it is written to LogFile; nil keeps lines unchanged. A detachable
	// process writes its log file itself.
	Redact func(line string) string
	// Line is called with every unchanged line of Stdout or standard error, even if it is dropped later, before the end
	// of the process becomes visible. It must not block; calls for the two streams are concurrent. It may be nil.
	Line func(stream, line string)
	// Log gets the parsed lines; plain lines without a level are Debug. Nil discards them.
	Log *slog.Logger

	StartTimeout time.Duration // until the handshake line; 30 s if zero
	Grace        time.Duration // between SIGTERM and SIGKILL; 5 s if zero, none if negative

	// Detachable lets the process outlive the host. It then gets AWHOST_DETACHABLE=1. The end of its standard input
	// signals that the host is gone, and the process decides how to react.
	Detachable bool

	Limits Limits

	// Attributes changes the system attributes of the start, for example to add namespaces. Only for managed processes
	// without a guard. May be nil.
	Attributes func(*syscall.SysProcAttr)

	// Guard starts a managed process instead of the host and ends all its leftovers. It may be nil.
	Guard *Guard
}

// Limits bound the resource usage of a process. Zero means the default.
type Limits struct {
	// LogBytes bounds the output that is kept, in the log file and for Log alike: 256 MiB by default, no bound if
	// negative. Dropped output is counted, and the last lines are always kept. A detachable process writes its log file
	// itself, so that only Log is bounded.
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
		return errors.New("the process has no command")
	case len(c.ExtraFiles) > 0 && c.Detachable:
		return errors.New("extra files require a managed process")
	case (c.Stdin == nil) != (c.Stdout == nil):
		return errors.New("set both Stdin and Stdout, or neither")
	case c.Stdin != nil && c.Detachable:
		return errors.New("a detachable process cannot use the caller's standard input and output")
	case c.Attributes != nil && (c.Guard != nil || c.Detachable):
		return errors.New("system attributes require a managed process without a guard")
	case len(c.ExtraFiles) > maxExtraFiles:
		return fmt.Errorf("%d extra files exceed the limit of %d", len(c.ExtraFiles), maxExtraFiles)
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

// program returns the absolute path of the program: exec would resolve a relative one relative to Dir.
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
