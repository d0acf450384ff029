package rollout

import (
	"errors"
	"hash/maphash"
	"sync"
	"sync/atomic"

	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/sdk"
)

// registry knows the episodes by their ids: those under way, and the results of those that may be asked for again.
// It is what makes a repeated RunEpisode harmless.
type registry struct {
	seed   maphash.Seed
	shards [32]shard
	floor  atomic.Int64 // episodes of earlier steps are not asked for any more

	mu    sync.Mutex
	ended []*entry // results that are kept, oldest first
	most  int
}

type shard struct {
	mu      sync.Mutex
	entries map[string]*entry
}

func newRegistry(most int) *registry {
	r := &registry{seed: maphash.MakeSeed(), most: most}
	for i := range r.shards {
		r.shards[i].entries = map[string]*entry{}
	}
	return r
}

func (r *registry) shard(id string) *shard {
	return &r.shards[maphash.String(r.seed, id)%uint64(len(r.shards))]
}

func (r *registry) find(id string) *entry {
	s := r.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entries[id]
}

// insert adds an entry, or returns the one that already has its id.
func (r *registry) insert(e *entry) (known *entry, inserted bool) {
	s := r.shard(e.id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.entries[e.id]; known != nil {
		return known, false
	}
	s.entries[e.id] = e
	return e, true
}

func (r *registry) remove(e *entry) {
	s := r.shard(e.id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries[e.id] == e {
		delete(s.entries, e.id)
	}
}

// keep holds on to a result, at the cost of the oldest.
func (r *registry) keep(e *entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = append(r.ended, e)
	if len(r.ended) > r.most {
		r.remove(r.ended[0])
		r.ended[0] = nil
		r.ended = r.ended[1:]
	}
}

// open shows the episodes that are under way.
func (r *registry) open(yield func(*entry)) {
	for i := range r.shards {
		s := &r.shards[i]
		s.mu.Lock()
		for _, e := range s.entries {
			if !e.isOver() {
				yield(e)
			}
		}
		s.mu.Unlock()
	}
}

// running lists the steps of the training episodes that are under way.
func (r *registry) running(yield func(step int)) {
	r.open(func(e *entry) {
		if slot := e.identity.slot; slot.Split == sdk.SplitTrain {
			yield(slot.Step)
		}
	})
}

// forgetBefore drops the results of steps before step, and refuses their episodes from now on.
func (r *registry) forgetBefore(step int) {
	r.floor.Store(int64(step))
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := make([]*entry, 0, len(r.ended))
	for _, e := range r.ended {
		if e.identity.slot.Step < step {
			r.remove(e)
			continue
		}
		kept = append(kept, e)
	}
	r.ended = kept
}

// stop ends the timers of episodes that nobody waits for.
func (r *registry) stop() {
	for i := range r.shards {
		s := &r.shards[i]
		s.mu.Lock()
		for _, e := range s.entries {
			e.complete(nil, verdict.Unavailable(errors.New("the run stops")))
		}
		s.mu.Unlock()
	}
}
