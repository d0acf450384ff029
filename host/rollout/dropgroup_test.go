package rollout

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// droppingRig returns a rig in which a failure of the environment drops the whole group. The environment does not
// open for episodes whose ids have one of the given prefixes.
func droppingRig(reward sdk.Reward, broken ...string) *rig {
	r := newRig()
	if reward != nil {
		r = groupRig(reward)
	}
	r.setup.Policy = DefaultPolicy()
	r.setup.Policy[sdk.FailureEnvironment] = ClassPolicy{Actions: []sdk.FailureAction{sdk.ActionDropGroup}}
	r.env.onOpen = func(_ context.Context, req sdk.OpenRequest) error {
		for _, id := range broken {
			if strings.HasPrefix(req.EpisodeID, id) {
				return errors.New("the desk collapsed")
			}
		}
		return nil
	}
	return r
}

// fates returns the outcomes, and whether the group is dropped.
func fates(results []*sdk.EpisodeResult) []string {
	list := outcomes(results)
	for i, result := range results {
		if result.DropGroup {
			list[i] += " dropped"
		}
		for _, c := range result.Chains {
			if c.Train {
				list[i] += " trained"
			}
		}
	}
	return list
}

func TestASampleThatFailsTakesItsGroup(t *testing.T) {
	for name, row := range map[string]struct {
		reward sdk.Reward
		broken []string
		want   []string
	}{
		"nobody fails": {nil, nil, []string{"SCORED 0 trained", "SCORED 1 trained", "SCORED 2 trained", "SCORED 3 trained"}},
		"one fails": {nil, []string{"s1-g1-1"}, []string{"SCORED 0 dropped", "DROPPED{ENVIRONMENT} dropped",
			"SCORED 2 dropped", "SCORED 3 dropped"}},
		"all fail": {nil, []string{"s1"}, slicesOf("DROPPED{ENVIRONMENT} dropped", 4)},
		"one fails of a group that is compared": {&ranks{}, []string{"s1-g1-1"}, []string{
			"DROPPED dropped", "DROPPED{ENVIRONMENT} dropped", "DROPPED dropped", "DROPPED dropped",
		}},
		"another group's": {nil, []string{"s1-g2"}, []string{"SCORED 0 trained", "SCORED 1 trained", "SCORED 2 trained",
			"SCORED 3 trained"}},
	} {
		for _, slots := range []int{1, 64} {
			t.Run(fmt.Sprintf("%s, %d slots", name, slots), func(t *testing.T) {
				r := droppingRig(row.reward, row.broken...)
				r.setup.Concurrency = slots
				if row.reward == nil {
					r.setup.Rewards[0].Reward = bySample{}
				}
				r.start(t)
				results := r.runAll(t, append(wholeGroup(1, 1), wholeGroup(1, 2)...)...)
				if diff := cmp.Diff(row.want, fates(results[:4])); diff != "" {
					t.Errorf("the group ended otherwise (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// bySample scores a sample by the last digit of its id.
type bySample struct{}

func (bySample) Score(_ context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	resp := &sdk.ScoreResponse{}
	for i := range req.Items {
		id := req.Items[i].EpisodeID
		resp.Items = append(resp.Items, sdk.Scored{Score: float64(id[len(id)-1] - '0')})
	}
	return resp, nil
}

func slicesOf(text string, n int) []string {
	var out []string
	for range n {
		out = append(out, text)
	}
	return out
}

func TestAGroupThatMayBeDroppedWaitsForItsSamplesWithinALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := droppingRig(nil)
		r.options.SiblingTimeout = time.Hour
		r.start(t)
		results := make(chan []*sdk.EpisodeResult, 1)
		go func() { results <- r.runAll(t, wholeGroup(1, 1)[:2]...) }()
		synctest.Wait()
		if got, want := r.Live(), (Live{Waiting: 2}); got != want {
			t.Errorf("two samples wait for siblings, but the engine does %+v", got)
		}
		began := time.Now()
		for _, result := range <-results {
			if result.Outcome != sdk.OutcomeScored || result.DropGroup {
				t.Errorf("%+v, want a score: none of the group has failed", result)
			}
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

// The first failure drops the group: no sample waits any longer, and late requests receive the same result.
func TestADroppedGroupLetsItsSamplesGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := droppingRig(nil, "s1-g1-1")
		r.start(t)
		began := time.Now()
		first := r.runAll(t, wholeGroup(1, 1)[:2]...)
		late := r.runAll(t, wholeGroup(1, 1)[2:]...)
		for i, result := range append(first, late...) {
			if !result.DropGroup {
				t.Errorf("sample %d: %v, want it dropped", i, fates([]*sdk.EpisodeResult{result}))
			}
		}
		if waited := time.Since(began); waited > time.Minute {
			t.Errorf("it took %v", waited)
		}
	})
}

// A sample that is canceled while running or waiting does not block its group. A repeated request receives the
// group's decision.
func TestACancelledSampleHoldsUpNoGroup(t *testing.T) {
	for name, waits := range map[string]bool{"while it works": false, "while it waits": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := droppingRig(nil)
				release := make(chan struct{})
				r.env.onOpen = func(_ context.Context, req sdk.OpenRequest) error {
					hangs := "s1-g1-0"
					if waits {
						hangs = "s1-g1-3"
					}
					if strings.HasPrefix(req.EpisodeID, hangs) && !strings.Contains(req.EpisodeID, "again") {
						<-release
					}
					return nil
				}
				r.start(t)
				results := make(chan []*sdk.EpisodeResult, 1)
				go func() { results <- r.runAll(t, wholeGroup(1, 1)...) }()
				synctest.Wait()
				began := time.Now()
				if err := r.CancelEpisode(context.Background(), sample(1, 1, 0).EpisodeID, "lost"); err != nil {
					t.Fatal(err)
				}
				close(release)
				got := <-results
				if got[0].Outcome != sdk.OutcomeCancelled || got[0].Reward != nil || got[0].Failure != nil {
					t.Errorf("the cancelled one: %v", fates(got[:1]))
				}
				again := sample(1, 1, 0)
				again.EpisodeID += "-again"
				got = append(got[1:], r.runAll(t, again)...)
				for _, result := range got {
					if result.Outcome != sdk.OutcomeScored || result.DropGroup {
						t.Errorf("%v, want a score", fates([]*sdk.EpisodeResult{result}))
					}
				}
				if waited := time.Since(began); waited > time.Minute {
					t.Errorf("they waited %v for one that was cancelled", waited)
				}
			})
		})
	}
}

// A dropped group adds no failure of a comparison to the original failure.
func TestADroppedGroupMakesNoFailuresOfItsOwn(t *testing.T) {
	r := droppingRig(&ranks{}, "s1-g1-1")
	r.setup.Policy[sdk.FailureReward] = ClassPolicy{Actions: []sdk.FailureAction{sdk.ActionFailRun}}
	r.start(t)
	r.runAll(t, wholeGroup(1, 1)...)
	if err := r.Err(); err != nil {
		t.Errorf("the run failed: %v", err)
	}
	if got := r.boundary(1, false).Train; got.Failures[sdk.FailureEnvironment] != 1 || len(got.Failures) != 1 {
		t.Errorf("failures: %v", got.Failures)
	}
}

// The deadline applies to the episode itself. Waiting for siblings does not change its outcome.
func TestAHardDeadlineInAGroupThatMayBeDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := droppingRig(nil)
		r.setup.Policy[sdk.FailureTimeout] = ClassPolicy{Actions: []sdk.FailureAction{sdk.ActionDropGroup}}
		r.start(t)
		requests := wholeGroup(1, 1)[:2] // the others are never requested
		for i := range requests {
			requests[i].HardDeadline = time.Minute
		}
		for i, result := range r.runAll(t, requests...) {
			if result.Outcome != sdk.OutcomeScored || result.DropGroup {
				t.Errorf("sample %d: %v", i, fates([]*sdk.EpisodeResult{result}))
			}
		}
		for _, record := range r.sink.episodes {
			if !record.WallClock {
				t.Error("it depends on the time, which the record does not say")
			}
		}
	})
}

