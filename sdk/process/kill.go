package process

import (
	"context"
	"fmt"
	"time"
)

const (
	// earlyGrace is the grace period for a process that has never sent a handshake, which has no work to finish.
	earlyGrace = 500 * time.Millisecond
	// killWait limits the wait for a process that has received SIGKILL. Only the kernel can hold one longer.
	killWait = 5 * time.Second
)

// Kill ends the process and its group with SIGTERM and SIGCONT, the grace period, and then SIGKILL. It also releases a
// process that has already ended. When ctx is done, the grace period ends. Kill always returns: when the process has
// ended, or with an error if SIGKILL has had no effect for five seconds. Repeated calls wait for the first one.
func (p *Process) Kill(ctx context.Context) error {
	p.killOnce.Do(func() {
		if p.requestKill() {
			go p.terminate()
			return
		}
		close(p.killed) // it never ran
	})
	select {
	case <-p.killed:
	case <-ctx.Done():
		p.skipGrace()
		<-p.killed // bounded: see terminate
	}
	return p.killErr
}

func (p *Process) skipGrace() { p.graceOnce.Do(func() { close(p.graceEnded) }) }

// requestKill reports whether there is a process to kill. A process that has not been started can no longer be started.
func (p *Process) requestKill() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requested = true
	return p.child != nil
}

// terminate performs a process's only kill.
func (p *Process) terminate() {
	defer close(p.killed)
	p.child.terminate() // a stopped process receives it only because it is continued
	if !p.waitDone(p.grace(), p.graceEnded) {
		p.child.kill()
		if !p.waitDone(killWait, nil) {
			p.killErr = fmt.Errorf("kill %s: process %d still exists %s after SIGKILL: the kernel is not releasing "+
				"it", p.config.Name,
				p.PID(), killWait)
			p.closeStreams()
			return
		}
	}
	// The group is gone. A grandchild outside the group may still hold the pipes, but it is no longer waited for.
	<-p.drained
	p.closeStreams()
	<-p.finished
}

func (p *Process) grace() time.Duration {
	if p.handshake.pending() || p.handshake.failed() {
		return min(p.config.Grace, earlyGrace)
	}
	return p.config.Grace
}

// waitDone waits for the process to end, up to limit or until hurry is closed.
func (p *Process) waitDone(limit time.Duration, hurry <-chan struct{}) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-hurry:
	case <-timer.C:
	}
	return false
}

// Shutdown ends a plugin that go-plugin's client is connected to. closeClient is (*plugin.Client).Kill, which sends the
// plugin a request by RPC. That call has no deadline: it returns when the process has exited. Shutdown ensures that
// this happens after the grace period or when ctx is done.
func (p *Process) Shutdown(ctx context.Context, closeClient func()) error {
	p.requestKill()
	closed := make(chan struct{})
	go func() {
		closeClient()
		close(closed)
	}()
	timer := time.NewTimer(p.config.Grace)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-closed:
	case <-timer.C:
	case <-ctx.Done():
	}
	err := p.Kill(ctx)
	if err != nil {
		return err // closeClient waits for the same process
	}
	<-closed
	return nil
}
