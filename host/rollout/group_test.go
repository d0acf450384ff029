package rollout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// ranks scores each sample by its rank among its siblings.
type ranks struct {
	mu    sync.Mutex
	calls []sdk.ScoreRequest
	fail  func() error
}

func (g *ranks) Score(_ context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.fail != nil {
		if err := g.fail(); err != nil {
			return nil, err
		}
	}
	g.calls = append(g.calls, req)
	resp := &sdk.ScoreResponse{}
	for i := range req.Items {
		resp.Items = append(resp.Items, sdk.Scored{Score: float64(i)})
	}
	return resp, nil
}

func groupRig(reward sdk.Reward) *rig {
	r := newRig()
	r.setup.Rewards = []RewardBinding{
		{Address: "reward.fake.r", Reward: rewardFunc(answerValue)},
		{Address: "reward.rank.g", Reward: reward, Capabilities: sdk.RewardCapabilities{GroupRelative: true}},
	}
	r.setup.Compose = func(in ComposeInputs) (ComposeResult, error) {
		for _, scored := range in.Rewards {
			if scored.Failure != nil {
				return ComposeResult{}, scored.Failure
			}
		}
		return ComposeResult{Reward: in.Rewards["reward.rank.g"].Score}, nil
	}
	return r
}

// runAll runs requests concurrently and returns the results in their order.
func (r *rig) runAll(t testing.TB, requests ...sdk.EpisodeRequest) []*sdk.EpisodeResult {
	t.Helper()
	results := make([]*sdk.EpisodeResult, len(requests))
	var all sync.WaitGroup
	for i, req := range requests {
		all.Go(func() {
			result, err := r.RunEpisode(context.Background(), req)
			if err != nil {
				t.Error(err)
				result = &sdk.EpisodeResult{}
			}
			results[i] = result
		})
	}
	all.Wait()
	return results
}

func wholeGroup(step, group int) []sdk.EpisodeRequest {
	var requests []sdk.EpisodeRequest
	for i := range 4 {
		requests = append(requests, sample(step, group, i))
	}
	return requests
}

func outcomes(results []*sdk.EpisodeResult) []string {
	var list []string
	for _, result := range results {
		text := string(result.Outcome)
		if result.Failure != nil {
			text += "{" + string(result.Failure.Class) + "}"
		}
		if result.Reward != nil {
			text += fmt.Sprintf(" %g", *result.Reward)
		}
		list = append(list, text)
	}
	return list
}

func TestGroupIsJudgedTogetherWithFewerSlotsThanSamples(t *testing.T) {
	for _, limit := range []struct{ slots, sessions int }{{1, 0}, {2, 1}, {3, 2}, {64, 1}} {
		t.Run(fmt.Sprintf("%d slots, %d sessions", limit.slots, limit.sessions), func(t *testing.T) {
			judge := &ranks{}
			r := groupRig(judge)
			r.setup.Concurrency = limit.slots
			r.setup.Environment.Capabilities.MaxSessions = limit.sessions
			r.start(t)
			var requests []sdk.EpisodeRequest
			for group := range 5 {
				requests = append(requests, wholeGroup(1, group)...)
			}
			slices.Reverse(requests)
			for i, result := range r.runAll(t, requests...) {
				want := float64(requests[i].SampleIndex)
				if result.Reward == nil || *result.Reward != want {
					t.Errorf("sample %s: %v, want the reward %g", requests[i].EpisodeID, outcomes([]*sdk.EpisodeResult{result}), want)
				}
			}
			if got := len(judge.calls); got != 5 {
				t.Errorf("the reward was asked %d times about 5 groups", got)
			}
			most := int64(limit.slots)
			if limit.sessions > 0 {
				most = min(most, int64(limit.sessions))
			}
			if got := r.env.most.Load(); got > most {
				t.Errorf("%d environments were open at once, want at most %d", got, most)
			}
		})
	}
}

func TestGroupWithAFailedSibling(t *testing.T) {
	broken := errors.New("the desk collapsed")
	for _, row := range []struct {
		name     string
		minGroup int
		want     []string
		missing  int
	}{
		{"all are needed", 0, []string{"DROPPED{REWARD}", "DROPPED{ENVIRONMENT}", "DROPPED{REWARD}", "DROPPED{REWARD}"}, -1},
		{"three are enough", 3, []string{"SCORED 0", "DROPPED{ENVIRONMENT}", "SCORED 1", "SCORED 2"}, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			judge := &ranks{}
			r := groupRig(judge)
			r.setup.MinGroup = row.minGroup
			r.env.onOpen = func(_ context.Context, req sdk.OpenRequest) error {
				if strings.HasPrefix(req.EpisodeID, "s1-g1-1") {
					return broken
				}
				return nil
			}
			r.start(t)
			if diff := cmp.Diff(row.want, outcomes(r.runAll(t, wholeGroup(1, 1)...))); diff != "" {
				t.Errorf("the group ended otherwise (-want +got):\n%s", diff)
			}
			if row.missing >= 0 && (len(judge.calls) != 1 || judge.calls[0].Missing != row.missing) {
				t.Errorf("the reward was asked %+v, want once with %d missing", judge.calls, row.missing)
			}
		})
	}
}

func TestGroupRewardIsRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		judge := &ranks{fail: times(2, &sdk.Failure{Class: sdk.FailureReward, Detail: "busy", Retryable: true})}
		r := groupRig(judge)
		r.start(t)
		want := []string{"SCORED 0", "SCORED 1", "SCORED 2", "SCORED 3"}
		if diff := cmp.Diff(want, outcomes(r.runAll(t, wholeGroup(1, 1)...))); diff != "" {
			t.Error(diff)
		}
		retries := 0
		for _, record := range r.sink.episodes {
			retries += record.Retries
		}
		if retries != 2 {
			t.Errorf("%d retries are on record, want 2", retries)
		}
	})
}

