package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

// record journals and publishes the trainer's and engine's data about a step. It returns the step's numbers.
func (l *trainCall) record(ctx context.Context, step int, events pendingEvents,
	report rollout.BoundaryReport) (runstore.Numbers, error) {
	if err := l.recordConsumed(ctx, step, events); err != nil {
		return nil, err
	}
	numbers, err := l.reported(ctx, step, events)
	if err != nil {
		return nil, err
	}
	episodes := l.facts.take(step, report.Counted)
	l.run.tasks.Add(step, episodes)
	if len(events.consumed) > 0 {
		maps.Copy(numbers, trainNumbers(report.Train))
		maps.Copy(numbers, findings.Numbers(episodes))
		maps.Copy(numbers, l.timings.take())
		l.publishStep(step, events, report.Train, numbers)
	}
	l.run.state.count(l.index, report.Train, trained(events.consumed))
	if report.Validation != nil {
		pass := validationNumbers(*report.Validation)
		maps.Copy(numbers, pass)
		record := runstore.ValidationRecord{LaunchID: l.id, Stage: l.stage.Name, Step: step, Metrics: pass}
		if err := l.run.Writer.AppendValidation(ctx, record); err != nil {
			return nil, err
		}
		isBest := l.run.state.validated(validation{
			stage: l.index, step: step, set: l.stage.Validation, by: sdk.ValueOr(l.stage.Knobs.Validate.BestBy, ""),
			checkpoint: events.checkpoint != nil,
		}, *report.Validation)
		l.publishValidation(step, events, *report.Validation, isBest)
	}
	l.run.state.add(numbers, report)
	l.stepBegins()
	if len(numbers) == 0 {
		return numbers, nil
	}
	if err := l.run.Writer.AppendMetrics(ctx, runstore.MetricRecord{
		LaunchID: l.id, Stage: l.stage.Name, Step: step, EventSeq: events.seq, Values: numbers,
	}); err != nil {
		return nil, err
	}
	return numbers, l.find(ctx, findings.Step{Step: step, Values: numbers, Episodes: episodes, Worst: events.worst(step)})
}

