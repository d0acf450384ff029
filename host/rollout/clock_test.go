package rollout

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/sdk"
)

// block makes the environment wait until its context ends.
func block(ctx context.Context, _ sdk.StepRequest) (*sdk.StepResponse, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestQueueingDoesNotCountAgainstTheActiveBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.setup.Concurrency = 1
		r.setup.ActiveBudget = 10 * time.Second
		r.policy.before = func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
			time.Sleep(4 * time.Second) // twice per episode
			return nil, nil
		}
		r.start(t)
		results := make(chan *sdk.EpisodeResult, 4)
		for i := range 4 {
			go func() { results <- r.run(t, sample(1, 1, i)) }()
		}
		var longest time.Duration
		for range 4 {
			result := <-results
			if result.Outcome != sdk.OutcomeScored {
				t.Errorf("outcome %s %v, want a score", result.Outcome, result.Failure)
			}
			if result.Timings.Model != 8*time.Second {
				t.Errorf("the model took %v, want 8s", result.Timings.Model)
			}
			longest = max(longest, result.Timings.Queue)
		}
		if longest != 24*time.Second {
			t.Errorf("the last one queued for %v, want 24s", longest)
		}
	})
}

func TestHardDeadline(t *testing.T) {
	t.Run("in the queue it cancels", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newRig()
			r.setup.Concurrency = 1
			r.env.onStep = block
			r.start(t)
			ctx, cancel := context.WithCancel(context.Background())
			first := make(chan error, 1)
			go func() { _, err := r.RunEpisode(ctx, sample(1, 1, 0)); first <- err }()
			synctest.Wait()
			req := sample(1, 1, 1)
			req.HardDeadline = time.Minute
			result := r.run(t, req)
			if result.Outcome != sdk.OutcomeCancelled || result.Reward != nil ||
				!strings.Contains(result.Failure.Detail, "queue") {
				t.Errorf("the outcome is %s %v, want CANCELLED{queue}", result.Outcome, result.Failure)
			}
			if record := r.sink.last(t); !record.WallClock {
				t.Error("an outcome that depends on the time is not marked")
			}
			cancel()
			<-first
		})
	})
	t.Run("at work it ends without a retry", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newRig()
			r.env.onStep = block
			r.start(t)
			req := sample(1, 1, 0)
			req.HardDeadline = time.Minute
			result := r.run(t, req)
			if result.Outcome != sdk.OutcomeDropped || result.Failure.Class != sdk.FailureTimeout || result.Attempt != 1 {
				t.Errorf("outcome %s %v after %d attempts, want one that timed out", result.Outcome, result.Failure, result.Attempt)
			}
			r.checkAllClosed(t)
		})
	})
}

func TestPausedGenerationStopsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.setup.ActiveBudget = time.Second
		until := time.Now().Add(time.Hour)
		r.policy.before = func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
			if time.Now().Before(until) {
				return nil, &sdk.GenerateError{Kind: sdk.GeneratePaused}
			}
			return nil, nil
		}
		r.start(t)
		result := r.run(t, sample(1, 1, 0))
		if result.Outcome != sdk.OutcomeScored || result.Attempt != 1 {
			t.Errorf("outcome %s %v in attempt %d, want a score in the first", result.Outcome, result.Failure, result.Attempt)
		}
		ids := map[string]bool{}
		for _, req := range r.policy.seen {
			if ids[req.CallID] {
				t.Fatalf("call id %s was used for two calls", req.CallID)
			}
			ids[req.CallID] = true
		}
	})
}

func TestAHungCloseIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.env.onClose = func(ctx context.Context, _ sdk.CloseRequest) error {
			<-ctx.Done()
			return ctx.Err()
		}
		r.start(t)
		began := time.Now()
		result := r.run(t, sample(1, 1, 0))
		if result.Outcome != sdk.OutcomeScored || time.Since(began) != 10*time.Second {
			t.Errorf("outcome %s after %v, want a score after the 10s that Close may take", result.Outcome, time.Since(began))
		}
		if got := r.Live().Unclosed; got != 1 {
			t.Errorf("%d environments count as unclosed, want 1", got)
		}
	})
}

func TestAHungRewardIsAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.options.RewardTimeout = time.Second
		r.setup.Rewards[0].Reward = rewardFunc(func(ctx context.Context, _ sdk.ScoreItem) (sdk.Scored, error) {
			<-ctx.Done()
			return sdk.Scored{}, ctx.Err()
		})
		r.start(t)
		result := r.run(t, sample(1, 1, 0))
		if result.Outcome != sdk.OutcomeDropped || result.Failure.Class != sdk.FailureReward || result.Reward != nil {
			t.Errorf("outcome %s %v, want a failure of the reward", result.Outcome, result.Failure)
		}
		if record := r.sink.last(t); !record.WallClock || record.Retries != 2 {
			t.Errorf("wall clock %v after %d retries, want true after 2", record.WallClock, record.Retries)
		}
	})
}

