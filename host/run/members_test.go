package run

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk/metric"
)

// An episode that is restored from the journal has its members, and so do the numbers of its step.
func TestRemembered_KeepsMembers(t *testing.T) {
	record := &runstore.EpisodeRecord{NumTurns: 3, OutputTokens: 9, Members: []runstore.MemberRecord{
		{Agent: "react.planner", Turns: 1, PromptTokens: 5, OutputTokens: 2, Model: "model.openai.x", CostUSD: 0.5},
		{Agent: "react.solver", Turns: 2, PromptTokens: 16, OutputTokens: 7},
	}}
	got := numbersOf(record)
	want := []rollout.MemberRecord{
		{Agent: "react.planner", Turns: 1, PromptTokens: 5, OutputTokens: 2, Served: "model.openai.x", Cost: 0.5},
		{Agent: "react.solver", Turns: 2, PromptTokens: 16, OutputTokens: 7},
	}
	if diff := cmp.Diff(want, got.Members()); diff != "" || len(got.Turns) != record.NumTurns {
		t.Errorf("%d turns (-want +got):\n%s", len(got.Turns), diff)
	}
	numbers := trainNumbers(rollout.Aggregate{Members: got.Members()})
	for name, want := range map[string]float64{
		metric.Members + "react.planner" + metric.MemberCost:         0.5,
		metric.Members + "react.planner" + metric.MemberPromptTokens: 5,
		metric.Members + "react.solver" + metric.MemberOutputTokens:  7,
		metric.Members + "react.solver" + metric.MemberTurns:         2,
	} {
		if numbers[name] != want {
			t.Errorf("%s is %v, want %v", name, numbers[name], want)
		}
	}
	if _, known := numbers[metric.Members+"react.solver"+metric.MemberCost]; known {
		t.Error("the policy costs money")
	}
}

// The numbers of a step's conversations are sums and shares of sums. An episode restored from the journal has its own
// in its metrics.
func TestTrainNumbers_OfConversations(t *testing.T) {
	numbers := trainNumbers(rollout.Aggregate{Conversations: rollout.ConversationStats{
		Tokens: 100, Auxiliary: 25, Sampled: 60, Delivered: 45, Rows: 3, Merged: 7, Saved: 900,
	}})
	for name, want := range map[string]float64{
		metric.AuxiliaryFraction: 0.25, metric.TrainedFraction: 0.75,
		metric.Rows: 3, metric.RowsMerged: 7, metric.TokensSaved: 900,
	} {
		if numbers[name] != want {
			t.Errorf("%s is %v, want %v", name, numbers[name], want)
		}
	}
	if v, known := trainNumbers(rollout.Aggregate{})[metric.TrainedFraction]; known { // no requests
		t.Errorf("%v of nothing is trained", v)
	}
}
