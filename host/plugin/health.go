package plugin

import "time"

// HealthPolicy defines when a plugin is considered hung. Its health is checked while calls wait for it, and after that
// until it responds. A plugin with one long-running call responds to health checks and is never considered hung. The
// number of consecutive failed checks is used instead of wall-clock time, because a host that was itself suspended must
// not blame its plugins.
type HealthPolicy struct {
	// Check is the interval between health checks and the deadline for each; 5 s if zero.
	Check time.Duration
	// Warn is how long it may be unresponsive before a warning is published; 30 s if zero.
	Warn time.Duration
	// End is how long it may be unresponsive before it is ended and restarted; 60 s if zero.
	End time.Duration
	// EndBusy replaces End for a process that uses processor time: a Python plugin does not respond at all while a
	// library holds the interpreter lock. 10 minutes if zero. A process under a debugger is never ended.
	EndBusy time.Duration
	// Tick is time.After except in tests.
	Tick func(time.Duration) <-chan time.Time
}

func (p HealthPolicy) withDefaults() HealthPolicy {
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

// Silence reports that a plugin has stopped responding or is responding again.
type Silence struct {
	Block     Block
	PID       int
	For       time.Duration
	State     string   // description of the process state; empty if the system does not provide it
	Calls     []string // waiting calls
	Recovered bool     // it responds again
}
