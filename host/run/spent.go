package run

import (
	"sync"
	"time"

	"github.com/awhost/awhost/host/runstore"
)

// spent is how long a launch has taken to keep what it must not lose: the numbers timing/journal_seconds and
// timing/commit_seconds of a step. They are wall times, and the trainer waits for commits only: records of episodes are
// written while others run.
type spent struct {
	mu      sync.Mutex
	writing int           // records that are being written
	since   time.Time     // when there was none before
	records time.Duration // in which at least one record of an episode was being written
	commits time.Duration // in boundaries, from the trainer's last event to the answer
}

// beginRecord is called before a record is written, endRecord after.
func (s *spent) beginRecord(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writing++; s.writing == 1 {
		s.since = now
	}
}

func (s *spent) endRecord(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writing--; s.writing == 0 {
		s.records += now.Sub(s.since)
	}
}

func (s *spent) onCommit(began time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commits += time.Since(began)
}

// take returns what came together since the last call, and forgets it. What is under way counts for the next.
func (s *spent) take() runstore.Numbers {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := runstore.Numbers{"timing/journal_seconds": s.records.Seconds(), "timing/commit_seconds": s.commits.Seconds()}
	s.records, s.commits = 0, 0
	return out
}
