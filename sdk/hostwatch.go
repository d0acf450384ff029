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
	// EnvDetachable is "1" for a process that is allowed to outlive its host.
	EnvDetachable = "AWHOST_DETACHABLE"
	// EnvHostAbsence is how long such a process then waits for a host to return, as a Go duration; the default is one
	// hour.
	EnvHostAbsence = "AWHOST_HOST_ABSENCE_TIMEOUT"
)

const defaultAbsenceTimeout = time.Hour

// hostWatch tracks whether a host is present. Standard input is a pipe whose other end is held only by the host: when
// the pipe is closed, the host has exited. A process that is allowed to outlive its host then continues until no host
// has called it for the duration of absence.
type hostWatch struct {
	absenceTimeout time.Duration // 0: the process ends with its host
	after          func(time.Duration) <-chan time.Time

	mu     sync.Mutex
	called chan struct{} // closed and replaced by every call
}

func newHostWatch(getenv func(string) string) *hostWatch {
	w := &hostWatch{after: time.After, called: make(chan struct{})}
	if getenv(EnvDetachable) != "1" {
		return w
	}
	w.absenceTimeout = defaultAbsenceTimeout
	if d, err := time.ParseDuration(getenv(EnvHostAbsence)); err == nil && d > 0 {
		w.absenceTimeout = d
	}
	return w
}

// recordCall records a call of a host.
func (w *hostWatch) recordCall(ctx context.Context, req any, _ *grpc.UnaryServerInfo,
	next grpc.UnaryHandler) (any, error) {
	if w.absenceTimeout > 0 {
		w.mu.Lock()
		close(w.called)
		w.called = make(chan struct{})
		w.mu.Unlock()
	}
	return next(ctx, req)
}

// watch calls end when the process must exit.
func (w *hostWatch) watch(lifeline io.Reader, end func()) {
	_, _ = io.Copy(io.Discard, lifeline)
	for w.absenceTimeout > 0 {
		w.mu.Lock()
		called := w.called
		w.mu.Unlock()
		select {
		case <-called: // a host has returned
			continue
		case <-w.after(w.absenceTimeout):
		}
		break
	}
	end()
}
