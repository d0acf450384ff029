//go:build unix

package conformance

import (
	"os/exec"
	"syscall"
)

// setProcessGroup gives a program its own process group, so that its children end with it, for example the worker
// behind a shell.
func setProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a program started by apart together with its children.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // fails if it has already exited
