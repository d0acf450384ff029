// Package clock provides pauses, limits, and an episode's time budget, based on a clock that tests can replace.
//
//	bounded, stop := clock.WithLimit(ctx, system, time.Minute, errTooLong)
//	budget := clock.NewBudget(system, 5*time.Minute, expire)
//	budget.Hold() // during waits that the episode did not cause
//
// It does not depend on episodes.
package clock

import (
	"context"
	"sync"
	"time"
)

// Clock tells the time. Tests provide their own.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f in its own goroutine after d has elapsed.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a pending call.
type Timer interface {
	// Stop prevents the call and reports whether it did so in time.
	Stop() bool
}

// System is the system clock.
type System struct{}

// Now implements Clock.
func (System) Now() time.Time { return time.Now() }

// AfterFunc implements Clock.
func (System) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }

// Pause waits for d. If ctx is done first, it returns the cause.
func Pause(ctx context.Context, clock Clock, d time.Duration) error {
	over := make(chan struct{})
	timer := clock.AfterFunc(d, func() { close(over) })
	defer timer.Stop()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Backoff returns the pause before the nth retry, counting from 0.
func Backoff(first, most time.Duration, n int) time.Duration {
	d := first << min(n, 16)
	return min(d, most)
}

// WithLimit limits ctx using the given clock. When the limit expires, the context's cause is expired.
func WithLimit(ctx context.Context, clock Clock, limit time.Duration, expired error) (context.Context, func()) {
	bounded, cancel := context.WithCancelCause(ctx)
	timer := clock.AfterFunc(limit, func() { cancel(expired) })
	return bounded, func() {
		timer.Stop()
		cancel(nil)
	}
}

// Budget is the time during which an episode may work. It is paused while the episode waits for something that it did
// not cause.
type Budget struct {
	clock  Clock
	expire func()

	mu     sync.Mutex
	left   time.Duration // remaining at since
	since  time.Time     // the last start; zero while held
	timer  Timer
	holds  int
	ended  bool
	rounds int // distinguishes a timer that fired late from the current one
}

// NewBudget returns a running budget. It calls expire at most once.
func NewBudget(clock Clock, budget time.Duration, expire func()) *Budget {
	b := &Budget{clock: clock, expire: expire, left: budget}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.start()
	return b
}

func (b *Budget) start() {
	b.since = b.clock.Now()
	b.rounds++
	round := b.rounds
	b.timer = b.clock.AfterFunc(b.left, func() { b.fire(round) })
}

func (b *Budget) fire(round int) {
	b.mu.Lock()
	stale := b.ended || b.holds > 0 || round != b.rounds
	b.ended = b.ended || !stale
	b.mu.Unlock()
	if !stale {
		b.expire()
	}
}

// Hold pauses the budget until Resume has been called the same number of times.
func (b *Budget) Hold() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.holds++
	if b.ended || b.holds > 1 {
		return
	}
	b.timer.Stop()
	b.left = max(0, b.left-b.clock.Now().Sub(b.since))
}

// Resume reverts one Hold.
func (b *Budget) Resume() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.holds--
	if b.ended || b.holds > 0 {
		return
	}
	b.start()
}

// Remaining returns the remaining time.
func (b *Budget) Remaining() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.holds > 0 || b.ended {
		return max(0, b.left)
	}
	return max(0, b.left-b.clock.Now().Sub(b.since))
}

// Stop ends the budget, which then no longer expires.
func (b *Budget) Stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	b.timer.Stop()
}
