package rollout

import (
	"context"
	"fmt"
	"slices"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/group"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// scores holds the rewards' results, by address.
type scores map[string]sdk.Scored

// scoreAlone calls the rewards that judge single episodes. It returns nil if the episode has ended.
func (ep *episode) scoreAlone(ctx context.Context, r *EpisodeRecord, m *scorable) scores {
	active, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	budget := clock.NewBudget(ep.clock(), m.left, func() { cancel(verdict.ErrActiveBudget) })
	defer budget.Stop()
	given := scores{}
	judge := ep.engine.judgeOf(ep.stage, ep.validation(), &ep.RetryCount, wait.Stacks{ep.entry.Waits})
	judge.trace = ep.trace.Attempt(r.Attempt)
	for i := range ep.stage.Rewards {
		b := &ep.stage.Rewards[i]
		if b.Capabilities.GroupRelative {
			continue
		}
		started := ep.clock().Now()
		answer, err := judge.ask(active, b, sdk.ScoreRequest{Items: []sdk.ScoreItem{ep.item(b, r, m)}})
		r.Spans = append(r.Spans, ep.spanned(PartReward, b.Address, started))
		if err != nil {
			ep.endScoring(active, r, err)
			return nil
		}
		given[b.Address] = answer[0]
	}
	return given
}

// endScoring records the reason why scoring ended without a number.
func (ep *episode) endScoring(ctx context.Context, r *EpisodeRecord, err error) {
	v := verdict.Of(ctx, err)
	if v.Failure == nil {
		ep.cancel(r, ctx)
		return
	}
	ep.giveUp(r, v.Failure)
}

// scoreTogether waits for the siblings and adds the scores from the group's rewards. It returns false if the episode
// has ended.
func (ep *episode) scoreTogether(ctx context.Context, r *EpisodeRecord, m *scorable, given scores) bool {
	started := ep.clock().Now()
	ep.engine.live.waiting.Add(1)
	defer ep.entry.Waits.Begin(wait.Wait{For: wait.Siblings})()
	ep.member.Trace = ep.trace.Attempt(r.Attempt)
	decided, err := ep.member.Wait(ctx, ep.groupItems(r, m), ep.sample.Decided())
	ep.engine.live.waiting.Add(-1)
	r.Spans = append(r.Spans, ep.spanned(PartSiblings, "", started))
	if ep.sample.WasDropped() { // by a sibling: no comparison is needed, and this episode has not failed
		ep.member.Leave()
		r.Outcome = sdk.OutcomeDropped
		return false
	}
	if err != nil {
		ep.endScoring(ctx, r, err)
		return false
	}
	if !decided {
		return true
	}
	ep.RetryCount.Add(&ep.member.RetryCount)
	if ep.member.Failure != nil {
		ep.giveUp(r, ep.member.Failure)
		return false
	}
	for address, answer := range ep.member.Answers {
		given[address] = answer
	}
	return true
}

func (ep *episode) groupItems(r *EpisodeRecord, m *scorable) map[string]sdk.ScoreItem {
	items := map[string]sdk.ScoreItem{}
	for i := range ep.stage.Rewards {
		if b := &ep.stage.Rewards[i]; b.Capabilities.GroupRelative {
			items[b.Address] = ep.item(b, r, m)
		}
	}
	return items
}

// item returns the part of the episode that a reward is allowed to see.
func (ep *episode) item(b *RewardBinding, r *EpisodeRecord, m *scorable) sdk.ScoreItem {
	needs := b.Capabilities.Needs
	item := sdk.ScoreItem{
		EpisodeID:    r.EpisodeID,
		ChainDigests: make([]string, len(r.Chains)),
		Task:         show(ep.task, needs),
		FinalAnswer:  r.finalAnswer(),
		Metadata:     r.Metadata,
	}
	for i := range r.Chains {
		item.ChainDigests[i] = r.Chains[i].Digest
	}
	for _, turn := range r.TurnRewards {
		item.TurnRewards = append(item.TurnRewards, turn.Reward)
	}
	if slices.Contains(needs, sdk.NeedTranscript) {
		item.Messages, item.Sampled = sdk.BoundAttachments(r.Messages, ep.attachmentBytes(b)), r.Sampled
	}
	if slices.Contains(needs, sdk.NeedEnvironmentState) {
		item.State = m.state
	}
	return item
}

// attachmentBytes returns how many bytes of attachments a reward receives for the episode. Rewards that compare the
// samples in a group receive all of them in a single call.
func (ep *episode) attachmentBytes(b *RewardBinding) int64 {
	if b.Capabilities.GroupRelative {
		return sdk.MaxScoredAttachmentBytes / int64(max(ep.request.GroupSize, 1))
	}
	return sdk.MaxScoredAttachmentBytes
}

// finalAnswer returns the agent's answer, or the content of the last message that came from the policy.
func (r *AttemptRecord) finalAnswer() string {
	answer, _ := (&agent.Result{Messages: r.Messages, Sampled: r.Sampled, Answer: r.Answer}).FinalAnswer()
	return answer
}

// compose computes the episode's result from the scores.
func (ep *episode) compose(r *EpisodeRecord, given scores) {
	for i := range ep.stage.Rewards {
		address := ep.stage.Rewards[i].Address
		r.Scores = append(r.Scores, ScoreRecord{Address: address, Scored: given[address]})
	}
	truncated := r.Finish.Truncated()
	composed, err := ep.stage.Compose(ComposeInputs{
		Rewards: given, SelfReport: r.SelfReport, NumTurns: len(r.Turns), Truncated: truncated,
	})
	if err == nil && !finite(composed.Reward) {
		err = fmt.Errorf("the reward expression evaluates to %g; it must be finite", composed.Reward)
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
	if reward := ep.madReward(&r.AttemptRecord); reward != nil {
		composed.Reward = *reward
	}
	r.Reward, r.IsSuccess = &composed.Reward, composed.Success
}

// composeFailure explains why an expression has no value, which is usually because a reward has none.
func composeFailure(given []ScoreRecord, err error) *sdk.Failure {
	for i := range given {
		if f := given[i].Failure; f != nil {
			return &sdk.Failure{Class: f.Class, Detail: given[i].Address + ": " + f.Detail, StopRun: f.StopRun}
		}
	}
	return sdk.RewardFailure(err)
}

// compare calls the stage's group-relative rewards with a group's surviving samples. If a call returns an error, the
// survivors fail.
func (e *Engine) compare(ctx context.Context, s *stage, split sdk.Split, survivors []*group.Member, missing int) {
	var asking wait.Stacks
	for _, m := range survivors {
		m.Answers = map[string]sdk.Scored{}
		asking = append(asking, m.Waits)
	}
	judge := e.judgeOf(s, split == sdk.SplitValidation, &survivors[0].RetryCount, asking)
	judge.trace = survivors[0].Trace
	for i := range s.Rewards {
		b := &s.Rewards[i]
		if !b.Capabilities.GroupRelative {
			continue
		}
		req := sdk.ScoreRequest{Missing: missing}
		for _, m := range survivors {
			req.Items = append(req.Items, m.Items[b.Address])
		}
		answer, err := judge.ask(ctx, b, req)
		for k, m := range survivors {
			if err != nil {
				m.Failure = &sdk.Failure{Class: sdk.FailureReward, Detail: err.Error()}
				continue
			}
			m.Answers[b.Address] = answer[k]
		}
	}
}

// madReward returns the reward for an episode with findings, or the lowest such reward if it is set for several
// members. It returns nil if the rewards determine the result.
func (ep *episode) madReward(r *AttemptRecord) *float64 {
	if ep.validation() {
		return nil
	}
	var least *float64
	for i := range r.Turns {
		if len(r.Turns[i].Findings) == 0 {
			continue
		}
		if by := ep.stage.madness(r.Turns[i].Agent); by.Reward != nil && (least == nil || *by.Reward < *least) {
			least = by.Reward
		}
	}
	return least
}
