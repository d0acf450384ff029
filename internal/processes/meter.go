package processes

import (
	"sync"
	"time"
)

// Use is what a process and all that descend from it use.
type Use struct {
	PID       int
	Started   time.Time
	Processes int
	RSS       int64   // bytes; what processes share counts for each
	CPU       float64 // seconds, of those that live
	// Busy is how many processors were kept busy since the look before; nil: there was none, or nobody can tell.
	Busy *float64
}

// Soonest is how long after a look another one says something: CPU time is counted in steps of 10 ms.
const Soonest = 250 * time.Millisecond

// Meter looks at trees of processes again and again. Its zero value has looked at none.
type Meter struct {
	mu    sync.Mutex
	looks map[int]look // the last at each root
}

type look struct {
	at time.Time
	Use
}

// Measure sums up a tree, its root first, as Below returns it. Nothing is known of an empty one.
func (m *Meter) Measure(tree []Process, now time.Time) (use Use, known bool) {
	if len(tree) == 0 {
		return Use{}, false
	}
	use = Use{PID: tree[0].PID, Started: tree[0].Started, Processes: len(tree)}
	for _, p := range tree {
		use.RSS += p.RSS
		use.CPU += p.CPU
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	was, looked := m.looks[use.PID]
	looked = looked && was.Started.Equal(use.Started) // else another process has got its number
	past := now.Sub(was.at)
	if looked && past < Soonest {
		use.Busy = was.Busy
		return use, true
	}
	if looked {
		busy := max(0, (use.CPU-was.CPU)/past.Seconds()) // a child that has ended took its time with it
		use.Busy = &busy
	}
	if m.looks == nil {
		m.looks = map[int]look{}
	}
	m.looks[use.PID] = look{now, use}
	return use, true
}
