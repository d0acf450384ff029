package index

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/runstore"
)

// A separate goroutine decodes each batch of records while the next one is read.
const (
	batchRecords    = 256
	batchBytes      = 2 << 20
	maxBatchesAhead = 2
)

// Refresh reads the new records in the journal. A record that is still being written is left for the next call.
func (x *Index) Refresh(ctx context.Context) (Changes, error) {
	x.reads.Lock()
	defer x.reads.Unlock()
	changes := Changes{Types: map[runstore.Type]int{}}
	same, err := x.isSame()
	if err != nil {
		return changes, err
	}
	if !same || x.stale {
		if err := x.reset(); err != nil {
			return changes, err
		}
		changes.Replaced, x.stale = true, false
	}
	if err := x.readOn(ctx, &changes); err != nil || !changes.Any() {
		return changes, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return changes, x.judge()
}

// isSame reports whether the journal still contains the newest record that has been read. After a power failure, a lost
// record may have been replaced.
func (x *Index) isSame() (bool, error) {
	if x.last.seq == 0 {
		return true, nil
	}
	from := journal.Position{Offset: x.last.begins, Seq: x.last.seq - 1}
	for r, err := range x.run.Records(from) {
		var corrupt *journal.CorruptError
		switch {
		case errors.As(err, &corrupt):
			return false, nil // reading from the start finds the damage, if any
		case err != nil:
			return false, err
		}
		return r.Seq == x.last.seq && r.Next.Offset == x.last.next && r.At.Equal(x.last.at) &&
			r.Incarnation == x.last.incarnation, nil
	}
	return false, nil
}

// reset clears the index.
func (x *Index) reset() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.clear()
	if err := x.cache.reset(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	return nil
}

// batch holds several records and their entries.
type batch struct {
	records []runstore.Record
	bytes   int
	entries []entry
	err     error
	done    chan struct{}
}

func (x *Index) readOn(ctx context.Context, changes *Changes) error {
	ctx, cancel := context.WithCancel(ctx)
	batches := make(chan *batch, maxBatchesAhead)
	var working sync.WaitGroup
	defer working.Wait()
	defer cancel()
	var readErr error
	working.Go(func() {
		defer close(batches)
		readErr = x.read(ctx, &working, batches)
	})
	for b := range batches {
		<-b.done
		if b.err != nil {
			return b.err
		}
		if err := x.take(b, changes); err != nil {
			return err
		}
	}
	return readErr
}

// read fills batches and starts decoding them.
func (x *Index) read(ctx context.Context, working *sync.WaitGroup, batches chan<- *batch) error {
	b := &batch{done: make(chan struct{})}
	send := func() error {
		full := b
		b = &batch{done: make(chan struct{})}
		working.Go(full.decode)
		select {
		case batches <- full:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for record, err := range x.run.Records(x.last.position()) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		b.records = append(b.records, record)
		if b.bytes += len(record.Data); len(b.records) >= batchRecords || b.bytes >= batchBytes {
			if err := send(); err != nil {
				return err
			}
		}
	}
	if len(b.records) == 0 {
		return nil
	}
	return send()
}

func (b *batch) decode() {
	defer close(b.done)
	for _, r := range b.records {
		e, err := entryOf(r)
		if err != nil {
			b.err = fmt.Errorf("record %d (%s): %w", r.Seq, r.Type, err)
			return
		}
		b.entries = append(b.entries, e)
	}
	b.records = nil
}

// entryOf returns the entry for a record.
func entryOf(r runstore.Record) (entry, error) {
	e := entry{kind: entryRecord, seq: r.Seq, next: r.Next.Offset, at: r.At, incarnation: r.Incarnation, kept: r.Type}
	switch r.Type {
	case runstore.TypeEpisode:
		var episode indexedEpisode
		if err := episode.read(r.Data); err != nil {
			return e, err
		}
		e.kind, e.id, e.replaces = entryEpisode, episode.EpisodeID, episode.Replaces
		e.fact, e.text = factOf(&episode, r.Key())
		return e, nil
	case runstore.TypeCall, runstore.TypeTokens:
		of, err := runstore.Decode[struct {
			EpisodeID string `json:"episode_id"`
		}](r)
		e.id, e.kind = of.EpisodeID, entryCall
		if r.Type == runstore.TypeTokens {
			e.kind = entryTokens
		}
		return e, err
	}
	reduced, err := r.Reduced()
	e.data = reduced.Data
	return e, err
}

// take writes entries to the cache and adds them to the index.
func (x *Index) take(b *batch, changes *Changes) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := x.cache.append(b.entries, x.rows.words); err != nil {
		return fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	for _, e := range b.entries {
		if e.kind == entryEpisode {
			changes.Episodes++
			changes.Step = e.fact.Step
		}
		changes.Types[e.record().Type]++
		if err := x.add(e); err != nil {
			return err
		}
	}
	return nil
}
