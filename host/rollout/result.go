package rollout

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/awhost/awhost/host/madness"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

// withdraw cancels an episode, even if it has already ended.
func (ep *episode) withdraw(r *EpisodeRecord, ctx context.Context) {
	ep.cancel(r, ctx)
	r.Reward, r.IsSuccess, r.Failure, r.Masked, r.DropGroup = nil, nil, nil, false, false
}

// resultSlack limits how much a result whose size is known may still grow, to include times and the siblings' decision.
const resultSlack = 1 << 10

// bound fails an episode whose result is too large for its caller, so that the record and the result agree.
func (ep *episode) bound(r *EpisodeRecord) {
	limit := ep.engine.options.ResultBytes
	if limit == 0 {
		return
	}
	failure := r.result().Oversize(limit - resultSlack)
	if failure == nil {
		return
	}
	r.Oversize, r.Reward, r.IsSuccess = true, nil, nil
	if r.Outcome == sdk.OutcomeScored || r.Outcome == sdk.OutcomeTruncated {
		ep.giveUp(r, failure)
	}
}

// agree waits until the siblings have decided whether the whole group is dropped and whether there is a sibling to
// compare the episode with, to the extent required by the stage. The episode's own outcome remains on record.
func (ep *episode) agree(ctx context.Context, r *EpisodeRecord) {
	if r.DropGroup {
		ep.sample.Drop()
	}
	ep.member.Leave() // siblings that wait for the comparison must not wait for an episode that waits for them
	started := ep.clock().Now()
	ep.engine.live.waiting.Add(1)
	decided := ep.entry.Waits.Begin(wait.Wait{For: wait.Siblings})
	v, err := ep.sample.Keep(ctx, ep.stage.dropsGroups, ep.stage.holdsFirst && r.Reward != nil && !r.Masked)
	decided()
	ep.engine.live.waiting.Add(-1)
	r.Spans = append(r.Spans, ep.spanned(PartSiblings, "", started))
	switch {
	case errors.Is(err, verdict.ErrHardDeadline): // the wait's deadline; the episode itself has ended
		v.Expired = true
	case err != nil, ep.interrupted(ctx) != nil: // siblings interrupted by the host have decided nothing
		ep.withdraw(r, ctx)
		return
	}
	r.DropGroup, r.WallClock = v.Dropped, r.WallClock || v.Expired
	if r.LoneSurvivor = v.Lone && !v.Dropped; r.LoneSurvivor {
		r.DropGroup, r.Masked = ep.stage.LoneSurvivor == sdk.ActionDropGroup, ep.stage.LoneSurvivor == sdk.ActionMask
	}
}

// close completes the record.
func (ep *episode) close(r *EpisodeRecord) {
	r.Retries, r.Redraws, r.Losses = ep.Retries, ep.redraws, ep.Losses()
	r.WallClock = r.WallClock || ep.TimedOut || r.Cut
	r.RewardMetrics, r.Blamed = ep.Metrics, ep.Blamed
	r.FinalAnswer = r.finalAnswer()
	trained := r.Reward != nil && !r.Masked && !r.DropGroup && !ep.validation()
	for i := range r.Chains {
		r.Chains[i].Train = trained && ep.stage.Trainable(r.Chains[i].Agent)
	}
	ep.countMadness(r)
	if f := ep.stage.conversationStats(r); r.Endpoint || f.Delivered < f.Sampled {
		r.addMetrics("", f.metrics())
	}
	r.Ended = ep.clock().Now()
	r.Waits = append(r.Waits, ep.entry.Waits.Take()...)
	slices.SortStableFunc(r.Spans, func(a, b Span) int { return a.At.Compare(b.At) })
	r.Timings = timings(r.Spans, r.Ended.Sub(r.Began))
	r.Hash = r.Canonical()
}

// result returns the episode's result for its caller.
func (r *EpisodeRecord) result() *sdk.EpisodeResult {
	result := &sdk.EpisodeResult{
		EpisodeID:   r.EpisodeID,
		Attempt:     r.Attempt,
		Draw:        r.Draw,
		Outcome:     r.Outcome,
		Reward:      r.Reward,
		Components:  r.Scored(),
		TurnRewards: r.TurnRewards,
		IsSuccess:   r.IsSuccess,
		Failure:     r.Failure,
		Masked:      r.Masked,
		DropGroup:   r.DropGroup,
		NumTurns:    len(r.Turns),
		TaskID:      r.TaskID,
		Timings:     r.Timings,
		DriftCount:  r.DriftCount,
		Metrics:     r.Metrics,
	}
	if r.Oversize {
		return result.WithoutContent()
	}
	if r.Outcome == sdk.OutcomeDropped || r.Outcome == sdk.OutcomeCancelled {
		return result // no row, so no chain
	}
	for _, chain := range r.Chains {
		if chain.Served {
			continue
		}
		result.Chains = append(result.Chains, sdk.ChainResult{Chain: chain.Chain, Agent: chain.Agent, Train: chain.Train})
	}
	return result
}

// Scored returns the rewards' numbers: "reward.gaia.answer" is a score, and "reward.gaia.answer.exact" is one of its
// components.
func (r *EpisodeRecord) Scored() map[string]float64 {
	values := map[string]float64{}
	for i := range r.Scores {
		s := &r.Scores[i]
		if s.Failure != nil {
			continue
		}
		values[s.Address] = s.Score
		for name, value := range s.Components {
			values[s.Address+"."+name] = value
		}
	}
	return values
}

// Notes returns the rewards' textual notes, under names such as "reward.math.answer.extracted".
func (r *EpisodeRecord) Notes() map[string]string {
	var out map[string]string
	for i := range r.Scores {
		for name, note := range r.Scores[i].Notes {
			if out == nil {
				out = map[string]string{}
			}
			out[r.Scores[i].Address+"."+name] = note
		}
	}
	return out
}

// countMadness records whether the episode failed each check, as 0 or 1. The means of these numbers are failure rates.
func (ep *episode) countMadness(r *EpisodeRecord) {
	if len(ep.stage.Madness) == 0 || r.Outcome == sdk.OutcomeCancelled {
		return
	}
	rates := map[string]float64{metric.MadnessRate: 0}
	for _, by := range ep.stage.Madness {
		for _, check := range by.Checks {
			rates[rateOf(check)] = 0
		}
	}
	for _, f := range r.Findings() {
		rates[metric.MadnessRate], rates[rateOf(f.Check)] = 1, 1
	}
	if r.Metrics == nil {
		r.Metrics = rates
		return
	}
	maps.Copy(r.Metrics, rates)
}

func rateOf(check madness.Check) string { return metric.MadnessRate + "/" + string(check) }

// MadnessFinding is a check that failed for a message in an attempt.
type MadnessFinding struct {
	CallID string `json:"call_id"`
	Agent  string `json:"agent"` // "react.solver"
	Turn   int    `json:"turn"`  // of the episode, from 1
	madness.Finding
}

// Findings returns the findings in all messages, in turn order.
func (r *AttemptRecord) Findings() []MadnessFinding {
	var out []MadnessFinding
	for i := range r.Turns {
		t := &r.Turns[i]
		for _, f := range t.Findings {
			out = append(out, MadnessFinding{CallID: t.CallID, Agent: t.Agent, Turn: i + 1, Finding: f})
		}
	}
	return out
}
