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

// Config describes the program to run and how to run it. Name and Command are required.
type Config struct {
	Name     string // for messages, for example "plugin calculator"
	Instance string // unique in the run, for example "environment.main"; the default is Name. Becomes AWHOST_INSTANCE
	Run      string // id of the run. Becomes AWHOST_RUN
	// Command is the program and its arguments. A program name without a path is looked up in the host's PATH; a
	// relative path is relative to the host's working directory, not to Dir.
	Command []string
	Dir     string // working directory; the host's if empty

	// Env is added to the allowlist. Names that belong to the process contract are rejected.
	Env map[string]string
	// OnlyEnv disables the allowlist: from the host's environment, only PassEnv and the contract are passed on.
	OnlyEnv bool
	// PassEnv names the host variables to pass on; unset ones are omitted.
	PassEnv []string

	// ExtraFiles are passed on as file descriptors 3, 4, and so on, such as pipes for a process that a plugin starts
	// for itself, or a lock that is held until the process ends. The caller keeps and closes its own files. A process
	// that outlives its host receives none.
	ExtraFiles []*os.File

	// Stdin and Stdout are the process's standard input and output if another component uses them, such as an MCP
	// client. Nil means a lifeline and a stream whose lines are logged, respectively. Set both or neither. The caller
	// keeps its own ends and closes these after the process has started. Only for managed processes.
	Stdin, Stdout *os.File

	SocketDir string // directory for the plugin's unix socket, see NewSocketDir; go-plugin's own directory if empty

	// LogFile gets every line of standard error and standard output unchanged, appended. Required if Detachable.
	LogFile string
	// Redact removes secrets from a line before the line is written to LogFile; nil leaves lines unchanged. A
	// detachable process writes to its log file itself.
	Redact func(line string) string
	// Line is called with every unchanged line of Stdout or standard error, even if the line is later dropped, before
	// the end of the process becomes visible. It must not block, and calls for the two streams are concurrent. It may
	// be nil.
	Line func(stream, line string)
	// Log receives the parsed lines; plain lines without a level are treated as Debug. Nil discards them.
	Log *slog.Logger

	StartTimeout time.Duration // until the handshake line; 30 s if zero
	Grace        time.Duration // between SIGTERM and SIGKILL; 5 s if zero, none if negative

	// Detachable lets the process outlive the host. It then gets AWHOST_DETACHABLE=1. When its standard input is
	// closed, the host has exited, and the process determines how to react.
	Detachable bool

	Limits Limits

	// Attributes changes the system attributes with which the process is started, for example to add namespaces. It
	// requires a managed process without a guard. May be nil.
	Attributes func(*syscall.SysProcAttr)

	// Guard starts a managed process in place of the host and ends everything that the process leaves behind. It may be
	// nil.
	Guard *Guard
}

// Limits restricts a process's resource usage. Zero means the default.
type Limits struct {
	// LogBytes limits the output that is kept, separately in the log file and for Log: the default is 256 MiB, and a
	// negative value means no limit. Dropped output is counted, and the last lines are always retained. A detachable
	// process writes to its log file itself, so only Log is limited.
	LogBytes int64
	// OpenFiles and AddressSpaceBytes are resource limits (RLIMIT_NOFILE, RLIMIT_AS) and apply only on Linux; by
	// default, they are unchanged.
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

// program returns the program's absolute path, because exec would resolve a relative path relative to Dir.
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
