package findings

import (
	"fmt"
	"math"
	"slices"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk/metric"
)

// Thresholds of a difference that no rounding explains, in nats. In bfloat16, means are up to 0.03 and single tokens
// differ by 1; with mixtures of experts in 8 bits, means reach 0.1.
const (
	farMean, farP99 = 0.3, 3
	farToken        = 8
)

// The bias estimates the divergence between both policies. Rounding keeps it below 3 % of the entropy, and a
// temperature on one side does not: smaller differences count if mean and bias are above these shares of the entropy.
const (
	meanShare, biasShare       = 0.2, 0.05
	leastEntropy, usualEntropy = 0.02, 0.4
)

// gapGrowth is the factor above the first step's gap from which on rounding cannot explain a gap: both policies begin
// with the same weights.
const gapGrowth = 20

// gap is a metric that compares sampler and trainer.
type gap struct {
	name, what string
	least      float64 // smaller values are rounding
	steps      int     // that decide: largest values may be chance
	severity   event.FindingSeverity
}

// gaps lists these metrics, the best one first.
var gaps = []gap{
	{metric.LogprobGapMean, "log-probabilities differ by a mean of", 1e-4, 1, fault},
	{metric.LogprobGap, "log-probabilities differ by up to", 0.05, baseline, doubt},
	{metric.ProbabilityGap, "probabilities differ by up to", 0.05, baseline, doubt},
}

// The causes of differences.
const (
	causeFrozen      = "the sampler did not get the trained weights"
	causeLoRA        = "adapters (LoRA) are not merged or not loaded in the sampler"
	causeLate        = "the sampler gets the weights one step late"
	causeResume      = "after a resume, the sampler or the trainer loaded other weights"
	causeTokens      = "the mask or the template is shifted"
	causeTemperature = "the temperature is applied on one side only"
	causeStale       = "in asynchronous training, messages are sampled by much older weights"
)

// Worst is the token with the largest difference of a step. Its zero value means unknown.
type Worst struct {
	Episode string
	Token   int // index in the row
}

func policyGap(h *history) []found {
	i := slices.IndexFunc(gaps, func(g gap) bool { return h.has(g.name) })
	if i < 0 || !isFinite(h.now[gaps[i].name]) {
		return nil
	}
	g, out := gaps[i], found{numbers: event.Metrics{}}
	first := h.series[g.name][0].step
	switch far := h.isFar(h.step); {
	case h.now[metric.Staleness] > 0:
		if !far {
			return nil // older weights explain it
		}
		out.severity, out.causes = doubt, []string{causeStale, causeTokens, causeTemperature}
	case far && h.isFar(first):
		out.causes = []string{causeTokens, causeTemperature, causeLoRA, causeFrozen}
		if h.now[metric.LogprobGap] < farToken || h.now[metric.LogprobBias] < 0 {
			out.causes[0], out.causes[1] = causeTemperature, causeTokens
		}
	case far || h.grown(g, h.step):
		if out.causes = h.growthCauses(g); !far {
			out.severity = g.severity
		}
	case g.name == metric.LogprobGapMean && h.at(metric.LogprobGap, h.step) >= farToken &&
		h.at(metric.LogprobGap, h.step-1) >= farToken: // few tokens of long messages
		out.severity, out.causes = doubt, []string{causeTokens}
	default:
		return nil
	}
	out.summary = fmt.Sprintf("sampler and trainer disagree: %s %.3g in step %d, and %.3g in the first step", g.what,
		h.now[g.name], h.step, h.series[g.name][0].value)
	if w := h.worst; w.Episode != "" {
		out.summary += fmt.Sprintf("; token %d of %s differs by %.3g", w.Token, w.Episode, h.now[metric.LogprobGap])
		out.examples = func(e *Episode) bool { return e.ID == w.Episode }
	}
	for _, name := range []string{g.name, metric.LogprobGap, metric.LogprobGapP99, metric.LogprobBias} {
		if v, ok := h.now[name]; ok && isFinite(v) {
			out.numbers[name] = v
		}
	}
	return []found{out}
}

// isFar reports whether the difference in a step is too large for rounding, whatever it was in other steps.
func (h *history) isFar(step int) bool {
	mean, entropy := h.at(metric.LogprobGapMean, step), usualEntropy
	if h.reports(metric.Entropy) {
		entropy = max(leastEntropy, min(usualEntropy, h.at(metric.Entropy, step)))
	}
	return mean >= farMean || h.at(metric.LogprobGapP99, step) >= farP99 ||
		math.Abs(h.at(metric.LogprobBias, step)) >= biasShare*entropy &&
			(mean >= meanShare*entropy || !h.reports(metric.LogprobGapMean))
}

// grown reports whether a gap in a step, and in the ones before that decide, is far above the first step's.
func (h *history) grown(g gap, step int) bool {
	for i := range g.steps {
		if v := h.at(g.name, step-i); v < g.least || v < gapGrowth*h.series[g.name][0].value {
			return false
		}
	}
	return true
}

// growthCauses orders the causes of a gap that the first step does not have.
func (h *history) growthCauses(g gap) []string {
	causes := []string{causeFrozen, causeLoRA, causeLate}
	began := h.step
	for began > 1 && h.grown(g, began-1) {
		began--
	}
	if began < h.step && h.now[g.name] < 1.2*h.at(g.name, began) { // with weights that stay the same, it would increase
		causes = []string{causeLate, causeFrozen, causeLoRA}
	}
	if since := began - h.launched; since >= 0 && since < g.steps && h.launched > h.series[g.name][0].step {
		causes = append([]string{causeResume}, causes...)
	}
	return causes
}
