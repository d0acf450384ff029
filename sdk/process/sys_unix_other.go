//go:build unix && !linux

package process

import "syscall"

// processAttributes put a process into a session and process group of its own. There is no death signal here: the
// lifeline is what ends it with its host.
func processAttributes(bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
