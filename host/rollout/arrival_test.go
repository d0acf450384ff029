package rollout

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/rollout/internal/group"
	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/sdk"
)

// unnumbered requests a sample of a group without its index.
func unnumbered(step int, id string) sdk.EpisodeRequest {
	req := sample(step, 1, sdk.SampleByArrival)
	req.EpisodeID = id
	return req
}

func samples(r *rig) map[string]int {
	out := map[string]int{}
	for _, record := range r.sink.episodes {
		out[record.EpisodeID] = record.Slot.Sample
	}
	return out
}

func TestSamplesAreNumberedByArrivalWhereTheirTrainerDoesNot(t *testing.T) {
	r := newRig()
	r.start(t)
	for _, id := range []string{"c", "a", "c", "d"} { // c is requested again, as after a broken connection
		if _, err := r.RunEpisode(context.Background(), unnumbered(1, id)); err != nil {
			t.Fatal(err)
		}
	}
	if got := samples(r); len(got) != 3 || got["c"] != 0 || got["a"] != 1 || got["d"] != 2 {
		t.Errorf("the samples are %v", got)
	}
	if _, err := r.RunEpisode(context.Background(), unnumbered(1, "e")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.RunEpisode(context.Background(), unnumbered(1, "f")); err == nil ||
		!strings.Contains(err.Error(), `all 4 samples of group "g1" have been requested`) {
		t.Errorf("the fifth sample of four: %v", err)
	}
}

// All samples of a group may run concurrently, whether a reward compares them or a failed sample drops its siblings.
func TestAGroupWithoutNumbersIsWhole(t *testing.T) {
	judge := &ranks{}
	for name, r := range map[string]*rig{"compared": groupRig(judge), "dropped": droppingRig(nil, "none")} {
		t.Run(name, func(t *testing.T) {
			r.start(t)
			var requests []sdk.EpisodeRequest
			for _, id := range []string{"a", "b", "c", "d"} {
				requests = append(requests, unnumbered(1, id))
			}
			for i, result := range r.runAll(t, requests...) {
				if result.Outcome != sdk.OutcomeScored {
					t.Errorf("sample %d: %v", i, outcomes([]*sdk.EpisodeResult{result}))
				}
			}
			var got []int
			for _, n := range samples(r) {
				got = append(got, n)
			}
			slices.Sort(got)
			if !slices.Equal(got, []int{0, 1, 2, 3}) {
				t.Errorf("the samples are %v, want each once", got)
			}
		})
	}
	if len(judge.calls) != 1 || len(judge.calls[0].Items) != 4 {
		t.Errorf("the reward was asked %d times, want once about four", len(judge.calls))
	}
}

func arrivalOf(a *group.Arrivals, req sdk.EpisodeRequest) (int, error) {
	return a.Number(identityOf(req).Slot, req.EpisodeID, req.GroupSize)
}

func TestArrivals_GoOnWhereAnotherHostEnded(t *testing.T) {
	a := group.NewArrivals()
	past := func(id string, n int, outcome sdk.Outcome) {
		slot := identityOf(unnumbered(3, id)).Slot
		slot.Sample = n
		attempt := AttemptRecord{EpisodeID: id, Slot: slot}
		a.Recall(pastOf(&EpisodeRecord{AttemptRecord: attempt, GroupSize: 4, Outcome: outcome}))
	}
	past("a", 0, sdk.OutcomeCancelled)
	past("b", 1, sdk.OutcomeScored)
	for _, want := range []struct {
		id string
		n  int
	}{{"b", 1}, {"new", 0}, {"a", 2}} {
		if n, err := arrivalOf(a, unnumbered(3, want.id)); err != nil || n != want.n {
			t.Errorf("episode %s is sample %d (%v), want %d", want.id, n, err, want.n)
		}
	}
	if a.Forget(4); a.Len() != 0 {
		t.Errorf("groups of a finished step: %d", a.Len())
	}
}

// at returns a request for the first sample of a group at a position.
func at(step, position int, group string) sdk.EpisodeRequest {
	req := sample(step, position, 0)
	req.GroupID, req.EpisodeID = group, fmt.Sprintf("%s/%d", group, step)
	return req
}

// Two groups of a step with the same task must have different seeds, and a group keeps its number.
func TestGroupsAtOnePositionAreToldApart(t *testing.T) {
	r := newRig()
	r.start(t)
	brought := func(group string) sdk.EpisodeRequest {
		req := at(1, 0, group)
		req.Task = &sdk.Task{ID: "sum-5"}
		return req
	}
	for _, req := range []sdk.EpisodeRequest{at(1, 3, "x"), at(1, 3, "y"), at(1, 4, "z"), at(2, 3, "w"), brought("p"),
		brought("q")} {
		r.run(t, req)
	}
	sibling := at(1, 3, "y")
	sibling.EpisodeID, sibling.SampleIndex = "y/sibling", 1
	r.run(t, sibling)
	seeds, repeats := map[string]uint64{}, map[string]int{}
	for _, e := range r.sink.episodes {
		seeds[e.EpisodeID], repeats[e.EpisodeID] = e.EnvironmentSeed, e.Slot.Repeat
	}
	want := map[string]int{"x/1": 0, "y/1": 1, "y/sibling": 1, "z/1": 0, "w/2": 0, "p/1": 0, "q/1": 1}
	if diff := cmp.Diff(want, repeats); diff != "" {
		t.Errorf("repeats (-want +got):\n%s", diff)
	}
	if seeds["x/1"] == seeds["y/1"] || seeds["y/1"] != seeds["y/sibling"] || seeds["p/1"] == seeds["q/1"] {
		t.Errorf("the environment's seeds are %v", seeds)
	}
}

func TestAGroupsPositionIsTheTrainersWhereItSaysOne(t *testing.T) {
	r := newRig()
	r.start(t)
	said := at(1, 40, "x")
	said.GroupIndex = new(int)
	*said.GroupIndex = 3
	r.run(t, said)
	first := r.sink.last(t)
	if r.run(t, at(2, 3, "y")); first.Slot.Position != 3 || first.Slot.Index != 40 {
		t.Errorf("the slot is %+v", first.Slot)
	}
	if want := slot.NewSeeds(1, Slot{Stage: "full", Split: sdk.SplitTrain, Step: 1,
		Position: 3}).Environment; first.EnvironmentSeed != want {
		t.Errorf("the environment's seed is %d, want the seed of position 3, %d", first.EnvironmentSeed, want)
	}
	*said.GroupIndex, said.EpisodeID = -1, "negative"
	if _, err := r.RunEpisode(t.Context(), said); err == nil || !strings.Contains(err.Error(), "the group_index is -1") {
		t.Errorf("a negative position: %v", err)
	}
}

// A host that takes over a step gives repeated groups their previous numbers.
func TestArrivals_KeepTheNumbersOfGroupsThatAnotherHostHeardOf(t *testing.T) {
	a := group.NewArrivals()
	for group, n := range map[string]int{"x": 0, "y": 1, "z": 3} {
		slot := identityOf(at(3, 7, group)).Slot
		slot.Repeat = n
		outcome := sdk.OutcomeScored
		if group == "y" {
			outcome = sdk.OutcomeCancelled // it will be requested again
		}
		attempt := AttemptRecord{EpisodeID: group, Slot: slot}
		a.Recall(pastOf(&EpisodeRecord{AttemptRecord: attempt, GroupSize: 4, Outcome: outcome}))
	}
	for _, want := range []struct {
		group string
		n     int
	}{{"z", 3}, {"new", 2}, {"y", 1}, {"x", 0}, {"newer", 4}} {
		if n := a.Repeat(identityOf(at(3, 7, want.group)).Slot); n != want.n {
			t.Errorf("group %s has the number %d, want %d", want.group, n, want.n)
		}
	}
	if a.Forget(4); a.Len() != 0 {
		t.Errorf("positions of a finished step: %d", a.Len())
	}
}

// A trainer that does not report the step of an episode may have open groups when a step ends.
func TestArrivals_KeepsGroupsOfNoStepUntilTheyAreWhole(t *testing.T) {
	a := group.NewArrivals()
	for range 2 {
		if n, err := arrivalOf(a, unnumbered(0, "a")); err != nil || n != 0 {
			t.Errorf("sample %d: %v", n, err)
		}
		a.Forget(9)
	}
	for i, id := range []string{"b", "c", "d"} {
		if n, err := arrivalOf(a, unnumbered(0, id)); err != nil || n != i+1 {
			t.Errorf("episode %s is sample %d: %v", id, n, err)
		}
	}
	if a.Forget(10); a.Len() != 0 {
		t.Errorf("a group that is whole is kept: %d", a.Len())
	}
}
