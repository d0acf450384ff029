package rollout

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
	// Stop prevents the call and says whether it was in time.
	Stop() bool
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }

// pause waits for d, or less where ctx ends first, which is then the error.
func pause(ctx context.Context, clock Clock, d time.Duration) error {
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

// backoff is how long to wait before the nth repetition, from 0.
func backoff(first, most time.Duration, n int) time.Duration {
	d := first << min(n, 16)
	return min(d, most)
}

// withLimit bounds ctx by the injected clock; the cause of its end is then expired.
func withLimit(ctx context.Context, clock Clock, limit time.Duration, expired error) (context.Context, func()) {
	bounded, cancel := context.WithCancelCause(ctx)
	timer := clock.AfterFunc(limit, func() { cancel(expired) })
	return bounded, func() {
		timer.Stop()
		cancel(nil)
	}
}

// activeBudget is the time that an episode may work. It stands still while the episode waits for something that is
// not its fault.
type activeBudget struct {
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

// newActiveBudget starts the clock; expire is called at most once.
func newActiveBudget(clock Clock, budget time.Duration, expire func()) *activeBudget {
	b := &activeBudget{clock: clock, expire: expire, left: budget}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.start()
	return b
}

func (b *activeBudget) start() {
	b.since = b.clock.Now()
	b.rounds++
	round := b.rounds
	b.timer = b.clock.AfterFunc(b.left, func() { b.fire(round) })
}

func (b *activeBudget) fire(round int) {
	b.mu.Lock()
	stale := b.ended || b.holds > 0 || round != b.rounds
	b.ended = b.ended || !stale
	b.mu.Unlock()
	if !stale {
		b.expire()
	}
}

// hold stops the clock until the same number of resumes.
func (b *activeBudget) hold() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.holds++
	if b.ended || b.holds > 1 {
		return
	}
	b.timer.Stop()
	b.left = max(0, b.left-b.clock.Now().Sub(b.since))
}

func (b *activeBudget) resume() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.holds--
	if b.ended || b.holds > 0 {
		return
	}
	b.start()
}

// remaining is what is left now.
func (b *activeBudget) remaining() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.holds > 0 || b.ended {
		return max(0, b.left)
	}
	return max(0, b.left-b.clock.Now().Sub(b.since))
}

// stop ends the budget: it does not expire any more.
func (b *activeBudget) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	b.timer.Stop()
}
