// Package index keeps the data that lists, filters and searches need for each episode in a run. A viewer of a run with
// a hundred thousand episodes reads the journal once, and later only new records:
//
//	x, err := index.Open(run, filepath.Join(cache, run.Info.ID))
//	defer x.Close()
//	changes, err := x.Refresh(ctx)                       // reads the new records of the journal
//	page, err := x.Find(ctx, index.Query{Step: &step, Text: "overflow", Limit: 100})
//	episode, err := x.Episode(ctx, page.Facts[0].ID)     // the complete episode, from the journal
//	summary, err := x.Run().Summary()                    // data without episodes, not from the journal
//
// The ledger and readers of runstore decide which episodes count. The index only saves them from having to read the
// journal. It is a directory in the user's cache and, like the journal, private to the user. It is rebuilt if it does
// not match the journal.
//
// The package must not depend on HTTP or on how anything is displayed.
package index

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/runstore"
)

// Index is one run's index. It is safe for concurrent use.
type Index struct {
	run   *runstore.Run
	cache *cache
	reads sync.Mutex // one Refresh at a time
	stale bool       // the cache is damaged; guarded by reads

	mu     sync.RWMutex
	rows   *rows
	calls  []part
	tokens []part
	kept   []runstore.Record // all records except episodes, calls and lists of manifests
	ledger *runstore.Ledger
	last   entry // entry of the newest record
	// standings has judged the first rows (judged is their number) by the current ledger. Nil means that the ledger has
	// changed.
	standings *runstore.Standings
	judged    int
}

// part is the position of a record that belongs to an episode.
type part struct {
	episode uint64 // hash of its id
	at      journal.Position
}

// Changes is the result of a Refresh.
type Changes struct {
	Episodes int                   // number of new episodes
	Types    map[runstore.Type]int // number of new records, by type
	Step     int                   // the step of the last new record
	Replaced bool                  // the journal is another one: everything is to be asked again
}

// Any reports whether anything has changed.
func (c Changes) Any() bool { return c.Replaced || len(c.Types) > 0 }

// Open opens a run's index in its own directory, with its cached entries. It does not read the journal.
func Open(run *runstore.Run, dir string) (*Index, error) {
	c, err := openCache(dir, run)
	if err != nil {
		return nil, err
	}
	x := &Index{run: run, cache: c}
	x.clear()
	if err := c.load(x.add); err != nil {
		return nil, errors.Join(err, c.close())
	}
	if err := x.judge(); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return x, nil
}

func (x *Index) clear() {
	x.rows, x.calls, x.tokens, x.kept, x.standings = newRows(), nil, nil, nil, nil
	x.ledger, x.last = x.run.NewLedger(), entry{}
}

// add adds an entry.
func (x *Index) add(e entry) error {
	from := x.last.position()
	switch e.kind {
	case entryWord:
		if n := x.rows.words.number(e.word); int(n) != len(x.rows.words.list)-1 {
			return fmt.Errorf("word %d comes twice", n)
		}
		return nil
	case entryEpisode:
		e.row.seq, e.row.from = e.seq, from.Offset
		x.rows.add(e.id, e.row)
		if e.replaces != "" {
			x.ledger.Replace(e.replaces)
			x.standings = nil
		}
	case entryCall:
		x.calls = append(x.calls, part{maphash.String(x.rows.seed, e.id), from})
	case entryTokens:
		x.tokens = append(x.tokens, part{maphash.String(x.rows.seed, e.id), from})
	default:
		r := e.record()
		if err := x.ledger.Add(r); err != nil {
			return err
		}
		if slices.Contains(runstore.LedgerTypes(), r.Type) {
			x.standings = nil
		}
		if r.Type != runstore.TypeConsumed {
			x.kept = append(x.kept, r)
		}
	}
	x.last = entry{
		kind: e.kind, seq: e.seq, begins: from.Offset, next: e.next, at: e.at, incarnation: e.incarnation, kept: e.kept,
	}
	return nil
}

// judge sets the verdict for each episode: only for new ones, unless the ledger has changed.
func (x *Index) judge() error {
	if x.standings == nil {
		standings, err := x.ledger.Standings()
		if err != nil {
			return fmt.Errorf("read run %s: %w", x.run.Ref(), err)
		}
		x.standings, x.judged = standings, 0
	}
	x.rows.judge(x.judged, x.standings)
	if x.judged == 0 {
		x.standings.Settle()
	}
	x.judged = x.rows.count
	return nil
}

