package view

import "time"

// cadence limits routine lines: they are frequent while a run is young and rare when it is old, so that a three-day log
// stays readable. The zero value is ready to use.
type cadence struct {
	shown int
	last  time.Duration // age of the run at the last line
}

// burst is the number of lines that are shown before lines are spaced out.
const burst = 3

// due reports whether a routine line is due at the given age of the run. If so, it counts the line as shown.
func (c *cadence) due(age time.Duration) bool {
	if c.shown >= burst && age-c.last < interval(age) {
		return false
	}
	c.shown++
	c.last = age
	return true
}

// interval returns the time between routine lines at the given age of the run.
func interval(age time.Duration) time.Duration {
	switch {
	case age < 2*time.Minute:
		return 10 * time.Second
	case age < 10*time.Minute:
		return 30 * time.Second
	case age < time.Hour:
		return time.Minute
	case age < 12*time.Hour:
		return 10 * time.Minute
	}
	return 30 * time.Minute
}

// budget lets the first freeLines lines from a source through and then spaces them out. It counts the lines that it has
// suppressed.
type budget struct {
	cadence
	seen int
	held int
}

const freeLines = 20

// take reports whether the line may be shown, and how many lines were suppressed before it.
func (b *budget) take(age time.Duration) (held int, ok bool) {
	b.seen++
	if b.seen <= freeLines {
		b.last, b.shown = age, burst
		return 0, true
	}
	if !b.due(age) {
		b.held++
		return 0, false
	}
	held, b.held = b.held, 0
	return held, true
}
