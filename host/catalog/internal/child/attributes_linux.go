package child

import "syscall"

// attributes puts a child into a new process group, so that its group can be ended with it, and ends it with the
// host.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
