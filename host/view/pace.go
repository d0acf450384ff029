package view

import "time"

// pace estimates when the last step will end from the duration of the latest steps, including validations and
// checkpoints.
type pace struct {
	finished [32]time.Time // ring buffer
	count    int
}

func (p *pace) begin(at time.Time) { *p = pace{}; p.add(at) }

// isKnown reports whether a step has begun or ended. Starting a trainer takes minutes and does not count as a step.
func (p *pace) isKnown() bool { return p.count > 0 }

func (p *pace) add(at time.Time) {
	p.finished[p.count%len(p.finished)] = at
	p.count++
}

// perStep returns the mean time between steps, or 0 if it is unknown.
func (p *pace) perStep() time.Duration {
	known := min(p.count, len(p.finished))
	if known < 2 {
		return 0
	}
	first, last := p.finished[(p.count-known)%len(p.finished)], p.last()
	return last.Sub(first) / time.Duration(known-1)
}

func (p *pace) last() time.Time { return p.finished[(p.count-1)%len(p.finished)] }

// overdue is the multiple of the mean step time after which a step has no estimate. The trainer is then validating,
// saving or dead, and the remaining time is unknown.
const (
	overdue        = 4
	overdueAtLeast = 10 * time.Second
)

// remaining returns the time until the given number of further steps are done. ok is false if that time is unknown.
func (p *pace) remaining(steps int, now time.Time) (left time.Duration, ok bool) {
	each := p.perStep()
	if each <= 0 {
		return 0, false
	}
	spent := now.Sub(p.last()) // time in the current step
	if spent > overdue*each && spent > overdueAtLeast {
		return 0, false
	}
	spent = min(spent, each)
	return max(0, each*time.Duration(steps)-spent), true
}
