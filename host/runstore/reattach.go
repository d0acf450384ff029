package runstore

import (
	"fmt"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/sdk"
)

// Trainer is what is on record of the trainer that was launched last.
type Trainer struct {
	Launch     LaunchRecord
	Handle     []byte // as its adapter gave it, nil if it never did
	AfterEvent uint64 // the last event of its stream that is on record
}

// LastTrainer is the trainer that was launched last, nil where there was none. Look for one with its launch id before
// launching another.
func (r *Run) LastTrainer() (*Trainer, error) {
	var last *Trainer
	for record, err := range r.Records(journal.Position{}, TypeLaunch, TypeHandle, TypeStep, TypeMetrics) {
		if err == nil && record.Type == TypeLaunch {
			err = decoded(record, func(l LaunchRecord) {
				if last == nil || !l.Reattached {
					last = &Trainer{}
				}
				last.Launch = l
			})
		} else if err == nil && last != nil {
			err = decoded(record, func(e HandleRecord) { // the others have an event_seq, too
				last.AfterEvent = max(last.AfterEvent, e.EventSeq)
				if record.Type == TypeHandle {
					last.Handle = e.Handle
				}
			})
		}
		if err != nil {
			return nil, fmt.Errorf("read the last launch of run %s: %w", r.Ref(), err)
		}
	}
	return last, nil
}

// takeUp finds what the trainer's earlier host has recorded and no manifest lists yet: steps, validation passes, and
// the episodes that may still be used.
func (w *Writer) takeUp(launchID string) error {
	h, err := w.history()
	if err != nil {
		return err
	}
	used, err := w.usedIn(h)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.steps, w.passes = nil, nil
	_, tip := w.tipLocked()
	since := h.lastStart()
	for record, err := range w.Records(journal.Position{}, TypeStep, TypeValidation) {
		if err == nil && record.Seq > since {
			err = w.waits(record, tip)
		}
		if err != nil {
			return err
		}
	}
	return w.reopen(launchID, used)
}

// waits takes over a step or pass after the tip. The caller holds mu.
func (w *Writer) waits(record Record, tip int) error {
	if record.Type == TypeStep {
		return decoded(record, func(s StepRecord) {
			if s.Step > tip {
				w.steps = append(w.steps, s)
			}
		})
	}
	return decoded(record, func(v ValidationRecord) {
		if v.Step > tip {
			w.countPass(v)
		}
	})
}

// reopen finds the episodes that a trainer has asked for and nobody has used. The caller holds mu.
func (w *Writer) reopen(launchID string, used usedRecords) error {
	waiting := map[string]bool{}
	for _, c := range w.uncommitted() {
		waiting[c.EpisodeID] = true
	}
	for record, err := range w.Records(journal.Position{}, TypeEpisode) {
		if err != nil {
			return err
		}
		err = decoded(record, func(e EpisodeRecord) {
			hash := hashRecord(record.Data)
			if e.LaunchID != launchID || waiting[e.EpisodeID] || e.Outcome == sdk.OutcomeCancelled || used.has(hash) {
				return
			}
			w.open[e.EpisodeID] = openEpisode{slot: e.Slot, record: hash, incarnation: record.Incarnation}
		})
		if err != nil {
			return err
		}
	}
	w.forgetOld()
	return nil
}

// uncommitted lists what the next manifest may count. The caller holds mu.
func (w *Writer) uncommitted() []Consumed {
	var all []Consumed
	for _, step := range w.steps {
		all = append(all, step.Consumed...)
	}
	for _, pass := range w.passes {
		all = append(all, pass.Consumed...)
	}
	return all
}

// forgetOld drops episodes that waited too long to be used. The caller holds mu.
func (w *Writer) forgetOld() {
	_, step := w.tipLocked()
	for id, episode := range w.open {
		if episode.slot.Step < step-openWindow {
			delete(w.open, id)
		}
	}
}
