//go:build unix

package specimen

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func startTrainer() (end func(), err error) {
	file, err := os.OpenFile(Trainers, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cmd := exec.Command("sleep", "600")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	fmt.Fprintln(file, cmd.Process.Pid)
	return func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}, nil
}
