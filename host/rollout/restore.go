package rollout

import (
	"github.com/awhost/awhost/host/rollout/internal/group"
	"github.com/awhost/awhost/sdk"
)

// PastEpisode is an episode on record that has not counted, or a member of a group that continues.
type PastEpisode struct {
	*EpisodeRecord
	Weighed bool // by the circuit breaker, at a boundary that counts
	Counted bool // in the numbers of a step; only its siblings need it
}

// Restore resumes the work of another engine with the same trainer in this configured engine. It is called after a
// boundary, with the recorded episodes that did not count there and with all recorded episodes of continuing groups.
// The former count in the numbers, and all count in their groups. If the trainer requests one again, it runs again,
// and the last record of an id counts. Episodes that were running are not on record, so no step is finished before
// the next boundary. Of each episode Restore needs only the fields that numbers are computed from.
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

// pastOf returns the data of a recorded episode that its siblings need.
func pastOf(r *EpisodeRecord) group.Past {
	return group.Past{
		Slot: r.Slot, Episode: r.EpisodeID, GroupSize: r.GroupSize, Cancelled: r.Outcome == sdk.OutcomeCancelled,
		Survives: r.Reward != nil && !r.Masked && !r.DropGroup, Drops: r.DropGroup && !r.LoneSurvivor,
	}
}
