// Package child runs programs of others to their end, and keeps what they say to people. It knows nothing of plugins.
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
	"time"
)

// Run runs a stranger's program to its end, or to that of the command's context. Nothing that it started and that
// still holds its output is left.
func Run(cmd *exec.Cmd) error {
	// Linux ends the child when the thread that started it does.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = attributes()
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
