package findings

import (
	"fmt"
	"math"
	"slices"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk/metric"
)

// solved is the success rate from which on equal rewards and low entropy indicate success.
const solved = 0.9

// isSolved reports whether the policy solves almost everything.
func (h *history) isSolved() bool {
	return h.now[metric.SuccessRate] >= solved
}

func rewardDivergence(h *history) []found {
	rewards := h.rewards()
	r0, r1, ok := trend(rewards)
	if !ok || rise(r0, r1) <= clearly {
		return nil
	}
	for _, s := range []struct{ name, episodes, text string }{
		{metric.SuccessRate, metric.Judged, "success"},
		{metric.ValidationSuccessRate, metric.ValidationEpisodes, "held-out success"},
	} {
		all := h.rates(s.name, s.episodes)
		if len(all) < 2 {
			continue
		}
		first, last, ok := trend(all)
		if s.name == metric.ValidationSuccessRate { // there are few passes
			first, last, ok = all[0], all[len(all)-1], true
		}
		if ok && rise(first, last) < -clearly {
			return []found{{
				subject: s.name,
				summary: fmt.Sprintf("the reward rose from %.3g to %.3g while %s fell from %s to %s", r0.mean, r1.mean, s.text,
					percent(first.mean), percent(last.mean)),
				numbers:  event.Metrics{metric.Reward: r1.mean, s.name: last.mean},
				examples: rewardedFailure(r1.mean),
			}}
		}
	}
	return nil
}

// rewardedFailure selects episodes with a reward above the mean and without success.
func rewardedFailure(mean float64) func(*Episode) bool {
	return func(e *Episode) bool {
		return e.Reward != nil && *e.Reward >= mean && e.Success != nil && !*e.Success
	}
}

// Thresholds of the rule surface_reward.
const (
	followSteps = 3
	followed    = 0.6 // correlation of reward and feature
	margin      = 0.3 // above the correlation of reward and success
)

// unjudged is the correlation from which on a feature is reported although the success of episodes is not known.
const unjudged = 0.9

func surfaceReward(h *history) []found {
	success, limit := h.last(metric.RewardFollows+featureSuccess, followSteps), unjudged
	if success != nil {
		limit = math.Max(followed, math.Abs(mean(success))+margin)
	} else if h.reports(metric.SuccessRate) && h.now[metric.SuccessRate] > 0 && !h.isSolved() {
		return nil // success varies in some steps only
	}
	var strongest string
	var follows float64
	for _, feature := range []string{featureLength, featurePunctuation, featureRepeats, featureOpening, featureEnding} {
		last := h.last(metric.RewardFollows+feature, followSteps)
		if last != nil && math.Abs(mean(last)) >= limit && math.Abs(mean(last)) > math.Abs(follows) {
			strongest, follows = feature, mean(last)
		}
	}
	if strongest == "" {
		return nil
	}
	return []found{{
		subject: strongest,
		summary: fmt.Sprintf("within groups, the reward follows the %s of answers (correlation %.2f over %d steps)%s",
			featureText[strongest], follows, followSteps, ofSuccess(success)),
		numbers: event.Metrics{metric.RewardFollows + strongest: follows},
	}}
}

var featureText = map[string]string{
	featureLength: "length", featurePunctuation: "share of punctuation", featureRepeats: "share of repeated phrases",
	featureOpening: "opening words", featureEnding: "last words",
}

func ofSuccess(success []float64) string {
	if success == nil {
		return ""
	}
	return fmt.Sprintf(", and success only with %.2f", mean(success))
}

// patientSteps is the number of steps after which held-out success should have risen.
const patientSteps = 15

func noProgress(h *history) []found {
	all := h.rates(metric.ValidationSuccessRate, metric.ValidationEpisodes)
	if len(all) == 0 || !h.has(metric.ValidationSuccessRate) {
		return nil
	}
	first, last, start := all[0], all[len(all)-1], h.series[metric.ValidationSuccessRate][0].step
	if h.step < start+patientSteps || first.mean >= solved || rise(first, last) > 1 {
		return nil
	}
	return []found{{
		summary: fmt.Sprintf("held-out success was %s in step %d and is %s in step %d", percent(first.mean), start,
			percent(last.mean), h.step),
		numbers: event.Metrics{metric.ValidationSuccessRate: last.mean},
	}}
}

