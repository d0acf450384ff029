package child

import "syscall"

// attributes puts a child into a new process group, so that the group can be ended with the child, and ends the child
// together with the host.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