func TestCancelReachesModelAndEnvironment(t *testing.T) {
	for name, stuck := range map[string]func(*rig){
		"environment": func(r *rig) { r.env.onStep = block },
		"model": func(r *rig) {
			r.policy.before = func(ctx context.Context, _ sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
		},
		"reward": func(r *rig) {
			r.setup.Rewards[0].Reward = rewardFunc(func(ctx context.Context, _ sdk.ScoreItem) (sdk.Scored, error) {
				<-ctx.Done()
				return sdk.Scored{}, ctx.Err()
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig()
				stuck(r)
				r.start(t)
				done := make(chan *sdk.EpisodeResult, 1)
				req := sample(1, 1, 0)
				go func() { done <- r.run(t, req) }()
				synctest.Wait()
				if err := r.CancelEpisode(context.Background(), req.EpisodeID, "stale"); err != nil {
					t.Fatal(err)
				}
				result := <-done
				if result.Outcome != sdk.OutcomeCancelled || result.Reward != nil || len(result.Chains) != 0 {
					t.Errorf("result %+v, want CANCELLED without reward and chains", result)
				}
				if got := r.sink.last(t).CancelReason; got != "cancelled: stale" {
					t.Errorf("the reason on record is %q", got)
				}
				r.checkAllClosed(t)
			})
		})
	}
}

func TestEveryDisconnectionHasItsOwnGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.options.ReconnectGrace = time.Minute
		r.policy.before = func(ctx context.Context, _ sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
			return nil, clock.Pause(ctx, clock.System{}, time.Minute)
		}
		r.start(t)
		for range 3 {
			ctx, hangUp := context.WithCancel(context.Background())
			gone := make(chan error, 1)
			go func() { _, err := r.RunEpisode(ctx, sample(1, 1, 0)); gone <- err }()
			synctest.Wait()
			hangUp()
			<-gone
			time.Sleep(35 * time.Second)
		}
		if result := r.run(t, sample(1, 1, 0)); result.Outcome != sdk.OutcomeScored {
			t.Errorf("outcome %s, want a score: no plugin was away for a minute", result.Outcome)
		}
	})
}

func TestLossesAreNotRepeatedAtFullSpeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		both(onStep(times(5, verdict.ErrPluginLost)), revive)(r)
		r.start(t)
		began := time.Now()
		r.run(t, sample(1, 1, 0))
		if took, want := time.Since(began), (20+40+80+160)*time.Millisecond; took != want {
			t.Errorf("five losses took %v, want %v", took, want)
		}
	})
}

func TestReconnectGrace(t *testing.T) {
	scored, cancelled := sdk.OutcomeScored, sdk.OutcomeCancelled
	for _, row := range []struct {
		away time.Duration
		want []sdk.Outcome // on record; the caller finally receives the last one
	}{{59 * time.Second, []sdk.Outcome{scored}}, {61 * time.Second, []sdk.Outcome{cancelled, scored}}} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig()
			r.options.ReconnectGrace = time.Minute
			r.policy.before = func(ctx context.Context, _ sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
				return nil, clock.Pause(ctx, clock.System{}, time.Minute) // two minutes in total
			}
			r.start(t)
			ctx, hangUp := context.WithCancelCause(context.Background())
			gone := make(chan error, 1)
			go func() { _, err := r.RunEpisode(ctx, sample(1, 1, 0)); gone <- err }()
			synctest.Wait()
			lost := errors.New("connection lost")
			hangUp(lost)
			if err := <-gone; !errors.Is(err, lost) {
				t.Errorf("the caller that went away got %v", err)
			}
			time.Sleep(row.away)
			result := r.run(t, sample(1, 1, 0))
			var got []sdk.Outcome
			for _, record := range r.sink.episodes {
				got = append(got, record.Outcome)
			}
			if result.Outcome != scored || !slices.Equal(got, row.want) {
				t.Errorf("back after %v: outcome %s, on record %v, want %v", row.away, result.Outcome, got, row.want)
			}
			if report := r.boundary(1, false); report.Train.Episodes != 1 || report.Train.Outcomes[scored] != 1 {
				t.Errorf("back after %v: %d episodes counted, %v", row.away, report.Train.Episodes, report.Train.Outcomes)
			}
		})
	}
}

// An environment that loses the session of each attempt after a while is limited by the active budget, not by ten
// attempts.
func TestLostSessionsKeepTheActiveBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.setup.ActiveBudget = 5 * time.Minute
		policyOf(sdk.FailureTimeout, 0, sdk.ActionMask)(r)
		steps := 0
		r.env.onStep = func(ctx context.Context, _ sdk.StepRequest) (*sdk.StepResponse, error) {
			steps++
			select {
			case <-time.After(2 * time.Minute):
				return nil, sdk.ErrSessionLost
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		r.start(t)
		began := time.Now()
		result := r.run(t, sample(1, 1, 0))
		if took := time.Since(began); took > 5*time.Minute+time.Second || steps != 3 {
			t.Errorf("it took %v and %d steps, and its active budget is 5m", took, steps)
		}
		if result.Failure == nil || result.Failure.Class != sdk.FailureTimeout {
			t.Errorf("outcome %s: %v, want a timeout", result.Outcome, result.Failure)
		}
	})
}
