package rollout

import (
	"testing"

	"github.com/awhost/awhost/host/rollout/internal/group"
	"github.com/awhost/awhost/host/rollout/internal/registry"
	"github.com/awhost/awhost/sdk"
)

// An engine that resumes a trainer's work counts each slot once: the recorded episode, or its repetition.
func TestLedger_TakesUpAStep(t *testing.T) {
	one, half := 1.0, 0.5
	record := func(id string, step, sample int, outcome sdk.Outcome, reward *float64) *EpisodeRecord {
		return &EpisodeRecord{
			AttemptRecord: AttemptRecord{EpisodeID: id, Slot: Slot{Stage: "s", Split: sdk.SplitTrain, Step: step, Group: "g",
				Sample: sample}},
			Outcome: outcome, Reward: reward,
		}
	}
	e := &Engine{registry: registry.New(8), ledger: newLedger(), arrivals: group.NewArrivals()}
	e.Restore(onRecord(
		record("a", 3, 0, sdk.OutcomeScored, &half),
		record("b", 3, 1, sdk.OutcomeScored, &half),
		record("c", 3, 2, sdk.OutcomeCancelled, nil),
	))
	e.ledger.add(summarise(record("b", 3, 1, sdk.OutcomeScored, &one)))
	e.ledger.add(summarise(record("c", 3, 2, sdk.OutcomeScored, &one)))
	a := aggregate("s", sdk.SplitTrain, 3, e.ledger.takeTrain(stepEnd("s", 3)))
	if a.Episodes != 3 || a.Scored != 3 || a.RewardMean != (0.5+1+1)/3 || a.Withdrawn != 0 {
		t.Errorf("the step came to %+v", a)
	}
}

// onRecord returns another engine's records that have not counted.
func onRecord(records ...*EpisodeRecord) (episodes []PastEpisode) {
	for _, r := range records {
		episodes = append(episodes, PastEpisode{EpisodeRecord: r})
	}
	return episodes
}