// Run returns the run, with readers that use the index instead of the journal. The readers receive episodes without
// data, and no manifest lists. Use All for the episodes' data.
func (x *Index) Run() *runstore.Run {
	x.mu.RLock()
	kept, last := slices.Clip(x.kept), x.last
	x.mu.RUnlock()
	return x.run.WithSource(func(from journal.Position, types ...runstore.Type) iter.Seq2[runstore.Record, error] {
		return func(yield func(runstore.Record, error) bool) {
			var seq uint64
			for _, r := range kept {
				seq = r.Seq
				if r.Seq > from.Seq && (len(types) == 0 || slices.Contains(types, r.Type)) && !yield(r, nil) {
					return
				}
			}
			if last.seq > max(seq, from.Seq) && (len(types) == 0 || slices.Contains(types, last.record().Type)) {
				yield(last.record(), nil)
			}
		}
	})
}

// All yields all facts in the order in which the episodes ended.
func (x *Index) All() iter.Seq[Fact] {
	return func(yield func(Fact) bool) {
		const some = 256
		facts := make([]Fact, 0, some)
		for i := 0; ; i += some {
			x.mu.RLock()
			facts = facts[:0]
			for n := i; n < min(i+some, x.rows.count); n++ {
				facts = append(facts, x.rows.fact(x.rows.at(n)))
			}
			x.mu.RUnlock()
			for _, f := range facts {
				if !yield(f) {
					return
				}
			}
			if len(facts) < some {
				return
			}
		}
	}
}

// Fact returns the fact for the last record with an episode's ID.
func (x *Index) Fact(id string) (Fact, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	of := x.rows.find(id)
	if of == nil {
		return Fact{}, false
	}
	return x.rows.fact(of), true
}

// Count returns the number of recorded episodes.
func (x *Index) Count() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.rows.count
}

// Updated returns the time of the newest record.
func (x *Index) Updated() time.Time {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.last.at
}

// Episode reads an episode from the journal. It returns nil if the ID is unknown.
func (x *Index) Episode(_ context.Context, id string) (*runstore.Episode, error) {
	f, ok := x.Fact(id)
	if !ok {
		return nil, nil
	}
	at := journal.Position{Offset: f.from, Seq: f.seq - 1}
	for record, err := range x.run.Records(at, runstore.TypeEpisode) {
		if err != nil {
			return nil, err
		}
		return x.episodeAt(f, record)
	}
	return nil, fmt.Errorf("run %s: the record of episode %s is missing from the journal: restore %s from a backup",
		x.run.Ref(), id, x.run.JournalPath())
}

func (x *Index) episodeAt(f Fact, record runstore.Record) (*runstore.Episode, error) {
	e := &runstore.Episode{Seq: record.Seq, At: record.At, Incarnation: record.Incarnation}
	e.Standing, e.Use, e.Why, e.Step, e.Record = f.Standing, f.Use, f.Why, f.EpisodeStatus.Step, record.Hash()
	var err error
	if e.EpisodeRecord, err = runstore.Decode[runstore.EpisodeRecord](record); err != nil {
		return nil, err
	}
	if e.EpisodeID != f.ID {
		return nil, fmt.Errorf("run %s: the journal has changed: try again", x.run.Ref())
	}
	return e, nil
}

// Calls reads the responses to a program's calls in an episode, in order, from the journal.
func (x *Index) Calls(ctx context.Context, id string) ([]runstore.CallRecord, error) {
	return partsOf(ctx, x, &x.calls, runstore.TypeCall, func(c runstore.CallRecord) bool { return c.EpisodeID == id }, id)
}

// Tokens reads the token records for an episode's updates, in order, from the journal.
func (x *Index) Tokens(ctx context.Context, id string) ([]runstore.TokensRecord, error) {
	return partsOf(ctx, x, &x.tokens, runstore.TypeTokens,
		func(t runstore.TokensRecord) bool { return t.EpisodeID == id }, id)
}

func partsOf[T any](
	ctx context.Context, x *Index, parts *[]part, of runstore.Type, mine func(T) bool, id string,
) (out []T, _ error) {
	x.mu.RLock()
	hash := maphash.String(x.rows.seed, id)
	var at []journal.Position
	for _, p := range *parts {
		if p.episode == hash {
			at = append(at, p.at)
		}
	}
	x.mu.RUnlock()
	for _, position := range at {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for record, err := range x.run.Records(position, of) {
			if err != nil {
				return nil, err
			}
			part, err := runstore.Decode[T](record)
			if err != nil {
				return nil, err
			}
			if mine(part) {
				out = append(out, part)
			}
			break
		}
	}
	return out, nil
}

// Close closes the cache.
func (x *Index) Close() error {
	x.reads.Lock()
	defer x.reads.Unlock()
	return x.cache.close()
}