// unequalShare is the share of the sets of equal conversations that may get different rewards.
const unequalShare = 0.2

func unequalRewards(h *history) []found {
	shares := h.last(metric.UnequalRewards, baseline)
	if shares == nil || least(shares) < unequalShare {
		return nil
	}
	return []found{{
		summary: fmt.Sprintf("in step %d, %s of the sets of equal conversations about one task got different rewards", h.step,
			percent(shares[1])),
		numbers:  event.Metrics{metric.UnequalRewards: shares[1]},
		examples: func(e *Episode) bool { return e.unequal },
	}}
}

// unknownShare is the share of the scored episodes whose success may be unknown while all others are solved.
const unknownShare = 0.05

func unknownSuccess(h *history) []found {
	rates, judged, scored := h.last(metric.SuccessRate, baseline), h.last(metric.Judged, baseline),
		h.last(metric.Scored, baseline)
	if rates == nil || judged == nil || scored == nil || least(rates) < 1 {
		return nil
	}
	for i := range judged {
		if scored[i]-judged[i] < unknownShare*scored[i] || judged[i] == 0 {
			return nil
		}
	}
	return []found{{
		summary: fmt.Sprintf("in step %d, %.0f of %.0f scored episodes were solved, and none was known to be unsolved",
			h.step, judged[1], scored[1]),
		numbers: event.Metrics{metric.Judged: judged[1], metric.Scored: scored[1]},
	}}
}

func successCollapse(h *history) []found {
	all := h.successes()
	_, last, ok := trend(all)
	if !ok {
		return nil
	}
	best := all[0]
	for i := range all[:len(all)-1] {
		if two := combine(all[i : i+2]); two.mean > best.mean || i == 0 {
			best = two
		}
	}
	if last.mean > best.mean/4 || rise(best, last) > -clearly-1 {
		return nil
	}
	return []found{{
		summary: fmt.Sprintf("success fell from %s to %s", percent(best.mean), percent(last.mean)),
		numbers: event.Metrics{metric.SuccessRate: last.mean},
	}}
}

func notFinite(h *history) (out []found) {
	for _, name := range []string{metric.Loss, metric.GradNorm, metric.Entropy, metric.KL, metric.ApproxKL} {
		if v, ok := h.now[name]; ok && !isFinite(v) {
			out = append(out, found{subject: name, summary: fmt.Sprintf("%s of step %d is %v", name, h.step, v)})
		}
	}
	return out
}

// Thresholds of the rules about entropy.
const (
	collapsed = 0.1   // share of the first entropy
	nothing   = 0.002 // nats per token
	patience  = 3     // steps
)

func entropyCollapse(h *history) []found {
	now := h.last(metric.Entropy, patience)
	if now == nil || h.isSolved() || h.improved() {
		return nil
	}
	first := h.first(metric.Entropy)
	if most(now) >= math.Max(nothing, collapsed*first) {
		return nil
	}
	return []found{{
		summary: fmt.Sprintf("entropy was %.3g nats per token at first and stayed below %.3g for %d steps%s", first,
			most(now), patience, h.successNow()),
		numbers: event.Metrics{metric.Entropy: now[patience-1]},
	}}
}

func entropyExplosion(h *history) []found {
	now, first := h.last(metric.Entropy, patience), h.first(metric.Entropy)
	if now == nil || least(now) < 3*first || least(now) < first+0.5 || h.improved() {
		return nil
	}
	return []found{{
		summary: fmt.Sprintf("entropy grew from %.3g to %.3g nats per token%s", first, now[patience-1], h.successNow()),
		numbers: event.Metrics{metric.Entropy: now[patience-1]},
	}}
}

// first returns the mean of a metric's first values.
func (h *history) first(name string) float64 {
	points := h.series[name]
	return mean(values(points[:min(len(points), baseline)]))
}

func (h *history) successNow() string {
	if !h.has(metric.SuccessRate) {
		return ""
	}
	return ", with success at " + percent(h.now[metric.SuccessRate])
}

