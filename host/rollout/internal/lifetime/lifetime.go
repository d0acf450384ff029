// Package lifetime manages an engine's goroutines: it starts them, ends them with the engine, and waits for them.
//
//	life := lifetime.New()
//	err := life.Begin(func(ctx context.Context) { … })
//	life.Fail(err)                      // ends everything, for a reason
//	life.Close("the run stops")
//	life.Wait()
//
// It does not depend on episodes.
package lifetime

import (
	"context"
	"errors"
	"sync"

	"github.com/awhost/awhost/host/rollout/internal/verdict"
)

// Lifetime is the lifetime of an engine. It ends once.
type Lifetime struct {
	base   context.Context // of all the engine's work; the only place where it stores a context
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	fatal   error
	failed  chan struct{}
	closed  bool
	running sync.WaitGroup
}

// New starts a Lifetime. The caller must close it.
func New() *Lifetime {
	base, cancel := context.WithCancelCause(context.Background())
	return &Lifetime{base: base, cancel: cancel, failed: make(chan struct{})}
}

// Context returns the context for all of the engine's work.
func (l *Lifetime) Context() context.Context { return l.base }

// Spawn starts a goroutine that Wait waits for. It is called from such a goroutine, or by Begin.
func (l *Lifetime) Spawn(f func(ctx context.Context)) { l.running.Go(func() { f(l.base) }) }

// Begin starts a goroutine for other callers, like Spawn. It returns an error if the engine has been closed or has
// failed.
func (l *Lifetime) Begin(f func(ctx context.Context)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fatal != nil {
		return verdict.Unavailable(l.fatal)
	}
	if l.closed {
		return verdict.Unavailable(errors.New("the run is stopping: it accepts no further episodes"))
	}
	l.Spawn(f)
	return nil
}

// Fail ends all running work without a result and prevents new work. Only the first call has an effect.
func (l *Lifetime) Fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fatal != nil {
		return
	}
	l.fatal = err
	close(l.failed)
	l.cancel(&verdict.HostEnded{Reason: "the run failed"})
}

// Err returns the error passed to Fail, or nil.
func (l *Lifetime) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fatal
}

// Failed returns a channel that Fail closes.
func (l *Lifetime) Failed() <-chan struct{} { return l.failed }

// Close ends running work and prevents new work. The caller must then call Wait.
func (l *Lifetime) Close(reason string) {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.cancel(&verdict.HostEnded{Reason: reason})
}

// Wait returns when all goroutines have ended.
func (l *Lifetime) Wait() { l.running.Wait() }
