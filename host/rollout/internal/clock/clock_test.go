package clock

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// handClock is advanced manually.
type handClock struct {
	mu     sync.Mutex
	now    time.Time
	timers []*handTimer
}

type handTimer struct {
	clock *handClock
	at    time.Time
	call  func()
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) AfterFunc(d time.Duration, f func()) Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	timer := &handTimer{clock: c, at: c.now.Add(d), call: f}
	c.timers = append(c.timers, timer)
	return timer
}

func (t *handTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	i := slices.Index(t.clock.timers, t)
	if i < 0 {
		return false
	}
	t.clock.timers = slices.Delete(t.clock.timers, i, i+1)
	return true
}

// advance moves the clock and runs the calls that are due.
func (c *handClock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	var due []*handTimer
	c.timers = slices.DeleteFunc(c.timers, func(t *handTimer) bool {
		if t.at.After(c.now) {
			return false
		}
		due = append(due, t)
		return true
	})
	c.mu.Unlock()
	for _, timer := range due {
		timer.call()
	}
}

func TestActiveBudgetStandsStillWhileHeld(t *testing.T) {
	clock := &handClock{}
	expired := 0
	budget := NewBudget(clock, 10*time.Second, func() { expired++ })
	clock.advance(4 * time.Second)
	budget.Hold()
	budget.Hold()
	clock.advance(time.Hour)
	budget.Resume()
	clock.advance(time.Hour)
	if got := budget.Remaining(); got != 6*time.Second || expired != 0 {
		t.Fatalf("while held %v are left and it expired %d times; want 6s and never", got, expired)
	}
	budget.Resume()
	clock.advance(5 * time.Second)
	if got := budget.Remaining(); got != time.Second || expired != 0 {
		t.Fatalf("%v are left and it expired %d times; want 1s and never", got, expired)
	}
	clock.advance(time.Second)
	clock.advance(time.Hour)
	if expired != 1 {
		t.Fatalf("it expired %d times, want once", expired)
	}
	budget.Stop()
}

func TestActiveBudgetStops(t *testing.T) {
	clock := &handClock{}
	budget := NewBudget(clock, time.Second, func() { t.Error("a stopped budget expired") })
	budget.Stop()
	clock.advance(time.Hour)
	if len(clock.timers) != 0 {
		t.Error("a stopped budget left its timer")
	}
}

func TestATimerThatIsLateDoesNotEndAHeldBudget(t *testing.T) {
	clock := &handClock{}
	budget := NewBudget(clock, time.Second, func() { t.Error("a held budget expired") })
	late := clock.timers[0].call // already running when the budget is held
	budget.Hold()
	late()
	budget.Resume()
	late()
	if got := budget.Remaining(); got != time.Second {
		t.Errorf("%v are left, want 1s", got)
	}
	budget.Stop()
}
