package runstore

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/sdk"
)

// Trainer holds the recorded data about the trainer that was launched last.
type Trainer struct {
	Launch LaunchRecord // of its start
	Handle []byte       // from its adapter, nil if there never was one
	Ended  bool         // its end is on record
	// Boundary is the last boundary that counts, or nil. The trainer repeats the events after AfterEvent.
	Boundary   *BoundaryRecord
	AfterEvent uint64
	// CheckpointLost reports that the checkpoint from which the trainer started is not intact, so the trainer cannot be
	// reattached. Only Writer sets it.
	CheckpointLost bool

	launchedAt, boundaryAt uint64 // numbers of the records
}

// MayRun reports whether the trainer may still be running without a host.
func (t *Trainer) MayRun() bool {
	return t != nil && !t.Ended && (t.Handle != nil || t.Launch.Outlives)
}

// trainerTypes lists the types of records that concern a trainer.
var trainerTypes = []Type{TypeLaunch, TypeHandle, TypeBoundary, TypeTrainerEnd, TypeFinish}

// LastTrainer returns the trainer that was launched last, or nil. Look for a trainer with its launch ID before
// launching another.
func (r *Run) LastTrainer() (*Trainer, error) {
	h, err := r.history()
	if err != nil {
		return nil, err
	}
	return r.lastTrainer(h)
}

