// Package index keeps of each episode of a run what lists, filters and searches need, so that a viewer of a run with a
// hundred thousand episodes reads its journal once, and what was added since:
//
//	x, err := index.Open(run, filepath.Join(cache, run.Info.ID))
//	defer x.Close()
//	changes, err := x.Refresh(ctx)                       // reads what the journal has more than before
//	page, err := x.Find(ctx, index.Query{Step: &step, Text: "overflow", Limit: 100})
//	episode, err := x.Episode(ctx, page.Facts[0].ID)     // all of it, from the journal
//	summary, err := x.Run().Summary()                    // what needs no episodes, without the journal
//
// What counts is told by runstore's own ledger and readers: the index only spares them the journal. It lies in a folder
// of the user's cache, private to the user as the journal is, and is made anew wherever it does not fit the journal.
//
// It must not know HTTP, nor how anything is shown.
package index

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// Index is that of one run. It may be used concurrently.
type Index struct {
	run    *runstore.Run
	cache  *cache
	seed   maphash.Seed
	reads  sync.Mutex // one Refresh at a time
	stale  bool       // the cache has turned out to be damaged; guarded by reads
	mu     sync.RWMutex
	facts  []*Fact // in the order of the journal
	byID   map[string]int
	calls  []call
	kept   []runstore.Record // all but episodes and calls
	ledger *runstore.Ledger
	last   entry // of the newest record
}

// call is where a record of a call begins.
type call struct {
	episode uint64 // hash of its id
	at      journal.Position
}

// Changes are what a Refresh has found.
type Changes struct {
	Episodes int                   // new ones
	Types    map[runstore.Type]int // new records, by their types
	Step     int                   // the last that a new record tells of
	Anew     bool                  // the journal is another one: everything is to be asked again
}

// Any reports whether something has changed.
func (c Changes) Any() bool { return c.Anew || len(c.Types) > 0 }

// Open opens the index of a run in a folder of its own, with what it has. It does not look at the journal.
func Open(run *runstore.Run, dir string) (*Index, error) {
	c, err := openCache(dir, run)
	if err != nil {
		return nil, err
	}
	x := &Index{run: run, cache: c, seed: maphash.MakeSeed()}
	x.clear()
	if err := c.load(x.add); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return x, x.judge()
}

func (x *Index) clear() {
	x.facts, x.byID, x.calls, x.kept = nil, map[string]int{}, nil, nil
	x.ledger, x.last = x.run.NewLedger(), entry{}
}

// add takes an entry in.
func (x *Index) add(e entry) error {
	from := x.last.position()
	switch e.kind {
	case entryEpisode:
		f := e.fact
		f.seq, f.from = e.seq, from.Offset
		x.facts = append(x.facts, &f)
		x.byID[f.ID] = len(x.facts) - 1
		x.ledger.Replace(f.replaces)
	case entryCall:
		x.calls = append(x.calls, call{maphash.String(x.seed, e.episode), from})
	default:
		r := e.record()
		if err := x.ledger.Add(r); err != nil {
			return err
		}
		x.kept = append(x.kept, r)
	}
	e.fact, e.data, e.text, e.begins = Fact{}, nil, nil, from.Offset
	x.last = e
	return nil
}

// judge says of each episode whether it counts.
func (x *Index) judge() error {
	standings, err := x.ledger.Standings()
	if err != nil {
		return fmt.Errorf("read run %s: %w", x.run.Ref(), err)
	}
	var e runstore.Episode
	for _, f := range x.facts {
		f.fill(&e)
		standings.Judge(&e)
		f.Standing, f.Use, f.UsedIn = e.Standing, e.Use, e.Step
	}
	return nil
}

