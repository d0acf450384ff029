package sdk

import (
	"context"
	"io"
	"sync"
	"time"

	"google.golang.org/grpc"
)

// The environment variables that a host sets for a plugin that may outlive it.
const (
	// EnvDetachable is "1" for a process that may outlive its host.
	EnvDetachable = "AWHOST_DETACHABLE"
	// EnvHostAbsence is the time that it then waits for a host to return, as a Go duration; an hour by default.
	EnvHostAbsence = "AWHOST_HOST_ABSENCE_TIMEOUT"
)

const defaultHostAbsence = time.Hour

// presence tracks whether there is a host. Standard input is a pipe whose other end only the host holds: when it
// ends, the host is gone. A process that may outlive its host then continues until no host has called it for absence.
type presence struct {
	absence time.Duration // 0: the process ends with its host
	after   func(time.Duration) <-chan time.Time

	mu     sync.Mutex
	called chan struct{} // closed and replaced by every call
}

func newPresence(getenv func(string) string) *presence {
	p := &presence{after: time.After, called: make(chan struct{})}
	if getenv(EnvDetachable) != "1" {
		return p
	}
	p.absence = defaultHostAbsence
	if d, err := time.ParseDuration(getenv(EnvHostAbsence)); err == nil && d > 0 {
		p.absence = d
	}
	return p
}

// note records a call of a host.
func (p *presence) note(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if p.absence > 0 {
		p.mu.Lock()
		close(p.called)
		p.called = make(chan struct{})
		p.mu.Unlock()
	}
	return next(ctx, req)
}

// watch calls end when the process must exit.
func (p *presence) watch(lifeline io.Reader, end func()) {
	_, _ = io.Copy(io.Discard, lifeline)
	for p.absence > 0 {
		p.mu.Lock()
		called := p.called
		p.mu.Unlock()
		select {
		case <-called: // a host has returned
			continue
		case <-p.after(p.absence):
		}
		break
	}
	end()
}
