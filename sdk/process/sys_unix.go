//go:build unix

package process

import (
	"os"
	"syscall"
)

// terminateGroup asks the whole group to end, and continues what is stopped so that it hears.
func terminateGroup(leader *os.Process) {
	_ = syscall.Kill(-leader.Pid, syscall.SIGTERM) // an empty group is what is wanted
	_ = syscall.Kill(-leader.Pid, syscall.SIGCONT)
}

// killGroup kills the whole group, also when its leader is gone.
func killGroup(leader *os.Process) {
	_ = syscall.Kill(-leader.Pid, syscall.SIGKILL)
}

func signalOf(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok {
		return signalIn(status)
	}
	return ""
}

// signalIn names the signal that ended a process; empty for none.
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
