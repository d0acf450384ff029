package eval

import (
	"sync"

	"github.com/awhost/awhost/host/rollout"
)

// ordered forwards records in the order of their slots. The number of waiting records is limited by the number of
// episodes in progress, because episodes start in that order.
type ordered struct {
	samples int // per task
	next    func(*rollout.EpisodeRecord) error

	mu      sync.Mutex
	due     int
	waiting map[int]*rollout.EpisodeRecord
}

func newOrdered(samples int, next func(*rollout.EpisodeRecord) error) *ordered {
	return &ordered{samples: samples, next: next, waiting: map[int]*rollout.EpisodeRecord{}}
}

// Attempt implements rollout.Sink. Only the last attempt matters here.
func (*ordered) Attempt(*rollout.AttemptRecord) error { return nil }

// Episode implements rollout.Sink.
func (o *ordered) Episode(r *rollout.EpisodeRecord) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting[r.Slot.Index*o.samples+r.Slot.Sample] = r
	for {
		r, ok := o.waiting[o.due]
		if !ok {
			return nil
		}
		delete(o.waiting, o.due)
		o.due++
		if err := o.next(r); err != nil {
			return err
		}
	}
}

var _ rollout.Sink = (*ordered)(nil)