// LastTrainer returns the run's last trainer for a process that may reattach it.
func (w *Writer) LastTrainer() (*Trainer, error) {
	h, err := w.history()
	if err != nil {
		return nil, err
	}
	t, err := w.lastTrainer(h)
	if err != nil || t == nil {
		return t, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	tip, _ := w.tipLocked()
	t.CheckpointLost = tip != h.tip()
	return t, nil
}

func (r *Run) lastTrainer(h *history) (*Trainer, error) {
	tip := -1
	if n := len(h.lineage); n > 0 {
		tip = h.lineage[n-1].Step
	}
	var last *Trainer
	for record, err := range r.Records(journal.Position{}, trainerTypes...) {
		if err == nil && record.Type == TypeLaunch {
			err = decoded(record, func(l LaunchRecord) {
				if last == nil || !l.Reattached {
					last = &Trainer{Launch: l, launchedAt: record.Seq}
				}
			})
		} else if err == nil && last != nil {
			err = last.learn(record, tip)
		}
		if err != nil {
			return nil, fmt.Errorf("read the last launch of run %s: %w", r.Ref(), err)
		}
	}
	return last, nil
}

// learn updates the trainer's data from a record.
func (t *Trainer) learn(record Record, tip int) error {
	switch record.Type {
	case TypeHandle:
		return decoded(record, func(h HandleRecord) { t.Handle = h.Handle })
	case TypeBoundary:
		return decoded(record, func(b BoundaryRecord) {
			if !b.Commits || b.Step <= tip { // otherwise its commit was interrupted
				t.Boundary, t.boundaryAt, t.AfterEvent = &b, record.Seq, b.EventSeq
			}
		})
	case TypeTrainerEnd:
		t.Ended = true
	case TypeFinish:
		t.Ended = t.Ended || !t.MayRun() // it ended with its adapter
	}
	return nil
}

// AppendBoundary records a boundary that has been answered. It is durable when the call returns, or with the commit
// that follows.
func (w *Writer) AppendBoundary(ctx context.Context, boundary BoundaryRecord) error {
	if err := w.write(ctx, TypeBoundary, boundary); err != nil {
		return w.stopped(ctx, err)
	}
	if boundary.Commits {
		return nil
	}
	w.metrics.settle()
	return w.Sync(ctx)
}

// AppendTrainerEnd records that a trainer has exited. It is durable when the call returns.
func (w *Writer) AppendTrainerEnd(ctx context.Context, end TrainerEndRecord) error {
	if err := w.write(ctx, TypeTrainerEnd, end); err != nil {
		return w.stopped(ctx, err)
	}
	return w.Sync(ctx)
}

// WaitingEpisode is an episode that a trainer may still use, or a sibling of one.
type WaitingEpisode struct {
	EpisodeRecord
	Weighed bool // the circuit breaker has evaluated its slot at the last boundary or an earlier one
	Counted bool // it is in the numbers of a step, and is listed only for its group
}

// OpenEpisodes returns a trainer's episodes that have not been counted at a boundary: episodes that ended after the
// last boundary, episodes for a later step, and trainable episodes that no step has used within OpenWindow. It also
// returns the other episodes in their groups, and in groups with missing samples. If several records have the same ID,
// the last one counts. Long parts are omitted.
func (w *Writer) OpenEpisodes(ctx context.Context, t *Trainer) ([]WaitingEpisode, error) {
	step := -1
	if t.Boundary != nil {
		step = t.Boundary.Step
	}
	open := openEpisodes{at: map[string]int{}, groups: map[waitingKey][]string{}}
	for record, err := range w.Records(journal.Position{}, TypeEpisode, TypeStep) {
		if err == nil {
			err = ctx.Err()
		}
		switch {
		case err != nil:
		case record.Seq < t.launchedAt:
		case record.Type == TypeStep && record.Seq < t.boundaryAt:
			err = decoded(record, func(s StepRecord) {
				if s.LaunchID == t.Launch.LaunchID {
					open.use(s.Consumed)
				}
			})
		case record.Type == TypeEpisode:
			err = decoded(record, func(e EpisodeRecord) {
				ahead := record.Seq > t.boundaryAt || e.Slot.Step > step
				waits := ahead || e.trainable() && !expired(e.Slot, step)
				if e.LaunchID == t.Launch.LaunchID {
					open.add(WaitingEpisode{EpisodeRecord: e, Weighed: !ahead, Counted: !waits})
				}
			})
		}
		if err != nil {
			return nil, fmt.Errorf("read the open episodes of run %s: %w", w.Ref(), err)
		}
	}
	return open.all(step), nil
}

// expired reports whether an episode has waited too long to be used after the given step. Step is 0 if the trainer does
// not report it.
func expired(slot Slot, step int) bool { return slot.Step > 0 && slot.Step < step-OpenWindow }

// openEpisodes holds episodes in the order of their first records until they are no longer needed.
type openEpisodes struct {
	list   []*WaitingEpisode // nil: not needed
	at     map[string]int    // index in list, by id
	groups map[waitingKey][]string
}

// waitingKey identifies a group, or an episode without a group.
type waitingKey struct {
	slot Slot // without its sample
	id   string
}

func waitingIn(e *WaitingEpisode) waitingKey {
	key := waitingKey{slot: e.Slot}
	key.slot.Sample = 0
	if e.Slot.Group == "" {
		key.id = e.EpisodeID
	}
	return key
}

func (o *openEpisodes) add(e WaitingEpisode) {
	e.Transcripts, e.Rows, e.State, e.Metadata = nil, nil, nil, nil
	key := waitingIn(&e)
	if i, known := o.at[e.EpisodeID]; known {
		e.Weighed = e.Weighed || o.list[i].Weighed // the slot is the same
		o.list[i] = &e
	} else {
		o.at[e.EpisodeID] = len(o.list)
		o.list = append(o.list, &e)
		o.groups[key] = append(o.groups[key], e.EpisodeID)
	}
	o.settle(key)
}

func (o *openEpisodes) use(consumed []Consumed) {
	for _, c := range consumed {
		if i, known := o.at[c.EpisodeID]; known {
			o.list[i].Counted = true
			o.settle(waitingIn(o.list[i]))
		}
	}
}

// settle drops a group that is complete and whose episodes have all been counted.
func (o *openEpisodes) settle(key waitingKey) {
	size, samples := 0, map[int]bool{}
	for _, id := range o.groups[key] {
		e := o.list[o.at[id]]
		if !e.Counted {
			return
		}
		size = max(size, e.GroupSize)
		if e.Outcome != sdk.OutcomeCancelled { // another one may replace it
			samples[e.Slot.Sample] = true
		}
	}
	if key.id != "" || len(samples) >= size {
		o.drop(key)
	}
}

func (o *openEpisodes) drop(key waitingKey) {
	for _, id := range o.groups[key] {
		o.list[o.at[id]] = nil
		delete(o.at, id)
	}
	delete(o.groups, key)
}

// all returns the episodes that are still needed after the given step. A group's missing samples are not requested once
// the group is too old.
func (o *openEpisodes) all(step int) []WaitingEpisode {
	for key, ids := range o.groups {
		waits := func(id string) bool { return !o.list[o.at[id]].Counted }
		if expired(key.slot, step) && !slices.ContainsFunc(ids, waits) {
			o.drop(key)
		}
	}
	var out []WaitingEpisode
	for _, e := range o.list {
		if e != nil {
			out = append(out, *e)
		}
	}
	return out
}

// trainable reports whether a step may train on part of the episode.
func (e *EpisodeRecord) trainable() bool {
	return e.Slot.Split == sdk.SplitTrain && slices.ContainsFunc(e.Chains, func(c Chain) bool { return c.Train })
}

// collectUncommitted collects the data that the trainer's earlier host recorded up to the last boundary and that no
// manifest lists yet: steps, validation passes, and episodes that may still be used.
func (w *Writer) collectUncommitted(launchID string) error {
	ledger, err := w.ledger()
	if err != nil {
		return err
	}
	standings, err := ledger.Standings()
	if err != nil {
		return err
	}
	trainer, err := w.lastTrainer(standings.history)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.steps, w.passes = nil, nil
	clear(w.open)
	_, tip := w.tipLocked()
	maps.DeleteFunc(w.counted, func(key passKey, _ bool) bool { return key.step > tip })
	var whole recorded
	for record, err := range w.Records(journal.Position{}, TypeLaunch, TypeStep, TypeValidation, TypeBoundary,
		TypeCommit) {
		if err == nil && trainer != nil && record.Seq > trainer.launchedAt {
			err = whole.learn(record, tip)
		}
		if err != nil {
			return err
		}
	}
	whole.cut()
	w.steps = whole.steps
	for _, pass := range whole.passes {
		w.countPass(pass)
	}
	return w.reopen(launchID, standings.used)
}

// recorded holds those steps and validation passes in a trainer's records that come after the tip.
type recorded struct {
	steps  []StepRecord
	passes []ValidationRecord
	// The number of first elements that belong to boundaries that count.
	wholeSteps, wholePasses int
}

func (r *recorded) learn(record Record, tip int) error {
	switch record.Type {
	case TypeStep:
		return decoded(record, func(s StepRecord) {
			if s.Step > tip {
				r.steps = append(r.steps, s)
			}
		})
	case TypeValidation:
		return decoded(record, func(v ValidationRecord) {
			if v.Step > tip {
				r.passes = append(r.passes, v)
			}
		})
	case TypeBoundary:
		return decoded(record, func(b BoundaryRecord) {
			if !b.Commits {
				r.wholeSteps, r.wholePasses = len(r.steps), len(r.passes)
			}
		})
	case TypeCommit:
		r.wholeSteps, r.wholePasses = len(r.steps), len(r.passes)
	case TypeLaunch: // it was taken up again
		r.cut()
	}
	return nil
}

// cut drops the data for a step whose boundary does not count, because it will be recorded again.
func (r *recorded) cut() {
	r.steps, r.passes = r.steps[:r.wholeSteps], r.passes[:r.wholePasses]
}

// reopen finds a trainer's unused episodes. The caller holds mu.
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
			if e.LaunchID != launchID || waiting[e.EpisodeID] || used.has(record.Key()) {
				return
			}
			delete(w.open, e.EpisodeID) // of several records with one id the last counts
			if e.Outcome != sdk.OutcomeCancelled {
				w.open[e.EpisodeID] = openEpisode{slot: e.Slot, record: hash, life: w.life, why: whyNot(&e), reward: e.Reward}
			}
		})
		if err != nil {
			return err
		}
	}
	w.life++ // from here on they may be replaced
	w.forgetOld()
	return nil
}

// uncommitted lists the episodes that the next manifest may count. The caller holds mu.
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

// forgetOld drops episodes that have waited too long to be used. The caller holds mu.
func (w *Writer) forgetOld() {
	_, step := w.tipLocked()
	for id, episode := range w.open {
		if episode.slot.Step < step-OpenWindow {
			delete(w.open, id)
		}
	}
}
