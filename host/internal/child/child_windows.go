package child

import (
	"os"
	"syscall"
)

// The code compiles on Windows, but Windows is not supported.

// Attributes returns nothing.
func Attributes(syscall.Signal) *syscall.SysProcAttr { return nil }

func killGroup(leader *os.Process) error { return leader.Kill() }
