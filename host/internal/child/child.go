// Package child runs external programs to completion and captures their output. It does not depend on plugins.
//
//	output := &child.Head{Limit: child.MaxMessageBytes}
//	cmd.Stdout, cmd.Stderr = output, output
//	if err := child.Run(cmd); err != nil {
//		return fmt.Errorf("%w\n%s", err, strings.Join(child.PrintableLines(output.Text), "\n"))
//	}
package child

import (
	"errors"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Run runs an untrusted program until it exits or the command's context ends. It leaves no process behind that the
// program started and that still holds its output open.
func Run(cmd *exec.Cmd) error {
	// Linux ends the child when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = Attributes(syscall.SIGKILL)
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		_ = killGroup(cmd.Process) // the processes that hold the pipes are in the group
		if cmd.ProcessState.Success() {
			return nil
		}
	}
	return err
}
