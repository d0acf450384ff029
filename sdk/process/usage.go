package process

import "time"

// Usage is what an instance, or the host of a run, uses at a moment, with all that it has started.
type Usage struct {
	Processes     int
	ResidentBytes int64 // memory; what processes share counts for each
	// Processor is the time on processors of those that live, since each began.
	Processor time.Duration
}
