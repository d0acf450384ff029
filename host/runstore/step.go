package runstore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// AppendStep records the episodes that the trainer used in a step. The caller sets each episode's ID and use, and
// AppendStep sets the slot and record hash. An episode that is not on record or has already been used is an error: a
// step must not count unknown episodes, nor count an episode twice.
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
	w.explain(consumed)
	for id := range taken {
		delete(w.open, id)
	}
	step.Consumed = consumed
	w.steps = append(w.steps, *step)
	return nil
}

// slotsOnce returns an error if a slot would count twice. Stale and lost samples do not count because their slot has
// been filled again.
func slotsOnce(consumed []Consumed) error {
	seen := make(map[Slot]string, len(consumed))
	for _, c := range consumed {
		if !c.counts() {
			continue
		}
		if other, ok := seen[c.Slot]; ok {
			return fmt.Errorf("episodes %q and %q both fill sample %d of group %q in step %d", other, c.EpisodeID,
				c.Slot.Sample, c.Slot.Group, c.Slot.Step)
		}
		seen[c.Slot] = c.EpisodeID
	}
	return nil
}

// counts reports whether the episode fills its slot.
func (c Consumed) counts() bool { return c.Use != sdk.ConsumedStale && c.Use != sdk.ConsumedLost }

// passKey identifies a validation pass. Each pass counts once, however often it is repeated.
type passKey struct {
	stage string
	step  int
}

// AppendValidation ends a validation pass: all open validation episodes of its stage and step belong to it. If there
// are several passes at one step, the first one counts.
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

// countPass adds a pass to the next manifest, unless another pass at the same step already counts. The caller holds mu.
func (w *Writer) countPass(pass ValidationRecord) {
	key := passKey{pass.Stage, pass.Step}
	if !w.counted[key] {
		w.counted[key] = true
		w.passes = append(w.passes, pass)
	}
}

// validated lists a pass's open validation episodes in slot order. The caller holds mu.
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
