// Package lifetime owns the goroutines of an engine: they begin while it runs, end with it, and are waited for.
//
//	life := lifetime.New()
//	err := life.Begin(func(ctx context.Context) { … })
//	life.Fail(err)                      // ends everything, for a reason
//	life.Close("the run stops")
//	life.Wait()
//
// It knows nothing of episodes.
package lifetime

import (
	"context"
	"errors"
	"sync"

	"github.com/awhost/awhost/host/rollout/internal/verdict"
)

// Lifetime is that of an engine. It ends once.
type Lifetime struct {
	base   context.Context // of everything the engine does; the one place where it keeps a context
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	fatal   error
	failed  chan struct{}
	closed  bool
	running sync.WaitGroup
}

// New begins a Lifetime. Close it.
func New() *Lifetime {
	base, cancel := context.WithCancelCause(context.Background())
	return &Lifetime{base: base, cancel: cancel, failed: make(chan struct{})}
}

// Context returns the context of everything that the engine does.
func (l *Lifetime) Context() context.Context { return l.base }

// Spawn starts a goroutine that Wait joins. It is called from one of them, or by Begin.
func (l *Lifetime) Spawn(f func(ctx context.Context)) { l.running.Go(func() { f(l.base) }) }

// Begin is Spawn for the outside: it refuses once the engine is closed, or has failed.
func (l *Lifetime) Begin(f func(ctx context.Context)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fatal != nil {
		return verdict.Unavailable(l.fatal)
	}
	if l.closed {
		return verdict.Unavailable(errors.New("the run stops: it takes no more episodes"))
	}
	l.Spawn(f)
	return nil
}

// Fail ends everything under way without a result, and nothing new begins. Only the first call counts.
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

// Err returns what failed, or nil.
func (l *Lifetime) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fatal
}

// Failed is closed by Fail.
func (l *Lifetime) Failed() <-chan struct{} { return l.failed }

// Close ends what is under way and begins nothing more. Whoever calls it waits with Wait.
func (l *Lifetime) Close(reason string) {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.cancel(&verdict.HostEnded{Reason: reason})
}

// Wait returns when all goroutines have ended.
func (l *Lifetime) Wait() { l.running.Wait() }
