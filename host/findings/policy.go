package findings

import (
	"fmt"
	"math"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk/metric"
)

// Thresholds of the rule policy_gap: engines that round differently stay below them on the same weights.
const (
	gapLeast  = 0.05 // nats
	gapGrowth = 20   // times the first step's gap
	gapAlways = 2.0  // nats
)

func policyGap(h *history) []found {
	now, ok := h.now[metric.LogprobGap]
	first := h.series[metric.LogprobGap][0].value
	grown := now > gapLeast && now > gapGrowth*first
	if !ok || !grown && now < gapAlways || math.IsNaN(now) {
		return nil
	}
	return []found{{
		summary: fmt.Sprintf("a token's log-probability differs by %.3g nats between sampler and trainer in step %d, and by "+
			"%.3g in the first step", now, h.step, first),
		numbers: event.Metrics{metric.LogprobGap: now},
	}}
}