func lengthCollapse(h *history) []found {
	return h.length(func(first, now float64) bool { return now < first/3 }, "shrank")
}

func lengthExplosion(h *history) []found {
	return h.length(func(first, now float64) bool { return now > 2*first }, "grew")
}

func (h *history) length(far func(first, now float64) bool, verb string) []found {
	now, first := h.last(metric.ResponseTokens, baseline), h.first(metric.ResponseTokens)
	near := func(v float64) bool { return !far(first, v) }
	if now == nil || slices.ContainsFunc(now, near) || h.improved() || h.isSolved() {
		return nil
	}
	return []found{{
		summary: fmt.Sprintf("responses %s from %.0f to %.0f tokens per episode%s", verb, first, now[baseline-1],
			h.successNow()),
		numbers: event.Metrics{metric.ResponseTokens: now[baseline-1]},
	}}
}

// spiked is the factor above the median of earlier steps from which on a value is a spike.
const (
	spiked   = 10
	spikeAge = 5 // earlier steps
)

// spike returns the check for values far above their median. Values below floor do not count.
func spike(name string, floor float64) func(*history) []found {
	return func(h *history) []found {
		before, now := h.before(name), h.now[name]
		usual := median(before)
		if len(before) < spikeAge || h.last(name, 1) == nil || now < floor || now < spiked*usual {
			return nil
		}
		return []found{{
			summary: fmt.Sprintf("%s of step %d is %.3g, and was %.3g before", name, h.step, now, usual),
			numbers: event.Metrics{name: now},
		}}
	}
}

// flat is the share of groups with equal rewards from which on little is left to learn from.
const flat = 0.9

func equalRewards(h *history) []found {
	shares := h.last(metric.FlatGroups, patience)
	if shares == nil || least(shares) < flat || h.isSolved() || h.improved() || constantReward(h) != nil {
		return nil
	}
	return []found{{
		summary: fmt.Sprintf("in %s of the groups of the last %d steps, all samples got the same reward%s",
			percent(mean(shares)), patience, h.successNow()),
		numbers: event.Metrics{metric.FlatGroups: mean(shares)},
	}}
}

func constantReward(h *history) []found {
	spread := h.last(metric.RewardStd, patience)
	if spread == nil || most(spread) > 0 || h.isSolved() || h.improved() {
		return nil
	}
	means := h.last(metric.Reward, patience)
	if means == nil || most(means) != least(means) {
		return nil
	}
	var causes []string
	if successCollapse(h) != nil {
		causes = []string{"the policy has collapsed: see success_collapse"}
	} else if limit, share := h.worstLimit(); share >= solved {
		causes = []string{
			fmt.Sprintf("the limit %s cuts episodes before their answer", limit), "the reward does not read the answer",
		}
	}
	return []found{{
		causes:  causes,
		summary: fmt.Sprintf("all episodes of the last %d steps got the reward %.4g%s", patience, means[0], h.successNow()),
		numbers: event.Metrics{metric.Reward: means[0]}, examples: func(e *Episode) bool { return e.Reward != nil },
	}}
}

func overfitting(h *history) []found {
	held := h.rates(metric.ValidationSuccessRate, metric.ValidationEpisodes)
	train := h.successes()
	t0, t1, ok := trend(train)
	if !ok || len(held) < 3 || rise(t0, t1) <= clearly {
		return nil
	}
	best := slices.MaxFunc(held, func(a, b sample) int { return int(math.Copysign(1, a.mean-b.mean)) })
	last := held[len(held)-1]
	if rise(best, last) > -veryClearly {
		return nil
	}
	return []found{{
		summary: fmt.Sprintf("training success rose from %s to %s, and held-out success fell from %s to %s", percent(t0.mean),
			percent(t1.mean), percent(best.mean), percent(last.mean)),
		numbers: event.Metrics{metric.SuccessRate: t1.mean, metric.ValidationSuccessRate: last.mean},
	}}
}

func mean(list []float64) float64 {
	var sum float64
	for _, v := range list {
		sum += v
	}
	return sum / math.Max(1, float64(len(list)))
}

func percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }
