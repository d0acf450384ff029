package rollout

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// stepTime is the duration of a step of a prefetching trainer. ahead is the number of steps that it prefetches.
const (
	stepTime = time.Minute
	ahead    = 2
)

// drawsAhead trains asynchronously: in each step it requests a batch of groups whose episodes take longer than the
// step. At each boundary it reports the complete finished groups as used. It returns the boundary reports.
func drawsAhead(t *testing.T, r *rig, steps, groups int) []BoundaryReport {
	t.Helper()
	var mu sync.Mutex
	over := map[string][]*sdk.EpisodeResult{} // by group
	var asked sync.WaitGroup
	var reports []BoundaryReport
	for step := 1; step <= steps; step++ {
		for group := range groups {
			for _, req := range wholeGroup(step, group) {
				asked.Go(func() {
					result, err := r.RunEpisode(context.Background(), req)
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					defer mu.Unlock()
					name, _, _ := strings.Cut(result.EpisodeID, "-")
					over[name+req.GroupID] = append(over[name+req.GroupID], result)
				})
			}
		}
		time.Sleep(stepTime)
		synctest.Wait()
		mu.Lock()
		var used []string
		for name, results := range over {
			if len(results) < 4 {
				continue
			}
			for _, result := range results {
				used = append(used, result.EpisodeID)
			}
			delete(over, name)
		}
		mu.Unlock()
		reports = append(reports, r.endStep(step, used))
	}
	asked.Wait()
	return reports
}

// slow makes each episode take one and a half steps. Episodes whose ids have one of the given prefixes fail.
func slow(r *rig, broken ...string) {
	r.setup.Concurrency = 1000
	r.setup.ActiveBudget = time.Hour
	r.env.onOpen = func(_ context.Context, req sdk.OpenRequest) error {
		time.Sleep(stepTime * 3 / 2)
		for _, id := range broken {
			if strings.HasPrefix(req.EpisodeID, id) {
				return errors.New("the desk collapsed")
			}
		}
		return nil
	}
}

// An episode that is longer than a step counts in the step that uses it, and trips the breaker at that step's
// boundary.
func TestEpisodesLongerThanAStepCountAndTripTheBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		slow(r, "s")
		r.setup.Policy = DefaultPolicy()
		r.setup.Policy[sdk.FailureEnvironment] = ClassPolicy{Actions: []sdk.FailureAction{sdk.ActionMask}}
		r.setup.Breaker = BreakerSettings{FailedFraction: 0.5, Window: 64, MinEpisodes: 16}
		r.start(t)
		var counted []int
		tripped := 0
		for i, report := range drawsAhead(t, r, 4, 4) {
			counted = append(counted, report.Train.Episodes)
			if report.Trip != nil && tripped == 0 {
				tripped = i + 1
			}
		}
		if diff := cmp.Diff([]int{0, 16, 16, 16}, counted); diff != "" {
			t.Errorf("the steps count other episodes (-want +got):\n%s", diff)
		}
		if tripped != 2 {
			t.Errorf("the breaker trips at the boundary of step %d, want 2: the first step in which episodes ended", tripped)
		}
	})
}

// Finished trainable episodes wait for the step that uses them, and other episodes do not wait. After the end of the
// stage no episode is left.
func TestAnEpisodeCountsInTheStepThatUsesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		slow(r, "s1-g1-3")
		r.setup.Policy = DefaultPolicy()
		r.setup.Policy[sdk.FailureEnvironment] = ClassPolicy{Actions: []sdk.FailureAction{sdk.ActionMask}}
		r.start(t)
		r.runAll(t, append(wholeGroup(1, 1), wholeGroup(1, 2)...)...)
		names := func(group int) (ids []string) {
			for _, req := range wholeGroup(1, group) {
				ids = append(ids, req.EpisodeID)
			}
			return ids
		}
		for i, step := range []struct {
			used         []string
			last         bool
			scored, want int
		}{
			{nil, false, 0, 1},      // the failed one
			{names(1), false, 3, 3}, // its siblings
			{names(1), false, 0, 0}, // an episode counts only once
			{nil, true, 4, 4},       // prefetched and never used
		} {
			end := stepEnd("full", i+1)
			end.Used, end.Last = step.used, step.last
			got := r.Boundary(end).Train
			if got.Episodes != step.want || got.Scored != step.scored {
				t.Errorf("step %d has %d episodes, %d of them scored; want %d and %d", i+1, got.Episodes, got.Scored, step.want,
					step.scored)
			}
		}
	})
}

