//go:build !linux

package process

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// Without a start time, a process with a reused PID looks like the old process.
func identify(pid int) (Identity, error) {
	if !exists(pid) {
		return Identity{}, os.ErrProcessDone
	}
	return Identity{PID: pid}, nil
}

func alive(id Identity) bool { return exists(id.PID) }

func parent(int) (int, error) { return 0, errors.ErrUnsupported }

func exists(pid int) bool {
	found, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer found.Release()
	return runtime.GOOS == "windows" || found.Signal(syscall.Signal(0)) == nil
}
