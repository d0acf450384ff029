package runstore

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// The example of a class has the most common reason, in any order of the episodes.
func TestFailures_ByClass(t *testing.T) {
	s := onDisk(emptyDisk(t))
	w, err := s.Create(t.Context(), quickstart)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.AppendLaunch(t.Context(), LaunchRecord{LaunchID: "l", Stage: "full", FirstStep: 1}); err != nil {
		t.Fatal(err)
	}
	for i, e := range []struct {
		class   sdk.FailureClass
		detail  string
		outcome sdk.Outcome
	}{
		{"", "", sdk.OutcomeScored},
		{sdk.FailureReward, "once", sdk.OutcomeFailed}, {sdk.FailureReward, "twice", sdk.OutcomeDropped},
		{sdk.FailureReward, "twice", sdk.OutcomeFailed},
		{sdk.FailureTimeout, "slow", sdk.OutcomeFailed}, {sdk.FailureInfrastructure, "gone", sdk.OutcomeCancelled},
	} {
		record := EpisodeRecord{
			EpisodeID: fmt.Sprintf("e%d", i), LaunchID: "l", TaskID: fmt.Sprintf("t%d", i), Outcome: e.outcome,
			Slot: Slot{Stage: "full", Split: sdk.SplitTrain, Step: 1, Group: "g", Sample: i},
		}
		if e.class != "" {
			record.Failure = &sdk.Failure{Class: e.class, Detail: e.detail}
		}
		if _, err := w.AppendEpisode(t.Context(), record); err != nil {
			t.Fatal(err)
		}
	}
	got, err := w.Failures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	slot := func(sample int) Slot {
		return Slot{Stage: "full", Split: sdk.SplitTrain, Step: 1, Group: "g", Sample: sample}
	}
	want := []FailureSum{
		{sdk.FailureReward, 3, FailureExample{2, "e2", "t2", slot(2), "twice"}},
		{sdk.FailureTimeout, 1, FailureExample{1, "e4", "t4", slot(4), "slow"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := w.release(); err != nil {
		t.Fatal(err)
	}
}
