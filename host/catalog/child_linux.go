package catalog

import "syscall"

// childAttributes put a child into a group of its own, which ends with it, and end it with the host.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
