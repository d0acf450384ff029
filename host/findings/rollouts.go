package findings

import (
	"fmt"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk/metric"
)

// Thresholds of the rules about episodes. Two steps must exceed them.
const (
	cutShare       = 0.25
	toolErrorShare = 0.3
	toolCallsLeast = 20 // calls of a tool in the two steps
	malformedShare = 0.2
	foreignShare   = 0.05
	failedShare    = 0.1
	trainedLeast   = 0.5
	sameWrongShare = 0.25
	slowShare      = 0.5
	slowSeconds    = 5 // at p95
)

// share returns the least share of a count among the episodes of the last two steps, and whether there were two.
func (h *history) share(name string) (share float64, ok bool) {
	counts, episodes := h.last(name, baseline), h.last(metric.Episodes, baseline)
	if counts == nil || episodes == nil {
		return 0, false
	}
	out := 1.0
	for i := range counts {
		out = min(out, counts[i]/max(1, episodes[i]))
	}
	return out, true
}

func cutByLimit(h *history) (out []found) {
	for _, limit := range subjects(h.now, metric.CutBy, "") {
		share, ok := h.share(metric.CutBy + limit)
		if !ok || share < cutShare {
			continue
		}
		var causes []string
		if was := h.series[metric.CutBy+limit][0]; len(h.series[metric.ResponseTokens]) > 0 &&
			(was.step > h.series[metric.ResponseTokens][0].step ||
				was.value/max(1, h.at(metric.Episodes, was.step)) < cutShare/2) {
			causes = []string{"the policy no longer ends its messages: the learning rate is too high, or the reward pays for " +
				"length", "the limit is too low for the task"}
		}
		out = append(out, found{
			causes:  causes,
			subject: limit, summary: fmt.Sprintf("the limit %s cut %s of the episodes of step %d%s", limit,
				percent(h.now[metric.CutBy+limit]/max(1, h.now[metric.Episodes])), h.step, h.successNow()),
			numbers:  event.Metrics{metric.CutBy + limit: h.now[metric.CutBy+limit]},
			examples: func(e *Episode) bool { return e.Limit == limit },
			remedy:   limitRemedies[limit],
		})
	}
	return out
}

func mostCallsFailed(e *Episode) bool {
	for _, use := range e.Tools {
		if 2*use.Errors > use.Calls {
			return true
		}
	}
	return false
}

// worstLimit returns the limit that cuts most episodes of this step, and their share.
func (h *history) worstLimit() (worst string, share float64) {
	for _, limit := range subjects(h.now, metric.CutBy, "") {
		if s := h.now[metric.CutBy+limit] / max(1, h.now[metric.Episodes]); s > share {
			worst, share = limit, s
		}
	}
	return worst, share
}

// limitRemedies names the attribute that sets a limit, by the limit's name in records.
var limitRemedies = map[string]string{
	"message_tokens":  "Raise limits.message_tokens, or ask for shorter answers",
	"response_tokens": "Raise limits.response_tokens, or ask for shorter answers",
	"turns":           "Raise the agent's max_turns, or read why the policy does not finish",
	"context":         "Raise the model's context, or shorten what tools return",
}

func toolErrors(h *history) (out []found) {
	for _, tool := range subjects(h.now, metric.Tools, metric.ToolErrors) {
		failed, called := metric.Tools+tool+metric.ToolErrors, metric.Tools+tool+metric.ToolCalls
		errors, calls := h.last(failed, baseline), h.last(called, baseline)
		if errors == nil || calls == nil || calls[0]+calls[1] < toolCallsLeast || errors[0] < toolErrorShare*calls[0] ||
			errors[1] < toolErrorShare*calls[1] {
			continue
		}
		out = append(out, found{
			subject: tool, summary: fmt.Sprintf("the tool %s answered %.0f of %.0f calls of step %d with an error%s", tool,
				errors[1], calls[1], h.step, h.successNow()),
			numbers:  event.Metrics{failed: errors[1], called: calls[1]},
			examples: func(e *Episode) bool { return e.Tools[tool].Errors > 0 },
		})
	}
	return out
}