// reported returns the numbers that the trainer reported for a step. Numbers for earlier steps without a boundary are
// journaled.
func (l *trainCall) reported(ctx context.Context, step int, events pendingEvents) (runstore.Numbers, error) {
	numbers := runstore.Numbers{}
	for _, m := range events.metrics {
		switch {
		case m.Step > step:
			return nil, l.protocolError(fmt.Errorf("it reported metrics for step %d at the boundary of the earlier "+
				"step %d", m.Step,
				step))
		case m.Step == step:
			maps.Copy(numbers, m.Values)
			continue
		}
		row := runstore.MetricRecord{LaunchID: l.id, Stage: l.stage.Name, Step: m.Step, Values: m.Values}
		err := l.run.Writer.AppendMetrics(ctx, row)
		if err == nil {
			err = l.find(ctx, findings.Step{Step: m.Step, Values: m.Values, Worst: events.worst(m.Step)})
		}
		if err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

// addGap adds the metrics of a comparison of sampler and trainer to a step's values.
func addGap(m sdk.MetricsEvent) sdk.MetricsEvent {
	if g := m.PolicyGap; g != nil {
		values := maps.Clone(m.Values)
		if values == nil {
			values = map[string]float64{}
		}
		values[metric.LogprobGapMean], values[metric.LogprobGapP99], values[metric.LogprobGap] = g.Mean, g.P99, g.Max
		values[metric.LogprobBias] = g.Bias
		m.Values = values
	}
	return m
}

// worst returns the token with the largest difference between sampler and trainer in a step.
func (s *pendingEvents) worst(step int) (out findings.Worst) {
	for _, m := range s.metrics {
		if g := m.PolicyGap; g != nil && m.Step == step {
			out = findings.Worst{Episode: g.EpisodeID, Token: g.Token}
		}
	}
	return out
}

// recordConsumed journals which episodes were used. Unknown or already used episodes are an adapter error.
func (l *trainCall) recordConsumed(ctx context.Context, step int, events pendingEvents) error {
	for _, c := range events.consumed {
		if c.Step > step || c.Step < l.run.nextStep() {
			return l.protocolError(fmt.Errorf("it reported episodes used in step %d at the boundary of step %d, after the commit of "+
				"step %d", c.Step, step, l.run.nextStep()-1))
		}
		record := runstore.StepRecord{LaunchID: l.id, Stage: l.stage.Name, Step: c.Step, VersionAfter: c.VersionAfter,
			EventSeq: events.seq}
		for _, e := range c.Episodes {
			record.Consumed = append(record.Consumed, runstore.Consumed{EpisodeID: e.EpisodeID, Use: e.Use})
		}
		var stopped *runstore.StoppedError
		switch err := l.run.Writer.AppendStep(ctx, record); {
		case errors.As(err, &stopped):
			return err
		case err != nil:
			return l.protocolError(err)
		}
	}
	return nil
}

// trained returns the number of trained episodes.
func trained(events []sdk.ConsumedEvent) int {
	n := 0
	for _, c := range events {
		for _, e := range c.Episodes {
			if e.Use == sdk.ConsumedTrained {
				n++
			}
		}
	}
	return n
}

// trainNumbers returns the host's own measurements for a step.
func trainNumbers(a rollout.Aggregate) runstore.Numbers {
	out := runstore.Numbers{
		metric.Episodes: float64(a.Episodes), metric.Turns: a.TurnsMean, metric.Retries: float64(a.Retries),
		metric.Truncated: float64(a.Truncated), metric.Failed: float64(failed(a)),
	}
	if a.Scored > 0 {
		out[metric.Reward], out[metric.RewardStd] = a.RewardMean, a.RewardStd
	}
	if a.Judged > 0 {
		out[metric.SuccessRate] = a.SuccessRate
	}
	if a.Groups > 0 {
		out[metric.FlatGroups] = float64(a.ZeroVarianceGroups) / float64(a.Groups)
	}
	if a.ForeignRate > 0 {
		out[metric.ForeignCallRate] = a.ForeignRate
	}
	for name, v := range a.Components {
		out[metric.Components+name] = v
	}
	conversationNumbers(out, &a.Conversations)
	madnessNumbers(out, a, metric.MadnessRate)
	for _, m := range a.Members {
		out[metric.Members+m.Agent+metric.MemberTurns] = float64(m.Turns)
		out[metric.Members+m.Agent+metric.MemberPromptTokens] = float64(m.PromptTokens)
		out[metric.Members+m.Agent+metric.MemberOutputTokens] = float64(m.OutputTokens)
		if m.Cost > 0 {
			out[metric.Members+m.Agent+metric.MemberCost] = m.Cost
		}
	}
	return out
}

// conversationNumbers adds the trained share and the numbers for agents whose programs send their own requests.
func conversationNumbers(out runstore.Numbers, f *rollout.ConversationStats) {
	if f.Sampled > 0 {
		out[metric.TrainedFraction] = float64(f.Delivered) / float64(f.Sampled)
	}
	if f.Tokens == 0 {
		return
	}
	out[metric.Rows], out[metric.RowsMerged] = float64(f.Rows), float64(f.Merged)
	out[metric.TokensSaved] = float64(f.Saved)
	out[metric.AuxiliaryFraction] = float64(f.Auxiliary) / float64(f.Tokens)
}

// madnessNumbers adds the rates of episodes that failed message checks, in total and by check.
func madnessNumbers(out runstore.Numbers, a rollout.Aggregate, name string) {
	for rate, v := range a.Metrics {
		if check, ok := strings.CutPrefix(rate, metric.MadnessRate); ok {
			out[name+check] = v
		}
	}
}

// validationNumbers returns the numbers for a pass over the held-out tasks.
func validationNumbers(a rollout.Aggregate) runstore.Numbers {
	out := runstore.Numbers{metric.ValidationSuccessRate: a.SuccessRate,
		metric.ValidationEpisodes: float64(a.Episodes - a.Withdrawn)}
	if a.Scored > 0 {
		out[metric.ValidationReward] = a.RewardMean
	}
	for name, v := range a.Components {
		out[metric.ValidationComponents+name] = v
	}
	madnessNumbers(out, a, metric.ValidationMadnessRate)
	return out
}

// failed returns the number of episodes without a reward.
func failed(a rollout.Aggregate) int {
	return a.Outcomes[sdk.OutcomeFailed] + a.Outcomes[sdk.OutcomeDropped]
}

// repeatable returns the numbers that do not depend on a clock, so that equal runs have equal manifests apart from
// times. Rates and durations are recognized by the unit in their names.
func repeatable(numbers runstore.Numbers) runstore.Numbers {
	out := maps.Clone(numbers)
	maps.DeleteFunc(out, func(name string, _ float64) bool {
		return strings.HasSuffix(name, "_seconds") || strings.HasSuffix(name, "_per_second") ||
			strings.HasSuffix(name, "_ms") ||
			strings.HasPrefix(name, "timing/")
	})
	return out
}
