package process

import (
	"fmt"
	"strings"
	"syscall"
)

// Exit says how a process ended. It is an error also when the process ended well: somebody expected it to live.
type Exit struct {
	Name      string
	PID       int
	Code      int      // exit status; -1 when a signal ended it
	Signal    string   // "killed", "segmentation fault", …; empty when no signal ended it
	Requested bool     // Kill was called before
	Unseen    bool     // it was started elsewhere, and nobody here saw how it ended
	GuardLost bool     // the guard of the run died, and this process with it
	LastLines []string // of standard error, printable, oldest first, at most 200
	PanicHead string   // first lines of a panic, a fatal error or a traceback; empty when it ended well
	LogFile   string   // with everything; may be empty
}

// Error names the process, how it ended, and what it said last.
func (e *Exit) Error() string {
	var b strings.Builder
	if e.Unseen {
		return fmt.Sprintf("%s, process %d, which was started elsewhere, has closed its connection", e.Name, e.PID)
	}
	fmt.Fprintf(&b, "%s exited with %s", e.Name, e.status())
	if e.PanicHead != "" {
		b.WriteString(": " + summaryOf(e.PanicHead))
	}
	writeSaid(&b, "last lines", e.LastLines, e.LogFile)
	return b.String()
}

func (e *Exit) status() string {
	switch {
	case e.GuardLost && !e.Requested:
		return "signal killed (the guard of the run died, and its processes with it)"
	case e.Signal == syscall.SIGKILL.String() && !e.Requested:
		return "signal killed (not by awhost; perhaps the machine ran out of memory)"
	case e.Signal != "":
		return "signal " + e.Signal
	}
	return fmt.Sprintf("status %d", e.Code)
}

// IsKill reports whether a signal ends a program from outside. Other fatal signals, such as SIGSEGV, SIGABRT and
// SIGBUS, are raised by faults of the program itself.
func IsKill(signal string) bool {
	return signal == syscall.SIGKILL.String() || signal == syscall.SIGTERM.String()
}

// Bounds of the lines in a message; Exit and the log file have more.
const (
	maxSaidLines     = 5
	maxSaidLineBytes = 300
)

// writeSaid adds the last of lines and where all of them are.
func writeSaid(b *strings.Builder, what string, lines []string, logFile string) {
	if len(lines) > maxSaidLines {
		lines = lines[len(lines)-maxSaidLines:]
	}
	for i, line := range lines {
		if i == 0 {
			b.WriteString("; " + what + ": ")
		} else {
			b.WriteString(" | ")
		}
		b.WriteString(shorten(strings.TrimSpace(line), maxSaidLineBytes))
	}
	if logFile != "" {
		b.WriteString("; full log: " + logFile)
	}
}

var _ error = (*Exit)(nil)
