package rollout

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/quarantine"
	"github.com/awhost/awhost/host/rollout/internal/recovery"
	"github.com/awhost/awhost/host/rollout/internal/trace"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/traceparent"
)

// rewardJudge calls rewards and retries calls that can be retried.
type rewardJudge struct {
	engine     *Engine
	stage      *stage
	validation bool
	retryCount *recovery.RetryCount
	waits      wait.Stacks
	trace      trace.Attempt // of the episode, or of the first of several
}

func (e *Engine) judgeOf(s *stage, validation bool, effort *recovery.RetryCount, waits wait.Stacks) rewardJudge {
	return rewardJudge{engine: e, stage: s, validation: validation, retryCount: effort, waits: waits}
}

// The pauses before a scoring is repeated.
const (
	firstScorePause = 100 * time.Millisecond
	mostScorePause  = 10 * time.Second
)

// ask returns one result per item: a number or a failure. It returns an error only if ctx is done.
func (j rewardJudge) ask(ctx context.Context, b *RewardBinding, req sdk.ScoreRequest) ([]sdk.Scored, error) {
	var v *quarantine.Visit
	defer func() { v.Leave(false) }()
	retries := 0
	for tries := 0; ; tries++ {
		if !v.IsRetried() {
			v = j.engine.quarantine.Tracker(b.Address).Enter(ctx, j.keyOf(req), j.waits)
		}
		answer, lost := j.call(ctx, b, req, tries)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if lost != nil {
			if failure := j.awaitReturn(ctx, req, lost, v); failure != nil {
				return sameFailure(req, failure), nil
			}
			if !v.IsRetried() {
				v.Leave(false)
				v = nil
			}
			continue
		}
		v.Leave(true)
		v = nil
		failure := firstRetryable(answer)
		if failure == nil || j.stage.Policy.decide(question{
			class: failure.Class, retries: retries, mayRetry: true, validation: j.validation,
		}) != sdk.ActionRetry {
			return answer, nil
		}
		resume := j.waits.Begin(wait.Wait{For: wait.Repeat, Address: b.Address, Call: "Score"})
		err := clock.Pause(ctx, j.engine.clock, clock.Backoff(firstScorePause, mostScorePause, retries))
		if resume(); err != nil {
			return nil, err
		}
		retries++
		j.retryCount.Retries++
	}
}

// awaitReturn waits until a lost reward is available again. It returns a failure if calling the reward again would not
// help.
func (j rewardJudge) awaitReturn(
	ctx context.Context, req sdk.ScoreRequest, lost *verdict.CallError, v *quarantine.Visit,
) *sdk.Failure {
	j.engine.live.losses.Add(1)
	failure := j.engine.recovery.AwaitReturn(ctx, j.retryCount, lost, j.waits)
	blame := v.Recovered(quarantine.Loss{
		Episode: req.Items[0].EpisodeID, Call: lost, Sessions: j.retryCount.LostSessions(),
	})
	if blame != nil && failure == nil && ctx.Err() == nil {
		j.retryCount.Blamed, failure = lost.Address, blame
	}
	return failure
}

// keyOf returns the key for a request's task. The samples in a group have the same task.
func (j rewardJudge) keyOf(req sdk.ScoreRequest) quarantine.Key {
	split := sdk.SplitTrain
	if j.validation {
		split = sdk.SplitValidation
	}
	return quarantine.Key{Split: split, Task: req.Items[0].Task.ID}
}

// call calls the reward once.
func (j rewardJudge) call(
	ctx context.Context, b *RewardBinding, req sdk.ScoreRequest, tries int,
) ([]sdk.Scored, *verdict.CallError) {
	bounded, stop := clock.WithLimit(ctx, j.engine.clock, j.engine.options.RewardTimeout, verdict.ErrRewardLimit)
	defer stop()
	said := j.trace.Exchange()
	call := wait.Wait{For: wait.Reward, Address: b.Address, Call: "Score", Try: tries, About: said}
	answered := j.waits.Begin(call)
	resp, under, err := j.send(j.trace.Under(bounded, call), b, req)
	said.End(err)
	said.Shared(under)
	answered()
	if err != nil {
		v := verdict.Of(bounded, &verdict.CallError{Class: sdk.FailureReward, Address: b.Address, Err: err})
		switch {
		case v.Lost != nil:
			return nil, v.Lost
		case v.Failure != nil:
			j.retryCount.TimedOut = j.retryCount.TimedOut || bounded.Err() != nil
			return sameFailure(req, v.Failure), nil
		}
		return sameFailure(req, &sdk.Failure{Class: sdk.FailureReward, Detail: err.Error()}), nil
	}
	j.retryCount.AddMetrics(b.Address+"/", resp.Metrics)
	return j.check(b, req, resp)
}

// send also returns the traceparent that the reward received. For a batch of items, it is the traceparent of one of
// them.
func (j rewardJudge) send(
	ctx context.Context, b *RewardBinding, req sdk.ScoreRequest,
) (resp *sdk.ScoreResponse, under string, err error) {
	if batcher := j.stage.batchers[b.Address]; batcher != nil && len(req.Items) == 1 {
		return batcher.Score(ctx, req.Items[0])
	}
	resp, err = b.Reward.Score(ctx, req)
	return resp, traceparent.From(ctx), err
}

// check replaces scores that are not finite numbers with failures.
func (j rewardJudge) check(
	b *RewardBinding, req sdk.ScoreRequest, resp *sdk.ScoreResponse,
) ([]sdk.Scored, *verdict.CallError) {
	if len(resp.Items) != len(req.Items) {
		return sameFailure(req, &sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf(
			"the reward returned %d of %d items", len(resp.Items), len(req.Items))}), nil
	}
	answer := make([]sdk.Scored, len(resp.Items))
	for i, scored := range resp.Items {
		if f := scored.Failure; f != nil {
			v := verdict.Of(context.Background(), &verdict.CallError{Class: sdk.FailureReward, Address: b.Address, Err: f})
			if v.Lost != nil {
				return nil, v.Lost
			}
			answer[i] = sdk.Scored{Failure: v.Failure}
			continue
		}
		if name, ok := allFinite(scored); !ok {
			answer[i] = sdk.Scored{Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: name + " is not a finite number"}}
			continue
		}
		answer[i] = scored
	}
	return answer, nil
}

func allFinite(s sdk.Scored) (offender string, ok bool) {
	if !finite(s.Score) {
		return "the score", false
	}
	for _, name := range slices.Sorted(maps.Keys(s.Components)) {
		if !finite(s.Components[name]) {
			return fmt.Sprintf("component %q", name), false
		}
	}
	return "", true
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

func sameFailure(req sdk.ScoreRequest, failure *sdk.Failure) []sdk.Scored {
	answer := make([]sdk.Scored, len(req.Items))
	for i := range answer {
		answer[i].Failure = failure
	}
	return answer
}

func firstRetryable(answer []sdk.Scored) *sdk.Failure {
	for i := range answer {
		if f := answer[i].Failure; f != nil && f.Retryable && !f.StopRun {
			return f
		}
	}
	return nil
}
