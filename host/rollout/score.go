package rollout

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/awhost/awhost/sdk"
)

// scores holds what the rewards said, by address.
type scores map[string]sdk.Scored

// scoreAlone asks the rewards that judge one episode by itself. Nil means that the episode is over.
func (ep *episode) scoreAlone(ctx context.Context, r *EpisodeRecord, m *material) scores {
	started := ep.clock().Now()
	defer func() { r.Timings.Reward += ep.clock().Now().Sub(started) }()
	active, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	budget := newActiveBudget(ep.clock(), m.left, func() { cancel(errActiveBudget) })
	defer budget.stop()
	given := scores{}
	judge := ep.engine.judgeOf(ep.stage, ep.validation(), &ep.effort)
	for i := range ep.stage.Rewards {
		b := &ep.stage.Rewards[i]
		if b.Capabilities.GroupRelative {
			continue
		}
		answer, err := judge.ask(active, b, sdk.ScoreRequest{Items: []sdk.ScoreItem{ep.item(b, r, m)}})
		if err != nil {
			ep.endScoring(active, r, err)
			return nil
		}
		given[b.Address] = answer[0]
	}
	return given
}

// item is the episode as a reward may see it.
func (ep *episode) item(b *RewardBinding, r *EpisodeRecord, m *material) sdk.ScoreItem {
	needs := b.Capabilities.Needs
	item := sdk.ScoreItem{
		EpisodeID:    r.EpisodeID,
		ChainDigests: make([]string, len(r.Chains)),
		Task:         show(ep.task, needs),
		FinalAnswer:  finalAnswer(r.Messages),
		Metadata:     r.Metadata,
	}
	for i := range r.Chains {
		item.ChainDigests[i] = r.Chains[i].Digest
	}
	for _, turn := range r.TurnRewards {
		item.TurnRewards = append(item.TurnRewards, turn.Reward)
	}
	if slices.Contains(needs, sdk.NeedTranscript) {
		item.Messages = r.Messages
	}
	if slices.Contains(needs, sdk.NeedEnvironmentState) {
		item.State = m.state
	}
	return item
}

// compose makes the result of the scores.
func (ep *episode) compose(r *EpisodeRecord, given scores) {
	for i := range ep.stage.Rewards {
		address := ep.stage.Rewards[i].Address
		r.Scores = append(r.Scores, ScoreRecord{Address: address, Scored: given[address]})
	}
	truncated := r.Finish.Truncated()
	composed, err := ep.stage.Compose(ComposeInputs{Rewards: given, NumTurns: len(r.Turns), Truncated: truncated})
	if err == nil && !finite(composed.Reward) {
		err = fmt.Errorf("the reward expression gives %g; it must be finite", composed.Reward)
	}
	if err != nil {
		ep.giveUp(r, composeFailure(r.Scores, err))
		return
	}
	r.Outcome = sdk.OutcomeScored
	if truncated {
		r.Outcome = sdk.OutcomeTruncated
		if ep.stage.Overlong == OverlongPenalise && !ep.validation() {
			composed.Reward -= ep.stage.OverlongPenalty
		}
	}
	r.Reward, r.IsSuccess = &composed.Reward, composed.Success
}

// composeFailure says why an expression has no value: usually because a reward has none.
func composeFailure(given []ScoreRecord, err error) *sdk.Failure {
	for i := range given {
		if f := given[i].Failure; f != nil {
			return &sdk.Failure{Class: f.Class, Detail: given[i].Address + ": " + f.Detail}
		}
	}
	return &sdk.Failure{Class: sdk.FailureReward, Detail: err.Error()}
}

// rewardJudge asks rewards and repeats what may be repeated.
type rewardJudge struct {
	engine     *Engine
	stage      *stage
	validation bool
	effort     *effort
}

func (e *Engine) judgeOf(s *stage, validation bool, effort *effort) rewardJudge {
	return rewardJudge{engine: e, stage: s, validation: validation, effort: effort}
}

// The waits before a scoring is repeated.
const (
	firstScorePause = 100 * time.Millisecond
	mostScorePause  = 10 * time.Second
)

// ask returns one answer per item: a number or a failure. An error means that ctx has ended.
func (j rewardJudge) ask(ctx context.Context, b *RewardBinding, req sdk.ScoreRequest) ([]sdk.Scored, error) {
	for retries := 0; ; {
		answer, lost := j.call(ctx, b, req)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if lost != nil {
			if failure := j.engine.regain(ctx, j.effort, lost); failure != nil {
				return sameFailure(req, failure), nil
			}
			continue
		}
		failure := firstRetryable(answer)
		if failure == nil || j.stage.Policy.decide(question{
			class: failure.Class, retries: retries, mayRetry: true, validation: j.validation,
		}) != sdk.ActionRetry {
			return answer, nil
		}
		if err := pause(ctx, j.engine.clock, backoff(firstScorePause, mostScorePause, retries)); err != nil {
			return nil, err
		}
		retries++
		j.effort.retries++
	}
}

// call asks once.
func (j rewardJudge) call(ctx context.Context, b *RewardBinding, req sdk.ScoreRequest) ([]sdk.Scored, *callError) {
	bounded, stop := withLimit(ctx, j.engine.clock, j.engine.options.RewardTimeout, errRewardLimit)
	defer stop()
	resp, err := j.send(bounded, b, req)
	if err != nil {
		v := judge(bounded, &callError{class: sdk.FailureReward, address: b.Address, err: err})
		switch {
		case v.lost != nil:
			return nil, v.lost
		case v.failure != nil:
			j.effort.timedOut = j.effort.timedOut || bounded.Err() != nil
			return sameFailure(req, v.failure), nil
		}
		return sameFailure(req, &sdk.Failure{Class: sdk.FailureReward, Detail: err.Error()}), nil
	}
	for name, value := range resp.Metrics {
		if j.effort.metrics == nil {
			j.effort.metrics = map[string]float64{}
		}
		j.effort.metrics[b.Address+"/"+name] += value
	}
	return j.check(b, req, resp)
}

func (j rewardJudge) send(ctx context.Context, b *RewardBinding, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	if batch := j.stage.batchers[b.Address]; batch != nil && len(req.Items) == 1 {
		return batch.score(ctx, req.Items[0])
	}
	return b.Reward.Score(ctx, req)
}

// check turns what is no number into a failure.
func (j rewardJudge) check(b *RewardBinding, req sdk.ScoreRequest, resp *sdk.ScoreResponse) ([]sdk.Scored, *callError) {
	if len(resp.Items) != len(req.Items) {
		return sameFailure(req, &sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf(
			"the reward answered %d of %d items", len(resp.Items), len(req.Items))}), nil
	}
	answer := make([]sdk.Scored, len(resp.Items))
	for i, scored := range resp.Items {
		if f := scored.Failure; f != nil {
			v := judge(context.Background(), &callError{class: sdk.FailureReward, address: b.Address, err: f})
			if v.lost != nil {
				return nil, v.lost
			}
			answer[i] = sdk.Scored{Failure: v.failure}
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

func sameFailure(req sdk.ScoreRequest, failure *sdk.Failure) []sdk.Scored {
	answer := make([]sdk.Scored, len(req.Items))
	for i := range answer {
		answer[i].Failure = failure
	}
	return answer
}

func firstRetryable(answer []sdk.Scored) *sdk.Failure {
	for i := range answer {
		if f := answer[i].Failure; f != nil && f.Retryable {
			return f
		}
	}
	return nil
}