// fill makes of a fact the episode that readers of facts see.
func (f *Fact) fill(e *runstore.Episode) {
	*e = runstore.Episode{Record: hex.EncodeToString(f.record[:]), Seq: f.seq, Standing: f.Standing, Use: f.Use, Step: f.UsedIn}
	e.EpisodeID, e.TaskID, e.Outcome, e.Reward, e.IsSuccess = f.ID, f.Task, f.Outcome, f.Reward, f.Success
	e.Slot = runstore.Slot{Stage: f.Stage, Split: f.Split, Step: f.Step, Group: f.Group, Sample: f.Sample}
	e.Attempt, e.NumTurns = f.Attempt, f.Turns
	if f.Class != "" {
		e.Failure = &sdk.Failure{Class: f.Class, Detail: f.Detail}
	}
}

// Run is the run whose readers take what the index has instead of the journal. Of episodes they get nothing but that
// there are some; Episodes has what the index knows of them.
func (x *Index) Run() *runstore.Run {
	x.mu.RLock()
	kept, last := slices.Clip(x.kept), x.last
	x.mu.RUnlock()
	return x.run.Over(func(from journal.Position, types ...runstore.Type) iter.Seq2[runstore.Record, error] {
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

// Episodes yields what the index has of all episodes, in the order in which they ended.
func (x *Index) Episodes() iter.Seq2[runstore.Episode, error] {
	return func(yield func(runstore.Episode, error) bool) {
		for f := range x.All() {
			var e runstore.Episode
			f.fill(&e)
			if !yield(e, nil) {
				return
			}
		}
	}
}

// All yields all facts, in the order in which the episodes ended.
func (x *Index) All() iter.Seq[Fact] {
	return func(yield func(Fact) bool) {
		for i := 0; ; i++ {
			x.mu.RLock()
			if i >= len(x.facts) {
				x.mu.RUnlock()
				return
			}
			f := *x.facts[i]
			x.mu.RUnlock()
			if !yield(f) {
				return
			}
		}
	}
}

// Fact finds the last record of an episode's id.
func (x *Index) Fact(id string) (Fact, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	i, ok := x.byID[id]
	if !ok {
		return Fact{}, false
	}
	return *x.facts[i], true
}

// Count is the number of episodes on record.
func (x *Index) Count() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.facts)
}

// Updated is when the newest record was written.
func (x *Index) Updated() time.Time {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.last.at
}

// Episode reads an episode from the journal, nil where there is none of this id.
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
	return nil, fmt.Errorf("run %s: the journal has lost the record of episode %s: restore %s from a backup",
		x.run.Ref(), id, x.run.JournalPath())
}

func (x *Index) episodeAt(f Fact, record runstore.Record) (*runstore.Episode, error) {
	e := &runstore.Episode{Seq: record.Seq, At: record.At, Incarnation: record.Incarnation}
	e.Standing, e.Use, e.Step, e.Record = f.Standing, f.Use, f.UsedIn, record.Hash()
	var err error
	if e.EpisodeRecord, err = runstore.Decode[runstore.EpisodeRecord](record); err != nil {
		return nil, err
	}
	if e.EpisodeID != f.ID {
		return nil, fmt.Errorf("run %s: the journal has changed: look again", x.run.Ref())
	}
	return e, nil
}

// Calls reads the answers that a program was given in an episode, in their order, from the journal.
func (x *Index) Calls(ctx context.Context, id string) ([]runstore.CallRecord, error) {
	var out []runstore.CallRecord
	hash := maphash.String(x.seed, id)
	x.mu.RLock()
	var at []journal.Position
	for _, c := range x.calls {
		if c.episode == hash {
			at = append(at, c.at)
		}
	}
	x.mu.RUnlock()
	for _, position := range at {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for record, err := range x.run.Records(position, runstore.TypeCall) {
			if err != nil {
				return nil, err
			}
			c, err := runstore.Decode[runstore.CallRecord](record)
			if err != nil {
				return nil, err
			}
			if c.EpisodeID == id {
				out = append(out, c)
			}
			break
		}
	}
	return out, nil
}

// Close gives the cache back.
func (x *Index) Close() error {
	x.reads.Lock()
	defer x.reads.Unlock()
	return x.cache.close()
}
