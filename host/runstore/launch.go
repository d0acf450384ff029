package runstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/sdk"
)

// AppendLaunch records that a trainer is about to be started from the tip, or taken up again, and returns when that
// is durable. A trainer that starts supersedes everything on record after the tip; one that is taken up again goes on
// with the episodes of its earlier host.
func (w *Writer) AppendLaunch(ctx context.Context, launch LaunchRecord) error {
	w.mu.Lock()
	launch.From, launch.FromStep = w.tipLocked()
	w.mu.Unlock()
	if err := w.prepare(ctx, launch); err != nil {
		return err
	}
	if err := w.write(ctx, TypeLaunch, launch); err != nil {
		return w.stopped(ctx, err)
	}
	if err := w.Sync(ctx); err != nil {
		return err
	}
	w.mu.Lock()
	w.launch = launch.LaunchID
	if !launch.Reattached {
		w.steps, w.passes = nil, nil
		maps.DeleteFunc(w.counted, func(key passKey, _ bool) bool { return key.step > launch.FromStep })
	}
	w.mu.Unlock()
	return w.stopped(ctx, w.exportMetricsOnce())
}

// prepare brings what is known of open episodes, and the folder of checkpoints, into the state of the launch.
func (w *Writer) prepare(ctx context.Context, launch LaunchRecord) error {
	if launch.Reattached {
		return w.takeUp(launch.LaunchID)
	}
	w.mu.Lock()
	clear(w.open)
	w.mu.Unlock()
	return w.stopped(ctx, w.removeUnfinished())
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

// removeUnfinished clears away the folders of checkpoints that were cut off before their manifest.
func (w *Writer) removeUnfinished() error {
	dir := filepath.Join(w.Dir, checkpointsDir)
	entries, err := w.fs().ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if _, err := w.fs().Lstat(filepath.Join(path, manifestFile)); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := disk.RemoveAll(w.fs(), path); err != nil {
			return err
		}
	}
	return nil
}

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

// AppendStep records what the trainer used in a step. Of each episode the caller says the id and the use; slots and
// record hashes are filled in. An episode that is not on record, or was used before, is an error: a step may not
// count what this run does not know, nor anything twice.
func (w *Writer) AppendStep(ctx context.Context, step StepRecord) error {
	if err := w.use(&step); err != nil {
		return fmt.Errorf("record step %d: %w", step.Step, err)
	}
	if err := w.write(ctx, TypeStep, step); err != nil {
		return w.stopped(ctx, err)
	}
	return nil
}

func (w *Writer) use(step *StepRecord) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, tip := w.tipLocked(); step.Step <= tip {
		return fmt.Errorf("the checkpoint of step %d is already committed", tip)
	}
	for _, waiting := range w.steps {
		if waiting.Step == step.Step {
			return errors.New("the step is already on record")
		}
	}
	consumed := slices.Clone(step.Consumed)
	taken := map[string]bool{}
	for i := range consumed {
		c := &consumed[i]
		c.Step = step.Step
		episode, ok := w.open[c.EpisodeID]
		if taken[c.EpisodeID] || !ok && c.Use != sdk.ConsumedLost {
			return fmt.Errorf("the adapter used episode %q, which is not on record or was used before", c.EpisodeID)
		}
		taken[c.EpisodeID] = true
		c.Slot, c.Record = episode.slot, episode.record
	}
	if err := slotsOnce(consumed); err != nil {
		return err
	}
	for id := range taken {
		delete(w.open, id)
	}
	step.Consumed = consumed
	w.steps = append(w.steps, *step)
	return nil
}

// slotsOnce says which slot would count twice. Stale and lost samples do not count: their slot was filled again.
func slotsOnce(consumed []Consumed) error {
	seen := make(map[Slot]string, len(consumed))
	for _, c := range consumed {
		if !c.counts() {
			continue
		}
		if other, ok := seen[c.Slot]; ok {
			return fmt.Errorf("episodes %q and %q both fill sample %d of group %q of step %d", other, c.EpisodeID,
				c.Slot.Sample, c.Slot.Group, c.Slot.Step)
		}
		seen[c.Slot] = c.EpisodeID
	}
	return nil
}

// counts says whether the episode fills its slot.
func (c Consumed) counts() bool { return c.Use != sdk.ConsumedStale && c.Use != sdk.ConsumedLost }

// passKey is what a validation pass was about. Each counts once, however often it is repeated.
type passKey struct {
	stage string
	step  int
}

// AppendValidation ends a validation pass: all open validation episodes of its stage and step belong to it. Of
// several passes at one step the first counts.
func (w *Writer) AppendValidation(ctx context.Context, pass ValidationRecord) error {
	if err := w.closePass(&pass); err != nil {
		return fmt.Errorf("record validation at step %d: %w", pass.Step, err)
	}
	return w.stopped(ctx, w.write(ctx, TypeValidation, pass))
}

func (w *Writer) closePass(pass *ValidationRecord) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	after, tip := w.tipLocked()
	if pass.Step < tip {
		return fmt.Errorf("the checkpoint of step %d is already committed", tip)
	}
	pass.After, pass.Consumed = after, w.validated(pass.Stage, pass.Step)
	if err := slotsOnce(pass.Consumed); err != nil {
		return err
	}
	for _, c := range pass.Consumed {
		delete(w.open, c.EpisodeID)
	}
	w.countPass(*pass)
	return nil
}

// countPass lets the next manifest list a pass, unless one at the same step counts already. The caller holds mu.
func (w *Writer) countPass(pass ValidationRecord) {
	key := passKey{pass.Stage, pass.Step}
	if !w.counted[key] {
		w.counted[key] = true
		w.passes = append(w.passes, pass)
	}
}

// validated lists the open validation episodes of a pass in slot order. The caller holds mu.
func (w *Writer) validated(stage string, step int) []Consumed {
	var consumed []Consumed
	for id, e := range w.open {
		if e.slot.Split == sdk.SplitValidation && e.slot.Stage == stage && e.slot.Step == step {
			consumed = append(consumed, Consumed{EpisodeID: id, Use: UseValidated, Slot: e.slot, Step: step, Record: e.record})
		}
	}
	slices.SortFunc(consumed, func(a, b Consumed) int { return a.Slot.compare(b.Slot) })
	return consumed
}
