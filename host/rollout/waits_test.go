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

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// stuckSink blocks writes like a hanging disk.
type stuckSink struct{ memorySink }

func (s *stuckSink) Episode(r *EpisodeRecord) error {
	time.Sleep(time.Hour)
	return s.memorySink.Episode(r)
}

// TestWaitsNameWhatHoldsEpisodesUp blocks two episodes of a rig at a given point, and checks their waits a minute
// later.
func TestWaitsNameWhatHoldsEpisodesUp(t *testing.T) {
	hour := func(ctx context.Context) error { return clock.Pause(ctx, clock.System{}, time.Hour) }
	sampler := func(ctx context.Context, _ sdk.GenerateRequest) (*sdk.GenerateResponse, error) { return nil, hour(ctx) }
	stuckScore := rewardFunc(func(ctx context.Context, item sdk.ScoreItem) (sdk.Scored, error) {
		if err := hour(ctx); err != nil {
			return sdk.Scored{}, err
		}
		return answerValue(ctx, item)
	})
	generate := "generate adapter.fake.a Generate: %d, s1-g1-0 for 1m0s"
	for name, row := range map[string]struct {
		change func(r *rig)
		want   string
	}{
		"the trainer's sampler": {func(r *rig) {
			r.policy.before = sampler
		}, fmt.Sprintf(generate, 2)},
		"a pause of the trainer": {func(r *rig) {
			r.policy.before = func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
				return nil, &sdk.GenerateError{Kind: sdk.GeneratePaused}
			}
		}, "paused adapter.fake.a : 2, s1-g1-0 for <2s"},
		"a turn to ask a served model": {func(r *rig) {
			r.setup.Generator.Generator = crowded{r.policy}
		}, "place adapter.fake.a : 2, s1-g1-0 for 1m0s"},
		"a slot": {func(r *rig) {
			r.setup.Concurrency = 1
			r.policy.before = sampler
		}, fmt.Sprintf(generate, 1) + "\nslot  : 1, s1-g1-1 for 1m0s"},
		"a session": {func(r *rig) {
			r.setup.Environment.Capabilities.MaxSessions = 1
			r.policy.before = sampler
		}, fmt.Sprintf(generate, 1) + "\nsession environment.fake.e : 1, s1-g1-1 for 1m0s"},
		"the environment's Open": {func(r *rig) {
			r.env.onOpen = func(ctx context.Context, _ sdk.OpenRequest) error { return hour(ctx) }
		}, "environment environment.fake.e Open: 2, s1-g1-0 for 1m0s"},
		"a reward": {func(r *rig) {
			r.setup.Rewards[0].Reward = stuckScore
		}, "reward reward.fake.r Score: 2, s1-g1-0 for 1m0s"},
		"a batch of a reward": {func(r *rig) {
			r.setup.Rewards[0].Reward, r.setup.Rewards[0].Capabilities.BatchSize = stuckScore, 8
		}, "reward reward.fake.r Score: 2, s1-g1-0 for 1m0s"},
		"siblings": {func(r *rig) {
			r.setup.Rewards[0].Capabilities.GroupRelative = true
		}, "siblings  : 2, s1-g1-0 for 1m0s"},
		"a plugin that died": {func(r *rig) {
			r.env.onOpen = func(context.Context, sdk.OpenRequest) error { return verdict.ErrPluginLost }
			r.options.AwaitPlugin = func(ctx context.Context, _ string, _ error) error { return hour(ctx) }
		}, "restart environment.fake.e : 2, s1-g1-0 for 1m0s"},
		"the disk": {func(r *rig) { r.options.Sink = &stuckSink{} }, "record  : 2, s1-g1-0 for 1m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig()
				row.change(r)
				r.start(t)
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error, 2)
				for i := range 2 {
					go func() {
						_, err := r.RunEpisode(ctx, sample(1, 1, i))
						ended <- err
					}()
					synctest.Wait() // fixes the order of the two episodes
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				if diff := cmp.Diff(row.want, describe(r.Waits())); diff != "" {
					t.Errorf("the episodes wait for something else (-want +got):\n%s", diff)
				}
				cancel()
				for range 2 {
					if err := <-ended; !errors.Is(err, context.Canceled) {
						t.Errorf("the episode ended with %v, want the end of its caller", err)
					}
				}
				time.Sleep(2 * time.Hour) // the blocked calls have returned
				synctest.Wait()
				if left := r.Waits(); len(left) > 0 {
					t.Errorf("nothing is under way, but there are waits: %v", left)
				}
			})
		})
	}
}

func describe(waits []Wait) string {
	var lines []string
	for _, w := range waits {
		waited := time.Since(w.Since)
		text := waited.String()
		if w.For == wait.Paused && waited < mostPause {
			text = "<2s"
		}
		lines = append(lines, fmt.Sprintf("%s %s %s: %d, %s for %s", w.For, w.Address, w.Call, w.Episodes, w.Episode, text))
	}
	return strings.Join(lines, "\n")
}

// TestAGroupThatIsComparedWaitsForTheReward checks that four compared samples wait for the reward, not for each
// other.
func TestAGroupThatIsComparedWaitsForTheReward(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.setup.Rewards[0].Capabilities.GroupRelative = true
		r.setup.Rewards[0].Reward = groupFunc(func(ctx context.Context, _ sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
			return nil, clock.Pause(ctx, clock.System{}, time.Hour)
		})
		r.start(t)
		results := make(chan []*sdk.EpisodeResult, 1)
		go func() { results <- r.runAll(t, wholeGroup(1, 1)...) }()
		time.Sleep(time.Minute)
		synctest.Wait()
		got := r.Waits()
		if len(got) != 1 || got[0].For != wait.Reward || got[0].Address != "reward.fake.r" || got[0].Episodes != 4 {
			t.Errorf("waits %+v, want four episodes that wait for the reward", got)
		}
		<-results
	})
}