func malformed(h *history) []found {
	now := h.last(metric.MalformedRate, baseline)
	if now == nil || least(now) < malformedShare {
		return nil
	}
	return []found{{
		summary: fmt.Sprintf("%s of the episodes of step %d have a tool call that cannot be parsed%s", percent(now[1]),
			h.step, h.successNow()),
		numbers:  event.Metrics{metric.MalformedRate: now[1]},
		examples: func(e *Episode) bool { return e.Malformed > 0 },
	}}
}

func foreign(h *history) []found {
	rate := h.now[metric.ForeignCallRate]
	if rate < foreignShare {
		return nil
	}
	return []found{{
		summary: fmt.Sprintf("%s of the messages of step %d have a call in another model family's format, which is not read",
			percent(rate), h.step),
		numbers: event.Metrics{metric.ForeignCallRate: rate},
	}}
}

func failures(h *history) []found {
	share, ok := h.share(metric.Failed)
	if !ok || share < failedShare {
		return nil
	}
	worst, most := "", 0.0
	for _, class := range subjects(h.now, metric.FailedBy, "") {
		if n := h.now[metric.FailedBy+class]; n > most {
			worst, most = class, n
		}
	}
	return []found{{
		subject: worst, summary: fmt.Sprintf("%.0f of %.0f episodes of step %d failed, most of them (%.0f) with %s",
			h.now[metric.Failed], h.now[metric.Episodes], h.step, most, worst),
		numbers:  event.Metrics{metric.Failed: h.now[metric.Failed]},
		examples: func(e *Episode) bool { return e.Failure != "" },
	}}
}

func sameWrong(h *history) []found {
	same := h.last(metric.SameWrong, baseline)
	if same == nil || least(same) < sameWrongShare {
		return nil
	}
	return []found{{
		summary: fmt.Sprintf("in %s of the groups of step %d, all samples give the same wrong answer%s", percent(same[1]),
			h.step, h.successNow()),
		numbers:  event.Metrics{metric.SameWrong: same[1]},
		examples: func(e *Episode) bool { return e.sameWrong },
	}}
}

func slow(h *history) (out []found) {
	for _, part := range timed {
		name := metric.Timing + part.name
		sums, tails, all := h.last(name+metric.TimingSum, baseline), h.last(name+metric.TimingP95, baseline),
			h.last(timedAll, baseline)
		if sums == nil || tails == nil || all == nil || least(tails) < slowSeconds || sums[0] < slowShare*all[0] ||
			sums[1] < slowShare*all[1] {
			continue
		}
		summary := fmt.Sprintf("%s %s of the time of episodes in step %d: %s at p50, %s at p95, %s at most", part.text,
			percent(sums[1]/all[1]), h.step, seconds(h.now[name+metric.TimingP50]), seconds(tails[1]),
			seconds(h.now[name+metric.TimingMax]))
		if tool, took := h.slowestTool(); tool != "" && part.name == partEnvironment {
			summary += fmt.Sprintf("; the tool %s takes %s of it", tool, percent(took/sums[1]))
		}
		out = append(out, found{
			subject: part.name, summary: summary,
			numbers:  event.Metrics{name + metric.TimingSum: sums[1], name + metric.TimingP95: tails[1]},
			examples: func(e *Episode) bool { return part.of(&e.Times) >= 1000*tails[1] },
		})
	}
	return out
}

// slowestTool returns the tool that takes most of the time of this step, or an empty string without times of tools.
func (h *history) slowestTool() (slowest string, most float64) {
	for _, tool := range subjects(h.now, metric.ToolTiming, metric.TimingSum) {
		if took := h.now[metric.ToolTiming+tool+metric.TimingSum]; took > most {
			slowest, most = tool, took
		}
	}
	return slowest, most
}

func seconds(v float64) string { return fmt.Sprintf("%.1f s", v) }

func trainedShare(h *history) []found {
	now := h.last(metric.TrainedFraction, baseline)
	if now == nil || most(now) >= trainedLeast {
		return nil
	}
	return []found{{
		summary: fmt.Sprintf("%s of the tokens sampled in step %d are trained", percent(now[1]), h.step),
		numbers: event.Metrics{metric.TrainedFraction: now[1]},
	}}
}
