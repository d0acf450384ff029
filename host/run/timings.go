package run

import (
	"sync"
	"time"

	"github.com/awhost/awhost/host/runstore"
)

// commitTimings measures how long a launch has spent on records and commits: the numbers timing/journal_seconds and
// timing/commit_seconds of a step. They are wall times. The trainer waits only for commits: records of episodes are
// written while others run.
type commitTimings struct {
	mu      sync.Mutex
	writing int           // number of records being written
	since   time.Time     // start of the current writing period
	records time.Duration // time during which at least one episode record was being written
	commits time.Duration // time in boundaries, from the trainer's last event to the response
}

// beginRecord starts the measurement of a record's write, and endRecord ends it.
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

// take returns the times since the last call, and resets them. An unfinished write counts in the next call.
func (s *commitTimings) take() runstore.Numbers {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := runstore.Numbers{"timing/journal_seconds": s.records.Seconds(), "timing/commit_seconds": s.commits.Seconds()}
	s.records, s.commits = 0, 0
	return out
}
