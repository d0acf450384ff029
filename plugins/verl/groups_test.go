package verl

import (
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/outliving"
)

func reward(v float64) *float64 { return &v }

func TestGroups_AFailedSampleGetsTheMeanOfItsSiblings(t *testing.T) {
	g := newGroups(folder(t.TempDir()), &outliving.Keeper{})
	for i, id := range []string{"a", "b", "c"} {
		n, err := g.slot(sdk.EpisodeRequest{EpisodeID: id, GroupID: "g", Step: 1})
		if err != nil || n != i {
			t.Fatalf("sample %s has number %d, %v", id, n, err)
		}
	}
	failed := make(chan *sdk.EpisodeResult, 1)
	go func() {
		out, err := g.settle(t.Context(), 3, finished{Step: 1, ID: "b", Group: "g"}, &sdk.EpisodeResult{Metrics: map[string]float64{"own": 7}})
		if err != nil {
			t.Error(err)
		}
		failed <- out
	}()
	for id, r := range map[string]float64{"a": 1, "c": 0.5} {
		if _, err := g.settle(t.Context(), 3, finished{Step: 1, ID: id, Group: "g", Reward: reward(r)}, &sdk.EpisodeResult{Reward: reward(r)}); err != nil {
			t.Fatal(err)
		}
	}
	if out := <-failed; out.Metrics[neutralMetric] != 0.75 || out.Metrics["own"] != 7 || out.Reward != nil {
		t.Errorf("the failed sample has %v and reward %v; want the mean 0.75 beside, and no reward", out.Metrics, out.Reward)
	}
}

func TestGroups_ALaterLifeKnowsNumbersAndRewards(t *testing.T) {
	dir := folder(t.TempDir())
	first := newGroups(dir, &outliving.Keeper{})
	for _, id := range []string{"a", "b", "c"} {
		if _, err := first.slot(sdk.EpisodeRequest{EpisodeID: id, GroupID: "g", Step: 4}); err != nil {
			t.Fatal(err)
		}
	}
	second := newGroups(dir, &outliving.Keeper{})
	if err := second.recall([]finished{{Step: 4, ID: "a", Group: "g", Reward: reward(1)}, {Step: 4, ID: "b", Group: "g", Reward: reward(0)}}); err != nil {
		t.Fatal(err)
	}
	if n, err := second.slot(sdk.EpisodeRequest{EpisodeID: "c", GroupID: "g", Step: 4}); err != nil || n != 2 {
		t.Errorf("the sample that is asked for again has number %d, %v; want 2", n, err)
	}
	out, err := second.settle(t.Context(), 3, finished{Step: 4, ID: "c", Group: "g"}, &sdk.EpisodeResult{})
	if err != nil || out.Metrics[neutralMetric] != 0.5 {
		t.Errorf("%v, %v; want the mean of the siblings that ended before", out, err)
	}
}

// The first sample that is asked for again must not take the numbers of the groups of which nothing is over yet.
func TestGroups_ALaterLifeKeepsTheNumbersOfAllOpenGroups(t *testing.T) {
	dir := folder(t.TempDir())
	first := newGroups(dir, &outliving.Keeper{})
	ask := func(g *groups, group, id string) int {
		t.Helper()
		n, err := g.slot(sdk.EpisodeRequest{EpisodeID: id, GroupID: group, Step: 7})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, group := range []string{"g", "h", "i"} {
		ask(first, group, group+"/a")
		ask(first, group, group+"/b")
	}
	second := newGroups(dir, &outliving.Keeper{})
	if err := second.recall(nil); err != nil {
		t.Fatal(err)
	}
	for _, group := range []string{"h", "g", "i"} {
		if b, a := ask(second, group, group+"/b"), ask(second, group, group+"/a"); a != 0 || b != 1 {
			t.Errorf("the samples of group %s have the numbers %d and %d; want 0 and 1", group, a, b)
		}
	}
}

func TestGroups_ForgetsThoseOfStepsThatAreOver(t *testing.T) {
	g := newGroups(folder(t.TempDir()), &outliving.Keeper{})
	for step, id := range []string{"g0", "g1", "g2", "g3"} {
		if _, err := g.slot(sdk.EpisodeRequest{EpisodeID: id, GroupID: id, Step: step + 1}); err != nil {
			t.Fatal(err)
		}
	}
	if len(g.byID) > 2 {
		t.Errorf("%d groups are remembered", len(g.byID))
	}
}
