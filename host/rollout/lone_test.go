package rollout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// loneRig returns a rig whose adapter would train the only survivor of a group by its reward. The environment does
// not open for the listed samples of group 1.
func loneRig(action sdk.FailureAction, broken ...int) *rig {
	r := newRig()
	r.setup.LoneSurvivor = action
	r.setup.Rewards[0].Reward = bySample{}
	r.setup.Policy = DefaultPolicy()
	r.setup.Policy[sdk.FailureEnvironment] = ClassPolicy{Actions: []sdk.FailureAction{sdk.ActionDropSample}}
	r.env.onOpen = func(_ context.Context, req sdk.OpenRequest) error {
		for _, index := range broken {
			if req.EpisodeID == sample(1, 1, index).EpisodeID {
				return errors.New("the desk collapsed")
			}
		}
		return nil
	}
	return r
}

func TestTheOnlySurvivorOfAGroupIsNotTrained(t *testing.T) {
	const fell = "DROPPED{ENVIRONMENT}"
	for name, row := range map[string]struct {
		action sdk.FailureAction
		broken []int
		want   []string
		masked bool
	}{
		"one survives": {sdk.ActionDropGroup, []int{0, 1, 3},
			[]string{fell, fell, "SCORED 2 dropped", fell}, false},
		"one survives, and is masked": {sdk.ActionMask, []int{0, 1, 3}, []string{fell, fell, "SCORED 2", fell}, true},
		"two survive": {sdk.ActionDropGroup, []int{0, 3},
			[]string{fell, "SCORED 1 trained", "SCORED 2 trained", fell}, false},
		"nobody fails": {sdk.ActionDropGroup, nil,
			[]string{"SCORED 0 trained", "SCORED 1 trained", "SCORED 2 trained", "SCORED 3 trained"}, false},
		"nobody survives":                   {sdk.ActionDropGroup, []int{0, 1, 2, 3}, slicesOf(fell, 4), false},
		"the adapter makes nothing of that": {"", []int{0, 1, 3}, []string{fell, fell, "SCORED 2 trained", fell}, false},
	} {
		for _, slots := range []int{1, 64} {
			t.Run(fmt.Sprintf("%s, %d slots", name, slots), func(t *testing.T) {
				r := loneRig(row.action, row.broken...)
				r.setup.Concurrency = slots
				r.start(t)
				results := r.runAll(t, wholeGroup(1, 1)...)
				if diff := cmp.Diff(row.want, fates(results)); diff != "" {
					t.Errorf("the group ended otherwise (-want +got):\n%s", diff)
				}
				if results[2].Masked != row.masked {
					t.Errorf("the survivor is masked: %v", results[2].Masked)
				}
				for _, record := range r.sink.episodes {
					alone := row.action != "" && record.Slot.Sample == 2 && slices.Equal(row.broken, []int{0, 1, 3})
					if record.LoneSurvivor != alone {
						t.Errorf("sample %d is on record as the only survivor: %v", record.Slot.Sample, record.LoneSurvivor)
					}
				}
			})
		}
	}
}

// Only the first survivor waits, and only until there is a second one.
func TestTheFirstSurvivorWaitsForASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := loneRig(sdk.ActionDropGroup, 1)
		r.setup.Concurrency = 64
		r.setup.ActiveBudget = 24 * time.Hour
		open := r.env.onOpen
		r.env.onOpen = func(ctx context.Context, req sdk.OpenRequest) error {
			for index, after := range []time.Duration{0, time.Minute, time.Hour, 3 * time.Hour} {
				if req.EpisodeID == sample(1, 1, index).EpisodeID {
					time.Sleep(after)
				}
			}
			return open(ctx, req)
		}
		r.start(t)
		began := time.Now()
		ends := make([]time.Duration, 4)
		done := make(chan int)
		for i, req := range wholeGroup(1, 1) {
			go func() {
				r.run(t, req)
				ends[i] = time.Since(began)
				done <- i
			}()
		}
		for range 4 {
			<-done
		}
		if diff := cmp.Diff([]time.Duration{time.Hour, time.Minute, time.Hour, 3 * time.Hour}, ends); diff != "" {
			t.Errorf("they end at other times (-want +got):\n%s", diff)
		}
	})
}

// A deadline, or siblings that are never requested, must not bring a lone survivor into training. A later sample is a
// lone survivor, too.
func TestAFirstSurvivorThatWaitsInVainIsNotTrained(t *testing.T) {
	for name, limit := range map[string]time.Duration{"siblings": 0, "deadline": time.Minute} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := loneRig(sdk.ActionDropGroup)
				r.start(t)
				for index := range 2 { // the second after the first has its result
					req := sample(1, 1, index)
					req.HardDeadline = limit
					got := r.runAll(t, req)
					if want := []string{fmt.Sprintf("SCORED %d dropped", index)}; !slices.Equal(fates(got), want) {
						t.Errorf("%v, want %v", fates(got), want)
					}
				}
				for _, record := range r.sink.episodes {
					if !record.WallClock {
						t.Error("it depends on the time, which the record does not say")
					}
				}
			})
		})
	}
}

// A sample without siblings to compare with does not wait: in a group of one, without a group, and in validation.
func TestWhoIsAloneOnPurposeIsNotHeld(t *testing.T) {
	r := loneRig(sdk.ActionDropGroup)
	r.start(t)
	single, free := sample(1, 2, 0), sample(1, 3, 0)
	single.GroupSize, free.GroupID = 1, ""
	if got, want := fates(r.runAll(t, single, free)),
		[]string{"SCORED 0 trained", "SCORED 0 trained"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if result := r.run(t, probe(1)); result.Reward == nil || result.DropGroup {
		t.Errorf("a validation: %v", fates([]*sdk.EpisodeResult{result}))
	}
}

// Decisions made before a host died apply to the rest of the group.
func TestRestore_KnowsTheSurvivors(t *testing.T) {
	for name, row := range map[string]struct {
		broken []int
		want   string
	}{
		"one survived and was notified that it is alone": {[]int{0, 2, 3}, "SCORED 1 dropped"},
		"two survived": {[]int{2, 3}, "SCORED 1 trained"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				before := loneRig(sdk.ActionDropGroup, row.broken...)
				before.start(t)
				before.runAll(t, wholeGroup(1, 1)...)
				r := loneRig(sdk.ActionDropGroup, row.broken...)
				r.start(t)
				r.Restore(onRecord(before.sink.episodes...))
				if got := fates(r.runAll(t, sample(1, 1, 1))); got[0] != row.want { // its result was lost
					t.Errorf("%v, want %s", got, row.want)
				}
				if r.dropped.Len() != 1 {
					t.Errorf("%d groups", r.dropped.Len())
				}
			})
		})
	}
}
