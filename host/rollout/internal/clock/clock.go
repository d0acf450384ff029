// Package clock bounds what is done by a clock that tests can bring: pauses, limits, and the time that an episode
// may work.
//
//	bounded, stop := clock.WithLimit(ctx, system, time.Minute, errTooLong)
//	budget := clock.NewBudget(system, 5*time.Minute, expire)
//	budget.Hold() // while what is waited for is nobody's fault
//
// It knows nothing of episodes.
package clock

import (
	"context"
	"sync"
	"time"
)

// Clock tells the time. Tests bring their own.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f in a goroutine of its own once d has passed.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a call that is still to come.
type Timer interface {
	// Stop prevents the call and reports whether it was in time.
	Stop() bool
}

// System is the clock of the machine.
type System struct{}

// Now implements Clock.
func (System) Now() time.Time { return time.Now() }

// AfterFunc implements Clock.
func (System) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }

// Pause waits for d, or less where ctx ends first, which is then the error.
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

// Backoff is how long to wait before the nth repetition, from 0.
func Backoff(first, most time.Duration, n int) time.Duration {
	d := first << min(n, 16)
	return min(d, most)
}

// WithLimit bounds ctx by the injected clock; the cause of its end is then expired.
func WithLimit(ctx context.Context, clock Clock, limit time.Duration, expired error) (context.Context, func()) {
	bounded, cancel := context.WithCancelCause(ctx)
	timer := clock.AfterFunc(limit, func() { cancel(expired) })
	return bounded, func() {
		timer.Stop()
		cancel(nil)
	}
}

// Budget is the time that an episode may work. It stands still while the episode waits for something that is
// not its fault.
type Budget struct {
	clock  Clock
	expire func()

	mu     sync.Mutex
	left   time.Duration // when since began
	since  time.Time     // the last start; zero while held
	timer  Timer
	holds  int
	ended  bool
	rounds int // tells a timer that fired late from the current one
}

// NewBudget starts the clock; expire is called at most once.
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

// Hold stops the clock until the same number of resumes.
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

// Resume undoes a Hold.
func (b *Budget) Resume() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.holds--
	if b.ended || b.holds > 0 {
		return
	}
	b.start()
}

// Remaining is what is left now.
func (b *Budget) Remaining() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.holds > 0 || b.ended {
		return max(0, b.left)
	}
	return max(0, b.left-b.clock.Now().Sub(b.since))
}

// Stop ends the budget: it does not expire any more.
func (b *Budget) Stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	b.timer.Stop()
}
