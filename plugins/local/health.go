package local

import (
	"fmt"

	"github.com/awhost/awhost/plugins/local/grpo"
)

// healthCheck watches for training that can only get worse.
type healthCheck struct {
	config    health
	collapsed int // steps in a row
	flat      int
}

// solved is the share of solved samples from which low entropy and equal rewards are what success looks like.
const solved = 0.95

// observe returns why training should stop, or "".
func (h *healthCheck) observe(m grpo.Metrics, successRate float64) string {
	if successRate >= solved {
		h.collapsed, h.flat = 0, 0
		return ""
	}
	h.collapsed = countIf(m.Updates > 0 && m.Entropy < h.config.MinEntropy, h.collapsed)
	h.flat = countIf(m.Updates == 0, h.flat)
	switch {
	case h.collapsed >= h.config.Patience:
		return fmt.Sprintf("entropy collapse: the policy's entropy stayed below %g nats per token for %d steps while episodes fail; lower optimizer.learning_rate or set algorithm.entropy", h.config.MinEntropy, h.collapsed)
	case h.flat >= h.config.Patience:
		return fmt.Sprintf("no group had samples with different rewards for %d steps, so there is nothing to learn from; the mean reward is %.3g: check the reward, raise sampling.temperature or start from a better policy", h.flat, m.RewardMean)
	}
	return ""
}

func countIf(bad bool, count int) int {
	if bad {
		return count + 1
	}
	return 0
}
