package runstore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/sdk"
)

// Standing is an episode's status, which states whether the episode counts.
type Standing string

// The possible standings of an episode.
const (
	Counted    Standing = "COUNTED"    // listed by a manifest of the lineage, or by a validation pass at its end
	Superseded Standing = "SUPERSEDED" // of an interrupted step, or drawn again; its slot was or will be run again
	Open       Standing = "OPEN"       // the trainer may still use it
	Unused     Standing = "UNUSED"     // not used: canceled, dropped, or drawn beyond need
)

// Episode is an episode record together with its standing.
type Episode struct {
	EpisodeRecord
	Standing    Standing
	Use         sdk.Consumption // of a counted one
	Why         string          // why a counted one was not trained, as Consumed.Why
	Step        int             // step that used a counted one
	Record      string          // SHA-256 of the record
	Incarnation int
	Seq         uint64
	At          time.Time
}

// Episodes yields all of the run's episodes in the order in which they ended, each with its standing. If an error
// occurs, it is yielded last. To count episodes, use only Counted ones: each slot has one.
func (r *Run) Episodes(ctx context.Context) iter.Seq2[Episode, error] {
	return func(yield func(Episode, error) bool) {
		if err := r.episodes(ctx, "", yield); err != nil {
			yield(Episode{}, fmt.Errorf("read episodes of run %s: %w", r.Ref(), err))
		}
	}
}

// episodes yields the episodes whose record contains a text.
func (r *Run) episodes(ctx context.Context, text string, yield func(Episode, error) bool) error {
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
		if !bytes.Contains(record.Data, []byte(text)) {
			continue
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

// ledger returns a ledger of all records except episodes.
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

// noteReplaced reports replaced episodes to a ledger. There are replaced episodes only if a trainer was reattached.
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

// Episode returns the last record with an episode ID, or nil. If a trainer repeats a request, the response comes from
// this record. It reads all episodes.
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

// Calls returns the calls made by the program that runs an episode, in the order in which they were answered. Other
// episodes have none. It reads the whole journal.
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

// standing returns the standing of an episode that is not counted.
func (h *history) standing(seq uint64, outcome sdk.Outcome, slot Slot) Standing {
	// An interrupted validation pass is repeated from its step's checkpoint.
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
