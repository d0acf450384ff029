package rollout

import (
	"github.com/awhost/awhost/host/rollout/internal/group"
	"github.com/awhost/awhost/sdk"
)

// PastEpisode is an episode on record that has not counted, or one of a group that goes on.
type PastEpisode struct {
	*EpisodeRecord
	Weighed bool // by the circuit breaker, at a boundary that counts
	Counted bool // in the numbers of a step: only its siblings need it
}

// TakeUp lets a configured engine go on where another one with the same trainer ended: after a boundary, with the episodes that are on
// record and did not count there, and with all that is on record of groups that go on. The first count in the numbers, all in their
// groups, unless the trainer asks for them again: then they are run again, and the last record of an id counts. What was under way is on
// nobody's record: so no step is over before the next boundary. Of an episode it needs what numbers are made of.
func (e *Engine) TakeUp(episodes []PastEpisode) {
	stage := e.stage.Load()
	settles, compares := stage != nil && (stage.dropsGroups || stage.holdsFirst), stage != nil && stage.grouped
	for i := range episodes {
		record := episodes[i].EpisodeRecord
		e.ledger.recall(&episodes[i])
		past := pastOf(record)
		e.arrivals.Recall(past)
		if settles {
			e.dropped.Recall(past)
		}
		if compares {
			e.compared.Recall(past)
		}
	}
}

// pastOf is what the siblings of an episode on record need to know of it.
func pastOf(r *EpisodeRecord) group.Past {
	return group.Past{
		Slot: r.Slot, Episode: r.EpisodeID, GroupSize: r.GroupSize, Cancelled: r.Outcome == sdk.OutcomeCancelled,
		Survives: r.Reward != nil && !r.Masked && !r.DropGroup, Drops: r.DropGroup && !r.LoneSurvivor,
	}
}
