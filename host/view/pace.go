package view

import "time"

// pace estimates when the last step will be done from how long the latest took, validations and checkpoints
// included.
type pace struct {
	finished [32]time.Time // ring
	count    int
}

func (p *pace) begin(at time.Time) { *p = pace{}; p.add(at) }

// isKnown says whether a step has begun or ended: the start of a trainer takes minutes and is no step.
func (p *pace) isKnown() bool { return p.count > 0 }

func (p *pace) add(at time.Time) {
	p.finished[p.count%len(p.finished)] = at
	p.count++
}

// perStep is the mean time between steps; 0 when it is not known.
func (p *pace) perStep() time.Duration {
	known := min(p.count, len(p.finished))
	if known < 2 {
		return 0
	}
	first, last := p.finished[(p.count-known)%len(p.finished)], p.last()
	return last.Sub(first) / time.Duration(known-1)
}

func (p *pace) last() time.Time { return p.finished[(p.count-1)%len(p.finished)] }

// overdue is how many times longer than the latest ones a step takes that is not like them: the trainer validates, saves, or
// is dead, and nobody can say for how long.
const (
	overdue        = 4
	overdueAtLeast = 10 * time.Second
)

// remaining is the time until so many more steps are done; ok is false when nothing is known.
func (p *pace) remaining(steps int, now time.Time) (left time.Duration, ok bool) {
	each := p.perStep()
	if each <= 0 {
		return 0, false
	}
	spent := now.Sub(p.last()) // of the step at hand
	if spent > overdue*each && spent > overdueAtLeast {
		return 0, false
	}
	spent = min(spent, each)
	return max(0, each*time.Duration(steps)-spent), true
}
