package process

import (
	"context"
	"fmt"
	"time"
)

const (
	// earlyGrace is the grace period of a process that never sent a handshake: it has no work to finish.
	earlyGrace = 500 * time.Millisecond
	// killWait bounds the wait for a process that received SIGKILL. Only the kernel can hold one longer.
	killWait = 5 * time.Second
)

// Kill ends the process and its group: SIGTERM and SIGCONT, the grace period, SIGKILL. It also releases a process
// that has ended. The end of ctx ends the grace period. Kill always returns when the process is gone, and with an
// error if SIGKILL has had no effect for five seconds. Repeated calls wait for the first.
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

// requestKill reports whether there is a process to kill. A process that was not started can no longer be started.
func (p *Process) requestKill() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requested = true
	return p.child != nil
}

// terminate performs the only kill of a process.
func (p *Process) terminate() {
	defer close(p.killed)
	p.child.terminate() // a stopped process receives it only because it is continued
	if !p.waitDone(p.grace(), p.graceEnded) {
		p.child.kill()
		if !p.waitDone(killWait, nil) {
			p.killErr = fmt.Errorf("kill %s: process %d still exists %s after SIGKILL: the kernel holds it", p.config.Name,
				p.PID(), killWait)
			p.closeStreams()
			return
		}
	}
	// The group is gone. A grandchild outside of it may still hold the pipes; it is not waited for any longer.
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

// waitDone waits for the end of the process, up to limit or until hurry closes.
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

// Shutdown ends a plugin that go-plugin's client is connected to. closeClient is (*plugin.Client).Kill, which asks
// the plugin by RPC. That call has no deadline: it returns when the process is gone. Shutdown ensures this after the
// grace period or the end of ctx.
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
