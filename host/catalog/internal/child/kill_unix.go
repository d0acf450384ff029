//go:build unix

package child

import (
	"os"
	"syscall"
)

// killGroup ends a child and what it started.
func killGroup(leader *os.Process) error { return syscall.Kill(-leader.Pid, syscall.SIGKILL) }
