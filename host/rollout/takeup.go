package rollout

import "github.com/awhost/awhost/sdk"

// TakeUp lets a configured engine go on where another one with the same trainer ended: in the middle of the step after a
// boundary, with the episodes of that step that are on record. They count in its numbers and in its groups, unless the trainer asks for
// them again: then they are run again, and the last record of an id counts. Of an episode it needs what numbers are made of.
func (e *Engine) TakeUp(step int, episodes []*EpisodeRecord) {
	e.registry.floor.Store(int64(step))
	e.ledger.resume(step)
	stage := e.stage.Load()
	drops, compares := stage != nil && stage.dropsGroups, stage != nil && stage.grouped
	for _, record := range episodes {
		e.ledger.add(summarise(record))
		e.arrivals.recall(record)
		if drops {
			e.pacts.recall(record)
		}
		if compares {
			e.groups.recall(record)
		}
	}
}

// resume is what a boundary leaves behind. Validation is another matter: a pass may come before the next step.
func (l *ledger) resume(step int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken[sdk.SplitTrain] = step
}
