package runstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// incompleteOf commits a step with four planned samples in two groups, and returns its short steps.
func incompleteOf(
	t *testing.T, planned int, episodes []EpisodeRecord, uses map[string]sdk.Consumption,
) []IncompleteStep {
	t.Helper()
	_, w := launched(t)
	if err := w.AppendLaunch(t.Context(), LaunchRecord{LaunchID: "l2", Stage: "full", FirstStep: 1,
		Samples: planned}); err != nil {
		t.Fatal(err)
	}
	record := StepRecord{Stage: "full", Step: 1}
	for _, e := range episodes {
		if _, err := w.AppendEpisode(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		if use, ok := uses[e.EpisodeID]; ok {
			record.Consumed = append(record.Consumed, Consumed{EpisodeID: e.EpisodeID, Use: use})
		}
	}
	if err := w.AppendStep(t.Context(), record); err != nil {
		t.Fatal(err)
	}
	commit(t, w, 1)
	short, err := w.IncompleteSteps()
	if err != nil {
		t.Fatal(err)
	}
	audit, err := w.Audit(t.Context())
	if diff := cmp.Diff(short, audit.Short); diff != "" || err != nil || len(audit.Problems) > 0 {
		t.Errorf("the audit says otherwise, or has problems %v, %v:\n%s", audit.Problems, err, diff)
	}
	closeRun(t, w)
	return short
}

func TestIncompleteSteps(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	sample := func(id, group string, index int, change func(*EpisodeRecord)) EpisodeRecord {
		e := EpisodeRecord{
			EpisodeID: id, LaunchID: "l2", Slot: Slot{Stage: "full", Split: sdk.SplitTrain, Step: 1, Group: group,
				Sample: index},
			Outcome: sdk.OutcomeScored, Reward: number(float64(index)),
		}
		if change != nil {
			change(&e)
		}
		return e
	}
	without := func(outcome sdk.Outcome, class sdk.FailureClass) func(*EpisodeRecord) {
		return func(e *EpisodeRecord) {
			e.Outcome, e.Reward = outcome, nil
			if class != "" {
				e.Failure = &sdk.Failure{Class: class}
			}
		}
	}
	equal := func(e *EpisodeRecord) { e.Reward = number(1) }
	const trained, filtered, masked = sdk.ConsumedTrained, sdk.ConsumedFiltered, sdk.ConsumedMasked
	for name, c := range map[string]struct {
		planned int
		change  [4]func(*EpisodeRecord)
		uses    [4]sdk.Consumption
		samples int
		why     map[string]int // nil: the step is not short
	}{
		"all trained": {planned: 4, uses: [4]sdk.Consumption{trained, trained, trained, trained}},
		"a group of equal rewards": {planned: 4, change: [4]func(*EpisodeRecord){nil, nil, equal, equal},
			uses: [4]sdk.Consumption{trained, trained, filtered, filtered}},
		"not known": {uses: [4]sdk.Consumption{trained, filtered, trained, trained}},
		"rows that are gone": {planned: 4, uses: [4]sdk.Consumption{trained, filtered, trained, trained}, samples: 3,
			why: map[string]int{whyLeftOut: 1}},
		"lost": {planned: 4, uses: [4]sdk.Consumption{trained, sdk.ConsumedLost, trained, trained},
			samples: 3, why: map[string]int{whyLost: 1}},
		"never used": {planned: 4, uses: [4]sdk.Consumption{trained, trained, "", ""}, samples: 2,
			why: map[string]int{}},
		"nothing used":      {planned: 4, why: map[string]int{}},
		"more than planned": {planned: 3, uses: [4]sdk.Consumption{trained, filtered, trained, trained}},
		"failed, and its group": {planned: 4, change: [4]func(*EpisodeRecord){without(sdk.OutcomeDropped,
			sdk.FailureAgent), without(sdk.OutcomeDropped, "")}, uses: [4]sdk.Consumption{filtered, filtered, trained, trained},
			samples: 2, why: map[string]int{"AGENT": 1, whyGroupDropped: 1}},
		"masked by a limit": {planned: 4, change: [4]func(*EpisodeRecord){without(sdk.OutcomeTruncated, "")},
			uses: [4]sdk.Consumption{masked, trained, trained, trained}, samples: 3, why: map[string]int{whyTruncated: 1}},
		"masked, though it has one": {planned: 4, change: [4]func(*EpisodeRecord){equal, equal},
			uses: [4]sdk.Consumption{masked, trained, trained, trained}, samples: 3, why: map[string]int{whyLeftOut: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var episodes []EpisodeRecord
			uses := map[string]sdk.Consumption{}
			for i, id := range []string{"a0", "a1", "b0", "b1"} {
				episodes = append(episodes, sample(id, id[:1], i%2, c.change[i]))
				if c.uses[i] != "" {
					uses[id] = c.uses[i]
				}
			}
			var want []IncompleteStep
			if c.why != nil {
				want = []IncompleteStep{{Stage: "full", Step: 1, Planned: c.planned, Samples: c.samples, Why: c.why}}
			}
			if diff := cmp.Diff(want, incompleteOf(t, c.planned, episodes, uses)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestIncompleteStep_SaysWhy(t *testing.T) {
	s := IncompleteStep{
		Stage: "full", Step: 3, Planned: 64, Samples: 53, Why: map[string]int{"ENVIRONMENT": 4, whyLeftOut: 1},
	}
	const want = "step 3 of stage full had 53 of 64 samples: 4 failed (ENVIRONMENT), 1 left out by the trainer, 6 without a result"
	if got := s.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
