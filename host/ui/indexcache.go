package ui

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/ui/internal/index"
)

// indexCache holds the open indexes of the runs that were viewed most recently.
type indexCache struct {
	store *runstore.Store
	cache string

	sweep   sync.Once
	mu      sync.Mutex
	entries map[string]*entry // by directory and id of the run
	closed  bool
}

const (
	maxIdleEntries  = 4 // maximum number of open entries without a reader
	refreshInterval = 200 * time.Millisecond
)

// entry is a run's index, with the state that its watchers have seen.
type entry struct {
	run     *runstore.Run
	readers int       // guarded by the cache
	used    time.Time // guarded by the cache

	mu        sync.Mutex
	index     *index.Index
	refreshed time.Time
	seen      totals
}

// totals counts the records that were read since the entry was opened.
type totals struct {
	types map[runstore.Type]int
	// How often the journal was replaced.
	replaced int
	step     int // step of the newest episode
}

func newIndexCache(store *runstore.Store, cache string) *indexCache {
	return &indexCache{store: store, cache: cache, entries: map[string]*entry{}}
}

// find returns the run with exactly this name. Paths and other forms that a command would accept are rejected.
func (s *indexCache) find(name string) (*runstore.Run, error) {
	if name == "" || len(name) > 255 || strings.ContainsAny(name, "/\\\x00") || name[0] == '.' {
		return nil, notFound("run %s does not exist", shortened(name))
	}
	run, err := s.store.Open(name)
	switch {
	case errors.Is(err, runstore.ErrNoRun):
		return nil, notFound("run %s does not exist", shortened(name))
	case err != nil:
		return nil, err
	case filepath.Base(run.Dir) != name:
		return nil, notFound("run %s does not exist", shortened(name))
	}
	return run, nil
}

// open returns a run's index, updated from the journal. The caller must call done.
func (s *indexCache) open(r *http.Request) (b *entry, done func(), err error) {
	return s.openNamed(r.Context(), r.PathValue("run"))
}

func (s *indexCache) openNamed(ctx context.Context, name string) (b *entry, done func(), err error) {
	run, err := s.find(name)
	if err != nil {
		return nil, nil, err
	}
	b, err = s.acquire(run)
	if err != nil {
		return nil, nil, err
	}
	if err := b.refresh(ctx, s.cache); err != nil {
		s.release(b)
		return nil, nil, err
	}
	return b, func() { s.release(b) }, nil
}

func (s *indexCache) acquire(run *runstore.Run) (*entry, error) {
	s.sweep.Do(func() { _ = index.Sweep(s.cache) }) // it is only a cache
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, &problem{http.StatusServiceUnavailable, "the viewer ends", ""}
	}
	key := run.Dir + "\x00" + run.Info.ID // copies have the same id, and a directory may get another run
	b := s.entries[key]
	if b == nil {
		b = &entry{run: run, seen: totals{types: map[runstore.Type]int{}}}
		s.entries[key] = b
	}
	b.readers++
	b.used = time.Now()
	return b, nil
}

// release closes the least recently used idle entries.
func (s *indexCache) release(b *entry) {
	s.mu.Lock()
	b.readers--
	var old []*entry
	for {
		key, idle := s.oldest()
		if idle <= maxIdleEntries && !s.closed || key == "" {
			break
		}
		old = append(old, s.entries[key])
		delete(s.entries, key)
	}
	s.mu.Unlock()
	for _, b := range old {
		_ = b.close() // only a cache
	}
}

// oldest returns the least recently used idle entry and the number of idle entries.
func (s *indexCache) oldest() (oldest string, idle int) {
	for key, b := range s.entries {
		if b.readers > 0 {
			continue
		}
		idle++
		if oldest == "" || b.used.Before(s.entries[oldest].used) {
			oldest = key
		}
	}
	return oldest, idle
}

func (s *indexCache) close() error {
	s.mu.Lock()
	s.closed = true
	var idle []*entry
	for key, b := range maps.All(s.entries) {
		if b.readers == 0 { // others are closed by their last reader
			idle = append(idle, b)
			delete(s.entries, key)
		}
	}
	s.mu.Unlock()
	var errs []error
	for _, b := range idle {
		errs = append(errs, b.close())
	}
	return errors.Join(errs...)
}

// refresh reads the new records in the journal, unless it was read a moment ago.
func (b *entry) refresh(ctx context.Context, cache string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.index == nil {
		x, err := index.Open(b.run, filepath.Join(cache, b.run.Info.ID))
		if err != nil {
			return err
		}
		b.index = x
	}
	if time.Since(b.refreshed) < refreshInterval {
		return nil
	}
	return b.readNew(ctx)
}

// summary returns a run's current summary. The last record is written before the lock is released. Therefore, the
// journal of a run that appears to be interrupted is read once more, because the run may just have ended.
func (b *entry) summary(ctx context.Context) (runstore.Summary, error) {
	summary, err := b.index.Run().Summary()
	if err != nil || summary.Status != runstore.StatusInterrupted {
		return summary, err
	}
	b.mu.Lock()
	err = b.readNew(ctx)
	b.mu.Unlock()
	if err != nil {
		return summary, err
	}
	return b.index.Run().Summary()
}

// readNew reads the new records in the journal. The caller holds mu.
func (b *entry) readNew(ctx context.Context) error {
	changes, err := b.index.Refresh(ctx)
	for kind, n := range changes.Types { // also on error
		b.seen.types[kind] += n
	}
	if changes.Episodes > 0 {
		b.seen.step = changes.Step
	}
	if changes.Replaced {
		b.seen.replaced++
	}
	if err == nil {
		b.refreshed = time.Now()
	}
	return err
}

// totals returns the counts so far.
func (b *entry) totals() totals {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.seen
	out.types = maps.Clone(out.types)
	return out
}

func (b *entry) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.index == nil {
		return nil
	}
	return b.index.Close()
}
