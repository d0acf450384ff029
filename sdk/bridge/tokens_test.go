package bridge_test

import (
	"fmt"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
)

// requestedEpisode returns the id of an episode, and whether its worker must send its tokens.
func requestedEpisode(t *bridge.TokenRows, step, group, sample, size int) (id string, wanted bool) {
	id = fmt.Sprintf("s%d/g%d/%d", step, group, sample)
	req := sdk.EpisodeRequest{EpisodeID: id, GroupID: fmt.Sprint(group), GroupSize: size, SampleIndex: sample, Step: step}
	return id, t.Ask(req, &sdk.EpisodeResult{EpisodeID: id}).Metrics["awhost/tokens"] == 1
}

func tokensEvent(id string, tokens ...int32) *sdk.TokensEvent {
	return &sdk.TokensEvent{Rows: []sdk.TokensRow{{EpisodeID: id, IDs: tokens}}}
}

// Rows must go to the step that has trained their episode, once, and only for trained episodes that were requested.
func TestTokenRows_GroupedByTrainedStep(t *testing.T) {
	rows := &bridge.TokenRows{Every: 2}
	if _, wanted := requestedEpisode(rows, 1, 0, 0, 2); wanted {
		t.Error("the tokens of step 1 are requested; want every second step")
	}
	id, wanted := requestedEpisode(rows, 2, 0, 0, 2)
	masked, _ := requestedEpisode(rows, 2, 0, 1, 2)
	if !wanted {
		t.Fatal("the tokens of step 2 are not requested")
	}
	for _, e := range []*sdk.TokensEvent{tokensEvent(id, 1, 2), tokensEvent(masked, 3), tokensEvent("another", 4)} {
		rows.Keep(e)
	}
	consumed := []sdk.ConsumedEpisode{
		{EpisodeID: id, Use: sdk.ConsumedTrained}, {EpisodeID: masked, Use: sdk.ConsumedMasked},
		{EpisodeID: "another", Use: sdk.ConsumedTrained},
	}
	events := rows.Take(3, consumed)
	if len(events) != 1 || events[0].Tokens.Step != 3 || len(events[0].Tokens.Rows) != 1 ||
		events[0].Tokens.Rows[0].EpisodeID != id {
		t.Errorf("step 3 reports %+v; want the tokens of %s", events, id)
	}
	if again := rows.Take(3, consumed); again != nil {
		t.Errorf("the same step reports %+v again", again)
	}
}

// Whole groups must be requested, and no more of a step than the host keeps. Untrained rows must be dropped.
func TestTokenRows_AreBounded(t *testing.T) {
	rows := &bridge.TokenRows{Every: 1}
	first, _ := requestedEpisode(rows, 1, 0, 0, 50)
	rows.Keep(tokensEvent(first, 1))
	wanted := map[int]int{}
	for sample := range 50 {
		for group := range 4 {
			if _, is := requestedEpisode(rows, 2, group, sample, 50); is {
				wanted[group]++
			}
		}
	}
	if len(wanted) != 2 || wanted[0] != 50 || wanted[1] != 50 {
		t.Errorf("requested samples by group: %v; want two groups of 50", wanted)
	}
	large := 0
	for sample := range 200 {
		if _, is := requestedEpisode(rows, 3, 0, sample, 200); is {
			large++
		}
	}
	if large != 128 {
		t.Errorf("%d samples of a group of 200 were requested, want 128", large)
	}
	for step := 4; step < 20; step++ {
		requestedEpisode(rows, step, 0, 0, 50)
	}
	if events := rows.Take(20, []sdk.ConsumedEpisode{{EpisodeID: first, Use: sdk.ConsumedTrained}}); events != nil {
		t.Errorf("the tokens of step 1 were kept: %+v", events)
	}
}
