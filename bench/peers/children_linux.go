package main

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this program the parent of all its descendants whose parent ends. It also raises the number of
// open files for the programs that it starts, because each episode takes a connection.
func adoptOrphans() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become a subreaper: %w", err)
	}
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		return fmt.Errorf("read the limit of open files: %w", err)
	}
	files.Cur = min(files.Max, 65536)
	// The call also makes package os pass the limit on to new processes, which otherwise get the shell's.
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		return fmt.Errorf("raise the limit of open files: %w", err)
	}
	return nil
}

// reap waits for a child that has ended.
func reap(pid int) { _, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) }

// signal ends a process, at once or with SIGTERM.
func signal(pid int, kill bool) {
	process, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer process.Release()
	if kill {
		_ = process.Kill()
		return
	}
	_ = process.Signal(unix.SIGTERM)
}
