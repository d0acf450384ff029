//go:build unix && !linux

package child

import "syscall"

// Attributes puts a child into a new process group.
func Attributes(syscall.Signal) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
