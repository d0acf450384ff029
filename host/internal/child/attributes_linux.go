package child

import "syscall"

// Attributes puts a child into a new process group, so that the group can be ended with the child and the terminal's
// signals do not reach it. The child receives the signal when the thread that started it ends, as with the host.
func Attributes(death syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: death}
}
