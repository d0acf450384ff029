package local

import (
	"sync"
	"time"
)

// progressInterval prevents a phase that consists of many short parts from flooding the host.
const progressInterval = 100 * time.Millisecond

// progress reports the progress of a phase, at most ten times per second and at the end. Reports are in order.
type progress struct {
	total  int
	report func(done int) error

	mu   sync.Mutex
	done int
	last time.Time
}

func newProgress(total int, report func(done int) error) *progress {
	return &progress{total: total, report: report}
}

// add counts one part as done.
func (p *progress) add() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.done < p.total && time.Since(p.last) < progressInterval {
		return nil
	}
	p.last = time.Now()
	return p.report(p.done)
}
