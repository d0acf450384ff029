package runstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/sdk"
)

// Standing says whether an episode counts.
type Standing string

// The standings of an episode.
const (
	Counted    Standing = "COUNTED"    // listed by a manifest of the lineage, or by a validation pass at its end
	Superseded Standing = "SUPERSEDED" // of a step that was cut off, or drawn again; its slot was or will be run again
	Open       Standing = "OPEN"       // the trainer may still use it
	Unused     Standing = "UNUSED"     // nobody used it: cancelled, dropped, or drawn beyond need
)

// Episode is an episode record and what became of it.
type Episode struct {
	EpisodeRecord
	Standing    Standing
	Use         sdk.Consumption // of a counted one
	Why         string          // a counted one was not trained, as Consumed.Why
	Step        int             // that used it, of a counted one
	Record      string          // SHA-256 of the record
	Incarnation int
	Seq         uint64
	At          time.Time
}

// Episodes yields all episodes of the run in the order in which they ended, each with its standing. An error is the
// last thing that it yields. Readers that count use those that are Counted: each slot has one.
func (r *Run) Episodes(ctx context.Context) iter.Seq2[Episode, error] {
	return func(yield func(Episode, error) bool) {
		if err := r.episodes(ctx, yield); err != nil {
			yield(Episode{}, fmt.Errorf("read episodes of run %s: %w", r.Ref(), err))
		}
	}
}

func (r *Run) episodes(ctx context.Context, yield func(Episode, error) bool) error {
	ledger, err := r.ledger()
	if err != nil {
		return err
	}
	if err := r.noteReplaced(ctx, ledger); err != nil {
		return err
	}
	standings, err := ledger.Standings()
	if err != nil {
		return err
	}
	for record, err := range r.Records(journal.Position{}, TypeEpisode) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		episode := Episode{Record: hashRecord(record.Data), Incarnation: record.Incarnation, Seq: record.Seq, At: record.At}
		if err := decoded(record, func(e EpisodeRecord) { episode.EpisodeRecord = e }); err != nil {
			return err
		}
		standings.Judge(&episode)
		if !yield(episode, nil) {
			return nil
		}
	}
	return nil
}

// ledger is that of all records but episodes.
func (r *Run) ledger() (*Ledger, error) {
	ledger := r.NewLedger()
	for record, err := range r.Records(journal.Position{}, LedgerTypes()...) {
		if err == nil {
			err = ledger.Add(record)
		}
		if err != nil {
			return nil, err
		}
	}
	return ledger, nil
}

// noteReplaced tells a ledger in whose place others of the same id came. There are some only where a trainer was taken up again.
func (r *Run) noteReplaced(ctx context.Context, ledger *Ledger) error {
	if !ledger.Reattached() {
		return nil
	}
	for record, err := range r.Records(journal.Position{}, TypeEpisode) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		var later struct {
			Replaces string `json:"replaces"`
		}
		if err := json.Unmarshal(record.Data, &later); err != nil {
			return err
		}
		ledger.Replace(later.Replaces)
	}
	return nil
}

// Episode finds the last record of an episode id, nil where there is none: what a trainer that asks again is answered
// from. It reads all episodes.
func (r *Run) Episode(ctx context.Context, id string) (*Episode, error) {
	var found *Episode
	for episode, err := range r.Episodes(ctx) {
		if err != nil {
			return nil, err
		}
		if episode.EpisodeID == id {
			found = &episode
		}
	}
	return found, nil
}

// Calls are the calls of the program that plays an episode, in the order of their answers; of others there are none. It
// reads all of the journal.
func (r *Run) Calls(ctx context.Context, id string) ([]CallRecord, error) {
	var calls []CallRecord
	for record, err := range r.Records(journal.Position{}, TypeCall) {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		call, err := Decode[CallRecord](record)
		if err != nil {
			return nil, err
		}
		if call.EpisodeID == id {
			calls = append(calls, call)
		}
	}
	return calls, nil
}

// standing is that of an episode that does not count.
func (h *history) standing(seq uint64, outcome sdk.Outcome, slot Slot) Standing {
	// A validation pass that was cut off is run again from the checkpoint of its own step.
	reach := slot.Step
	if slot.Split == sdk.SplitValidation {
		reach++
	}
	switch {
	case outcome == sdk.OutcomeCancelled:
		return Unused
	case h.rolledBack(seq, reach):
		return Superseded
	case h.relaunched(seq) || h.finish != nil:
		return Unused
	}
	return Open
}