// Decisions made before a host died apply to the rest of the group.
func TestRestore_KnowsTheGroupsOfTheStep(t *testing.T) {
	for name, dropped := range map[string]bool{"dropped": true, "whole so far": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				before := droppingRig(nil, map[bool]string{true: "s1-g1-1", false: "none"}[dropped])
				before.start(t)
				before.runAll(t, wholeGroup(1, 1)[:2]...) // samples of a whole group are released alone after a while
				r := droppingRig(nil)
				r.start(t)
				r.Restore(onRecord(before.sink.episodes...))
				began := time.Now()
				for _, result := range r.runAll(t, wholeGroup(1, 1)[2:]...) {
					if result.DropGroup != dropped {
						t.Errorf("%v, want dropped: %v", fates([]*sdk.EpisodeResult{result}), dropped)
					}
				}
				if waited := time.Since(began); waited > time.Minute {
					t.Errorf("it waited %v for samples that are on record", waited)
				}
			})
		})
	}
}

func TestPolicy_DropsOnlyWhereDropGroupCanFollow(t *testing.T) {
	for want, actions := range map[bool][]sdk.FailureAction{
		true:  {sdk.ActionRetry, sdk.ActionScore, sdk.ActionDropGroup, sdk.ActionMask},
		false: {sdk.ActionRetry, sdk.ActionDropSample, sdk.ActionDropGroup},
	} {
		if got := (Policy{sdk.FailureAgent: {Actions: actions}}).drops(); got != want {
			t.Errorf("%v: %v", actions, got)
		}
	}
}

func TestAGroupThatMayBeDroppedNeedsAName(t *testing.T) {
	r := droppingRig(nil)
	r.start(t)
	for want, change := range map[string]func(*sdk.EpisodeRequest){
		"names no group": func(req *sdk.EpisodeRequest) { req.GroupID = "" },
		"sample 4":       func(req *sdk.EpisodeRequest) { req.SampleIndex = 4 },
	} {
		req := sample(1, 1, 0)
		change(&req)
		if _, err := r.RunEpisode(t.Context(), req); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one about %q", err, want)
		}
	}
	if result := r.run(t, probe(1)); result.Reward == nil {
		t.Errorf("a validation has no group: %v", fates([]*sdk.EpisodeResult{result}))
	}
}
