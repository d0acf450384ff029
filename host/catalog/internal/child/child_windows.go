package child

import (
	"os"
	"syscall"
)

// Windows builds, and is not supported beyond that.

func attributes() *syscall.SysProcAttr { return nil }

func killGroup(leader *os.Process) error { return leader.Kill() }
