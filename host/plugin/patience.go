package plugin

import "time"

// Patience says when a plugin counts as hung. Its health is checked while calls wait for it, and on until it answers. A
// plugin that works on one long call answers health checks, and is never hung. What counts is the number of checks in a
// row that failed, not the clock on the wall: a host that was itself stopped must not blame its plugins.
type Patience struct {
	// Check is the time between two health checks, and the deadline of each; 5 s when zero.
	Check time.Duration
	// Warn is how long a plugin may give no answer before that is said; 30 s when zero.
	Warn time.Duration
	// End is when it is ended, to be started again; 60 s when zero.
	End time.Duration
	// EndBusy is End for a process that uses processor time meanwhile: a Python plugin serves nothing while a library
	// holds the interpreter's lock. 10 minutes when zero. A process that a debugger holds is never ended.
	EndBusy time.Duration
	// Tick is time.After, unless a test has another.
	Tick func(time.Duration) <-chan time.Time
}

func (p Patience) withDefaults() Patience {
	for limit, normal := range map[*time.Duration]time.Duration{
		&p.Check: 5 * time.Second, &p.Warn: 30 * time.Second, &p.End: 60 * time.Second, &p.EndBusy: 10 * time.Minute,
	} {
		if *limit <= 0 {
			*limit = normal
		}
	}
	if p.Tick == nil {
		p.Tick = time.After
	}
	return p
}

// Silence is a plugin that gives no answer, or does again.
type Silence struct {
	Block Block
	PID   int
	For   time.Duration
	State string   // of the process, in words; empty where the system does not tell
	Calls []string // that wait for it
	Over  bool     // it answers again
}
