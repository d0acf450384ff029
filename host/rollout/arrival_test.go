package rollout

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// unnumbered asks for a sample of a group without saying which.
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
	for _, id := range []string{"c", "a", "c", "d"} { // c is asked for again, as after a broken connection
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
	if _, err := r.RunEpisode(context.Background(), unnumbered(1, "f")); err == nil || !strings.Contains(err.Error(), `all 4 samples of group "g1" have been asked for`) {
		t.Errorf("the fifth sample of four: %v", err)
	}
}

// All samples of a group may be under way at once, where a reward compares them and where one takes its siblings with it.
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

func TestArrivals_GoOnWhereAnotherHostEnded(t *testing.T) {
	a := newArrivals()
	past := func(id string, n int, outcome sdk.Outcome) {
		slot := identityOf(unnumbered(3, id)).slot
		slot.Sample = n
		a.recall(&EpisodeRecord{AttemptRecord: AttemptRecord{EpisodeID: id, Slot: slot}, GroupSize: 4, Outcome: outcome})
	}
	past("a", 0, sdk.OutcomeCancelled)
	past("b", 1, sdk.OutcomeScored)
	for _, want := range []struct {
		id string
		n  int
	}{{"b", 1}, {"new", 0}, {"a", 2}} {
		if n, err := a.number(unnumbered(3, want.id)); err != nil || n != want.n {
			t.Errorf("episode %s is sample %d (%v), want %d", want.id, n, err, want.n)
		}
	}
	if a.forget(4); len(a.groups) != 0 {
		t.Errorf("groups of a step that is over: %v", a.groups)
	}
}

// A trainer that does not say the step of an episode may have groups open when a step ends.
func TestArrivals_KeepsGroupsOfNoStepUntilTheyAreWhole(t *testing.T) {
	a := newArrivals()
	for range 2 {
		if n, err := a.number(unnumbered(0, "a")); err != nil || n != 0 {
			t.Errorf("sample %d: %v", n, err)
		}
		a.forget(9)
	}
	for i, id := range []string{"b", "c", "d"} {
		if n, err := a.number(unnumbered(0, id)); err != nil || n != i+1 {
			t.Errorf("episode %s is sample %d: %v", id, n, err)
		}
	}
	if a.forget(10); len(a.groups) != 0 {
		t.Errorf("a group that is whole is kept: %v", a.groups)
	}
}
