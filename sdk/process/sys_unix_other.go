//go:build unix && !linux

package process

import "syscall"

// processAttributes puts a process in its own session and process group. This system has no death signal; the lifeline
// ends the process with its host.
func processAttributes(bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
