//go:build unix

package process

import (
	"os"
	"syscall"
)

// terminateGroup sends SIGTERM to the whole group and continues stopped processes so that they receive it.
func terminateGroup(leader *os.Process) {
	_ = syscall.Kill(-leader.Pid, syscall.SIGTERM) // an empty group is the desired state
	_ = syscall.Kill(-leader.Pid, syscall.SIGCONT)
}

// killGroup kills the whole group, even if its leader has exited.
func killGroup(leader *os.Process) {
	_ = syscall.Kill(-leader.Pid, syscall.SIGKILL)
}

func signalOf(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok {
		return signalIn(status)
	}
	return ""
}

// signalIn returns the name of the signal that ended a process, or an empty string.
func signalIn(status syscall.WaitStatus) string {
	if status.Signaled() {
		return status.Signal().String()
	}
	return ""
}

func ownedByUser(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
