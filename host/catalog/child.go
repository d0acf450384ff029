package catalog

import (
	"errors"
	"os/exec"
	"runtime"
	"time"
)

// runChild runs a stranger's program to its end, or to that of the command's context. Nothing that it started and that
// still holds its output is left.
func runChild(cmd *exec.Cmd) error {
	// Linux ends the child when the thread that started it does.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = childAttributes()
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		_ = killGroup(cmd.Process) // whoever holds the pipes is in it
		if cmd.ProcessState.Success() {
			return nil
		}
	}
	return err
}
