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

// stepTime is how long a step of a trainer takes that draws ahead, and ahead how many steps after the one that it works at it begins
// to draw for.
const (
	stepTime = time.Minute
	ahead    = 2
)

// drawsAhead trains asynchronously: in each step it asks for a batch of groups, whose episodes take longer than the step does. At
// each boundary it says which of the episodes that have ended it used: whole groups only. It returns the reports.
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

// slow makes each episode take one and a half steps, and those fail whose ids begin so.
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

// An episode that is longer than a step counts in the step that uses it, and trips the breaker at that step's boundary.
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
			t.Errorf("the breaker trips at the boundary of step %d, want 2: that of the first in which episodes ended", tripped)
		}
	})
}

// What has ended and can be trained waits for the step that uses it; what cannot be trained does not wait. At the end of the stage
// nothing is left.
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
			{nil, false, 0, 1},      // the one that failed
			{names(1), false, 3, 3}, // its siblings
			{names(1), false, 0, 0}, // nothing counts twice
			{nil, true, 4, 4},       // drawn ahead and never used
		} {
			end := stepEnd("full", i+1)
			end.Used, end.Last = step.used, step.last
			got := r.Boundary(end).Train
			if got.Episodes != step.want || got.Scored != step.scored {
				t.Errorf("step %d has %d episodes, %d of them scored; want %d and %d", i+1, got.Episodes, got.Scored, step.want, step.scored)
			}
		}
	})
}

// A worker may lose an episode before the host knows how that ends. It counts all the same, and holds nothing up.
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

// One failure takes its group also where the others were over, or were asked for, steps before or after.
func TestADroppedGroupTrainsNothingInAnyStep(t *testing.T) {
	for name, row := range map[string]struct {
		failsAfter, lastAsksAfter time.Duration // of the samples 0 and 3
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
				if n := len(r.pacts.open); n != 0 {
					t.Errorf("%d groups are kept that are over", n)
				}
			})
		})
	}
}

// A trainer may give a group up before it has asked for all of it. After a while it is forgotten.
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
				if n := len(r.pacts.open); n != 0 {
					t.Errorf("%d groups are kept that nobody asks for", n)
				}
			})
		})
	}
}
