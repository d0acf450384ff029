package run

import (
	"sync/atomic"
	"time"

	"github.com/awhost/awhost/host/runstore"
)

// spent is how long a launch has taken to keep what it must not lose: the numbers timing/journal_seconds and
// timing/commit_seconds of a step. They are wall times, and the trainer waits for commits only: records of episodes are
// written while others run.
type spent struct {
	records atomic.Int64 // nanoseconds in the journal, for episodes; several may be written at a time
	commits atomic.Int64 // nanoseconds in boundaries, from the trainer's last event to the answer
}

func (s *spent) onRecord(began time.Time) { s.records.Add(int64(time.Since(began))) }

func (s *spent) onCommit(began time.Time) { s.commits.Add(int64(time.Since(began))) }

// take returns what came together since the last call, and forgets it. A boundary that is under way counts for the next.
func (s *spent) take() runstore.Numbers {
	return runstore.Numbers{
		"timing/journal_seconds": time.Duration(s.records.Swap(0)).Seconds(),
		"timing/commit_seconds":  time.Duration(s.commits.Swap(0)).Seconds(),
	}
}