func TestWaitingForSiblingsHoldsNothingAndHasALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := groupRig(&ranks{})
		r.setup.Concurrency = 1
		r.options.SiblingTimeout = time.Hour
		r.start(t)
		results := make(chan []*sdk.EpisodeResult, 1)
		go func() { results <- r.runAll(t, sample(1, 1, 0), sample(1, 1, 1)) }()
		synctest.Wait()
		if got, want := r.Live(), (Live{Waiting: 2}); got != want {
			t.Errorf("two samples wait for siblings, but the engine does %+v", got)
		}
		began := time.Now()
		if diff := cmp.Diff([]string{"DROPPED{REWARD}", "DROPPED{REWARD}"}, outcomes(<-results)); diff != "" {
			t.Error(diff)
		}
		if waited := time.Since(began); waited != time.Hour {
			t.Errorf("the siblings were given up after %v, want 1h", waited)
		}
		for _, record := range r.sink.episodes {
			if !record.WallClock {
				t.Error("giving up on siblings depends on the time, which the record does not say")
			}
		}
	})
}

func TestSiblingsMayComeOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := groupRig(&ranks{})
		r.options.SiblingTimeout = time.Hour
		r.start(t)
		results := make(chan *sdk.EpisodeResult, 4)
		for _, req := range wholeGroup(1, 1) {
			go func() { results <- r.run(t, req) }()
			time.Sleep(50 * time.Minute)
		}
		for range 4 {
			if result := <-results; result.Outcome != sdk.OutcomeScored {
				t.Errorf("outcome %s %v, want a score: no plugin was away for an hour", result.Outcome, result.Failure)
			}
		}
	})
}

func TestACancelledSampleCanBeAskedForAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := groupRig(&ranks{})
		r.start(t)
		others := make(chan []*sdk.EpisodeResult, 1)
		go func() { others <- r.runAll(t, wholeGroup(1, 1)[:3]...) }()
		synctest.Wait()
		if err := r.CancelEpisode(context.Background(), sample(1, 1, 2).EpisodeID, "lost"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		again := sample(1, 1, 2)
		again.EpisodeID = "s1-g1-2b"
		redrawn := make(chan []*sdk.EpisodeResult, 1)
		go func() { redrawn <- r.runAll(t, again) }()
		synctest.Wait() // otherwise the group would be complete without it
		last := r.runAll(t, sample(1, 1, 3))
		last = append(<-redrawn, last...)
		want := []string{"SCORED 0", "SCORED 1", "CANCELLED", "SCORED 2", "SCORED 3"}
		if diff := cmp.Diff(want, outcomes(append(<-others, last...))); diff != "" {
			t.Error(diff)
		}
		if got := r.boundary(1, false).Train; got.Episodes != 4 || got.Scored != 4 {
			t.Errorf("%d episodes and %d scores count, want 4 and 4: %+v", got.Episodes, got.Scored, got)
		}
	})
}

func TestGroupRequestsThatCannotBe(t *testing.T) {
	r := groupRig(&ranks{})
	r.start(t)
	no := func(change func(*sdk.EpisodeRequest), want string) {
		t.Helper()
		req := sample(1, 1, 0)
		change(&req)
		if _, err := r.RunEpisode(context.Background(), req); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one about %q", err, want)
		}
	}
	no(func(req *sdk.EpisodeRequest) { req.GroupID = "" }, "names no group")
	no(func(req *sdk.EpisodeRequest) { req.SampleIndex = 4 }, "sample 4")
	no(func(req *sdk.EpisodeRequest) { req.GroupSize = 0 }, "group of 0")
	result := r.run(t, probe(1))
	if result.Reward == nil {
		t.Errorf("in validation an episode is compared with itself; got %v", outcomes([]*sdk.EpisodeResult{result}))
	}
}

// After a host died, its trainer requests the samples without a result again. A previously failed sample is on
// record, and its siblings are compared without it, as by the host that died.
func TestAGroupIsJudgedWithoutSamplesThatAnotherHostHasFinished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		judge := &ranks{}
		r := groupRig(judge)
		r.setup.MinGroup = 2
		r.options.SiblingTimeout = time.Hour
		r.start(t)
		var others []*EpisodeRecord
		for i, outcome := range []sdk.Outcome{sdk.OutcomeFailed, sdk.OutcomeCancelled} {
			slot := Slot{Stage: "full", Split: sdk.SplitTrain, Step: 1, Group: "g1", Sample: i}
			others = append(others, &EpisodeRecord{AttemptRecord: AttemptRecord{EpisodeID: sample(1, 1, i).EpisodeID,
				Slot: slot}, Outcome: outcome})
		}
		r.Restore(onRecord(others...))
		began := time.Now()
		got := outcomes(r.runAll(t, wholeGroup(1, 1)[1:]...))
		if diff := cmp.Diff([]string{"SCORED 0", "SCORED 1", "SCORED 2"}, got); diff != "" {
			t.Error(diff)
		}
		late := r.runAll(t, sample(1, 1, 0)) // its result was lost, and it arrives after its siblings
		if late[0].Outcome != sdk.OutcomeDropped {
			t.Errorf("one that comes late: %v", outcomes(late))
		}
		if waited := time.Since(began); waited >= time.Hour {
			t.Errorf("they waited %v for samples that are never requested", waited)
		}
		if len(judge.calls) != 1 || judge.calls[0].Missing != 1 {
			t.Errorf("the reward was asked %+v, want once, with one sample missing", judge.calls)
		}
	})
}
