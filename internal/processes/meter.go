package processes

import (
	"sync"
	"time"
)

// Use is the resource usage of a process and its descendants.
type Use struct {
	PID       int
	Started   time.Time
	Processes int
	RSS       int64   // bytes; memory shared by processes counts for each
	CPU       float64 // seconds, of running processes
	// Busy is the number of processors that were kept busy since the previous measurement, or nil if there was none.
	Busy *float64
}

// Soonest is the minimum time between two useful measurements, because CPU time is counted in steps of 10 ms.
const Soonest = 250 * time.Millisecond

// Meter measures process trees repeatedly. Its zero value is ready to use.
type Meter struct {
	mu    sync.Mutex
	looks map[int]look // the last measurement of each root
}

type look struct {
	at time.Time
	Use
}

// Measure sums up a tree whose root comes first, in the form returned by Below. known is false for an empty tree.
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
	looked = looked && was.Started.Equal(use.Started) // otherwise another process has reused the ID
	past := now.Sub(was.at)
	if looked && past < Soonest {
		use.Busy = was.Busy
		return use, true
	}
	if looked {
		busy := max(0, (use.CPU-was.CPU)/past.Seconds()) // a child that has ended no longer counts
		use.Busy = &busy
	}
	if m.looks == nil {
		m.looks = map[int]look{}
	}
	m.looks[use.PID] = look{now, use}
	return use, true
}
