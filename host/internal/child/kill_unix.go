//go:build unix

package child

import (
	"os"
	"syscall"
)

// killGroup kills a child and its process group.
func killGroup(leader *os.Process) error { return syscall.Kill(-leader.Pid, syscall.SIGKILL) }
