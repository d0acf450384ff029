package process

import (
	"fmt"
	"strings"
	"time"
)

// The states that a process can be in. Each completes the sentence "the process is …".
const (
	StateStopped = "stopped"
	StateTraced  = "held by a debugger"
	StateBusy    = "busy"
	StateWaiting = "waiting"
	StateDevice  = "waiting for a device or a file system"
	StateDead    = "dead"
)

// Activity is the state of a process as reported by the system.
type Activity struct {
	State string        // one of the states; empty if the process is gone or its state is unknown
	Used  time.Duration // processor time of all its threads since its start
}

// Observe returns a process's activity. It supports only Linux and returns an empty result elsewhere.
func Observe(pid int) Activity { return observe(pid) }

// UnresponsiveError reports that a process was ended because it did not respond.
type UnresponsiveError struct {
	Name      string
	PID       int
	For       time.Duration // time without a response
	State     string        // the state of the process; may be empty
	Working   bool          // it used processor time during that period
	Calls     []string      // calls that waited for it
	LastLines []string      // of standard error
	LogFile   string
}

// Error returns one line with the process, the duration, its state, the waiting calls, and its last output.
func (e *UnresponsiveError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s did not respond for %s, not even to health checks, and was ended (process %d %s)", e.Name, e.For,
		e.PID, e.state())
	if len(e.Calls) > 0 {
		fmt.Fprintf(&b, "; waiting for it: %s", strings.Join(e.Calls, ", "))
	}
	writeLastLines(&b, "last lines", e.LastLines, e.LogFile)
	return b.String()
}

func (e *UnresponsiveError) state() string {
	switch {
	case e.State == StateStopped:
		return "was stopped, as by SIGSTOP"
	case e.Working:
		return "was spinning: it used processor time and did not serve"
	case e.State == StateWaiting:
		return "was sleeping: a deadlock, or a wait without end"
	case e.State == "":
		return "was in an unknown state"
	}
	return "was " + e.State
}

// Unresponsive describes a process that is not responding, in its current state.
func (p *Process) Unresponsive(silent time.Duration, working bool, calls []string) *UnresponsiveError {
	return &UnresponsiveError{
		Name: p.config.Name, PID: p.PID(), For: silent, State: Observe(p.PID()).State, Working: working, Calls: calls,
		LastLines: p.LastLines(), LogFile: p.config.LogFile,
	}
}

var _ error = (*UnresponsiveError)(nil)
