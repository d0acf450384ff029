package process

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// isolate puts the child into a process group of its own and asks the kernel to kill it when the owner dies.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// startAndWait starts the child and waits for it on one OS thread, which lives as long as the child: the death signal is
// tied to the thread that forked (golang/go#27505).
func (p *Process) startAndWait(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p.run(started)
}

func terminateGroup(child *os.Process) {
	_ = syscall.Kill(-child.Pid, syscall.SIGTERM) // no such group: it is gone, which is what is wanted
	_ = syscall.Kill(-child.Pid, syscall.SIGCONT)
}

func killGroup(child *os.Process) { _ = syscall.Kill(-child.Pid, syscall.SIGKILL) }
