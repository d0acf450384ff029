//go:build !linux

package process

import (
	"os"
	"os/exec"
)

// isolate does what this system offers without further rights: nothing. The lifeline still ends the child.
func isolate(*exec.Cmd) {}

func (p *Process) startAndWait(started chan<- error) { p.run(started) }

func terminateGroup(child *os.Process) { _ = child.Signal(os.Interrupt) }

func killGroup(child *os.Process) { _ = child.Kill() }
