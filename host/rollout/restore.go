package rollout

import (
	"github.com/awhost/awhost/host/rollout/internal/group"
	"github.com/awhost/awhost/sdk"
)

// PastEpisode is a recorded episode that has not been counted, or a member of a group that continues.
type PastEpisode struct {
	*EpisodeRecord
	Weighed bool // by the circuit breaker, at a boundary that counts
	Counted bool // in the numbers of a step; only its siblings need it
}

// Restore resumes another engine's work, with the same trainer, in this configured engine. It is called after a
// boundary, with the recorded episodes that were not counted at that boundary and all recorded episodes in continuing
// groups. The former are included in the numbers, and all of them count in their groups. If the trainer requests one of
// them again, it is run again, and the last record with a given ID counts. Episodes that were running are not recorded,
// so no step is finished before the next boundary. Restore needs only those fields of each episode from which numbers
// are computed.
func (e *Engine) Restore(episodes []PastEpisode) {
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

// pastOf returns the data about a recorded episode that its siblings need.
func pastOf(r *EpisodeRecord) group.Past {
	return group.Past{
		Slot: r.Slot, Episode: r.EpisodeID, GroupSize: r.GroupSize, Cancelled: r.Outcome == sdk.OutcomeCancelled,
		Survives: r.Reward != nil && !r.Masked && !r.DropGroup, Drops: r.DropGroup && !r.LoneSurvivor,
	}
}
