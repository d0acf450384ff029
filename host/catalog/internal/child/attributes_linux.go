package child

import "syscall"

// attributes put a child into a group of its own, which ends with it, and end it with the host.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
