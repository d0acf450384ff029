package catalog

import (
	"os"
	"syscall"
)

// Windows builds, and is not supported beyond that.

func childAttributes() *syscall.SysProcAttr { return nil }

func killGroup(leader *os.Process) error { return leader.Kill() }