// A worker may report an episode as lost before the host has its outcome. The episode still counts, and delays no
// step.
func TestAnEpisodeThatWasLostBeforeItsEndCounts(t *testing.T) {
	r := newRig()
	r.start(t)
	r.endStep(1, []string{sample(1, 1, 0).EpisodeID})
	r.run(t, sample(1, 1, 0))
	if got := r.endStep(2, nil).Train; got.Episodes != 1 {
		t.Errorf("step 2 has %d episodes, want 1", got.Episodes)
	}
	if r.endStep(3, nil); len(r.ledger.slots) != 0 {
		t.Errorf("it is still waited for: %v", r.ledger.slots)
	}
}

// One failure drops its whole group, even if the other samples ended or were requested in earlier or later steps.
func TestADroppedGroupTrainsNothingInAnyStep(t *testing.T) {
	for name, row := range map[string]struct {
		failsAfter, lastAsksAfter time.Duration // of samples 0 and 3
	}{
		"the failure comes last":          {failsAfter: stepTime * 5 / 2},
		"a sample is asked for last":      {lastAsksAfter: stepTime * 5 / 2},
		"both at once, in the first step": {},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := droppingRig(nil)
				r.setup.ActiveBudget = time.Hour
				r.env.onOpen = func(_ context.Context, req sdk.OpenRequest) error {
					if req.EpisodeID != sample(1, 1, 0).EpisodeID {
						return nil
					}
					time.Sleep(row.failsAfter)
					return errors.New("the desk collapsed")
				}
				r.start(t)
				requests := wholeGroup(1, 1)
				results := make(chan []*sdk.EpisodeResult, 2)
				go func() { results <- r.runAll(t, requests[:3]...) }()
				go func() {
					time.Sleep(row.lastAsksAfter)
					results <- r.runAll(t, requests[3:]...)
				}()
				for step := 1; step <= 3; step++ {
					time.Sleep(stepTime)
					synctest.Wait()
					r.endStep(step, nil)
				}
				for _, result := range append(<-results, <-results...) {
					if !result.DropGroup {
						t.Errorf("%s: %v, want it dropped", result.EpisodeID, fates([]*sdk.EpisodeResult{result}))
					}
				}
				r.endStep(4, nil)
				r.endStep(5, nil)
				if n := r.dropped.Len(); n != 0 {
					t.Errorf("%d finished groups are kept", n)
				}
			})
		})
	}
}

// A trainer may give up a group before it has requested all of it. The group is dropped after a while.
func TestAGroupThatIsNeverAskedForIsForgotten(t *testing.T) {
	for name, broken := range map[string]string{"dropped": "s1-g1-0", "whole so far": "none"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := droppingRig(nil, broken)
				r.start(t)
				r.runAll(t, wholeGroup(1, 1)[:2]...)
				time.Sleep(r.Engine.options.SiblingTimeout)
				synctest.Wait()
				r.boundary(1, false)
				r.boundary(2, false)
				if n := r.dropped.Len(); n != 0 {
					t.Errorf("%d groups without requests are kept", n)
				}
			})
		})
	}
}

