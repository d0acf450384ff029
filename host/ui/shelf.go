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

// shelf holds the open indexes, of the runs that were viewed last.
type shelf struct {
	store *runstore.Store
	cache string

	sweep  sync.Once
	mu     sync.Mutex
	books  map[string]*book // by directory and id of the run
	closed bool
}

const (
	mostBooks = 4 // maximum number of open books without a reader
	freshFor  = 200 * time.Millisecond
)

// book is the index of a run, with the state that its watchers have seen.
type book struct {
	run     *runstore.Run
	readers int       // guarded by the shelf
	used    time.Time // guarded by the shelf

	mu     sync.Mutex
	index  *index.Index
	looked time.Time
	seen   totals
}

// totals counts the records that were read since the book was opened.
type totals struct {
	types map[runstore.Type]int
	// How often the journal was replaced.
	anew int
	step int // step of the newest episode
}

func newShelf(store *runstore.Store, cache string) *shelf {
	return &shelf{store: store, cache: cache, books: map[string]*book{}}
}

// named returns the run with exactly this name. Paths and other forms that a command would accept are rejected.
func (s *shelf) named(name string) (*runstore.Run, error) {
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

// open returns the index of a run, updated from the journal. The caller must call done.
func (s *shelf) open(r *http.Request) (b *book, done func(), err error) {
	return s.openNamed(r.Context(), r.PathValue("run"))
}

func (s *shelf) openNamed(ctx context.Context, name string) (b *book, done func(), err error) {
	run, err := s.named(name)
	if err != nil {
		return nil, nil, err
	}
	b, err = s.take(run)
	if err != nil {
		return nil, nil, err
	}
	if err := b.refresh(ctx, s.cache); err != nil {
		s.giveBack(b)
		return nil, nil, err
	}
	return b, func() { s.giveBack(b) }, nil
}

func (s *shelf) take(run *runstore.Run) (*book, error) {
	s.sweep.Do(func() { _ = index.Sweep(s.cache) }) // it is only a cache
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, &problem{http.StatusServiceUnavailable, "the viewer ends", ""}
	}
	key := run.Dir + "\x00" + run.Info.ID // copies have the same id, and a directory may get another run
	b := s.books[key]
	if b == nil {
		b = &book{run: run, seen: totals{types: map[runstore.Type]int{}}}
		s.books[key] = b
	}
	b.readers++
	b.used = time.Now()
	return b, nil
}

// giveBack closes the least recently used idle books.
func (s *shelf) giveBack(b *book) {
	s.mu.Lock()
	b.readers--
	var old []*book
	for {
		key, idle := s.oldest()
		if idle <= mostBooks && !s.closed || key == "" {
			break
		}
		old = append(old, s.books[key])
		delete(s.books, key)
	}
	s.mu.Unlock()
	for _, b := range old {
		_ = b.close() // only a cache
	}
}

// oldest returns the least recently used idle book and the number of idle books.
func (s *shelf) oldest() (oldest string, idle int) {
	for key, b := range s.books {
		if b.readers > 0 {
			continue
		}
		idle++
		if oldest == "" || b.used.Before(s.books[oldest].used) {
			oldest = key
		}
	}
	return oldest, idle
}

func (s *shelf) close() error {
	s.mu.Lock()
	s.closed = true
	var idle []*book
	for key, b := range maps.All(s.books) {
		if b.readers == 0 { // others are closed by their last reader
			idle = append(idle, b)
			delete(s.books, key)
		}
	}
	s.mu.Unlock()
	var errs []error
	for _, b := range idle {
		errs = append(errs, b.close())
	}
	return errors.Join(errs...)
}

// refresh reads the new records of the journal, unless it was read a moment ago.
func (b *book) refresh(ctx context.Context, cache string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.index == nil {
		x, err := index.Open(b.run, filepath.Join(cache, b.run.Info.ID))
		if err != nil {
			return err
		}
		b.index = x
	}
	if time.Since(b.looked) < freshFor {
		return nil
	}
	return b.readOn(ctx)
}

// summary returns the current summary of a run. The last record is written before the lock is released. Therefore the
// journal of a run that seems to be interrupted is read once more: the run may just have ended.
func (b *book) summary(ctx context.Context) (runstore.Summary, error) {
	summary, err := b.index.Run().Summary()
	if err != nil || summary.Status != runstore.StatusInterrupted {
		return summary, err
	}
	b.mu.Lock()
	err = b.readOn(ctx)
	b.mu.Unlock()
	if err != nil {
		return summary, err
	}
	return b.index.Run().Summary()
}

// readOn reads the new records of the journal. The caller holds mu.
func (b *book) readOn(ctx context.Context) error {
	changes, err := b.index.Refresh(ctx)
	for kind, n := range changes.Types { // also on error
		b.seen.types[kind] += n
	}
	if changes.Episodes > 0 {
		b.seen.step = changes.Step
	}
	if changes.Anew {
		b.seen.anew++
	}
	if err == nil {
		b.looked = time.Now()
	}
	return err
}

// totals returns the counts so far.
func (b *book) totals() totals {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.seen
	out.types = maps.Clone(out.types)
	return out
}

func (b *book) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.index == nil {
		return nil
	}
	return b.index.Close()
}
