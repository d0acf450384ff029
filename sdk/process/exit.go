package process

import (
	"fmt"
	"strings"
	"syscall"
)

// Exit describes how a process ended. It is an error even if the process exited successfully, because the process
// should still be running.
type Exit struct {
	Name          string
	PID           int
	Code          int      // exit status; -1 if a signal ended it
	Signal        string   // "killed", "segmentation fault", …; empty if no signal ended it
	Requested     bool     // Kill was called before
	StatusUnknown bool     // it was started elsewhere, and its exit status is unknown
	GuardLost     bool     // the guard of the run exited, and this process with it
	LastLines     []string // of standard error, printable, oldest first, at most 200
	PanicHead     string   // first lines of a panic, a fatal error or a traceback; empty if it ended well
	LogFile       string   // all output; may be empty
}

// Error returns the process's name, exit status, and last output.
func (e *Exit) Error() string {
	var b strings.Builder
	if e.StatusUnknown {
		return fmt.Sprintf("%s, process %d, which was started elsewhere, has closed its connection", e.Name, e.PID)
	}
	fmt.Fprintf(&b, "%s exited with %s", e.Name, e.status())
	if e.PanicHead != "" {
		b.WriteString(": " + summaryOf(e.PanicHead))
	}
	writeLastLines(&b, "last lines", e.LastLines, e.LogFile)
	return b.String()
}

func (e *Exit) status() string {
	switch {
	case e.GuardLost && !e.Requested:
		return "signal killed (the guard of the run exited, and its processes with it)"
	case e.Signal == syscall.SIGKILL.String() && !e.Requested:
		return "signal killed (not by awhost; perhaps the machine ran out of memory)"
	case e.Signal != "":
		return "signal " + e.Signal
	}
	return fmt.Sprintf("status %d", e.Code)
}

// IsKill reports whether a signal ends a program from outside. Other fatal signals, such as SIGSEGV, SIGABRT, and
// SIGBUS, are caused by faults in the program itself.
func IsKill(signal string) bool {
	return signal == syscall.SIGKILL.String() || signal == syscall.SIGTERM.String()
}

// Limits for the lines in a message; Exit and the log file contain more.
const (
	maxMessageLines     = 5
	maxMessageLineBytes = 300
)

// writeLastLines adds the last lines of output and the path to the full log.
func writeLastLines(b *strings.Builder, what string, lines []string, logFile string) {
	if len(lines) > maxMessageLines {
		lines = lines[len(lines)-maxMessageLines:]
	}
	for i, line := range lines {
		if i == 0 {
			b.WriteString("; " + what + ": ")
		} else {
			b.WriteString(" | ")
		}
		b.WriteString(shorten(strings.TrimSpace(line), maxMessageLineBytes))
	}
	if logFile != "" {
		b.WriteString("; full log: " + logFile)
	}
}

var _ error = (*Exit)(nil)
