package run

import (
	"sync"
	"time"

	"github.com/awhost/awhost/host/runstore"
)

// commitTimings measures how long a launch has spent on records and commits: a step's numbers timing/journal_seconds
// and timing/commit_seconds. They are wall times. The trainer waits only for commits: episode records are written while
// other episodes run.
type commitTimings struct {
	mu      sync.Mutex
	writing int           // number of records being written
	since   time.Time     // start of the current writing period
	records time.Duration // time during which at least one episode record was being written
	commits time.Duration // time in boundaries, from the trainer's last event to the response
}

// beginRecord starts measuring how long it takes to write a record, and endRecord stops the measurement.
func (s *commitTimings) beginRecord(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writing++; s.writing == 1 {
		s.since = now
	}
}

func (s *commitTimings) endRecord(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writing--; s.writing == 0 {
		s.records += now.Sub(s.since)
	}
}

func (s *commitTimings) onCommit(began time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commits += time.Since(began)
}

// take returns the times accumulated since the last call and resets them. An unfinished write is included in the next
// call's result.
func (s *commitTimings) take() runstore.Numbers {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := runstore.Numbers{"timing/journal_seconds": s.records.Seconds(), "timing/commit_seconds": s.commits.Seconds()}
	s.records, s.commits = 0, 0
	return out
}
