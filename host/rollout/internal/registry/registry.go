// Package registry finds episodes by ID: running episodes and results that may be requested again. It makes repeated
// RunEpisode calls harmless.
//
//	entry, inserted := r.Insert(registry.NewEntry(id, identity, cancel, waits))
//	entry.Join()
//	result, err := entry.Result() // once Done is closed
//
// It does not run episodes.
package registry

import (
	"errors"
	"hash/maphash"
	"sync"
	"sync/atomic"

	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/sdk"
)

// Registry holds the episodes by ID.
type Registry struct {
	seed   maphash.Seed
	shards [32]shard
	floor  atomic.Int64 // episodes of earlier steps are no longer accepted

	mu    sync.Mutex
	ended []*Entry // stored results, oldest first
	most  int
}

type shard struct {
	mu      sync.Mutex
	entries map[string]*Entry
}

// New returns a Registry that stores at most the given number of results.
func New(most int) *Registry {
	r := &Registry{seed: maphash.MakeSeed(), most: most}
	for i := range r.shards {
		r.shards[i].entries = map[string]*Entry{}
	}
	return r
}

func (r *Registry) shard(id string) *shard {
	return &r.shards[maphash.String(r.seed, id)%uint64(len(r.shards))]
}

// Find returns the entry with the given ID, or nil.
func (r *Registry) Find(id string) *Entry {
	s := r.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entries[id]
}

// Insert adds an entry, or returns the existing entry with the same ID.
func (r *Registry) Insert(e *Entry) (known *Entry, inserted bool) {
	s := r.shard(e.ID)
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.entries[e.ID]; known != nil {
		return known, false
	}
	s.entries[e.ID] = e
	return e, true
}

// Remove removes an episode.
func (r *Registry) Remove(e *Entry) {
	s := r.shard(e.ID)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries[e.ID] == e {
		delete(s.entries, e.ID)
	}
}

// Keep stores a result. It may drop the oldest entry.
func (r *Registry) Keep(e *Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = append(r.ended, e)
	if len(r.ended) > r.most {
		r.Remove(r.ended[0])
		r.ended[0] = nil
		r.ended = r.ended[1:]
	}
}

// Open yields the running episodes.
func (r *Registry) Open(yield func(*Entry)) {
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

// Running yields the steps of the running training episodes.
func (r *Registry) Running(yield func(step int)) {
	r.Open(func(e *Entry) {
		if slot := e.Identity.Slot; slot.Split == sdk.SplitTrain {
			yield(slot.Step)
		}
	})
}

// ForgetBefore drops the results of earlier steps and rejects requests for their episodes from then on.
func (r *Registry) ForgetBefore(step int) {
	r.floor.Store(int64(step))
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := make([]*Entry, 0, len(r.ended))
	for _, e := range r.ended {
		if e.Identity.Slot.Step < step {
			r.Remove(e)
			continue
		}
		kept = append(kept, e)
	}
	r.ended = kept
}

// Stop completes all episodes, which also stops the timers of abandoned episodes.
func (r *Registry) Stop() {
	for i := range r.shards {
		s := &r.shards[i]
		s.mu.Lock()
		for _, e := range s.entries {
			e.Complete(nil, verdict.Unavailable(errors.New("the run stops")))
		}
		s.mu.Unlock()
	}
}

// Floor returns the first step whose episodes are accepted.
func (r *Registry) Floor() int { return int(r.floor.Load()) }

// Len returns the number of known episodes and how many of them are stored results.
func (r *Registry) Len() (entries, results int) {
	for i := range r.shards {
		s := &r.shards[i]
		s.mu.Lock()
		entries += len(s.entries)
		s.mu.Unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return entries, len(r.ended)
}