// The breaker evaluates finished episodes whether a step has used them or not, so that a prefetching trainer does not
// appear to fail more often than others.
func TestTheBreakerWeighsWhatIsDrawnAheadOnce(t *testing.T) {
	const staleness, groups = 4, 16 // of four samples, per step
	for name, row := range map[string]struct {
		failing int // of the four samples of each group
		trips   int // at the boundary of this step; 0: never
	}{
		"one of four fails":    {failing: 1},
		"three of four fail":   {failing: 3, trips: 1},
		"all of the four fail": {failing: 4, trips: 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig()
			r.setup.Breaker = BreakerSettings{FailedFraction: 0.5, Window: 200, MinEpisodes: 50}
			r.start(t)
			tripped, weighed := 0, 0
			for step := 1; step <= 1+staleness; step++ {
				drawn := groups
				if step == 1 {
					drawn *= 1 + staleness // all prefetched groups, with the first policy
				}
				weighed += drawAhead(r, step, drawn, row.failing)
				var used []string
				for group := range groups {
					for _, req := range wholeGroup(1, (step-1)*groups+group) {
						used = append(used, req.EpisodeID)
					}
				}
				report := r.endStep(step, used)
				if report.Trip != nil && tripped == 0 {
					tripped = step
				}
				if got, want := len(r.BreakerWindow()), min(weighed, 200); got != want {
					t.Errorf("after step %d the breaker remembers %d episodes, want %d", step, got, want)
				}
			}
			if tripped != row.trips {
				t.Errorf("it tripped at the boundary of step %d, want %d", tripped, row.trips)
			}
		})
	}
}

// drawAhead ends the samples of some groups, with the given number of failures per group, and returns their number.
func drawAhead(r *rig, step, groups, failing int) (n int) {
	for group := range groups {
		for i, req := range wholeGroup(step, group) {
			s := summarise(&EpisodeRecord{
				AttemptRecord: AttemptRecord{EpisodeID: req.EpisodeID, Slot: identityOf(req).Slot,
					Chains: []ChainRecord{{Train: true}}},
				Outcome: sdk.OutcomeScored, Reward: number(1),
			})
			if i < failing {
				s.outcome, s.class, s.reward, s.trainable = sdk.OutcomeFailed, sdk.FailureEnvironment, nil, false
			}
			r.ledger.add(s)
			n++
		}
	}
	return n
}

// The breaker counts an episode only once: also when a step uses it, when it is drawn again, or when another host
// resumes.
func TestTheBreakerWeighsASlotOnce(t *testing.T) {
	breaker := BreakerSettings{FailedFraction: 0.5, Window: 200, MinEpisodes: 50}
	r := newRig()
	r.setup.Breaker = breaker
	r.start(t)
	r.runAll(t, wholeGroup(1, 1)...)
	r.endStep(1, nil)
	next := newRig()
	next.setup.Breaker, next.setup.BreakerWindow = breaker, r.BreakerWindow()
	next.start(t)
	episodes := onRecord(r.sink.episodes...)
	for i := range episodes {
		episodes[i].Weighed = true
	}
	next.Restore(episodes)
	for name, e := range map[string]*rig{"the same host": r, "the next host": next} {
		e.run(t, sample(2, 1, 0))
		again := summarise(episodes[0].EpisodeRecord)
		again.episode, again.draw = "drawn again", 1
		e.ledger.add(again)
		for step := 2; step <= 3; step++ {
			e.endStep(step, []string{sample(1, 1, 1).EpisodeID, sample(1, 1, 2).EpisodeID})
			if got := len(e.BreakerWindow()); got != 5 {
				t.Errorf("%s: after step %d the breaker remembers %d episodes, want 5", name, step, got)
			}
		}
	}
}

// An unused episode expires after a while, even if the trainer does not report its step. Nothing is kept for it.
func TestAnEpisodeThatIsNeverUsedExpires(t *testing.T) {
	for name, step := range map[string]int{"of a step": 1, "of an unknown step": 0} {
		t.Run(name, func(t *testing.T) {
			r := newRig()
			r.options.OpenWindow = 3
			r.start(t)
			r.runAll(t, wholeGroup(step, 1)...)
			var counted []int
			for end := 1; end <= 6; end++ {
				counted = append(counted, r.endStep(end, nil).Train.Episodes)
			}
			if diff := cmp.Diff([]int{0, 0, 0, 0, 4, 0}, counted); diff != "" {
				t.Errorf("other episodes count (-want +got):\n%s", diff)
			}
			if first := r.firstOpen(6); first != 6 || len(r.ledger.slots)+len(r.ledger.weighed)+r.arrivals.Len() != 0 {
				t.Errorf("step %d is still open, with %d slots", first, len(r.ledger.slots))
			}
		})
	}
}
