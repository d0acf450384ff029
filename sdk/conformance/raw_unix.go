//go:build unix

package conformance

import (
	"os/exec"
	"syscall"
)

// apart gives a program a process group, so that what it starts ends with it: the worker behind a shell, for example.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a program that was started apart, and what it has started.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // gone already, if all went well
