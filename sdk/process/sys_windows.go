package process

import (
	"os"
	"syscall"
)

// The package compiles on Windows but does not support it, because process groups cannot be ended as a whole.

func processAttributes(bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func terminateGroup(*os.Process) {} // Windows has nothing between the RPC and ending the process

func killGroup(leader *os.Process) { _ = leader.Kill() }

func signalOf(*os.ProcessState) string { return "" }

func ownedByUser(os.FileInfo) bool { return true }
