package run

import (
	"testing"
	"time"
)

// TestCommitTimings_CountsTimeOnce checks that concurrent writes of records count only once.
func TestCommitTimings_CountsTimeOnce(t *testing.T) {
	var s commitTimings
	at := func(second int) time.Time { return time.Unix(int64(second), 0) }
	s.beginRecord(at(0))
	s.beginRecord(at(1))
	s.endRecord(at(3))
	s.beginRecord(at(4))
	s.endRecord(at(5))
	if early := s.take()["timing/journal_seconds"]; early != 0 {
		t.Errorf("%v s while one is under way", early)
	}
	s.endRecord(at(6))
	s.beginRecord(at(10))
	s.endRecord(at(12))
	for _, want := range []float64{8, 0} {
		if got := s.take()["timing/journal_seconds"]; got != want {
			t.Errorf("%v s, want %v", got, want)
		}
	}
}
