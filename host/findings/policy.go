package findings

import (
	"fmt"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk/metric"
)

// Thresholds of the rule policy_gap, by metric. Engines that round differently stay below them on the same weights.
var gaps = []struct {
	name, what string
	least      float64
}{
	{metric.ProbabilityGap, "probability", 0.2},
	{metric.LogprobGap, "log-probability", 0.5},
}

// gapGrowth is the factor above the first step's gap from which on rounding cannot explain a gap.
const gapGrowth = 20

func policyGap(h *history) (out []found) {
	for _, gap := range gaps {
		now := h.last(gap.name, baseline)
		if now == nil {
			continue
		}
		first := h.series[gap.name][0].value
		if least(now) < gap.least || least(now) < gapGrowth*first {
			continue
		}
		out = append(out, found{
			subject: gap.name,
			summary: fmt.Sprintf("the %s of a token differs by %.3g between sampler and trainer in step %d, and by %.3g in the "+
				"first step", gap.what, now[baseline-1], h.step, first),
			numbers: event.Metrics{gap.name: now[baseline-1]},
		})
	}
	return out
}
