package view

import "time"

// cadence spaces routine lines: often while a run is young, seldom when it is old, so that a log of three days can
// still be read. The zero value is ready.
type cadence struct {
	shown int
	last  time.Duration // age of the run at the last line
}

// burst is how many lines are shown at once before they are spaced.
const burst = 3

// due says whether a routine line is due at that age of the run, and counts it as shown.
func (c *cadence) due(age time.Duration) bool {
	if c.shown >= burst && age-c.last < interval(age) {
		return false
	}
	c.shown++
	c.last = age
	return true
}

// interval is the distance of routine lines at an age.
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

// budget lets the lines of one source through until there are too many, and then spaces them. What was held back is
// counted.
type budget struct {
	cadence
	seen int
	held int
}

const freeLines = 20

// take says whether the line may be shown, and how many before it were not.
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
